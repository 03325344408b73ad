"""The study behind the cap of `capped`: which rule of n and epsilon loses least anywhere.

Run with ``python -m benchmarks.cap_rule``; it takes about two minutes.

For each of 60 populations (six laws of differences, with and without 30% zeros, five effects) and
nine epsilons the pairs needed for 80% power at two-sided .05 are computed under every cap c n, c
from 0.004 to 1, and under every rule. What counts is the worst ratio of a rule's pairs to those of
the best cap, which knows the population.

The statistic of n pairs is taken as normal, with mean c n^2 psi(c) and variance c^2 n^3 v(c); psi
and v come from simulated samples of 2,000 pairs, and have limits where c falls to 0, the sign test.
Adding Laplace noise, the power is a closed form. That is accurate from some dozens of pairs on;
``python -m benchmarks.procedures`` repeats the comparison with simulated samples of the sizes in
question and exact critical values.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from typing import TypeAlias

import numpy as np

from dpwilcoxon.arraytypes import FloatArray
from dpwilcoxon.nulls.normal_laplace import log_upper_tail, upper_tail_point
from dpwilcoxon.parameters import Design
from dpwilcoxon.procedures.capped import NOISE_WEIGHT, SIZE_WEIGHT, cap_by_rule
from dpwilcoxon.studies.models import Population

FAMILIES = ("normal", "logistic", "laplace", "student-t:3", "uniform", "likert")
ZERO_FRACTIONS = (0.0, 0.3)
EFFECTS = (0.1, 0.2, 0.5, 1.0, 2.0)
EPSILONS = (0.01, 0.03, 0.1, 0.3, 0.5, 1.0, 2.0, 3.0, 5.0)
POWER, LOG_TAIL = 0.8, math.log(0.025)
LEAST_PAIRS, MOST_PAIRS = 7.0, 1e7  # with fewer, nothing can be significant at .05 without luck
SHARES = np.unique(np.concatenate([np.geomspace(0.004, 0.2, 14), np.linspace(0.2, 1.0, 25)]))
SAMPLES, CHUNK, PAIRS, SEED = 3_000, 500, 2_000, 1

Rule: TypeAlias = Callable[[float, float], float]
"""The share of the ranks below the cap, given n and epsilon."""


@dataclass(frozen=True)
class Moments:
    """Mean and variance of the statistic under every cap c n, in units of c n^2 and c^2 n^3."""

    mean: FloatArray
    variance: FloatArray

    @classmethod
    def of(cls, population: Population) -> Moments:
        """Simulate them."""
        rng = np.random.default_rng(SEED)
        caps = np.clip(np.round(SHARES * PAIRS).astype(int), 1, PAIRS)
        totals = np.concatenate(
            [
                totals_under_every_cap(population.draw(rng, CHUNK, PAIRS))[:, caps - 1]
                for _ in range(SAMPLES // CHUNK)
            ]
        )
        totals /= caps
        return cls(totals.mean(axis=0) / PAIRS, np.var(totals, axis=0) / PAIRS)

    def power(self, n: float, epsilon: float, share: float) -> float:
        """P(significant, and on the right side)."""
        share = min(max(share, 1.0 / n), 1.0)
        scale = 2.0 * share * n / epsilon
        critical = upper_tail_point(LOG_TAIL, math.sqrt(null_variance(share) * n**3), scale)
        variance = max(float(np.interp(share, SHARES, self.variance)), 1e-9)
        deviation = share * math.sqrt(variance * n**3)
        mean = share * n**2 * float(np.interp(share, SHARES, self.mean))
        return math.exp(float(log_upper_tail(critical - mean, deviation, scale)))


def totals_under_every_cap(differences: FloatArray) -> FloatArray:
    """w under the caps 1, ..., n: sums over k <= cap of the signs of the rows from rank k on."""
    sizes = np.abs(differences)
    order = np.argsort(sizes, axis=1)
    sizes = np.take_along_axis(sizes, order, axis=1)
    signs = average_over_ties(np.take_along_axis(np.sign(differences), order, axis=1), sizes)
    from_rank = np.cumsum(signs[:, ::-1], axis=1)[:, ::-1]
    return np.asarray(np.cumsum(from_rank, axis=1))


def average_over_ties(signs: FloatArray, sizes: FloatArray) -> FloatArray:
    """The expected sign of each rank when ties are broken at random."""
    begins = np.ones(sizes.shape, dtype=bool)
    begins[:, 1:] = sizes[:, 1:] != sizes[:, :-1]
    if begins.all():
        return signs
    group = np.cumsum(begins.ravel()) - 1
    average = np.bincount(group, weights=signs.ravel()) / np.bincount(group)
    return np.asarray(average[group].reshape(signs.shape))


def null_variance(share: float) -> float:
    """Sum of min(r, c n)^2 over r = 1..n, in units of n^3."""
    return share**3 / 3.0 + (1.0 - share) * share**2


def weighted(size: float, noise: float) -> Rule:
    """1 / (1 + size / sqrt(n) + noise / (n epsilon^2))."""
    return lambda n, epsilon: 1.0 / (1.0 + size / math.sqrt(n) + noise / (n * epsilon**2))


def constant(share: float) -> Rule:
    """The same share whatever n and epsilon are."""
    return lambda _n, _epsilon: share


@dataclass(frozen=True)
class Scenario:
    """One population at one epsilon."""

    family: str
    zero_fraction: float
    effect: float
    epsilon: float

    @cached_property
    def best(self) -> float:
        """The pairs needed under the cap that is best here."""
        return min(self.needed(constant(float(share))) for share in SHARES)

    @property
    def counts(self) -> bool:
        """Whether the answer is neither a handful of pairs nor beyond all bounds."""
        return LEAST_PAIRS <= self.best < MOST_PAIRS

    def needed(self, rule: Rule) -> float:
        """The pairs needed under a rule."""
        low, high = 2.0, 4.0
        while self.power(high, rule) < POWER:
            low, high = high, 2.0 * high
            if high > MOST_PAIRS:
                return math.inf
        while high / low > 1.0005:
            middle = math.sqrt(low * high)
            low, high = (low, middle) if self.power(middle, rule) >= POWER else (middle, high)
        return high

    def power(self, n: float, rule: Rule) -> float:
        """The power of n pairs under a rule."""
        found = moments(self.family, self.zero_fraction, self.effect)
        return found.power(n, self.epsilon, rule(n, self.epsilon))

    def allowed(self, ratio: float) -> tuple[float, float, float]:
        """n epsilon^2, and the lowest and highest share that need at most `ratio` of the best."""
        n = ratio * self.best
        enough = [share for share in SHARES if self.power(n, constant(float(share))) >= POWER]
        return n * self.epsilon**2, min(enough), max(enough)


@lru_cache
def moments(family: str, zero_fraction: float, effect: float) -> Moments:
    """The moments of one population, simulated once."""
    return Moments.of(Population.parse(family, effect, zero_fraction))


def scenarios() -> Iterator[Scenario]:
    """All scenarios with an answer."""
    for each in product(FAMILIES, ZERO_FRACTIONS, EFFECTS, EPSILONS):
        scenario = Scenario(*each)
        if scenario.counts:
            yield scenario


def least_worst_ratio(given: list[Scenario]) -> float:
    """The worst ratio of the best rule that is an increasing function of n epsilon^2 alone.

    Such a rule exists for a ratio unless some scenario's lowest share is above the highest share
    of a scenario with more n epsilon^2.
    """
    low, high = 1.0, 2.0
    while high - low > 0.003:
        ratio = (low + high) / 2.0
        floor, possible = 0.0, True
        for _, lowest, highest in sorted(scenario.allowed(ratio) for scenario in given):
            floor = max(floor, lowest)
            possible &= floor <= highest
        low, high = (low, ratio) if possible else (ratio, high)
    return high


def compare_rules(given: list[Scenario]) -> None:
    """Print the worst and the mean ratio of each rule, and the worst by effect."""
    rules: dict[str, Rule] = {"no cap (pratt)": constant(1.0), "signs": constant(0.0)}
    for size, noise in product((0.0, 2.0, 3.0, 3.5, 4.0, 5.0), (16.0, 20.0, 24.0, 28.0)):
        rules[f"size {size:g}, noise {noise:g}"] = weighted(size, noise)
    print(
        "1/c = 1 + size / sqrt(n) + noise / (n epsilon^2): pairs needed over those of the best cap"
    )
    print(f"{'':22} worst   mean   worst by effect" + " ".join(f"{each:7g}" for each in EFFECTS))
    for name, rule in rules.items():
        ratios = {each: each.needed(rule) / each.best for each in given}
        by_effect = " ".join(
            f"{max(r for each, r in ratios.items() if each.effect == effect):7.3f}"
            for effect in EFFECTS
        )
        values = list(ratios.values())
        print(f"{name:22} {max(values):5.3f}  {np.mean(values):5.3f}   {'':15}{by_effect}")


def show_chosen_rule(given: list[Scenario]) -> None:
    """Print the worst ratio of the rule in use, by family and effect, of no cap and of signs."""

    def in_use(n: float, epsilon: float) -> float:
        return cap_by_rule(Design.parse(round(n), epsilon)) / round(n)

    print(
        f"\nThe rule in use (size {float(SIZE_WEIGHT):g}, noise {NOISE_WEIGHT}): worst ratio over"
    )
    print("epsilon and zeros; in brackets those of no cap and of signs alone")
    print(f"{'':14}" + "".join(f"{f'effect {effect:g}':>22}" for effect in EFFECTS))
    for family in FAMILIES:
        cells = []
        for effect in EFFECTS:
            chosen = [each for each in given if (each.family, each.effect) == (family, effect)]
            worst = [
                max(each.needed(rule) / each.best for each in chosen)
                for rule in (in_use, constant(1.0), constant(0.0))
            ]
            cells.append(f"{worst[0]:.2f} ({worst[1]:.2f}, {worst[2]:.2f})")
        print(f"{family:14}" + "".join(f"{cell:>22}" for cell in cells))


def main() -> None:
    """Run the study."""
    given = list(scenarios())
    print(f"{len(given)} scenarios, from {min(each.best for each in given):.0f} to", end=" ")
    print(f"{max(each.best for each in given):,.0f} pairs")
    compare_rules(given)
    least = least_worst_ratio(given)
    print(f"No increasing function of n epsilon^2 alone has a worst ratio below {least:.2f}.")
    show_chosen_rule(given)


if __name__ == "__main__":
    main()

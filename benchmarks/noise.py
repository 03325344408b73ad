"""What canonical noise buys: the pairs needed with it and with Laplace noise.

Run with ``python -m benchmarks.noise``; it takes two minutes.

Both kinds of noise are added to the same simulated statistics, integrated out in closed form, and
compared with their own exact critical values, so that the difference is that of the noise alone.
Pairs are interpolated between whole numbers; how often a whole pair is saved is said below.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import final

from dpwilcoxon.parameters import Noise
from dpwilcoxon.studies.models import Population
from dpwilcoxon.studies.planned import PlannedTest
from dpwilcoxon.studies.rejection import rejection_rates

POWER, SEED, REPLICATES = 0.8, 9, 20_000
TESTS = ("pratt", "capped", "sign")
LAWS = ("normal", "laplace", "student-t:3", "uniform")
EFFECTS = (0.5, 1.0, 1.5, 2.0, 3.0)
EPSILONS = ("0.3", "0.5", "1", "1.5", "2", "3", "4", "5")
WORTH_BUILDING = 0.03
FEWEST, MOST = 5, 600


@final
@dataclass(frozen=True)
class Saving:
    """The pairs needed with either noise."""

    name: str
    law: str
    effect: float
    epsilon: str
    laplace: float
    canonical: float

    @property
    def share(self) -> float:
        """The share of pairs that canonical noise saves."""
        return 1.0 - self.canonical / self.laplace

    @property
    def whole_pairs(self) -> int:
        """How many pairs that is in whole numbers."""
        return math.ceil(self.laplace) - math.ceil(self.canonical)


def pairs(population: Population, test: PlannedTest) -> float:
    """Where the power passes 80%, on a line between whole pairs."""

    def power(n: int) -> float:
        (rate,) = rejection_rates(population, n, [test(n)], replicates=REPLICATES, seed=SEED)
        return rate.probability

    low, high = FEWEST, 2 * FEWEST
    reached = power(high)
    while reached < POWER:
        low, high = high, 2 * high
        if high > MOST:
            return math.nan
        reached = power(high)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if power(middle) >= POWER else (middle, high)
    return low + (POWER - power(low)) / (power(high) - power(low))


def savings() -> Iterator[Saving]:
    """Measure every scenario."""
    for name, law, effect, epsilon in product(TESTS, LAWS, EFFECTS, EPSILONS):
        population = Population.parse(law, effect)
        needed = (pairs(population, PlannedTest.parse(name, epsilon, noise=kind)) for kind in Noise)
        yield Saving(name, law, effect, epsilon, *needed)


def show(name: str, measured: list[Saving]) -> None:
    """Print the savings of one test: by effect and epsilon, the least and the largest of all laws.

    Parameters
    ----------
    name
        The test.
    measured
        All savings.
    """
    print(f"\n{name}: per cent of the pairs saved, least to largest over {', '.join(LAWS)}")
    print(f"{'effect':>8}" + "".join(f"{f'epsilon {each}':>15}" for each in EPSILONS))
    for effect in EFFECTS:
        cells = []
        for epsilon in EPSILONS:
            asked = (name, effect, epsilon)
            shares = [
                100.0 * each.share
                for each in measured
                if (each.name, each.effect, each.epsilon) == asked and not math.isnan(each.share)
            ]
            cells.append(f"{min(shares):+.1f} to {max(shares):+.1f}" if shares else "-")
        print(f"{effect:8g}" + "".join(f"{cell:>15}" for cell in cells))


def main() -> None:
    """Print the tables, the largest saving, and what it is in whole pairs."""
    measured = list(savings())
    for name in TESTS:
        show(name, measured)
    known = [each for each in measured if not math.isnan(each.share)]
    best, worst = max(known, key=lambda each: each.share), min(known, key=lambda each: each.share)
    for word, each in (("Largest saving", best), ("Largest loss", worst)):
        print(
            f"{word}: {100.0 * each.share:+.1f}% ({each.laplace:.1f} to {each.canonical:.1f} pairs)"
            f", {each.name}, {each.law}, effect {each.effect:g}, epsilon {each.epsilon}"
        )
    worth = [each for each in known if each.share >= WORTH_BUILDING]
    whole = [each for each in known if each.whole_pairs >= max(1.0, WORTH_BUILDING * each.laplace)]
    print(
        f"Of {len(known)} scenarios {len(worth)} save {WORTH_BUILDING:.0%} or more, and "
        f"{len(whole)} so much in whole pairs."
    )


if __name__ == "__main__":
    main()

"""The whole field: pairs that each test needs, and what the cap's rule costs.

Run with ``python -m benchmarks.procedures``: fifteen minutes on two cores. ``--law NAME`` measures
one law in four or so, ``--quick`` a corner of the table in some seconds.

Every number of pairs is searched for with simulated samples and exact critical values, and stands
with half the width of its 95% interval, which comes from the standard errors of the powers.
The last two columns compare `capped` with the best cap there is, which knows the population: a
number of pairs, and the ratio of the two, both interpolated between whole pairs. ``--rule A B``
compares the cap n / (1 + A / sqrt(n) + B / (n epsilon^2)) instead.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias, final

import numpy as np
from scipy import stats

from benchmarks.cap_rule import weighted
from benchmarks.pvalue import verdict
from dpwilcoxon.arraytypes import FloatArray
from dpwilcoxon.parameters import Design
from dpwilcoxon.procedures.base import Procedure
from dpwilcoxon.procedures.capped import Capped, cap_by_rule
from dpwilcoxon.procedures.clairvoyant import QUANTILES, ROOT_2, Clairvoyant
from dpwilcoxon.procedures.registry import get_procedure
from dpwilcoxon.studies.effort import Effort
from dpwilcoxon.studies.models import Population
from dpwilcoxon.studies.planned import PlannedTest
from dpwilcoxon.studies.rejection import rejection_rates
from dpwilcoxon.studies.required import RequiredPairs, required_pairs

Rule: TypeAlias = Callable[[str], Callable[[int], Sequence[int]]]
"""Caps to choose from, given epsilon and then n."""

POWER, SEED = 0.8, 5
EPSILONS: tuple[str, ...] = ("0.01", "0.1", "0.3", "1", "3")
EFFECTS: tuple[float, ...] = (1.0, 0.5)
LAWS = {
    "normal": stats.norm(),
    "laplace": stats.laplace(scale=math.sqrt(0.5)),
    "student-t:3": stats.t(3, scale=math.sqrt(1.0 / 3.0)),
    "uniform": stats.uniform(-math.sqrt(3.0), 2.0 * math.sqrt(3.0)),
}
TESTS = (
    "pratt", "sign", "capped", "private-t", "test-of-tests", "clairvoyant", "public",
)  # fmt: skip
HARD = frozenset({"private-t", "test-of-tests"})  # rivals far behind: searched for to 2% only
MOST_PAIRS = 200_000

# The promises of `capped`: the pairs it may need, and the most it may lose to the best cap.
MOST_CAPPED = {("normal", 1.0, "1"): 31, ("normal", 1.0, "0.1"): 168}
MOST_RATIO = 1.06
COMPARED_WITH_BEST = ("normal", "laplace", "student-t:3")
SHARES = np.geomspace(0.02, 1.0, 33)  # of the ranks below a cap
VALUES = 12_000_000  # differences simulated for one power of every cap
FINAL_STEPS = 6  # of the search for whole pairs, by which a bracket of a tenth shrinks to one


@final
@dataclass(frozen=True)
class Setting:
    """A law of differences, an effect and an epsilon."""

    law: str
    effect: float
    epsilon: str

    @property
    def population(self) -> Population:
        """Where samples come from."""
        return Population.parse(self.law, self.effect)

    def needed(self, name: str, guess: int) -> RequiredPairs:
        """The pairs that a test needs."""
        return required_pairs(
            self.population,
            PlannedTest.parse(self.procedure(name), self.epsilon),
            Effort(power=POWER, tolerance=0.02 * guess if name in HARD else None, seed=SEED),
            guess=guess,
            most_pairs=MOST_PAIRS,
        )

    def procedure(self, name: str) -> Procedure:
        """The test, and the clairvoyant's knowledge of the law."""
        if name != "clairvoyant":
            return get_procedure(name)
        return Clairvoyant(null_differences(self.law))


def null_differences(law: str) -> FloatArray:
    """Equally likely differences of a law when nothing changes."""
    return np.asarray(ROOT_2 * LAWS[law].ppf((np.arange(QUANTILES) + 0.5) / QUANTILES))


def fractional_pairs(setting: Setting, caps: Callable[[int], Sequence[int]], near: int) -> float:
    """Where the power of the best of some caps passes 80%, on a line between whole pairs.

    All caps look at the same samples, and so do both calls for one setting.
    """
    powers: dict[int, float] = {}

    def power(n: int) -> float:
        if n not in powers:
            design = Design.parse(n, setting.epsilon)
            tests = [PlannedTest.parse(Capped(cap), setting.epsilon) for cap in caps(n)]
            rates = rejection_rates(
                setting.population,
                n,
                [test(design.n_pairs) for test in tests],
                replicates=min(400_000, VALUES // n),
                seed=SEED,
            )
            powers[n] = max(each.probability for each in rates)
        return powers[n]

    low, high = math.floor(0.9 * near), math.ceil(1.03 * near)
    while power(low) >= POWER:
        low = math.floor(0.9 * low)
    while power(high) < POWER:
        high = math.ceil(1.1 * high)
    for _ in range(FINAL_STEPS):
        if high - low <= 1:
            break
        share = (POWER - power(low)) / (power(high) - power(low))
        middle = min(max(round(low + share * (high - low)), low + 1), high - 1)
        low, high = (low, middle) if power(middle) >= POWER else (middle, high)
    return low + (high - low) * (POWER - power(low)) / (power(high) - power(low))


def chosen_cap(epsilon: str) -> Callable[[int], Sequence[int]]:
    """The one cap of the rule in use."""
    return lambda n: [cap_by_rule(Design.parse(n, epsilon))]


def other_rule(size: float, noise: float) -> Rule:
    """The one cap of another rule."""
    share = weighted(size, noise)
    return lambda epsilon: lambda n: [math.ceil(n * share(n, float(epsilon)))]


def every_cap(epsilon: str) -> Callable[[int], Sequence[int]]:
    """Many caps from signs to ranks, that of the rule among them."""
    return lambda n: sorted(
        {
            1,
            cap_by_rule(Design.parse(n, epsilon)),
            *np.unique(np.ceil(SHARES * n).astype(int)).tolist(),
        }
    )


@final
@dataclass(frozen=True)
class Row:
    """What was measured in one setting."""

    setting: Setting
    found: dict[str, RequiredPairs]
    best: float
    ratio: float

    def __str__(self) -> str:
        cells = [f"{shown(self.found[name]):>12}" for name in TESTS]
        start = f"{self.setting.law:12} {self.setting.effect:6g} {self.setting.epsilon:>8}"
        return f"{start}{''.join(cells)} {self.best:10.1f} {self.ratio:7.3f}"


def shown(found: RequiredPairs) -> str:
    """A number of pairs with half the width of its interval."""
    if found.n is None or found.low is None or found.high is None:
        return f"> {MOST_PAIRS:,}" if found.n is None else f"{found.n:,}"
    return f"{found.n:,} ±{math.ceil((found.high - found.low) / 2)}"


def measure(setting: Setting, public: RequiredPairs, rule: Rule) -> Row:
    """Search for the pairs of every test."""
    found = {"public": public}
    guess = round(34 / setting.effect**2 / min(1.0, float(setting.epsilon)))
    for name in TESTS[:-1]:
        found[name] = setting.needed(name, guess)
        guess = found[name].n or guess
    near = found["capped"].n or guess
    ruled, best = (
        fractional_pairs(setting, caps(setting.epsilon), near) for caps in (rule, every_cap)
    )
    return Row(setting, found, best, ruled / best)


def rows(
    laws: Sequence[str], effects: Sequence[float], epsilons: Sequence[str], rule: Rule
) -> Iterator[Row]:
    """Measure every setting; the public test knows no epsilon."""
    for law, effect in product(laws, effects):
        public = Setting(law, effect, "1").needed("public", round(20 / effect**2))
        for epsilon in epsilons:
            yield measure(Setting(law, effect, epsilon), public, rule)


def check(measured: Sequence[Row]) -> None:
    """Hold the promises of `capped` against what was measured."""
    print()
    for row in measured:
        setting, needed = row.setting, row.found["capped"]
        most = MOST_CAPPED.get((setting.law, setting.effect, setting.epsilon))
        if most is not None:
            print(
                f"capped at epsilon {setting.epsilon}, effect {setting.effect:g}, {setting.law}: "
                f"{shown(needed)} pairs (at most {most})  "
                f"{verdict(holds=needed.n is not None and needed.n <= most)}"
            )
    compared = [row for row in measured if row.setting.law in COMPARED_WITH_BEST]
    if compared:
        worst = max(compared, key=lambda row: row.ratio)
        where = worst.setting
        print(
            f"the cap's rule against the best cap: {worst.ratio:.3f} at worst, for {where.law}, "
            f"effect {where.effect:g}, epsilon {where.epsilon} (at most {MOST_RATIO})  "
            f"{verdict(holds=worst.ratio <= MOST_RATIO)}"
        )


def main() -> None:
    """Print the table and the verdicts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--law", action="append", choices=LAWS, help="one law (may be repeated)")
    parser.add_argument("--quick", action="store_true", help="normal, effect 1, epsilon 0.1 and 1")
    parser.add_argument("--rule", nargs=2, type=float, metavar=("A", "B"), help="another rule")
    given = parser.parse_args()
    rule = other_rule(*given.rule) if given.rule else chosen_cap
    start = time.perf_counter()
    laws, effects, epsilons = tuple(given.law or LAWS), EFFECTS, EPSILONS
    if given.quick:
        laws, effects, epsilons = ("normal",), (1.0,), ("0.1", "1")
    print(f"Pairs needed for {POWER:.0%} power, two-sided .05")
    heads = "".join(
        f"{name:>12}" for name in (*TESTS[:3], "private-t", "tests", "clairvoyant", "public")
    )
    print(f"{'law':12} {'effect':>6} {'epsilon':>8}{heads} {'best cap':>10} {'ratio':>7}")
    measured = []
    for row in rows(laws, effects, epsilons, rule):
        print(row, flush=True)
        measured.append(row)
    check(measured)
    print(f"{time.perf_counter() - start:.0f} seconds")


if __name__ == "__main__":
    main()

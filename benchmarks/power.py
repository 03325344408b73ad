"""Power by simulation: speed, precision, agreement with brute force, planning times, formula.

Run with ``python -m benchmarks.power``. Every figure is measured in this one run.
"""

from __future__ import annotations

import math
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from itertools import product
from statistics import median

import numpy as np
from scipy import stats

import dpwilcoxon as dpw
from benchmarks.pvalue import verdict
from dpwilcoxon.arraytypes import FloatArray, IntArray
from dpwilcoxon.parameters import Design
from dpwilcoxon.procedures.base import PrivateProcedure
from dpwilcoxon.procedures.registry import PROCEDURES, get_private_procedure
from dpwilcoxon.statistics import compiled
from dpwilcoxon.studies.asymptotics import approximate_pairs, approximate_power
from dpwilcoxon.studies.models import Population
from dpwilcoxon.studies.planned import PlannedTest
from dpwilcoxon.studies.rejection import LARGEST_N, Estimate, rejection_rates

ROUNDS = 7
LEAST_SPEEDUP = {32: 500, 2500: 20}
LOOP, SIMULATED = {32: 300, 2500: 150}, {32: 400_000, 2500: 16_000}
BRUTE_FORCE = 100_000
MOST_STANDARD_ERRORS = 4.0
MOST_MEGABYTES = 500
PRIVATE = [name for name, each in PROCEDURES.items() if isinstance(each, PrivateProcedure)]


def seconds(work: Callable[[], object]) -> float:
    """How long the work takes, once."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def loop_over_scipy(n: int, epsilon: float, effect: float, replicates: int) -> float:
    """The share of rejections, one sample after the other, as one would write it down."""
    rng = np.random.default_rng(1)
    critical = dpw.critical_value(n, epsilon)
    rejected = 0
    for _ in range(replicates):
        differences = rng.normal(effect, 1.0, n) - rng.normal(0.0, 1.0, n)
        upper = stats.wilcoxon(
            differences, zero_method="pratt", alternative="greater", method="asymptotic"
        ).statistic
        noisy = 2.0 * upper - n * (n + 1) / 2.0 + rng.laplace(0.0, 2.0 * n / epsilon)
        rejected += abs(noisy) >= critical
    return rejected / replicates


def simulate(n: int, epsilon: float, effect: float, replicates: int) -> Estimate:
    """The same by this package."""
    test = PlannedTest.parse("pratt", epsilon)(n)
    return rejection_rates(Population(effect=effect), n, [test], replicates=replicates, seed=1)[0]


def speed() -> None:
    """Compare replicates per second, in turn, so that both see the same machine."""
    print(f"Replicates per second, data included (medians of {ROUNDS} rounds in turn)")
    compiled.load_loops_for_batches(compiled.WORTH_LOADING)
    for n, effect in ((32, 1.0), (2500, 0.1)):
        loop_over_scipy(n, 1.0, effect, 3)
        simulate(n, 1.0, effect, SIMULATED[n] // 8)
        rounds = []
        for _ in range(ROUNDS):
            loop = seconds(partial(loop_over_scipy, n, 1.0, effect, LOOP[n]))
            ours = seconds(partial(simulate, n, 1.0, effect, SIMULATED[n]))
            rounds.append((LOOP[n] / loop, SIMULATED[n] / ours))
        slow, fast = (median(each) for each in zip(*rounds, strict=True))
        ratio = median(b / a for a, b in rounds)
        print(
            f"  n = {n:5}: scipy loop {slow:8,.0f}, here {fast:12,.0f}: {ratio:6,.0f} times "
            f"(at least {LEAST_SPEEDUP[n]})  {verdict(holds=ratio >= LEAST_SPEEDUP[n])}"
        )


def precision() -> None:
    """Compare the variance of a yes or no with that of its probability given the sample."""
    print("\nVariance of one replicate: noise drawn against noise integrated out")
    for n, epsilon in ((32, 1.0), (236, 0.1)):
        estimate = simulate(n, epsilon, 1.0, 100_000)
        p = estimate.probability
        integrated = estimate.standard_error**2 * estimate.replicates
        print(
            f"  n = {n:4}, epsilon = {epsilon:g}: power {p:.4f}, {p * (1 - p):.4f} against "
            f"{integrated:.5f}: {p * (1 - p) / integrated:.1f} times smaller"
        )


def plan_times() -> None:
    """Time `dpwilcoxon plan` as its user does, against a command that does nothing."""
    command = [sys.executable, "-m", "dpwilcoxon"]

    def run(*words: str) -> str:
        return subprocess.run(  # noqa: S603 - our own program
            [*command, *words], check=True, capture_output=True, text=True
        ).stdout

    print("\nWhole commands (medians of 3), start-up included")
    nothing = median(seconds(partial(run, "procedures")) for _ in range(3))
    print(f"  procedures, which computes nothing: {nothing:.2f} s")
    for epsilon, limit in (("1", 2.0), ("0.1", 2.0), ("0.01", 20.0)):
        words = ("plan", "--epsilon", epsilon, "--effect", "1", "--power", "0.8")
        taken = median(seconds(partial(run, *words)) for _ in range(3)) - nothing
        first = run(*words).partition("\n")[0]
        print(
            f"  plan, epsilon {epsilon:4}: {taken:5.2f} s more (at most {limit:g}): {first}  "
            f"{verdict(holds=taken <= limit)}"
        )


def brute_force(
    procedure: str, n: int, epsilon: float, effect: float, zero_fraction: float
) -> float:
    """The share of drawn samples that a test with drawn noise rejects."""
    rng = np.random.default_rng([n, round(100 * epsilon), round(10 * effect), len(procedure)])
    differences = draw_differences(rng, n, effect, zero_fraction)
    if procedure == "public":
        pvalues = stats.wilcoxon(
            differences, axis=1, zero_method="wilcox", correction=False, method="asymptotic"
        ).pvalue
        return float(np.mean(pvalues <= 0.05))
    test, design = get_private_procedure(procedure), Design.parse(n, epsilon)
    lattice = test.score(design).lattice
    totals = lattice * (
        scipy_statistics(differences) if procedure == "pratt" else scored(differences, test, design)
    )
    noisy = totals + draw_noise(rng, test.noise(design).scale, len(totals))
    critical = lattice * dpw.critical_value(n, epsilon, procedure=procedure)
    return float(np.mean(np.abs(noisy) >= critical))


def draw_differences(
    rng: np.random.Generator, n: int, effect: float, zero_fraction: float
) -> FloatArray:
    """Two normal measurements of each pair, the first pairs without any change."""
    before = rng.normal(0.0, 1.0, (BRUTE_FORCE, n))
    after = rng.normal(effect, 1.0, (BRUTE_FORCE, n))
    unchanged = math.floor(zero_fraction * n + 0.5)
    after[:, :unchanged] = before[:, :unchanged]
    return np.asarray(after - before)


def scipy_statistics(differences: FloatArray) -> FloatArray:
    """W with zeros ranked, from SciPy's sum of positive ranks."""
    n = differences.shape[1]
    upper = stats.wilcoxon(
        differences, axis=1, zero_method="pratt", alternative="greater", method="asymptotic"
    ).statistic
    zeros = np.count_nonzero(differences == 0, axis=1)
    return np.asarray(2.0 * upper - (n * (n + 1) - zeros * (zeros + 1)) / 2.0)


def scored(differences: FloatArray, test: PrivateProcedure, design: Design) -> FloatArray:
    """Sum of sign times score in units of w, by SciPy's ranks; nothing ties but the zeros."""
    score = test.score(design)
    each = np.array([score.total(r) - score.total(r - 1) for r in range(1, design.n_pairs + 1)])
    ranks = stats.rankdata(np.abs(differences), method="ordinal", axis=1).astype(np.int64)
    return np.asarray((np.sign(differences) * each[ranks - 1]).sum(axis=1) / score.lattice)


def draw_noise(rng: np.random.Generator, scale: float, size: int) -> IntArray:
    """The discrete Laplace law as a difference of two geometric variables."""
    p = -math.expm1(-1.0 / scale)
    return np.asarray(rng.geometric(p, size) - rng.geometric(p, size), dtype=np.int64)


def agreement() -> None:
    """Compare with brute force over a grid of designs and tests."""
    print(f"\nAgainst brute force: {BRUTE_FORCE:,} drawn samples with drawn noise for each design")
    print("  procedure      n  epsilon  effect  zeros    brute     here   standard errors")
    worst = 0.0
    grid = product((*PRIVATE, "public"), (6, 32, 100), (0.1, 1.0), (0.0, 0.7), (0.0, 0.3))
    for procedure, n, epsilon, effect, zeros in grid:
        if procedure == "public" and (epsilon < 1.0 or n < 30):  # epsilon is nothing to it
            continue
        rate = brute_force(procedure, n, epsilon, effect, zeros)
        estimate = dpw.power(n, epsilon, effect, procedure=procedure, zero_fraction=zeros, rng=1)
        error = math.hypot(math.sqrt(rate * (1.0 - rate) / BRUTE_FORCE), estimate.standard_error)
        distance = (rate - estimate.power) / error
        worst = max(worst, abs(distance))
        print(
            f"  {procedure:9} {n:6} {epsilon:8g} {effect:7g} {zeros:6g} {rate:8.4f} "
            f"{estimate.power:8.4f} {distance:+17.2f}"
        )
    print(
        f"  largest: {worst:.2f} standard errors (at most {MOST_STANDARD_ERRORS:g})  "
        f"{verdict(holds=worst <= MOST_STANDARD_ERRORS)}"
    )


def formula() -> None:
    """Print the error of the asymptotic formula, in power and in pairs."""
    print("\nThe asymptotic formula against simulation: largest error of the power, and of n")
    print("  differences  procedure   n = 10      20      50     200    n for power 0.8")
    for law, procedure in product(("normal", "student-t:1", "uniform", "likert:5"), PRIVATE):
        errors = []
        for n in (10, 20, 50, 200):
            designs = list(product((0.1, 1.0, 5.0), (0.2, 0.5, 1.0, 2.0)))
            errors.append(max(power_error(law, procedure, n, *each) for each in designs))
        pairs = [
            pairs_error(law, procedure, *each) for each in ((1.0, 1.0), (0.1, 1.0), (1.0, 0.3))
        ]
        cells = "  ".join(f"{guess:,.0f} for {n:,}" for guess, n in pairs)
        print(
            f"  {law:12} {procedure:8} "
            + " ".join(f"{each:7.3f}" for each in errors)
            + f"   {cells}"
        )


def power_error(law: str, procedure: str, n: int, epsilon: float, effect: float) -> float:
    """How far the formula is from 10,000 replicates."""
    population = Population.parse(law, effect)
    test = PlannedTest.parse(procedure, epsilon)
    (simulated,) = rejection_rates(population, n, [test(n)], replicates=10_000, seed=1)
    return abs((approximate_power(population, test, n) or 0.0) - simulated.probability)


def pairs_error(law: str, procedure: str, epsilon: float, effect: float) -> tuple[float, int]:
    """The first guess, and the answer."""
    population = Population.parse(law, effect)
    test = PlannedTest.parse(procedure, epsilon)
    guess = approximate_pairs(population, test, 0.8) or math.nan
    answer = dpw.sample_size(epsilon, effect, procedure=procedure, differences=law, rng=1)
    return guess, answer.n


def memory() -> None:
    """Print the largest memory of a process that simulates samples of any size."""
    print(f"\nLargest memory of a process, two threads (below {MOST_MEGABYTES})")
    script = (
        "import resource, sys\n"
        "import dpwilcoxon as dpw\n"
        "dpw.power(int(sys.argv[1]), 1, 0.001, replicates=int(sys.argv[2]), rng=1)\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)\n"
    )
    for n, replicates in ((32, 1_000_000), (2500, 20_000), (1_000_000, 20), (LARGEST_N, 4)):
        done = subprocess.run(  # noqa: S603 - our own program
            [sys.executable, "-c", script, str(n), str(replicates)],
            check=True,
            capture_output=True,
            text=True,
        )
        used = float(done.stdout)
        print(f"  n = {n:9,}: {used:4.0f} MB  {verdict(holds=used < MOST_MEGABYTES)}")


def main() -> None:
    """Run every comparison."""
    speed()
    precision()
    plan_times()
    memory()
    agreement()
    formula()


if __name__ == "__main__":
    main()

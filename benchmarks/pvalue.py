"""P-values: closed form, exact law and the paper's simulation, side by side.

Run with ``python -m benchmarks.pvalue``. Every figure is measured in this one run.
"""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np

from dpwilcoxon.noise import DiscreteLaplace
from dpwilcoxon.nulls.exact import ExactRankNull
from dpwilcoxon.nulls.exact_contour import ContourTail
from dpwilcoxon.nulls.exact_counting import CountedTail, all_subset_counts, subset_counts
from dpwilcoxon.nulls.ladder import Ladder
from dpwilcoxon.nulls.monte_carlo import MonteCarloNull
from dpwilcoxon.nulls.normal_laplace import NormalLaplaceNull
from dpwilcoxon.nulls.rank_transform import gauss_rule
from dpwilcoxon.parameters import Alternative, Design
from dpwilcoxon.procedures.pratt import Pratt

DRAWS = 10_000_000  # the paper's c
LEAST_SPEEDUP = 10_000
MOST_STANDARD_ERRORS = 4.0
MOST_EXACT_MILLISECONDS = 50.0
TWO_SIDED = Alternative.TWO_SIDED

_Result = TypeVar("_Result")


def noise_and_sigma(n: int, epsilon: float) -> tuple[DiscreteLaplace, float]:
    """The noise law of the paper's test, and sigma of the doubled statistic."""
    test, design = Pratt(), Design.parse(n, epsilon)
    noise = DiscreteLaplace.protecting(test.sensitivity(design), design.epsilon)
    return noise, math.sqrt(test.score(design).sum_of_squares(n))


def closed_form(n: int, epsilon: float) -> NormalLaplaceNull:
    """The closed form of the paper's test."""
    noise, sigma = noise_and_sigma(n, epsilon)
    return NormalLaplaceNull(sigma, noise)


def median_seconds(work: Callable[[], object], repeats: int) -> float:
    """The median duration of `work`."""

    def once() -> float:
        start = time.perf_counter()
        work()
        return time.perf_counter() - start

    return statistics.median(once() for _ in range(repeats))


def verdict(*, holds: bool) -> str:
    """Mark a figure that misses its target."""
    return "ok" if holds else "MISSED"


def speed() -> None:
    """Time one p-value by the closed form and by ten million draws."""
    closed = closed_form(100, 1.0)
    noise, sigma = noise_and_sigma(100, 1.0)
    simulated = MonteCarloNull(sigma, noise, DRAWS, rng=1)
    many = np.linspace(-5000.0, 5000.0, 1_000_000)
    scalar = median_seconds(lambda: closed.pvalue(2542, TWO_SIDED), 2001)
    vector = median_seconds(lambda: closed.pvalue(many, TWO_SIDED), 5) / many.size
    simulation = median_seconds(lambda: simulated.pvalue(2542, TWO_SIDED), 5)
    print(f"One two-sided p-value, n = 100, epsilon = 1 (medians; target {LEAST_SPEEDUP:,} times)")
    print(f"  simulation, {DRAWS:,} draws          {simulation * 1e3:10.1f} ms")
    for name, seconds in (("one call", scalar), ("in a vector of 1,000,000", vector)):
        ratio = simulation / seconds
        print(
            f"  closed form, {name:26}{seconds * 1e6:10.3f} us   {ratio:12,.0f} times faster  "
            f"{verdict(holds=ratio >= LEAST_SPEEDUP)}"
        )


def agreement_with_simulation() -> None:
    """Compare p-values of the closed form and of ten million draws, in standard errors."""
    print(f"\nSimulation ({DRAWS:,} draws) against the closed form, two-sided p")
    print("       n  epsilon     closed form      simulation   standard errors")
    worst = 0.0
    for n, epsilon in ((10, 1.0), (100, 1.0), (100, 0.1), (1000, 0.01), (100_000, 10.0)):
        closed = closed_form(n, epsilon)
        noise, sigma = noise_and_sigma(n, epsilon)
        t = closed.critical_value(np.array([0.5, 0.05, 0.001]), TWO_SIDED)
        p = closed.pvalue(t, TWO_SIDED)
        simulated = MonteCarloNull(sigma, noise, DRAWS, rng=n).pvalue(t, TWO_SIDED)
        errors = (simulated - p) / np.sqrt(p * (1 - p) / DRAWS)
        worst = max(worst, float(np.abs(errors).max()))
        for row in zip(p, simulated, errors, strict=True):
            print(f"{n:8}  {epsilon:7g}   {row[0]:12.6f}    {row[1]:12.6f}   {row[2]:+15.2f}")
    print(
        f"  largest: {worst:.2f} standard errors, at most {MOST_STANDARD_ERRORS:g} wanted  "
        f"{verdict(holds=worst <= MOST_STANDARD_ERRORS)}"
    )


def closed_form_against_exact() -> None:
    """Print the error of the closed form where the exact p-value is .1, .01, .001, 1e-6."""
    levels = np.array([0.1, 0.01, 1e-3, 1e-6])
    print("\nClosed form against the exact law: relative error of the two-sided p, by exact p")
    print(
        "       n  epsilon" + "".join(f"{level:>12g}" for level in levels) + "   largest absolute"
    )
    for n in (5, 20, 100, 1000, 10_000, 100_000):
        for epsilon in (0.01, 0.1, 1.0, 10.0):
            noise, _ = noise_and_sigma(n, epsilon)
            exact, closed = ExactRankNull(n, noise), closed_form(n, epsilon)
            t = exact.critical_value(levels, TWO_SIDED)
            relative = closed.pvalue(t, TWO_SIDED) / exact.pvalue(t, TWO_SIDED) - 1
            absolute = largest_difference(exact, closed)
            cells = "".join(signed_percentage(value) for value in relative)
            print(f"{n:8}  {epsilon:7g}{cells}   {absolute:16.1e}")


def signed_percentage(relative: float) -> str:
    """A relative error in twelve columns; a multiple where percentages mean nothing."""
    return f"{100 * relative:+11.4f}%" if relative < 1 else f"{1 + relative:6.3g} times"


def largest_difference(exact: ExactRankNull, closed: NormalLaplaceNull) -> float:
    """The largest difference of two-sided p-values on 500 integers down to p = 1e-6."""
    furthest = float(exact.critical_value(1e-6, TWO_SIDED))
    t = np.unique(np.round(np.linspace(1.0, furthest, 500)))
    return float(np.abs(exact.pvalue(t, TWO_SIDED) - closed.pvalue(t, TWO_SIDED)).max())


def cold(work: Callable[[], _Result]) -> Callable[[], _Result]:
    """The same work with nothing remembered from before."""

    def run() -> _Result:
        for cache in (all_subset_counts, subset_counts, gauss_rule):
            cache.cache_clear()
        return work()

    return run


def exact_speed() -> None:
    """Time the construction of an exact null with one p-value, a critical value, 1,000 p-values."""
    print(
        f"\nExact law, construction included, nothing cached (median ms; each below "
        f"{MOST_EXACT_MILLISECONDS:g})"
    )
    print("       n  epsilon   one p-value   critical value   1,000 p-values")
    for n in (20, 500, 10_000, 100_000):
        for epsilon in (0.1, 1.0, 10.0):
            noise, _ = noise_and_sigma(n, epsilon)
            t = np.round(
                closed_form(n, epsilon).critical_value(np.geomspace(0.9, 1e-9, 1000), TWO_SIDED)
            )
            times = [
                1e3 * median_seconds(cold(work), 9)
                for work in (
                    lambda n=n, noise=noise, t=t: ExactRankNull(n, noise).pvalue(t[700], TWO_SIDED),
                    lambda n=n, noise=noise: ExactRankNull(n, noise).critical_value(
                        0.05, TWO_SIDED
                    ),
                    lambda n=n, noise=noise, t=t: ExactRankNull(n, noise).pvalue(t, TWO_SIDED),
                )
            ]
            cells = f"{times[0]:14.2f}{times[1]:17.2f}{times[2]:17.2f}"
            print(
                f"{n:8}  {epsilon:7g}{cells}  {verdict(holds=max(times) < MOST_EXACT_MILLISECONDS)}"
            )


def agreement_of_exact_computations(sizes: Sequence[int] = (20, 100, 257, 500, 1000)) -> None:
    """Compare counting and contour on 500 integers down to p = 1e-100."""
    print("\nThe two exact computations against each other, one-sided tails down to 1e-100")
    print("       n  epsilon   largest absolute   largest relative difference")
    for n in sizes:
        for epsilon in (1e-3, 0.1, 1.0, 3.0):
            noise, _ = noise_and_sigma(n, epsilon)
            furthest = float(closed_form(n, epsilon).upper_point(-100 * math.log(10.0)))
            t = np.unique(np.round(np.linspace(1.0, furthest, 500)))
            ladder = Ladder(n, n, 2)
            counted = CountedTail(ladder, noise).log_upper_tail(t)
            integrated = ContourTail(ladder, noise).log_upper_tail(t)
            absolute = np.abs(np.exp(counted) - np.exp(integrated)).max()
            relative = np.abs(np.expm1(integrated - counted)).max()
            print(f"{n:8}  {epsilon:7g}   {absolute:16.1e}   {relative:16.1e}")


def main() -> None:
    """Run every comparison."""
    speed()
    agreement_with_simulation()
    closed_form_against_exact()
    exact_speed()
    agreement_of_exact_computations()


if __name__ == "__main__":
    main()

"""The exact statistic: SciPy, plain numpy, the compiled loops and the public call, side by side.

Run with ``python -m benchmarks.statistic``, or with ``--quick`` for a tenth of the rows. Every
figure is the median of rounds in which each contender runs once, so that whatever slows the
machine for a while slows all of them.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping

import numpy as np
from scipy.stats import wilcoxon

import dpwilcoxon as dpw
from dpwilcoxon.arraytypes import AnyArray, KeyArray
from dpwilcoxon.sources.arrays import pairs_from_arrays
from dpwilcoxon.statistics import large_samples
from dpwilcoxon.statistics.compiled import KERNEL_FROM
from dpwilcoxon.statistics.scores import RANKS
from dpwilcoxon.statistics.signed_rank import ordered_total
from dpwilcoxon.statistics.tie_groups import ZeroMethod

ROUNDS = {1_000: 201, 100_000: 21, 1_000_000: 5, 10_000_000: 3}
FULL, QUICK = (1_000, 100_000, 10_000_000), (1_000, 100_000, 1_000_000)
LEAST_RATIOS = {1_000: 3, 10_000_000: 25}
MOST_MEMORY = 3.0  # times the input columns
SCORE, PRATT = RANKS, ZeroMethod.PRATT
PUBLIC = "public call"

Columns = tuple[AnyArray, AnyArray]


def continuous(n: int) -> Columns:
    """Two columns of floats without ties."""
    rng = np.random.default_rng(1)
    return rng.normal(size=n), rng.normal(size=n)


def integers(n: int) -> Columns:
    """Two columns of integers, as blood pressures or scores are."""
    rng = np.random.default_rng(2)
    return tuple(np.rint(rng.normal(130.0, 15.0, n)).astype(np.int64) for _ in range(2))  # type: ignore[return-value]  # two


def contenders(x: AnyArray, y: AnyArray) -> Mapping[str, Callable[[], float]]:
    """Ways from two columns to w; all of them subtract, and ours look for missing values."""

    def keys() -> KeyArray:
        return pairs_from_arrays(x, y).keys.values

    return {
        "scipy": lambda: scipy_statistic(x, y),
        "numpy": lambda: ordered_total(np.sort(keys()), SCORE, PRATT) / 2,
        "numba, 1 thread": lambda: large_samples.total(keys(), SCORE, PRATT, threads=1) / 2,
        "numba, 2 threads": lambda: large_samples.total(keys(), SCORE, PRATT, threads=2) / 2,
        PUBLIC: lambda: dpw.signed_rank(x, y),
    }


def scipy_statistic(x: AnyArray, y: AnyArray) -> float:
    """SciPy's r_plus; asymptotic, so that no time goes into an exact p-value."""
    options = {"zero_method": "pratt", "alternative": "greater", "method": "asymptotic"}
    return float(wilcoxon(x, y, **options).statistic)


def check(x: AnyArray, y: AnyArray, ways: Mapping[str, Callable[[], float]]) -> None:
    """Stop if two contenders disagree; this also compiles what has to be compiled."""
    answers = {name: way() for name, way in ways.items()}
    n, zeros = len(x), int(np.count_nonzero(x == y))
    answers["scipy"] = 2 * answers["scipy"] - (n * (n + 1) - zeros * (zeros + 1)) / 2
    if len(set(answers.values())) > 1:
        raise SystemExit(f"The contenders disagree: {answers}")


def medians(ways: Mapping[str, Callable[[], float]], rounds: int) -> dict[str, float]:
    """Median seconds of each way, over rounds in which each runs once."""
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(rounds):
        for name, way in ways.items():
            start = time.perf_counter()
            way()
            seconds[name].append(time.perf_counter() - start)
    return {name: statistics.median(times) for name, times in seconds.items()}


def speed(name: str, n: int, columns: Columns) -> None:
    """Print ns per row of every contender, and how many times faster than SciPy it is."""
    ways = contenders(*columns)
    check(*columns, ways)
    seconds = medians(ways, ROUNDS[n])
    cells = []
    for way, each in seconds.items():
        ratio = seconds["scipy"] / each
        cells.append(f"{each / n * 1e9:9.1f}" + ("" if way == "scipy" else f" {ratio:6.1f}x"))
    print(f"{name:<11}{n:>11,}" + "".join(f"{cell:>18}" for cell in cells), end="")
    least = LEAST_RATIOS.get(n)
    if least:
        reached = seconds["scipy"] / seconds[PUBLIC] >= least
        print(f"   target {least}x: {'ok' if reached else 'MISSED'}", end="")
    print(flush=True)


def memory(n: int) -> None:
    """Print the peak memory of one public call beyond its two columns of floats."""
    command = [sys.executable, "-m", "benchmarks.statistic", "--memory-of", str(n)]
    run = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603  # ourselves
    extra, columns = int(run.stdout), 2 * 8 * n
    times = extra / columns
    print(
        f"Peak extra memory of the public call, {n:,} continuous rows: {extra / 1e6:.0f} MB, "
        f"{times:.2f} times the columns   target {MOST_MEMORY:g}x: "
        f"{'ok' if times < MOST_MEMORY else 'MISSED'}"
    )


def print_extra_memory(n: int) -> None:
    """In a process of its own: how far one call lifts the high-water mark of resident memory."""
    dpw.signed_rank(*continuous(KERNEL_FROM))  # loads the libraries and the machine code
    columns = continuous(n)
    before = high_water()
    dpw.signed_rank(*columns)
    print(high_water() - before)


def high_water() -> int:
    """The most bytes of memory this process has had."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the rows")
    parser.add_argument("--memory-of", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.memory_of:
        print_extra_memory(options.memory_of)
        return
    sizes = QUICK if options.quick else FULL
    memory(max(sizes))  # first: a process inherits the high-water mark of the one that starts it
    print("\nNanoseconds per row, and times faster than scipy.stats.wilcoxon (medians)")
    print(f"{'data':<11}{'n':>11}" + "".join(f"{name:>18}" for name in contenders(*continuous(1))))
    for name, make in (("continuous", continuous), ("integer", integers)):
        for n in sizes:
            speed(name, n, make(n))


if __name__ == "__main__":
    main()

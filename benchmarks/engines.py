"""Rows per second and peak memory: SciPy, numba on arrays, Parquet through DuckDB, and Spark.

Run with ``python -m benchmarks.engines``; ``--largest 1e7`` leaves out what takes minutes. Every
line is a process of its own, so its peak is the peak of that way alone, with all libraries; the
seconds are those of the work, without starting Python. Files are made in a temporary folder.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from scipy.stats import wilcoxon

import dpwilcoxon as dpw
from dpwilcoxon.sources.duckdb_session import connected, quoted_text
from dpwilcoxon.sources.memory import FIXED_BYTES, KEY_BYTES, gigabytes

MILLION = 10**6
SIZES = (MILLION, 10 * MILLION, 100 * MILLION)
ARRAYS_UP_TO, SPARK_UP_TO = 10 * MILLION, 10 * MILLION
WARM_UP = MILLION  # compiles the loops, or loads what was compiled
MOST_AT_1E8 = 4 * 10**9
STREAMED, ORDERED, SPARK = "DuckDB, streamed", "DuckDB, ordered", "Spark local[2]"


@dataclass(frozen=True)
class Measurement:
    """What one way took."""

    seconds: float
    peak_bytes: int
    statistic: float | None = None


def make_file(path: Path, rows: int) -> None:
    """Write two columns of normal floats, without ties, as Parquet."""
    normal = "sqrt(-2 * ln(1 - random())) * cos(2 * pi() * random())"
    columns = f"{normal} AS before, {normal} + 0.001 AS after"
    with connected() as connection:
        connection.execute("SELECT setseed(0.5)")
        connection.execute(
            f"COPY (SELECT {columns} FROM range({rows})) TO {quoted_text(str(path))} "  # noqa: S608
            "(FORMAT parquet)"
        )


def scipy_on_arrays(path: Path, rows: int) -> Callable[[], float]:
    """SciPy's sum of the positive ranks, made our w; there are no zeros."""
    before, after = _arrays(path)
    del path

    def statistic() -> float:
        options = {"alternative": "greater", "method": "asymptotic"}
        return float(2 * wilcoxon(after, before, **options).statistic - rows * (rows + 1) / 2)

    return statistic


def numba_on_arrays(path: Path, rows: int) -> Callable[[], float]:
    """The public call on two arrays."""
    del rows
    before, after = _arrays(path)
    return lambda: dpw.signed_rank(after, before)


def from_parquet(path: Path, rows: int) -> Callable[[], float]:
    """The file to the statistic, with the keys in memory."""
    return _parquet(path, f"{max(rows * KEY_BYTES + 2 * FIXED_BYTES, 4 * 10**9)}")


def from_parquet_in_order(path: Path, rows: int) -> Callable[[], float]:
    """The same with less memory than the keys would need."""
    del rows
    from dpwilcoxon.sources.memory import Resources

    Resources.hold = lambda *_: False  # type: ignore[method-assign]  # also for few rows
    return _parquet(path, str(MOST_AT_1E8))


def _parquet(path: Path, limit: str) -> Callable[[], float]:
    megabytes = f"{int(limit) // MILLION}MB"

    def statistic() -> float:
        return dpw.signed_rank(
            dpw.read_pairs(path, before="before", after="after", memory_limit=megabytes)
        )

    return statistic


def _arrays(path: Path) -> tuple[np.ndarray, np.ndarray]:
    sql = f"SELECT before, after FROM read_parquet({quoted_text(str(path))})"  # noqa: S608
    with connected() as connection:
        columns = connection.execute(sql).fetchnumpy()
    return columns["before"], columns["after"]


WAYS = {
    "scipy.stats.wilcoxon": scipy_on_arrays,
    "numba on arrays": numba_on_arrays,
    STREAMED: from_parquet,
    ORDERED: from_parquet_in_order,
}


def ways_for(rows: int) -> list[str]:
    """The ways that are measured with so many rows."""
    arrays = ["scipy.stats.wilcoxon", "numba on arrays"] if rows <= ARRAYS_UP_TO else []
    spark = [SPARK] if rows <= SPARK_UP_TO else []
    return [*arrays, STREAMED, ORDERED, *spark]


def measure(way: str, path: Path, rows: int) -> Measurement | None:
    """Measure a way in a process of its own, or say what is missing."""
    if way == SPARK:
        return measure_in_spark(rows)
    command = [sys.executable, "-m", "benchmarks.engines", "--one", way, str(path), str(rows)]
    run = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603  # ourselves
    return Measurement(**json.loads(run.stdout))


def measure_in_spark(rows: int) -> Measurement | None:
    """Ask the module that knows Spark; None where it or Spark is not installed."""
    if find_spec("pyspark") is None or find_spec("benchmarks.engines_spark") is None:
        return None
    from importlib import import_module

    seconds, peak_bytes = import_module("benchmarks.engines_spark").measure_spark(rows)
    return Measurement(seconds, peak_bytes)


def measure_here(way: str, path: Path, rows: int) -> Measurement:
    """Measure a way in this process, which is there for nothing else."""
    rng = np.random.default_rng(1)
    dpw.signed_rank(rng.normal(size=WARM_UP))
    work = WAYS[way](path, rows)
    start = time.perf_counter()
    statistic = work()
    return Measurement(time.perf_counter() - start, high_water(), statistic)


def high_water() -> int:
    """The most bytes of memory this process has had."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def show(way: str, rows: int, found: Measurement | None) -> None:
    """Print one line."""
    name = f"{way:<22}{rows:>13,}"
    if found is None:
        print(f"{name}   not measured: pyspark or benchmarks/engines_spark.py is not there")
        return
    verdict = ""
    if way == ORDERED and rows == max(SIZES):
        fits = found.peak_bytes < MOST_AT_1E8
        verdict = f"   target under {gigabytes(MOST_AT_1E8)}: {'ok' if fits else 'MISSED'}"
    rate = rows / found.seconds / 1e6
    print(
        f"{name}{found.seconds:>9.2f} s{rate:>9.1f} million rows/s{gigabytes(found.peak_bytes):>9}"
        f"{verdict}",
        flush=True,
    )


def check(found: dict[str, Measurement | None]) -> None:
    """Stop if two ways disagree."""
    answers = {way: each.statistic for way, each in found.items() if each and each.statistic}
    if len(set(answers.values())) > 1:
        raise SystemExit(f"The ways disagree: {answers}")


def main() -> None:
    """Print a line for each way and number of rows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--largest", type=float, default=max(SIZES), help="rows, such as 1e7")
    parser.add_argument("--one", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        way, path, rows = options.one
        print(json.dumps(vars(measure_here(way, Path(path), int(rows)))))
        return
    for rows in (size for size in SIZES if size <= options.largest):
        with tempfile.TemporaryDirectory(prefix="dpwilcoxon-benchmark-") as folder:
            path = Path(folder) / "pairs.parquet"
            make_file(path, rows)
            found = {}
            for way in ways_for(rows):
                found[way] = measure(way, path, rows)
                show(way, rows, found[way])
            check(found)


if __name__ == "__main__":
    main()

"""The exact statistic in Apache Spark on two cores: rows per second and peak memory.

Run with ``python -m benchmarks.engines_spark``, after ``make test-engines`` has installed Spark.
`benchmarks.engines` sets the same figures beside those of other engines.
"""

from __future__ import annotations

import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import dpwilcoxon as dpw

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SIZES = (1_000_000, 10_000_000)
MEMORY = "4g"
SETTINGS = {
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.memory": MEMORY,
    "spark.sql.shuffle.partitions": "16",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}


def measure_spark(rows: int) -> tuple[float, int]:
    """Read and rank continuous pairs in a Parquet file, with Spark on `local[2]`.

    Parameters
    ----------
    rows : int
        How many pairs.

    Returns
    -------
    tuple of float and int
        Seconds from the name of the table to the exact statistic, once Spark is warm; and the
        most bytes of memory that its Java process has had.
    """
    import ibis

    session = _session()
    try:
        with tempfile.TemporaryDirectory() as folder:
            _write_pairs(session, rows, folder)
            _read(session, folder)
            table = ibis.pyspark.connect(session).table("pairs")
            dpw.signed_rank(dpw.read_pairs(table.limit(1000), before="x", after="y"))  # warm
            start = time.perf_counter()
            statistic = dpw.signed_rank(dpw.read_pairs(table, before="x", after="y"))
            seconds = time.perf_counter() - start
            peak = _peak_bytes(session)
            _check(statistic, folder)
        return seconds, peak
    finally:
        session.stop()


def _session() -> SparkSession:
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[2]").appName("dpwilcoxon benchmark")
    for name, value in SETTINGS.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    return session


def _write_pairs(session: SparkSession, rows: int, folder: str) -> None:
    pairs = session.range(rows, numPartitions=8).selectExpr("randn(1) AS x", "randn(2) AS y")
    pairs.write.mode("overwrite").parquet(folder)


def _read(session: SparkSession, folder: str) -> None:
    session.read.parquet(folder).createOrReplaceTempView("pairs")


def _check(statistic: float, folder: str) -> None:
    """Stop if the answer is not what the same file gives in memory."""
    here = dpw.signed_rank(dpw.read_pairs(f"{folder}/*.parquet", before="x", after="y"))
    if statistic != here:
        raise SystemExit(f"Spark gives {statistic}, and memory {here}.")


def _peak_bytes(session: SparkSession) -> int:
    """The high-water mark of the memory of the Java process, as Linux keeps it."""
    gateway: Any = session.sparkContext._gateway  # noqa: SLF001 - there is no public way
    process = gateway.jvm.java.lang.ProcessHandle.current().pid()
    status = Path(f"/proc/{process}/status").read_text()
    (line,) = (line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) * 1024


def main() -> None:
    """Print a line for each size."""
    if find_spec("pyspark") is None:
        print("Spark is not measured: it is not installed (make test-engines installs it).")
        return
    for rows in SIZES:
        seconds, peak = measure_spark(rows)
        print(
            f"Spark local[2], {rows:>11,} continuous pairs in Parquet: {seconds:7.2f} s, "
            f"{rows / seconds:>11,.0f} rows/s, {peak / 1e9:.2f} GB",
            flush=True,
        )


if __name__ == "__main__":
    main()

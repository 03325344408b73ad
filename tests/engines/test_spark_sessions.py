"""Spark's session is left as it was found, and its messages end with us."""

from __future__ import annotations

import os
import signal
import threading
import time

import pytest

import dpwilcoxon as dpw
from dpwilcoxon.errors import DataError, SourceError

SENTINEL = "987654.321"
WIDE = {"before": "x", "after": "y"}
ROWS = f"SELECT id AS x, id * 2 AS y, '{SENTINEL}x' AS note FROM range(0, 100, 1, 4)"
SLEEP = "length(reflect('java.lang.Thread', 'sleep', 500L))"
SLOW = f"SELECT id AS x, {SLEEP} AS y FROM range(0, 160, 1, 4)"


@pytest.fixture
def study(spark):
    """A table of Ibis."""
    spark._session.sql(ROWS).createOrReplaceTempView("study")
    return spark.table("study")


def test_an_address_finds_the_session(study):
    """On a machine that is part of a cluster, the command line needs no more than that."""
    del study
    assert dpw.read_pairs("pyspark://", table="study", **WIDE).n == 100
    with pytest.raises(SourceError, match="the Spark database has no table 'studdy'"):
        dpw.read_pairs("pyspark://", table="studdy", **WIDE)


def left_behind(session):
    """Views of ours, and what is kept for them."""
    views = [each.name for each in session.catalog.listTables() if "dpwilcoxon" in each.name]
    return views, session.sparkContext._jsc.getPersistentRDDs().size()


def test_nothing_is_left_behind(study, spark_session):
    """Neither views, nor what is kept, nor settings."""
    spark_session.conf.set("spark.sql.ansi.enabled", "false")
    sample = dpw.read_pairs(study, **WIDE)
    assert left_behind(spark_session) != ([], 0)
    dpw.wilcoxon(sample, epsilon=1)
    del sample
    assert left_behind(spark_session) == ([], 0)
    with pytest.raises(SourceError):
        dpw.read_pairs(study, before="x", after="CAST(note AS BIGINT)")
    assert left_behind(spark_session) == ([], 0)
    assert spark_session.conf.get("spark.sql.ansi.enabled") == "false"
    spark_session.conf.unset("spark.sql.ansi.enabled")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"after": "z"}, "table 'study' has no column 'z'"),
        ({"after": "note"}, "`note` has type string, which is not a measurement"),
        ({"after": "CAST(note AS BIGINT)"}, "does not fit what is computed"),
        ({"after": "x + (note || 'a')::DATE"}, "An expression does not fit|what is computed"),
    ],
)
def test_what_goes_wrong_is_one_line(study, change, message):
    """Without a value, also where Spark would make NULL of what does not fit."""
    with pytest.raises(DataError, match=message) as refused:
        dpw.read_pairs(study, **{**WIDE, **change})
    assert SENTINEL not in str(refused.value)
    assert "\n" not in str(refused.value)
    assert refused.value.__context__ is None


def test_a_table_that_is_gone(study, spark_session):
    """It was there when Ibis looked."""
    spark_session.catalog.dropTempView("study")
    with pytest.raises(SourceError, match="table 'study' is not there, or not any more"):
        dpw.read_pairs(study, **WIDE)


def test_numbers_that_overflow_are_refused(spark, spark_session):
    """In 38 digits; elsewhere they would be NULL, and so no change."""
    nines = "9" * 20
    rows = (
        f"SELECT CAST(id AS STRING) AS u, CAST({nines} AS DECIMAL(38, 0)) * id AS x FROM range(9)"
    )
    spark_session.sql(f"{rows} UNION ALL {rows}").createOrReplaceTempView("large")
    table = spark.table("large")
    assert dpw.read_pairs(table, unit="u", difference="x", aggregate="max").n == 9
    with pytest.raises(DataError, match=r"more digits than its database|too large"):
        dpw.read_pairs(table, unit="u", difference="x * 10000000000000", aggregate="mean")


def test_an_interrupted_query_is_cancelled(spark, spark_session):
    """Ctrl-C in the middle of a job of 40 seconds: it ends in Spark, too, and nothing is kept."""
    spark_session.sql(SLOW).createOrReplaceTempView("slow")
    table, tracker = spark.table("slow"), spark_session.sparkContext.statusTracker()
    jobs = []

    def press():
        while not jobs:
            time.sleep(0.1)
            jobs.extend(tracker.getActiveJobsIds())
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=press, daemon=True).start()
    with pytest.raises(KeyboardInterrupt):
        dpw.read_pairs(table, before="x", after="y")
    while tracker.getActiveJobsIds():
        time.sleep(0.1)
    assert {tracker.getJobInfo(job).status for job in jobs} == {"FAILED"}  # and not SUCCEEDED
    assert left_behind(spark_session) == ([], 0)

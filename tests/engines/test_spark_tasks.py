"""Spark's work is shared out: no task sees all rows, however skewed they are."""

from __future__ import annotations

import dataclasses
import re

import pytest
from engine_samples import LONG

import dpwilcoxon as dpw
from dpwilcoxon.sources.engines.spark import ClusterSession
from dpwilcoxon.statistics.keys import SignedKeys
from dpwilcoxon.statistics.scores import RANKS
from dpwilcoxon.statistics.signed_rank import signed_rank_total
from dpwilcoxon.statistics.tie_groups import ZeroMethod

N = 400_000
CACHED_BATCH = 10_000  # rows that Spark counts as one when it reads what it keeps
GLOBAL_WINDOW = "SELECT max(r) FROM (SELECT sum(1) OVER (ORDER BY abs(d)) AS r FROM {0})"
CONTINUOUS = f"SELECT (id * 7919 % 1000003 - 499999.5) / 1024 AS d FROM range(0, {N}, 1, 8)"
SKEWED = f"SELECT IF(id % 10 > 0, 7, (id * 7919 % 1000003) - 500001) AS d FROM range(0, {N}, 1, 8)"
LONG_ROWS = (
    f"SELECT CAST(id % {N // 4} AS STRING) AS person, CAST(floor(id / {N // 2}) AS INT) AS visit, "
    f"CAST(id * 7919 % 1000003 / 10 AS DECIMAL(12, 1)) AS v FROM range(0, {N}, 1, 8)"
)


@dataclasses.dataclass(frozen=True)
class Stage:
    """The rows that each task of a stage has read."""

    rows: list[int]

    @property
    def is_bottleneck(self) -> bool:
        """Whether one task alone has read half of all rows, or more."""
        return len(self.rows) == 1 and self.rows[0] >= N / 2


@pytest.fixture
def stages(spark_session):
    """What has run since the test began."""
    context = spark_session.sparkContext
    gateway, scala = context._gateway, context._jsc.sc()

    def listed():
        scala.listenerBus().waitUntilEmpty()
        nothing = gateway.jvm.java.util.ArrayList()
        quantiles = gateway.new_array(gateway.jvm.double, 0)
        store = scala.statusStore()
        found = store.stageList(nothing, False, False, quantiles, nothing)  # noqa: FBT003 - Scala's
        return {
            (stage.stageId(), stage.attemptId()): stage
            for stage in (found.apply(index) for index in range(found.size()))
            if stage.status().toString() == "COMPLETE"
        }

    before = set(listed())

    def since():
        return [
            Stage([rows_of(task) for task in tasks_of(scala.statusStore(), *key, stage.numTasks())])
            for key, stage in listed().items()
            if key not in before
        ]

    return since


def tasks_of(store, stage, attempt, n_tasks):
    """The tasks of a stage."""
    found = store.taskList(stage, attempt, n_tasks)
    return [found.apply(index) for index in range(found.size())]


def rows_of(task):
    """How many rows a task has read: from what is kept, from a source, or from other tasks."""
    metrics = task.taskMetrics().get()
    read = metrics.inputMetrics()
    is_source = read.recordsRead() > N / CACHED_BATCH
    own = read.recordsRead() * (1 if is_source else CACHED_BATCH)
    return own + metrics.shuffleReadMetrics().recordsRead()


def total_of(spark, rows, **layout):
    """The statistic of the rows of a query, as Spark ranks them."""
    spark._session.sql(rows).createOrReplaceTempView("shared_out")
    sample = dpw.read_pairs(spark.table("shared_out"), **layout)
    return sample.signed_rank_total(RANKS, ZeroMethod.PRATT)


@pytest.mark.parametrize("rows", [CONTINUOUS, SKEWED], ids=["continuous", "skewed"])
def test_no_task_sees_all_rows(rows, spark, stages):
    """A million differences, without ties, or nearly all of one size, on two cores."""
    found = total_of(spark, rows, difference="d")
    assert_shared_out(stages())
    differences = spark._session.sql(rows).toArrow()["d"].cast("double").to_numpy()
    assert found == signed_rank_total(SignedKeys.from_differences(differences), RANKS)


def test_units_are_shared_out_too(spark, stages):
    """Each person is in one task, and the persons are in many."""
    total_of(spark, LONG_ROWS, aggregate="mean", **LONG)
    assert_shared_out(stages())


def assert_shared_out(stages):
    """No stage is a bottleneck, and the rows did go through several tasks."""
    assert not any(stage.is_bottleneck for stage in stages)
    assert any(sum(stage.rows) >= N and len(stage.rows) > 1 for stage in stages)


def test_a_global_window_would_be_found(spark_session, stages):
    """What the other tests look for is there when a window has no partitions."""
    spark_session.sql(CONTINUOUS).createOrReplaceTempView("all_in_one")
    assert spark_session.sql(GLOBAL_WINDOW.format("all_in_one")).collect()[0][0] == N
    assert any(stage.is_bottleneck for stage in stages())


def test_every_window_has_partitions(spark, monkeypatch):
    """By the query plans: ranges of sizes for the ranks, and persons for their medians."""
    windows, rows_of_engine = [], ClusterSession.rows

    def rows(engine, sql):
        plan = engine.session.sql(sql)._jdf.queryExecution().executedPlan().toString()
        windows.extend(
            line for line in plan.split("\n") if re.search(r"^[ :+*()\d-]*Window ", line)
        )
        return rows_of_engine(engine, sql)

    monkeypatch.setattr(ClusterSession, "rows", rows)
    total_of(spark, LONG_ROWS, aggregate="median", **LONG)
    lists = [re.search(r"\], \[([^\]]*)\]", line)[1] for line in windows]  # an order says ASC
    found = {each if " ASC" in each else each.partition("#")[0] for each in lists}
    assert found == {"place", "unit"}

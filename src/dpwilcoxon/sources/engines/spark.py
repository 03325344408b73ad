"""Apache Spark: sizes are split into ranges that are ranked side by side.

A window over all rows would send them to one task ("No Partition Defined for Window operation").
Here each window is of one range. The ranges begin at approximate quantiles of the distinct sizes,
so they are about equally long however skewed the data is; the answer is exact whatever they are.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, TypeVar

from dpwilcoxon.sources.engines.failures import in_our_words
from dpwilcoxon.sources.engines.readings import (
    TRUTH,
    WHOLE,
    Literals,
    days,
    decimal,
    floating,
    measure_in,
    microseconds,
)
from dpwilcoxon.sources.layout import Layout
from dpwilcoxon.sources.layout_expressions import LayoutExpressions
from dpwilcoxon.sources.pushdown.dialects import SPARK, Dialect
from dpwilcoxon.sources.pushdown.measures import Measure
from dpwilcoxon.sources.pushdown.tie_ranks import TieRanks, tie_groups

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

RANGES: Final = 64
PATIENCE: Final = 10  # seconds for a job to end after an interruption
ACCURACY: Final = 1_000  # of the quantiles: ranges differ by no more than a few percent
# Numbers that do not fit are errors, or they would silently become NULL; days begin as elsewhere.
_PINNED: Final = {"spark.sql.ansi.enabled": "true", "spark.sql.session.timeZone": "UTC"}
_DECIMAL: Final = re.compile(r"decimal\((\d+),(\d+)\)")
_CLOCK: Final = (
    "(CAST(unix_date(CAST({0} AS DATE)) AS BIGINT) * 86400000000 + hour({0}) * 3600000000 "
    "+ minute({0}) * 60000000 + CAST(extract(SECOND FROM {0}) * 1000000 AS BIGINT))"
)
READINGS: Final = {
    "boolean": TRUTH,
    **dict.fromkeys(("tinyint", "smallint", "int", "bigint"), WHOLE),
    **dict.fromkeys(("float", "double"), floating(SPARK)),
    "date": days("unix_date({0})"),
    "timestamp": microseconds("unix_micros({0})", zoned=True),
    "timestamp_ntz": microseconds(_CLOCK),
}
_Answer = TypeVar("_Answer")


@dataclass(frozen=True)
class ClusterSession:
    """A session of the caller; what is kept in it has names of its own, and is dropped.

    Privacy
    -------
    Rows, differences and the sizes at which ranges begin stay in the cluster. What comes back are
    counts, how large and how fine the numbers are, and the sums that make the statistic.
    """

    session: SparkSession = field(repr=False)
    label: str
    dialect: Dialect = field(default=SPARK, init=False)
    way: str = field(default="translated: all is computed in Spark", init=False)
    prefix: str = field(default_factory=lambda: f"dpwilcoxon_{secrets.token_hex(8)}_", init=False)
    _kept: dict[str, DataFrame] = field(default_factory=dict, init=False, repr=False)

    def rows(self, sql: str) -> Sequence[tuple[Any, ...]]:
        """Run a query with a small answer."""
        return self._run(lambda: [tuple(row) for row in self.session.sql(sql).collect()])

    def measures(self, source: str, values: Sequence[str], names: Sequence[str]) -> list[Measure]:
        """How to read expressions over a source."""
        types = self._types(source, values)
        return [_measure(kind, name) for kind, name in zip(types, names, strict=True)]

    def relation(self, sql: str) -> str:
        """They stay where they are."""
        return sql

    def literals(
        self, source: str, expressions: LayoutExpressions, layout: Layout
    ) -> Sequence[str]:
        """The later and the earlier level as SQL; of wide tables none."""
        if expressions.condition is None:
            return []
        (kind,) = self._types(source, [expressions.condition.sql])
        is_measure = kind in READINGS or _DECIMAL.fullmatch(kind)
        measure = _measure(kind, "") if is_measure else None
        return Literals(SPARK, "TIMESTAMP_NTZ", "TIMESTAMP").of_levels(layout, kind, measure)

    def source(self, sql: str) -> str:
        """Keep the rows, which others could change."""
        return self.kept("source", sql)

    def kept(self, name: str, sql: str) -> str:
        """Keep the answer of a query in the memory and on the disks of the cluster."""
        view = f"{self.prefix}{len(self._kept)}_{name}"

        def keep() -> None:
            self._kept[view] = self.session.sql(sql).persist()
            self._kept[view].createOrReplaceTempView(view)

        self._run(keep)
        return f"SELECT * FROM {view}"

    def ranks(self, differences: str) -> TieRanks:
        """Tie groups in ranges, which begin at quantiles of their sizes."""
        groups = self.kept("groups", tie_groups(differences))
        shares = ", ".join(repr(each / RANGES) for each in range(1, RANGES))
        columns = ", ".join(f"splits[{each}] AS s{each}" for each in range(RANGES - 1))
        splits = (
            f"SELECT percentile_approx(size, array({shares}), {ACCURACY}) AS splits "
            f"FROM ({groups}) AS tie_groups WHERE size > 0"
        )
        kept = self.kept("splits", f"SELECT {columns} FROM ({splits}) AS found")
        return TieRanks(SPARK, groups, kept, RANGES)

    def close(self) -> None:
        """Forget what was kept."""
        for view, frame in self._kept.items():
            with suppress(Exception):
                self.session.catalog.dropTempView(view)
            with suppress(Exception):
                frame.unpersist()

    def _types(self, source: str, values: Sequence[str]) -> list[str]:
        listed = ", ".join(f"{value} AS v{index}" for index, value in enumerate(values))
        sql = f"SELECT {listed} FROM ({source}) AS source"
        return self._run(
            lambda: [each.dataType.simpleString() for each in self.session.sql(sql).schema.fields]
        )

    def _run(self, work: Callable[[], _Answer]) -> _Answer:
        with self._pinned():
            return in_our_words(lambda: self._apart(work), self.label, state_of)

    def _apart(self, work: Callable[[], _Answer]) -> _Answer:
        """Work in a thread, which has a connection to Java of its own.

        PySpark answers Ctrl-C by cancelling jobs, and cannot do that on a connection where it
        waits for an answer.
        """
        from pyspark import InheritableThread

        done: Future[_Answer] = Future()

        def target() -> None:
            try:
                self.session.addTag(self.prefix)
                done.set_result(work())
            except BaseException as error:  # noqa: BLE001 - it is raised where it is waited for
                done.set_exception(error)

        thread = InheritableThread(target=target, session=self.session, daemon=True)
        thread.start()
        try:
            return done.result()
        except KeyboardInterrupt:
            self.session.interruptTag(self.prefix)
            thread.join(PATIENCE)
            raise

    @contextmanager
    def _pinned(self) -> Iterator[None]:
        """Change settings of the session for a moment."""
        conf = self.session.conf

        def pin(settings: Mapping[str, str]) -> None:
            for name, value in settings.items():
                conf.set(name, value)

        before = in_our_words(
            lambda: {name: str(conf.get(name)) for name in _PINNED}, self.label, state_of
        )
        try:
            in_our_words(lambda: pin(_PINNED), self.label, state_of)
            yield
        finally:
            with suppress(Exception):
                pin(before)


def _measure(kind: str, name: str) -> Measure:
    if match := _DECIMAL.fullmatch(kind):
        return decimal(int(match[2]), SPARK)
    return measure_in(READINGS, kind, name)


def state_of(error: Exception) -> str | None:
    """The code of what went wrong in Spark, or none if there was no answer."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    if isinstance(error, PySparkException):
        return str(error.getSqlState() or "XX000")
    if isinstance(error, Py4JError):
        return "XX000" if hasattr(error, "java_exception") else None
    if isinstance(error, ConnectionError):  # the JVM is gone
        return None
    raise error

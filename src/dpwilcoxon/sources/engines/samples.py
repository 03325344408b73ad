"""Paired samples of tables in engines: the rows stay there, and sums come back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from dpwilcoxon.errors import DataError, InvalidArgument
from dpwilcoxon.sources.engines.addresses import connected_table, is_address
from dpwilcoxon.sources.engines.ibis_tables import is_ibis_table, open_session
from dpwilcoxon.sources.engines.sessions import EngineSession
from dpwilcoxon.sources.engines.translation import translated_expression
from dpwilcoxon.sources.expressions import RowExpression
from dpwilcoxon.sources.layout import Layout
from dpwilcoxon.sources.layout_expressions import LayoutExpressions, check_comparisons, read_layout
from dpwilcoxon.sources.memory import Resources
from dpwilcoxon.sources.pushdown.tie_ranks import RangeSizes, TieRanks
from dpwilcoxon.sources.pushdown.unit_pairs import unit_pairs
from dpwilcoxon.sources.pushdown.unit_sql import UnitPlan
from dpwilcoxon.sources.unit_tables import unit_plan
from dpwilcoxon.statistics.scores import Score
from dpwilcoxon.statistics.tie_groups import ZeroMethod

if TYPE_CHECKING:
    import ibis.expr.types as ir


@dataclass(frozen=True, eq=False, repr=False)
class EngineSample:
    """A paired sample whose differences are where the table is.

    Privacy
    -------
    One pair stands for one protected person, and the number of pairs is public. What becomes of
    a pair depends on the rows of that person alone.
    """

    sizes: RangeSizes
    ranks: TieRanks
    session: EngineSession

    @property
    def n(self) -> int:
        """The number of pairs."""
        return self.sizes.n

    def signed_rank_total(self, score: Score, zero_method: ZeroMethod) -> int:
        """The exact statistic in lattice units of the score; not private."""
        return self.ranks.total(self.session.rows, self.sizes, score, zero_method)

    def __repr__(self) -> str:
        return f"EngineSample(n={self.n})"  # never a value


def is_in_engine(data: object) -> bool:
    """Whether this is an Ibis table, or the address of a database."""
    return is_ibis_table(data) or is_address(data)


@contextmanager
def open_engine_samples(
    data: object, layouts: Sequence[Layout], table: str | None, resources: Resources
) -> Iterator[list[EngineSample]]:
    """Open the paired samples that layouts find in one table of an engine.

    Parameters
    ----------
    data : ibis.Table or str
        A table, or the address of a database.
    layouts : sequence of Layout
        Where the pairs are in it; all of them see one state of the table.
    table : str, optional
        Which table of the database.
    resources : Resources
        What may be used of this machine, and who is told which way the rows go.

    Yields
    ------
    list of EngineSample
        Usable until the context ends, which leaves nothing behind in the engine.
    """
    with ExitStack() as opened:
        if is_ibis_table(data):
            if table is not None:
                raise InvalidArgument("`table` belongs to databases and SQLite files.")
            found, label = data, None
        else:
            found, label = opened.enter_context(connected_table(str(data), table))
        session = opened.enter_context(closing(open_session(found, label, resources)))
        resources.tell(session.way)
        read = [(layout, _expressions(found, session, layout)) for layout in layouts]
        source = _relation(found, session, [expressions for _, expressions in read])
        yield [_sample(session, source, layout, expressions) for layout, expressions in read]


def _expressions(table: ir.Table, session: EngineSession, layout: Layout) -> LayoutExpressions:
    schema = {str(name): kind for name, kind in table.schema().items()}
    texts = [name for name, kind in schema.items() if kind.is_string()]

    def read(text: str, option: str) -> RowExpression:
        expression = translated_expression(
            text, list(schema), session.label, option, session.dialect
        )
        check_comparisons(expression, texts, option)
        return expression

    return read_layout(layout, read)


def _relation(table: ir.Table, session: EngineSession, read: Sequence[LayoutExpressions]) -> str:
    """The columns that any layout needs, in one state."""
    needed = dict.fromkeys(name for expressions in read for name in expressions.columns)
    listed = ", ".join(session.dialect.quoted(name) for name in needed)
    compiled = str(table.get_backend().compile(table))
    return session.relation(f"SELECT {listed} FROM ({compiled}) AS whole")


def _sample(
    session: EngineSession, source: str, layout: Layout, expressions: LayoutExpressions
) -> EngineSample:
    pairs = unit_pairs(session, _plan(session, source, layout, expressions), layout)
    if not pairs.fits:
        raise DataError(
            f"The differences in {session.label} have more digits than its database can compute "
            "with; round them with `resolution`."
        )
    ranks = session.ranks(pairs.differences.differences())
    return EngineSample(ranks.range_sizes(session.rows, pairs.n), ranks, session)


def _plan(
    session: EngineSession, source: str, layout: Layout, expressions: LayoutExpressions
) -> UnitPlan:
    literals = session.literals(source, expressions, layout)
    plan = unit_plan(session, source, layout, expressions, literals)
    if plan.averages and plan.sides[0].measure.is_float:  # which are looked at twice
        needed = ", ".join(session.dialect.quoted(name) for name in expressions.columns)
        return replace(plan, source=session.source(f"SELECT {needed} FROM ({source}) AS whole"))
    return plan

"""Tables with a privacy unit, a filter or several rows per person: one pair for each unit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction

from dpwilcoxon.errors import SourceError
from dpwilcoxon.pairs import Pairs
from dpwilcoxon.sources.duckdb_session import quoted_text
from dpwilcoxon.sources.duckdb_tables import DuckDBEngine, table_in_duckdb
from dpwilcoxon.sources.expressions import RowExpression, row_expression
from dpwilcoxon.sources.json_lines import JsonTable
from dpwilcoxon.sources.layout import Layout
from dpwilcoxon.sources.pushdown.engine import Engine
from dpwilcoxon.sources.pushdown.unit_pairs import UnitPairs, unit_pairs
from dpwilcoxon.sources.pushdown.unit_sql import Side, UnitPlan
from dpwilcoxon.sources.tables import Table
from dpwilcoxon.sources.text_types import is_text_type
from dpwilcoxon.statistics.keys import SignedKeys, object_keys

WORD = 2**62


@dataclass(frozen=True)
class LayoutExpressions:
    """The columns and expressions that a layout names, read against a table."""

    values: tuple[RowExpression, ...]  # the minuend first
    unit: RowExpression | None = None
    condition: RowExpression | None = None
    where: RowExpression | None = None
    order_by: tuple[RowExpression, ...] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        """Every column of the table that is needed, once."""
        each = [*self.values, self.unit, self.condition, self.where, *self.order_by]
        names = [name for one in each if one is not None for name in one.columns]
        return tuple(dict.fromkeys(names))

    @property
    def verbatim(self) -> tuple[str, ...]:
        """Columns that are names: persons and conditions, unless something computes with them."""
        names = [one.columns[0] for one in (self.unit, self.condition) if one and one.is_column]
        others = (*self.values, self.where, *self.order_by)
        used = {name for one in others if one is not None for name in one.columns}
        return tuple(name for name in names if name not in used)


def pairs_from_units(table: Table, layout: Layout) -> Pairs:
    """Make one pair for each privacy unit of a table.

    Parameters
    ----------
    table : Table
        An open table.
    layout : Layout
        Where the pairs are.

    Returns
    -------
    Pairs
        Exact: every aggregate is computed in integers or fractions.
    """
    with open_unit_pairs(table, layout) as (engine, pairs):
        return Pairs(unit_keys(engine, pairs))


@contextmanager
def open_unit_pairs(
    table: Table, layout: Layout, **settings: str
) -> Iterator[tuple[DuckDBEngine, UnitPairs]]:
    """Make the pairs of a table in DuckDB, whose settings may be changed, and leave them there."""
    expressions = layout_expressions(table, layout)
    in_duckdb = table_in_duckdb(table, expressions.columns, expressions.verbatim, **settings)
    with in_duckdb as (engine, source):
        _check_members(table, expressions.columns, engine)
        literals = level_literals(engine, source, expressions, layout)
        plan = unit_plan(engine, source, layout, expressions, literals)
        # Without a unit the pairs are the rows, of which a copy would save nothing.
        yield engine, unit_pairs(engine, plan, layout, keep=plan.unit is not None)


def layout_expressions(table: Table, layout: Layout) -> LayoutExpressions:
    """Find every column that a layout names, or say which is not there."""

    def read(text: str, option: str) -> RowExpression:
        complete = not isinstance(table, JsonTable)
        return row_expression(text, table.names, table.source.label, option, complete=complete)

    return read_layout(layout, read)


def read_layout(
    layout: Layout, read_text: Callable[[str, str], RowExpression]
) -> LayoutExpressions:
    """Read every column and expression that a layout names; also told is the option it is of."""

    def read(text: str | None, option: str) -> RowExpression | None:
        return None if text is None else read_text(text, option)

    def required(text: str | None, option: str) -> RowExpression:
        assert text is not None  # noqa: S101 - layouts are complete
        return read_text(text, option)

    if layout.is_long:
        values: tuple[RowExpression, ...] = (required(layout.value, "value"),) * 2
    elif layout.difference is not None:
        values = (required(layout.difference, "difference"),)
    else:
        values = (required(layout.after, "after"), required(layout.before, "before"))
    return LayoutExpressions(
        values,
        unit=read(layout.unit, "unit"),
        condition=read(layout.condition, "condition"),
        where=read(layout.where, "where"),
        order_by=tuple(required(each, "order_by") for each in layout.order_by),
    )


def unit_plan(
    engine: Engine,
    source: str,
    layout: Layout,
    expressions: LayoutExpressions,
    literals: Sequence[str],
) -> UnitPlan:
    """Put a layout and the types of its expressions together.

    `literals` are the levels of its condition as SQL, the later one first.
    """
    values = [each.sql for each in expressions.values]
    names = value_names(layout)
    measures = engine.measures(source, values, names)
    conditions: Sequence[str | None] = [None] * len(values)
    if expressions.condition is not None:
        conditions = [f"{expressions.condition.sql} = {literal}" for literal in literals]
    sides = tuple(
        Side(value, measure, only, name)
        for value, measure, only, name in zip(values, measures, conditions, names, strict=True)
    )
    return UnitPlan(
        engine.dialect,
        source,
        sides,
        unit=expressions.unit.sql if expressions.unit else None,
        where=expressions.where.sql if expressions.where else None,
        aggregate=layout.aggregate,
        order_by=tuple(each.sql for each in expressions.order_by),
    )


def value_names(layout: Layout) -> list[str]:
    """How messages call the minuend and the subtrahend."""
    if layout.is_long:
        return [str(layout.value)] * 2
    return [str(each) for each in (layout.difference, layout.after, layout.before) if each]


def level_literals(
    engine: DuckDBEngine, source: str, expressions: LayoutExpressions, layout: Layout
) -> list[str]:
    """The later and the earlier level as SQL, in the type of the condition; of wide tables none."""
    if expressions.condition is None or layout.levels is None:
        return []
    (kind,) = engine.types(source, [expressions.condition.sql])
    literals = []
    for level in reversed(layout.levels):
        literal = quoted_text(level)
        if not is_text_type(kind):
            ((is_value,),) = engine.rows(f"SELECT TRY_CAST({literal} AS {kind}) IS NOT NULL")
            if not is_value:
                raise no_such_level(level, layout, kind.partition("(")[0])
            literal = f"CAST({literal} AS {kind})"
        literals.append(literal)
    return literals


def no_such_level(level: str, layout: Layout, kind: str) -> SourceError:
    """Build the error for a level that no value of the condition can be."""
    return SourceError(
        f"The level {level!r} cannot be a value of `{layout.condition}`, which has type {kind}."
    )


def _check_members(table: Table, columns: Sequence[str], engine: DuckDBEngine) -> None:
    """In JSON a misspelt name looks like a column in which everything is missing."""
    if not isinstance(table, JsonTable):
        return
    counts = ", ".join(f"count(v{index})" for index in range(len(columns)))
    (found,) = engine.rows(f"SELECT {counts} FROM source")
    table.check_names([name for name, n in zip(columns, found, strict=True) if n == 0])


def unit_keys(engine: DuckDBEngine, pairs: UnitPairs) -> SignedKeys:
    """Fetch the differences of units as signed keys."""
    if not pairs.fits:
        return fraction_keys(engine, pairs)
    return SignedKeys.from_differences(engine.arrays(word_differences(engine, pairs))["d"])


def word_differences(engine: DuckDBEngine, pairs: UnitPairs) -> str:
    """A query for differences `d` that fit a word, in the order of the true ones, signs kept."""
    differences = pairs.differences.differences()
    if pairs.is_float:
        return differences
    ((largest,),) = engine.rows(f"SELECT max(abs(d)) FROM ({differences})")
    number = "d"
    if int(largest) >= WORD:  # only the order matters
        number = "sign(d) * dense_rank() OVER (ORDER BY abs(d))"
    return f"SELECT CAST({number} AS BIGINT) AS d FROM ({differences})"


def fraction_keys(engine: DuckDBEngine, pairs: UnitPairs) -> SignedKeys:
    """Compute differences that are too fine for integers as fractions: slow, and rarely needed."""
    sql = pairs.differences
    texts = [f"CAST({each}{i} AS VARCHAR)" for i in sql.plan.both for each in ("x", "rows")]
    texts.append(f"({sql.absent()}) OR ({sql.missing()})")
    excluded = f" WHERE NOT ({sql.absent()})" if sql.exclude else ""
    rows = engine.rows(f"SELECT {', '.join(texts)} FROM ({sql.units}) AS units{excluded}")
    return SignedKeys(object_keys([_fraction(row, pairs) for row in rows]))


def _fraction(row: Sequence[object], pairs: UnitPairs) -> Fraction | int:
    sql = pairs.differences
    *texts, is_zero = row
    if is_zero:
        return 0
    terms = []
    for index in sql.plan.both:
        rows = int(str(texts[2 * index + 1])) if sql.is_fraction else 1
        terms.append(
            Fraction(int(str(texts[2 * index])), rows) * sql.plan.sides[index].measure.unit
        )
    difference = terms[0] - sum(terms[1:])
    return difference if sql.step is None else round(difference / sql.step)

"""Tables with a privacy unit, a filter or several rows per person: one pair for each unit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from dpwilcoxon.arraytypes import AnyArray
from dpwilcoxon.errors import InternalError, InvalidArgument, SourceError
from dpwilcoxon.pairs import Pairs
from dpwilcoxon.sources.duckdb_session import quoted_name
from dpwilcoxon.sources.duckdb_tables import DuckDBEngine, table_in_duckdb
from dpwilcoxon.sources.expressions import RowExpression, row_expression
from dpwilcoxon.sources.frame_tables import FrameTable
from dpwilcoxon.sources.json_lines import JsonTable
from dpwilcoxon.sources.layout import Layout
from dpwilcoxon.sources.levels import level_literals
from dpwilcoxon.sources.pushdown.unit_pairs import UnitPairs, unit_pairs
from dpwilcoxon.sources.pushdown.unit_sql import Side, UnitPlan
from dpwilcoxon.sources.tables import Table
from dpwilcoxon.sources.text_types import is_text_type, ordered_text, typed_text
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
    expressions = layout_expressions(table, layout)
    with table_in_duckdb(table, expressions.columns) as (engine, source):
        _check_members(table, expressions.columns, engine)
        expressions = with_typed_text(engine, table, source, expressions)
        plan = unit_plan(engine, source, layout, expressions)
        _check_rows(engine, plan, table.source.label)
        pairs = unit_pairs(engine, plan, layout)
        keys = fraction_keys(engine, pairs) if not pairs.fits else fetched_keys(engine, pairs)
        return Pairs(keys)


def layout_expressions(table: Table, layout: Layout) -> LayoutExpressions:
    """Find every column that a layout names, or say which is not there."""
    complete = not isinstance(table, JsonTable)
    names = table.names if complete else ()  # what some objects have must not decide anything

    def read(text: str | None, option: str) -> RowExpression | None:
        if text is None:
            return None
        expression = row_expression(text, names, table.source.label, option, complete=complete)
        _check_numbers(table, expression, option)
        return expression

    def required(text: str | None, option: str) -> RowExpression:
        expression = read(text, option)
        assert expression is not None  # noqa: S101 - layouts are complete
        return expression

    def measured(text: str | None, option: str) -> RowExpression:
        return _as_measured(table, required(text, option))

    if layout.is_long:
        values: tuple[RowExpression, ...] = (measured(layout.value, "value"),) * 2
    elif layout.difference is not None:
        values = (measured(layout.difference, "difference"),)
    else:
        values = (measured(layout.after, "after"), measured(layout.before, "before"))
    return LayoutExpressions(
        values,
        unit=read(layout.unit, "unit"),
        condition=read(layout.condition, "condition"),
        where=read(layout.where, "where"),
        order_by=tuple(required(each, "order_by") for each in layout.order_by),
    )


def _check_numbers(table: Table, expression: RowExpression, option: str) -> None:
    """Refuse to compare text with numbers, for which DuckDB would read 1.4 as 1."""
    for column in expression.as_numbers:
        if is_text_type(table.type_of(column)):
            raise InvalidArgument(
                f"`{option}` compares {column!r}, which is text, with a number; write the "
                "number in quotes, or make numbers of the text: CAST(... AS DECIMAL(18, 6))."
            )


def _as_measured(table: Table, expression: RowExpression) -> RowExpression:
    """The column that stands for a column of measurements in a data frame."""
    if isinstance(table, FrameTable) and expression.is_column:
        measure = table.measures.get(expression.columns[0])
        if measure is not None:
            return RowExpression(quoted_name(measure.name), (measure.name,))
    return expression


def with_typed_text(
    engine: DuckDBEngine, table: Table, source: str, expressions: LayoutExpressions
) -> LayoutExpressions:
    """Read text columns as numbers or times where they are measurements, or order the rows."""

    def read(expression: RowExpression, as_type: Callable[..., str]) -> RowExpression:
        if not expression.is_column or not is_text_type(table.type_of(expression.columns[0])):
            return expression
        sql = as_type(engine.rows, table, source, expression.sql, expression.columns[0])
        return replace(expression, sql=sql)

    typed = {each: read(each, typed_text) for each in expressions.values}
    if isinstance(table, FrameTable):
        clocks = {each.name: each.clock for each in table.measures.values() if each.clock}
        for each in expressions.values:
            if each.columns and each.columns[0] in clocks:
                engine.clocks[typed[each].sql] = clocks[each.columns[0]]
    return replace(
        expressions,
        values=tuple(typed[each] for each in expressions.values),
        order_by=tuple(read(each, ordered_text) for each in expressions.order_by),
    )


def unit_plan(
    engine: DuckDBEngine, source: str, layout: Layout, expressions: LayoutExpressions
) -> UnitPlan:
    """Put a layout and the types of its expressions together."""
    values = [each.sql for each in expressions.values]
    names = value_names(layout)
    measures = engine.measures(source, values, names)
    conditions: Sequence[str | None] = [None] * len(values)
    if expressions.condition is not None and layout.levels is not None:
        conditions = _level_conditions(engine, source, expressions.condition, layout)
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


def _level_conditions(
    engine: DuckDBEngine, source: str, condition: RowExpression, layout: Layout
) -> list[str]:
    """SQL that tells the rows of the later and of the earlier level."""
    (kind,) = engine.types(source, [condition.sql])
    assert layout.levels is not None  # noqa: S101 - the caller has looked
    literals = level_literals(engine, kind, layout)
    return [f"{condition.sql} = {literal}" for literal in literals]


def _check_members(table: Table, columns: Sequence[str], engine: DuckDBEngine) -> None:
    """In JSON a misspelt name looks like a column in which everything is missing."""
    if not isinstance(table, JsonTable):
        return
    counts = ", ".join(f"count(v{index})" for index in range(len(columns)))
    (found,) = engine.rows(f"SELECT {counts} FROM source")
    table.check_names([name for name, n in zip(columns, found, strict=True) if n == 0])


def _check_rows(engine: DuckDBEngine, plan: UnitPlan, label: str) -> None:
    """See that every row of the cohort is one row still, whatever was computed with it."""
    where = f" WHERE {plan.where}" if plan.where else ""
    counted = f"SELECT count(*) FROM ({plan.rows()}) AS cohort"
    plain = f"SELECT count(*) FROM ({plan.source}) AS source{where}"
    if engine.rows(counted) != engine.rows(plain):
        raise SourceError(f"An expression over {label} makes several rows of one, or none.")


def fetched_keys(engine: DuckDBEngine, pairs: UnitPairs) -> SignedKeys:
    """Fetch the differences of units as signed keys."""
    differences = pairs.differences.differences()
    if pairs.is_float:
        return _keys_of(engine.arrays(differences)["d"])
    kept = engine.kept("differences", differences)
    ((largest,),) = engine.rows(f"SELECT max(abs(d)) FROM ({kept})")
    number = "d"
    if int(largest) >= WORD:  # only the order matters
        number = "sign(d) * dense_rank() OVER (ORDER BY abs(d))"
    return _keys_of(engine.arrays(f"SELECT CAST({number} AS BIGINT) AS d FROM ({kept})")["d"])


def _keys_of(differences: AnyArray) -> SignedKeys:
    """Make keys of what an engine has answered, which must not hold a gap any more."""
    if isinstance(differences, np.ma.MaskedArray):
        if np.ma.getmaskarray(differences).any():
            raise InternalError("A difference of a unit is NULL.")
        differences = np.ma.getdata(differences)
    return SignedKeys.from_differences(differences)


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

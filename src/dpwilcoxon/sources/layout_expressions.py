"""What a layout names in a table, read against it: columns, and expressions of one row."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace

from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.sources.duckdb_session import quoted_name
from dpwilcoxon.sources.duckdb_tables import DuckDBEngine
from dpwilcoxon.sources.expressions import RowExpression, row_expression, sole_name
from dpwilcoxon.sources.frame_tables import FrameTable
from dpwilcoxon.sources.json_lines import JsonTable
from dpwilcoxon.sources.layout import Layout, undeclared_cohort
from dpwilcoxon.sources.tables import Table
from dpwilcoxon.sources.text_types import is_text_type, ordered_text, typed_text


@dataclass(frozen=True)
class LayoutExpressions:
    """The columns and expressions that a layout names, read against a table."""

    values: tuple[RowExpression, ...]  # the minuend first
    unit: RowExpression | None = None
    condition: RowExpression | None = None
    where: RowExpression | None = None
    order_by: tuple[RowExpression, ...] = ()

    def __post_init__(self) -> None:
        if not self.columns:
            raise InvalidArgument("What is compared names no column of the table; name one.")

    @property
    def _all(self) -> list[RowExpression]:
        each = [*self.values, self.unit, self.condition, self.where, *self.order_by]
        return [one for one in each if one is not None]

    @property
    def columns(self) -> tuple[str, ...]:
        """Every column of the table that is needed, once."""
        return tuple(dict.fromkeys(name for one in self._all for name in one.columns))

    @property
    def are_computed(self) -> bool:
        """Whether one of them is more than a column."""
        return not all(one.is_column for one in self._all)


def layout_expressions(table: Table, layout: Layout) -> LayoutExpressions:
    """Find every column that a layout names, or say which is not there."""
    complete = not isinstance(table, JsonTable)
    names = table.names if complete else ()  # what some objects have must not decide anything

    def read(text: str, option: str) -> RowExpression:
        expression = row_expression(text, names, table.source.label, option, complete=complete)
        texts = [each for each in expression.columns if is_text_type(table.type_of(each))]
        check_comparisons(expression, texts, option)
        return expression

    expressions = read_layout(layout, read)
    measured = tuple(_as_measured(table, each) for each in expressions.values)
    return replace(expressions, values=measured)


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
    unit = read(layout.unit, "unit")
    if unit is not None and layout.public_n is None and _is_computed(str(layout.unit), unit):
        raise undeclared_cohort("A `unit` that is no column but computed")
    return LayoutExpressions(
        values,
        unit=unit,
        condition=read(layout.condition, "condition"),
        where=read(layout.where, "where"),
        order_by=tuple(required(each, "order_by") for each in layout.order_by),
    )


def _is_computed(text: str, expression: RowExpression) -> bool:
    """Whether what was typed is not the name of a column, in whatever SQL it has become."""
    return expression.columns != (text.strip(),) and sole_name(text) is None


def check_comparisons(expression: RowExpression, texts: Collection[str], option: str) -> None:
    """Refuse to compare text with anything else, for which DuckDB would read 1.4 as 1."""
    for sides in expression.comparisons:
        for column in sides:
            if column in texts and any(each not in texts for each in sides):
                other = "a number" if None in sides else "a column that is not"
                raise InvalidArgument(
                    f"`{option}` compares {column!r}, which is text, with {other}; write numbers "
                    "in quotes, or make numbers of the text: CAST(... AS DECIMAL(18, 6))."
                )


def _as_measured(table: Table, expression: RowExpression) -> RowExpression:
    """The column that stands for a column of measurements in a data frame."""
    if isinstance(table, FrameTable) and expression.is_column:
        measure = table.measures.get(expression.columns[0])
        if measure is not None:
            return RowExpression(quoted_name(measure.name), (measure.name,))
    return expression


def with_typed_text(
    engine: DuckDBEngine,
    table: Table,
    source: str,
    expressions: LayoutExpressions,
    *,
    rows_named: bool,
) -> LayoutExpressions:
    """Read text columns as numbers or times where they are measurements, or order the rows.

    Messages name rows where no cohort is declared, of which somebody may be or not.
    """

    def place(index: int) -> str:
        return f", first in {table.describe_row(index)}" if rows_named else ""

    def read(expression: RowExpression, as_type: Callable[..., str]) -> RowExpression:
        if not expression.is_column or not is_text_type(table.type_of(expression.columns[0])):
            return expression
        column = expression.columns[0]
        sql = as_type(engine.rows, table, source, expression.sql, column, place=place)
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

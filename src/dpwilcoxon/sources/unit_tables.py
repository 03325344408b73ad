"""Tables with a privacy unit, a filter or several rows per person: one pair for each unit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction

import numpy as np

from dpwilcoxon.arraytypes import AnyArray
from dpwilcoxon.errors import InternalError, SourceError
from dpwilcoxon.pairs import Pairs
from dpwilcoxon.sources.duckdb_tables import DuckDBEngine, table_in_duckdb
from dpwilcoxon.sources.json_lines import JsonTable
from dpwilcoxon.sources.layout import Layout
from dpwilcoxon.sources.layout_expressions import (
    LayoutExpressions,
    layout_expressions,
    with_typed_text,
)
from dpwilcoxon.sources.levels import level_literals
from dpwilcoxon.sources.pushdown.engine import Engine
from dpwilcoxon.sources.pushdown.unit_pairs import UnitPairs, unit_pairs
from dpwilcoxon.sources.pushdown.unit_sql import Side, UnitPlan
from dpwilcoxon.sources.tables import Table
from dpwilcoxon.statistics.keys import SignedKeys, object_keys

LARGEST_KEY = 2**62


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
    opened = table_in_duckdb(
        table, expressions.columns, is_computed=expressions.are_computed, **settings
    )
    with opened as (engine, source):
        _check_members(table, expressions.columns, engine)
        rows_named = layout.public_n is None  # which a filter needs
        expressions = with_typed_text(engine, table, source, expressions, rows_named=rows_named)
        literals = level_literals(engine, source, expressions.condition, layout)
        plan = unit_plan(engine, source, layout, expressions, literals)
        _check_rows(engine, plan, table.source.label)
        # Without a unit the pairs are the rows, of which a copy would save nothing.
        yield engine, unit_pairs(engine, plan, layout, keep=plan.unit is not None)


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


def unit_keys(engine: DuckDBEngine, pairs: UnitPairs) -> SignedKeys:
    """Fetch the differences of units as signed keys."""
    if not pairs.fits:
        return fraction_keys(engine, pairs)
    return _keys_of(engine.arrays(word_differences(engine, pairs))["d"])


def word_differences(engine: DuckDBEngine, pairs: UnitPairs) -> str:
    """A query for differences `d` that fit a word, in the order of the true ones, signs kept."""
    differences = pairs.differences.differences()
    if pairs.is_float:
        return differences
    ((largest,),) = engine.rows(f"SELECT max(abs(d)) FROM ({differences})")
    number = "d"
    if int(largest) >= LARGEST_KEY:  # only the order matters
        number = "sign(d) * dense_rank() OVER (ORDER BY abs(d))"
    return f"SELECT CAST({number} AS BIGINT) AS d FROM ({differences})"


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

"""The pairs of an open table, whether its columns are compared as they are or computed with."""

from __future__ import annotations

from collections.abc import Sequence

from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.pairs import Pairs
from dpwilcoxon.sources.expressions import sole_name
from dpwilcoxon.sources.json_lines import JsonTable
from dpwilcoxon.sources.layout import Layout
from dpwilcoxon.sources.table_columns import read_columns
from dpwilcoxon.sources.tables import Table
from dpwilcoxon.sources.unit_tables import pairs_from_units


def table_pairs(table: Table, layout: Layout) -> Pairs:
    """Make the pairs of a table.

    Parameters
    ----------
    table : Table
        An open table.
    layout : Layout
        Where the pairs are.
    """
    names = plain_columns(layout, () if isinstance(table, JsonTable) else table.names)
    if names is None:
        return pairs_from_units(table, layout)
    return Pairs.from_columns(
        *read_columns(table, names, differences_suffice=layout.resolution is None),
        missing=layout.missing,
        resolution=layout.resolution,
    )


def plain_columns(layout: Layout, names: Sequence[str]) -> Sequence[str] | None:
    """The columns that are compared, row by row; None where anything has to be computed.

    Parameters
    ----------
    layout : Layout
        Where the pairs are.
    names : sequence of str
        The columns of the table; none where only the rows would tell.
    """
    if not layout.is_one_row_per_pair:
        return None
    columns = [each if each in names else sole_name(each) for each in layout.columns]
    known = [each for each in columns if each is not None]
    if len(known) < len(columns):
        return None
    if len(set(known)) < len(known):
        raise InvalidArgument(f"`before` and `after` are the same column, {known[0]!r}; name two.")
    return known

"""Whether the columns of a table are compared as they are, or computed with first."""

from __future__ import annotations

from collections.abc import Sequence

from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.sources.expressions import same_name, sole_name
from dpwilcoxon.sources.layout import Layout


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
    known = [same_name(each, names) or each for each in columns if each is not None]
    if len(known) < len(columns):
        return None
    if len(set(known)) < len(known):
        raise InvalidArgument(f"`before` and `after` are the same column, {known[0]!r}; name two.")
    return known

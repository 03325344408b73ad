"""Columns as they travel from a source to pairs."""

import numpy as np
import pytest

from dpwilcoxon.columns import Column, Kind
from dpwilcoxon.errors import InternalError


def test_a_column_has_one_dimension_and_a_mask_for_every_row():
    """A source that builds anything else has a bug, and is told so."""
    with pytest.raises(InternalError, match="one-dimensional"):
        Column(Kind.FLOAT, np.zeros((2, 2)))
    with pytest.raises(InternalError, match="as long as"):
        Column(Kind.FLOAT, np.zeros(3), np.zeros(2, dtype=bool))


def test_missing_rows_add_up():
    """Rows that are missing stay missing, and no mask is kept when nothing is."""
    column = Column(Kind.INTEGER, np.arange(3), name="before")
    assert column.with_missing(np.array([False, False, False])) is column
    first = column.with_missing(np.array([True, False, False]))
    both = first.with_missing(np.array([False, True, False]))
    assert first.missing.tolist() == [True, False, False]
    assert both.missing.tolist() == [True, True, False]
    assert both.name == "before"


def test_printing_a_column_shows_no_value():
    """Only what it is and how long."""
    column = Column(Kind.INTEGER, np.array([123456, 654321]))
    assert repr(column) == "Column(Kind.INTEGER, n=2)"
    assert len(column) == 2


@pytest.mark.parametrize("kind", Kind)
def test_every_kind_has_a_noun(kind):
    """Numbers of every kind go together; times and durations are kept apart."""
    apart = {Kind.TIME: "dates or times", Kind.DURATION: "durations"}
    assert kind.noun == apart.get(kind, "numbers")

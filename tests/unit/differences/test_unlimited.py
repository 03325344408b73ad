"""Differences of Python numbers."""

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpwilcoxon.columns import Column, Kind
from dpwilcoxon.differences import subtract

exact_numbers = (
    st.integers(-(10**40), 10**40)
    | st.fractions()
    | st.decimals(allow_nan=False, allow_infinity=False, places=25)
)
steps = st.none() | st.fractions(Fraction(1, 10**6), 10**30)


def object_column(values):
    """A column of Python numbers."""
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return Column(Kind.OBJECT, array)


@given(rows=st.lists(st.tuples(exact_numbers, exact_numbers), min_size=1, max_size=10), step=steps)
def test_numbers_without_limits(rows, step, assert_differences, in_steps):
    """Integers, decimals and fractions of any length, and rounded to any resolution."""
    columns = [object_column([row[side] for row in rows]) for side in (0, 1)]
    exact = [Fraction(x) - Fraction(y) for x, y in rows]
    expected = exact if step is None else [in_steps(d, step) for d in exact]
    assert_differences(columns, expected, step)


@given(rows=st.lists(st.tuples(exact_numbers, st.integers(-(2**63), 2**63 - 1)), min_size=1))
def test_beside_columns_of_64_bits(rows, assert_differences):
    """Integers and decimals are brought to exact numbers too."""
    x = object_column([a for a, _ in rows])
    units = np.array([b for _, b in rows])
    integers, decimals = Column(Kind.INTEGER, units), Column(Kind.DECIMAL, units, places=3)
    assert_differences([x, integers], [Fraction(a) - b for a, b in rows])
    assert_differences([decimals, x], [Fraction(b, 1000) - Fraction(a) for a, b in rows])


@pytest.mark.parametrize("infinity", [math.inf, Decimal("Infinity")])
def test_infinities(infinity, assert_differences):
    """They are larger than anything finite, even than what no float can hold."""
    x = object_column([infinity, -infinity, infinity, 1, -(10**400), 10**400])
    y = object_column([1, 10**400, -infinity, infinity, -infinity, 0])
    expected = [math.inf, -math.inf, math.inf, -math.inf, math.inf, 10**400]
    assert_differences([x, y], expected)
    assert_differences([x, y], expected, Fraction(7))
    assert subtract([x, x]).n_missing == 3


def test_one_column_holds_differences(assert_differences):
    """Without a second column, the numbers are taken as they are."""
    assert_differences([object_column([10**30, -(10**30) - 1, 0])], [1, -2, 0])
    assert_differences([object_column([10**30, -(10**30) - 1, 0])], [1, -1, 0], Fraction(10**29))


def test_decimals_are_not_rounded_to_the_context(assert_differences):
    """Python rounds decimals to 28 digits by default; 30 are kept."""
    one = Decimal("1.00000000000000000000000000001")
    columns = object_column([one, Decimal(1)]), object_column([Decimal(1), Decimal(1)])
    assert_differences(columns, [1, 0])

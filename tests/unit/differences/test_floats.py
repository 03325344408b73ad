"""Differences beside floats: the exact difference, rounded once."""

import math
import sys
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpwilcoxon.columns import Column, Kind
from dpwilcoxon.differences import subtract
from dpwilcoxon.statistics.chunks import CHUNK_ROWS

finite = st.floats(-1e300, 1e300)
large_integers = st.integers(-(2**63), 2**63 - 1) | st.integers(-5, 5)


def float_column(values, dtype=np.float64):
    """A column of floats."""
    return Column(Kind.FLOAT, np.array(values, dtype=dtype))


def object_column(values):
    """A column of Python numbers."""
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return Column(Kind.OBJECT, array)


@given(rows=st.lists(st.tuples(finite, finite), min_size=1))
def test_two_columns_of_floats(rows, assert_differences):
    """Hardware subtraction is the exact difference rounded to the nearest float."""
    x, y = zip(*rows, strict=True)
    exact = [float(Fraction(a) - Fraction(b)) for a, b in rows]
    assert_differences([float_column(x), float_column(y)], exact)


@given(rows=st.lists(st.tuples(st.floats(width=32), st.floats(width=16)), min_size=1))
def test_narrow_floats_are_widened_first(rows, assert_differences):
    """float32 minus float16 is rounded to float64, not to float32."""
    rows = [(a, b) for a, b in rows if math.isfinite(a) and math.isfinite(b)] or [(0.1, 0.5)]
    x, y = float_column([a for a, _ in rows], np.float32), float_column([b for _, b in rows], "f2")
    exact = [
        float(Fraction(float(a)) - Fraction(float(b)))
        for a, b in zip(x.values, y.values, strict=True)
    ]
    assert_differences([x, y], exact)


def test_infinities_overflow_and_signed_zeros(assert_differences):
    """Infinity is the largest size, overflow counts as infinity, and -0.0 is no difference."""
    largest, tiny = sys.float_info.max, math.ulp(0.0)
    x = [math.inf, -math.inf, 1.0, largest, -0.0, tiny, -0.0]
    y = [1.0, math.inf, -math.inf, -largest, 0.0, 0.0, -tiny]
    expected = [math.inf, -math.inf, math.inf, math.inf, 0, tiny, tiny]
    assert_differences([float_column(x), float_column(y)], expected)
    assert_differences([float_column([-0.0, 0.0, -tiny])], [0, 0, -1])


@given(
    rows=st.lists(st.tuples(large_integers, finite), min_size=1, max_size=10),
    swapped=st.booleans(),
)
def test_integers_are_not_rounded_before(rows, swapped, assert_differences):
    """2^53 + 1 minus 2^53 is 1, although 2^53 + 1 is no float."""
    rows = [*rows, (2**53 + 1, float(2**53)), (-(2**63), -(2.0**63)), (2**62 + 1, 2.0**62)]
    columns = [
        Column(Kind.INTEGER, np.array([a for a, _ in rows])),
        float_column([b for _, b in rows]),
    ]
    exact = [float(a - Fraction(b)) for a, b in rows]
    if swapped:
        columns, exact = columns[::-1], [-each for each in exact]
    assert_differences(columns, exact)


def test_unsigned_and_unlimited_integers_are_not_rounded_before(assert_differences):
    """The same for the types that hold still larger integers."""
    floats = float_column([2.0**63, 1e300, math.inf, -math.inf, 0.0])
    unsigned = Column(Kind.INTEGER, np.array([2**63 + 1, 0, 2**64 - 1, 1, 7], dtype=np.uint64))
    assert_differences([unsigned, floats], [1, -1e300, -math.inf, math.inf, 7])
    unlimited = object_column([2**63 + 1, 10**300, 10**400, -(10**400), 10**400])
    exact = [1, float(10**300 - Fraction(1e300)), -math.inf, math.inf, sys.float_info.max]
    assert_differences([unlimited, floats], exact)


def test_large_integers_may_be_missing(assert_differences):
    """A missing value beside a large integer leaves no difference."""
    floats = float_column([math.nan, 1.0, 5.0])
    integers = Column(Kind.INTEGER, np.array([2**60 + 1, 2**60 + 1, 2]))
    integers = integers.with_missing(np.array([False, True, False]))
    assert_differences([integers, floats], [0, 0, -3])
    found = subtract([integers, floats])
    assert (found.n_missing, found.first_missing) == (2, 0)


def test_decimals_are_rounded_first(assert_differences):
    """A decimal 0.1 and a float 0.1 are the same number, however the decimal is stored."""
    texts = ["0.1", "120.1", "-3.7", "0.3"]
    floats = float_column([float(text) for text in texts[:3]] + [0.1])
    fractions = [Fraction(text) for text in texts]
    expected = [0, 0, 0, 0.3 - 0.1]
    decimals = Column(Kind.DECIMAL, np.array([1, 1201, -37, 3]), places=1)
    many_places = Column(Kind.DECIMAL, np.array([int(f * 10**16) for f in fractions]), places=16)
    for column in (
        decimals,
        many_places,
        object_column(fractions),
        object_column([Decimal(text) for text in texts]),
    ):
        assert_differences([column, floats], expected)


@given(units=st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1), places=st.integers(0, 30))
def test_decimals_are_rounded_once(units, places, assert_differences):
    """To the nearest float of the exact decimal."""
    decimals = Column(Kind.DECIMAL, np.array(units), places=places)
    zeros = float_column([0.0] * len(units))
    assert_differences([decimals, zeros], [float(Fraction(u, 10**places)) for u in units])


def test_finite_numbers_stay_finite(assert_differences):
    """A decimal beyond every float is still less than infinity."""
    decimals = object_column([Decimal("1e400"), Decimal("-1e400"), Decimal("Infinity")])
    expected = [sys.float_info.max, -sys.float_info.max, math.inf]
    assert_differences([decimals, float_column([0, 0, 0])], expected)


def test_differences_are_rounded_to_steps(assert_differences):
    """To the nearest multiple, halves to the even one, row by row; infinity stays."""
    x = float_column([0.5, 1.5, 2.5, -0.5, -2.5, 0.26, 1e300, math.inf, 2**60])
    zeros = Column(Kind.INTEGER, np.zeros(9, dtype=np.int64))
    expected = [0, 2, 2, 0, -2, 0, 1e300, math.inf, 2.0**60]
    assert_differences([x, zeros], expected, Fraction(1))
    large = Column(Kind.INTEGER, np.array([2**53 + 1]))
    assert_differences([large, float_column([2.0**53 - 2])], [2], Fraction(2))


@pytest.mark.skipif(
    np.finfo(np.longdouble).nmant == np.finfo(np.float64).nmant,
    reason="long double is float64 on this machine",
)
def test_long_doubles_keep_their_digits(assert_differences):
    """Subtraction beside long doubles happens in long double; 64-bit integers fit in."""
    step = np.finfo(np.longdouble).eps
    one = np.longdouble(1)
    x = Column(Kind.FLOAT, np.array([one + step, one + 2 * step, one, -one], dtype=np.longdouble))
    assert_differences([x, float_column([1, 1, 1, 1])], [1, 2, 0, -(2**70)])
    large = Column(Kind.FLOAT, np.array([2**63], dtype=np.longdouble))
    for integers in (
        Column(Kind.INTEGER, np.array([2**63 + 1], dtype=np.uint64)),
        object_column([2**63 + 1]),
    ):
        assert_differences([integers, large], [1])
        assert subtract([integers, large]).keys.tolist() == [2]
    assert_differences([object_column([Fraction(1, 10)]), float_column([0.1], "g")], [0])
    decimals = Column(Kind.DECIMAL, np.array([1]), places=1)
    assert_differences([decimals, float_column([0.1], "g")], [0])
    assert_differences([x], [1, 1, 1, -1], Fraction(1))


def test_rows_beyond_the_first_chunk(assert_differences):
    """Chunks are put together in order, and nothing is written to the caller's arrays."""
    n = 2 * CHUNK_ROWS + 5
    values = np.arange(n, dtype=np.float64) - CHUNK_ROWS
    before = values.copy()
    assert_differences([float_column(values)], values.tolist())
    assert_differences([Column(Kind.FLOAT, values[::-1])], values[::-1].tolist())
    assert np.array_equal(values, before)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_short_floats_beside_integers_that_are_no_floats(dtype):
    """They are the numbers that they are, whatever their width."""
    x = Column(Kind.INTEGER, np.array([2**53 + 1, 2**60 + 1, 5]))
    y = Column(Kind.FLOAT, np.array([1, 0, 0.5], dtype=dtype))
    keys = subtract([x, y]).keys
    assert (keys == subtract([x, Column(Kind.FLOAT, y.values.astype(np.float64))]).keys).all()

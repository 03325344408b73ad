"""Differences of integers, decimals, dates and durations against exact fractions."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpwilcoxon.columns import Column, Kind
from dpwilcoxon.differences import whole_numbers
from dpwilcoxon.errors import DataError
from dpwilcoxon.statistics.chunks import CHUNK_ROWS

DTYPES = ["bool", *(f"{sign}int{width}" for sign in ("", "u") for width in (8, 16, 32, 64))]
DAY = 86_400 * 10**9  # nanoseconds
steps = st.fractions(Fraction(1, 10**6), 10**6)


def numbers_of(dtype):
    """Any numbers of a type, often those at its ends."""
    if dtype == "bool":
        return st.booleans()
    limits = np.iinfo(dtype)
    return st.sampled_from([limits.min, limits.max, 0]) | st.integers(limits.min, limits.max)


@pytest.mark.parametrize("x_dtype", DTYPES)
@given(data=st.data(), step=st.none() | steps)
def test_integers_of_any_two_widths(x_dtype, data, step, assert_differences, in_steps):
    """Up to 2^64 - 1 minus -2^63, a number of 65 bits, and rounded to any resolution."""
    y_dtype = data.draw(st.sampled_from(DTYPES))
    rows = st.lists(st.tuples(numbers_of(x_dtype), numbers_of(y_dtype)), min_size=1, max_size=8)
    pairs = data.draw(rows)
    columns = [
        Column(Kind.INTEGER, np.array([pair[side] for pair in pairs], dtype=dtype))
        for side, dtype in enumerate((x_dtype, y_dtype))
    ]
    exact = [int(x) - int(y) for x, y in pairs]
    expected = exact if step is None else [in_steps(d, step) for d in exact]
    assert_differences(columns, expected, step)


@pytest.mark.parametrize("dtype", DTYPES)
def test_integers_alone(dtype, assert_differences):
    """One column of integers holds differences, down to -2^63, whose size needs 64 bits."""
    values = [True, False] if dtype == "bool" else [np.iinfo(dtype).min, np.iinfo(dtype).max, 0, 1]
    column = Column(Kind.INTEGER, np.array(values, dtype=dtype))
    assert_differences([column], [int(value) for value in values])


@given(
    rows=st.lists(
        st.tuples(st.integers(-(2**63), 2**63 - 1), st.integers(-(10**18), 10**18)), min_size=1
    ),
    x_places=st.integers(0, 20),
    y_places=st.integers(0, 20),
    step=st.none() | steps,
)
def test_decimals(*, rows, x_places, y_places, step, assert_differences, in_steps):
    """Columns with different numbers of places, beyond 64 bits when brought to the same."""
    columns = [
        Column(Kind.DECIMAL, np.array([row[side] for row in rows]), places=places)
        for side, places in enumerate((x_places, y_places))
    ]
    exact = [Fraction(x, 10**x_places) - Fraction(y, 10**y_places) for x, y in rows]
    expected = exact if step is None else [in_steps(d, step) for d in exact]
    assert_differences(columns, expected, step)


def test_decimals_beside_integers(assert_differences):
    """18.3 - 18 is 0.3, and 120.1 - 119.8 too: decimals tie where binary floats do not."""
    after = Column(Kind.DECIMAL, np.array([183, 1201, 0]), places=1)
    before = Column(Kind.DECIMAL, np.array([180, 1198, 0]), places=1)
    assert_differences([after, before], [3, 3, 0])
    whole = Column(Kind.INTEGER, np.array([18, 119, 1], dtype=np.uint8))
    assert_differences([after, whole], [3, 11, -10])


@given(
    rows=st.lists(st.tuples(st.integers(-(2**62), 2**62), st.integers(-(2**62), 2**62))),
    units=st.sampled_from([("D", "D"), ("D", "ns"), ("us", "h"), ("W", "s"), ("as", "ms")]),
    kind=st.sampled_from([Kind.TIME, Kind.DURATION]),
)
def test_times_in_any_units(rows, units, kind, assert_differences):
    """Days minus nanoseconds are exact, however far apart."""
    worth = {"W": 7 * 86_400, "D": 86_400, "h": 3600, "s": 1}
    worth |= {f"{prefix}s": Fraction(1, 1000**i) for i, prefix in enumerate("munpfa", start=1)}
    rows = [*rows, (3, 4)]
    columns = [
        Column(kind, np.array([row[side] for row in rows]), unit=unit)
        for side, unit in enumerate(units)
    ]
    assert_differences(columns, [x * worth[units[0]] - y * worth[units[1]] for x, y in rows])


def test_dates_beside_timestamps(assert_differences):
    """A date is its midnight."""
    days = Column(Kind.TIME, np.array([1, 2, 3]), unit="D")
    moments = Column(Kind.TIME, np.array([DAY, 2 * DAY + 1, 3 * DAY - 1]), unit="ns")
    assert_differences([days, moments], [0, -1, 1])


def test_months_go_with_years_only(assert_differences):
    """A month has no length in days."""
    months = Column(Kind.DURATION, np.array([12, 13, 23]), unit="M")
    years = Column(Kind.DURATION, np.array([1, 1, 2]), unit="Y")
    assert_differences([months, years], [0, 1, -1])
    with pytest.raises(DataError, match="Months cannot be compared"):
        assert_differences([months, Column(Kind.DURATION, np.array([1, 1, 2]), unit="D")], [])


def test_missing_rows_do_not_matter(assert_differences):
    """What a column holds where it is missing changes nothing, not even when it needs 64 bits."""
    x = Column(Kind.INTEGER, np.array([5, 2**63 - 1, -1]), np.array([False, True, False]))
    y = Column(Kind.INTEGER, np.array([7, -(2**63), 1]))
    assert_differences([x, y], [-2, 0, -2])
    assert_differences([x, y], [0, 0, 0], Fraction(10))


@pytest.mark.parametrize("large", [0, 2**63])
def test_rows_beyond_the_first_chunk(large, assert_differences):
    """Chunks are put together in order, also when some magnitude needs 64 bits."""
    n = 2 * CHUNK_ROWS + 5
    x = np.arange(n, dtype=np.uint64)
    x[-1] += np.uint64(large)
    y = np.full(n, CHUNK_ROWS, dtype=np.uint64)
    columns = [Column(Kind.INTEGER, each) for each in (x, y)]
    assert_differences(columns, [int(each) - CHUNK_ROWS for each in x])


def test_what_fits_64_bits_needs_no_python_integers(monkeypatch, assert_differences):
    """The slow way is not asked for differences below 2^64, whatever the types and places."""
    monkeypatch.setattr("dpwilcoxon.differences.subtract_unlimited", None)
    ends = np.array([2**63 - 1, -(2**63), 0])
    signed, reverse = Column(Kind.INTEGER, ends), Column(Kind.INTEGER, ends[::-1])
    assert_differences([signed, reverse], [2**63 - 1, 0, -(2**63) + 1])
    unsigned = Column(Kind.INTEGER, np.array([2**64 - 1, 5, 0], dtype=np.uint64))
    natural = Column(Kind.INTEGER, np.array([0, 9, 2**62]))
    assert_differences([unsigned, natural], [2**64 - 1, -4, -(2**62)])
    cents = Column(Kind.DECIMAL, np.array([10**15, 5, -5]), places=2)
    euros = Column(Kind.INTEGER, np.array([0, 9, 10**16]))
    assert_differences([cents, euros], [10**15, -895, -5 - 10**18])


def test_halves_go_to_the_even_step():
    """0.5, 1.5 and 2.5 steps are 0, 2 and 2; their negatives mirror them."""
    numbers = whole_numbers.WholeNumbers(
        (np.array([1, 3, 5, -1, -3, -5]),), (1,), steps=Fraction(1, 2)
    )
    assert numbers.differences(None).keys.tolist() == [0, 4, 4, 0, 5, 5]

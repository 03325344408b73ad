"""The validated sample: what is accepted, what is refused, and in which words."""

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from dpwilcoxon.columns import Column, Kind
from dpwilcoxon.errors import DataError, InvalidArgument
from dpwilcoxon.pairs import Pairs
from dpwilcoxon.parameters import Missing
from dpwilcoxon.sources.arrays import pairs_from_arrays
from dpwilcoxon.statistics.keys import SignedKeys


def floats(*values, **options):
    """A column of floats."""
    return Column(Kind.FLOAT, np.array(values, dtype=np.float64), **options)


def integers(*values, **options):
    """A column of integers."""
    return Column(Kind.INTEGER, np.array(values, dtype=np.int64), **options)


def dates(*values, **options):
    """A column of days."""
    return Column(Kind.TIME, np.array(values, dtype=np.int64), unit="D", **options)


def durations(*values):
    """A column of days that passed."""
    return Column(Kind.DURATION, np.array(values, dtype=np.int64), unit="D")


def test_pairs_are_keys_and_their_number():
    """x - y, row by row; nothing of it is printed."""
    pairs = Pairs.from_columns(integers(18, 11, 3, 10, 8), integers(9, 2, 3, 8, 9))
    assert pairs.n == 5
    expected = SignedKeys.from_differences(np.array([9, 9, 0, 2, -1]))
    assert np.array_equal(pairs.keys.values, expected.values)
    assert repr(pairs) == "Pairs(n=5)"


def test_one_column_holds_differences():
    """Without y, the values of x are ranked as they are."""
    pairs = Pairs.from_columns(durations(3, -5, 0))
    assert pairs.keys.values.tolist() == [6, 11, 0]


def test_unequal_lengths_are_refused():
    """The message names both columns and both lengths."""
    with pytest.raises(DataError, match=r"`x` has 2 values and `y` has 3;"):
        Pairs.from_columns(floats(1, 2), floats(1, 2, 3))
    with pytest.raises(DataError, match=r"`after` has 1 values and `before` has 0;"):
        Pairs.from_columns(floats(1, name="after"), floats(name="before"))


def test_an_empty_sample_is_refused():
    """No pairs, no test."""
    with pytest.raises(DataError, match="no pairs"):
        Pairs.from_columns(floats(), floats())
    with pytest.raises(DataError, match="no pairs"):
        Pairs.from_columns(floats())
    with pytest.raises(DataError, match="no pairs"):
        Pairs(SignedKeys(np.zeros(0, dtype=np.uint64)))


MASK = np.array([False, True, False, True])
GAPS = [
    (floats(1, math.nan, 3, math.nan), floats(0, 0, 0, 0)),
    (floats(1, 2, 3, 4, missing=MASK), floats(0, 0, 0, 0)),
    (floats(1, 2, 3, math.nan), floats(0, 0, 0, 0, missing=np.array([False, True, False, False]))),
    (floats(1, math.inf, 3, -math.inf), floats(0, math.inf, 0, -math.inf)),
    (integers(1, 5, 3, 2**62, missing=MASK), integers(0, 0, 0, -(2**62))),
    (dates(1, 5, 3, 2**62, missing=MASK), dates(0, 0, 0, 0)),
    (
        Column(Kind.OBJECT, np.array([1, 0, 3, math.inf], dtype=object)),
        Column(Kind.OBJECT, np.array([0, 0, 0, math.inf], dtype=object)).with_missing(
            np.array([False, True, False, False])
        ),
    ),
    (
        Column(Kind.FLOAT, np.array([1, np.nan, 3, np.inf], dtype=np.longdouble)),
        Column(Kind.FLOAT, np.array([0, 0, 0, np.inf], dtype=np.longdouble)),
    ),
    (
        Column(Kind.FLOAT, np.array([1, 2, 3, 4], dtype=np.longdouble), missing=MASK),
        integers(0, 0, 0, 0),
    ),
]


@pytest.mark.parametrize("columns", GAPS)
def test_missing_values_are_refused_with_their_first_row(columns):
    """NaN, masked, NaT, infinity minus infinity; how many such rows there are is not told."""
    with pytest.raises(DataError, match=r"^Some of the pairs .* row 2\)\. Use missing='zero'"):
        Pairs.from_columns(*columns)


@pytest.mark.parametrize("columns", GAPS)
def test_missing_values_may_count_as_no_change(columns):
    """The pair stays, with a difference of zero: n does not depend on who has a value."""
    pairs = Pairs.from_columns(*columns, missing=Missing.ZERO)
    keys = pairs.keys.values
    assert keys[1] == keys[3] == 0
    assert 0 < keys[0] < keys[2]
    assert not (keys & np.uint64(1)).any()


def test_the_first_missing_row_is_found_beyond_the_first_chunk():
    """Rows are counted over the whole column, from 1."""
    values = np.zeros(100_000)
    values[[70_000, 99_999]] = np.nan
    with pytest.raises(DataError, match=r"^Some of the pairs .* row 70001\)"):
        Pairs.from_columns(Column(Kind.FLOAT, values))


@pytest.mark.parametrize("other", [dates(1, 2), durations(1, 2)])
def test_kinds_that_do_not_go_together_are_refused(other):
    """A date minus a number is not a difference."""
    for columns in ((other, floats(1, 2)), (integers(1, 2), other)):
        with pytest.raises(DataError, match=f"holds {other.kind.noun}.*cannot be subtracted"):
            Pairs.from_columns(*columns)


def test_dates_alone_are_not_differences():
    """A moment is not a change."""
    with pytest.raises(DataError, match="`x` holds dates or times, which are not differences"):
        Pairs.from_columns(dates(1, 2))


def test_times_with_and_without_a_zone_are_not_mixed():
    """An instant and a time on some clock cannot be compared."""
    with pytest.raises(DataError, match="`x` and `y`, one has times with a time zone"):
        Pairs.from_columns(dates(1), dates(1, zoned=True))


def test_resolution_makes_differences_tie():
    """120.1 - 118.3 and 130.1 - 128.3 differ in their last bits, but not at a resolution of 0.1."""
    columns = floats(120.1, 130.1), floats(118.3, 128.3)
    plain = Pairs.from_columns(*columns).keys.values
    assert plain[0] != plain[1]
    for resolution in (0.1, "0.1", Fraction(1, 10), np.float64(0.1)):
        rounded = Pairs.from_columns(*columns, resolution=resolution).keys.values
        assert rounded[0] == rounded[1] != 0


@pytest.mark.parametrize("resolution", [0, -1, "0", "-0.1", math.nan, math.inf, "inf"])
def test_a_resolution_is_positive_and_finite(resolution):
    """Anything else could not round."""
    with pytest.raises(InvalidArgument, match="`resolution` must be positive and finite"):
        Pairs.from_columns(floats(1), resolution=resolution)


@pytest.mark.parametrize("resolution", ["1 day", "", [0.1], True])
def test_a_resolution_is_a_number(resolution):
    """Words and lists are refused."""
    with pytest.raises(InvalidArgument, match="`resolution` must be a number"):
        Pairs.from_columns(floats(1), resolution=resolution)


@pytest.mark.parametrize("resolution", [Fraction(1, 10**400), 10**400])
def test_a_resolution_of_floats_is_a_float(resolution):
    """Floats cannot be divided by what is no float."""
    with pytest.raises(InvalidArgument, match="range of floating-point numbers"):
        Pairs.from_columns(floats(1), resolution=resolution)


@pytest.mark.parametrize("columns", [(dates(1), dates(2)), (durations(1),)])
def test_a_resolution_of_durations_is_refused(columns):
    """A number says nothing about days or seconds."""
    with pytest.raises(InvalidArgument, match="differences are durations"):
        Pairs.from_columns(*columns, resolution=1)


def test_one_float_does_not_change_how_integers_are_subtracted_or_rounded():
    """A list that mixes them is refused where floats would be computed differently."""
    for x, y, options in (
        ([1, 1.5], [Decimal("0.1"), 1], {}),
        ([1, 1.5], [2**52 + 1, 1], {}),
        ([1, 1.5], None, {"resolution": "0.1"}),
        ([2, 3.0], [1.5, 1], {"resolution": "2.8"}),
        ([2, 3], [1.5, 1], {"resolution": "2.8"}),
    ):
        with pytest.raises(DataError, match="mixes integers and floats"):
            pairs_from_arrays(x, y, **options)
    assert pairs_from_arrays([1, 1.5], [2**52, 1]).n == 2
    assert pairs_from_arrays([1, 1.5], [0.1, 1], resolution="0.25").n == 2
    assert pairs_from_arrays([1, 1.5, 2.5], [3, 4, 5], resolution="0.1").n == 3
    assert pairs_from_arrays([1.0, 1.5], [Decimal("0.1"), 1], resolution="0.1").n == 2

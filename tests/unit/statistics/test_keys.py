"""Signed keys: their order is that of abs(d), their lowest bit the sign."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from dpwilcoxon.errors import DataError, InvalidArgument
from dpwilcoxon.statistics.keys import SignedKeys, object_keys

SMALLEST = math.ulp(0.0)
HUGE = np.finfo(np.float64).max
INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
SIMPLE = [0, 0.5, -0.5, 1, -1, 3, 3]


def assert_keys_of(differences, keys):
    """Compare with the order of the exact sizes and their signs."""
    sizes, minus = (keys.values >> np.uint64(1)).tolist(), (keys.values & np.uint64(1)).tolist()
    rank = {size: place for place, size in enumerate(sorted({0, *sizes}))}
    exact = [abs(each) for each in differences]
    exact_rank = {size: place for place, size in enumerate(sorted({0, *exact}))}
    assert [rank[size] for size in sizes] == [exact_rank[size] for size in exact]
    assert minus == [int(each < 0) for each in differences]


@given(arrays.arrays(np.float64, st.integers(0, 30), elements=st.floats(allow_nan=False)))
def test_keys_of_floats(differences):
    """Subnormals, infinities, both zeros and everything between."""
    before = differences.copy()
    assert_keys_of(differences.tolist(), SignedKeys.from_differences(differences))
    assert differences.tobytes() == before.tobytes()  # the caller's array is left alone


def test_keys_of_special_floats():
    """From -0.0 over the smallest subnormal to infinity, each step is a step of the keys."""
    sizes = [0.0, SMALLEST, 2 * SMALLEST, 2.2e-308, 1.0, math.nextafter(1.0, 2), HUGE, math.inf]
    keys = SignedKeys.from_differences(np.array([*sizes, *(-size for size in sizes)]))
    assert_keys_of([*sizes, *(-size for size in sizes)], keys)
    assert keys.values[0] == keys.values[len(sizes)] == 0


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.longdouble])
def test_keys_of_other_floats(dtype):
    """Narrower floats are widened, long doubles ranked."""
    keys = SignedKeys.from_differences(np.array(SIMPLE, dtype=dtype))
    assert_keys_of(SIMPLE, keys)


def test_long_doubles_are_not_narrowed():
    """One plus the last bit of a long double is larger than one, where there is such a bit."""
    step = np.finfo(np.longdouble).eps
    one = np.longdouble(1)
    keys = SignedKeys.from_differences(np.array([one, -one - step, one + 2 * step]))
    assert_keys_of([0, -1, 2], SignedKeys(keys.values - keys.values[0]))


@pytest.mark.parametrize("dtype", INTEGERS)
@given(data=st.data())
def test_keys_of_integers(dtype, data):
    """Every width, signed or not, up to its ends: -2^63 and 2^64 - 1 need all 64 bits."""
    limits = np.iinfo(dtype)
    ends = st.sampled_from([limits.min, limits.max, 0])
    numbers = st.lists(st.integers(limits.min, limits.max) | ends, max_size=20)
    differences = np.array(data.draw(numbers), dtype=dtype)
    assert_keys_of(differences.tolist(), SignedKeys.from_differences(differences))


def test_keys_of_booleans():
    """True is 1 and False is no difference."""
    assert_keys_of([1, 0, 1], SignedKeys.from_differences(np.array([True, False, True])))


@given(st.lists(st.fractions() | st.integers(-(10**30), 10**30) | st.sampled_from([math.inf])))
def test_keys_of_python_numbers(differences):
    """Fractions, integers without limits and infinities compare exactly."""
    assert_keys_of(differences, SignedKeys(object_keys(differences)))


def test_keys_of_an_array_of_python_numbers():
    """An array of Python numbers is read number by number."""
    differences = [10**30, -(10**30), 10**30 + 1, Fraction(1, 3), 0]
    array = np.array(differences, dtype=object)
    assert_keys_of(differences, SignedKeys.from_differences(array))


def test_nan_is_refused():
    """A difference that is not a number has no rank."""
    with pytest.raises(DataError, match="NaN"):
        SignedKeys.from_differences(np.array([1.0, np.nan]))


@pytest.mark.parametrize("values", [np.zeros(3, dtype=np.int64), np.zeros((2, 2), dtype=np.uint64)])
def test_only_a_row_of_unsigned_keys_is_accepted(values):
    """Anything but one dimension of uint64 would be ranked wrongly."""
    with pytest.raises(InvalidArgument, match="one-dimensional array of uint64"):
        SignedKeys(values)


def test_keys_are_read_only_and_silent():
    """Keys cannot be changed through the object, and are not printed."""
    keys = SignedKeys.from_differences(np.array([7.0, -7.0]))
    with pytest.raises(ValueError, match="read-only"):
        keys.values[0] = 0
    assert repr(keys) == "SignedKeys(n=2)"

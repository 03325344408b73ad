"""The compiled loops over many samples give what numpy gives. They also run as plain Python."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from dpwilcoxon.statistics import batch_kernel

pytestmark = pytest.mark.kernels
ONE = np.uint64(1)


def ordered(differences):
    """The keys of each row by the loops."""
    keys = np.empty(differences.shape, dtype=np.uint64)
    batch_kernel.order_rows(differences, differences.view(np.uint64), keys)
    return keys


def sorted_by_numpy(differences):
    """The keys of each row by numpy."""
    bits = (differences + 0.0).view(np.uint64)
    return np.sort((bits << ONE) | (bits >> np.uint64(63)), axis=1)


RNG = np.random.default_rng(7)
SAMPLES = {
    "even": RNG.normal(0.2, 1, (9, 60)),
    "one": RNG.normal(size=(5, 1)),
    "zeros": np.where(RNG.random((9, 50)) < 0.4, -0.0, RNG.normal(size=(9, 50))),
    "nothing but zeros": np.zeros((2, 7)),
    "ties": RNG.integers(-3, 4, (9, 80)).astype(float),
    "heavy tails": RNG.standard_cauchy((9, 300)) ** 3,
    "infinite": np.where(RNG.random((9, 20)) < 0.2, -np.inf, RNG.normal(size=(9, 20))),
    "too small to divide by": RNG.normal(size=(3, 20)) * 1e-320,
    "many": RNG.normal(size=(1, batch_kernel.LARGEST_LINEAR + 1)),
}


@pytest.mark.parametrize("name", SAMPLES)
def test_rows_are_ordered(name):
    """Each row comes out as numpy sorts it, signs inside ties included."""
    np.testing.assert_array_equal(ordered(SAMPLES[name]), sorted_by_numpy(SAMPLES[name]))


@given(
    arrays.arrays(
        np.float64,
        st.tuples(st.integers(1, 3), st.integers(1, 40)),
        elements=st.floats(allow_nan=False) | st.sampled_from([0.0, -0.0, 1.0, -1.0]),
    )
)
def test_any_rows_are_ordered(differences):
    """Numbers of any size, tied or not."""
    np.testing.assert_array_equal(ordered(differences), sorted_by_numpy(differences))


def test_crowded_buckets_are_refused():
    """Whether keys share too many buckets is known beforehand, so that no input is slow."""
    n = 200
    differences = np.append(np.full(n - 1, 1e-6), 1.0) * (1.0 + np.arange(n) * 1e-9)
    keys = sorted_by_numpy(differences[None, :])[0]
    untouched = keys.copy()
    workspace = (np.empty(n, np.uint16), np.empty(2 * n, np.uint16), np.empty(n, np.uint64))
    assert not batch_kernel.order_evenly(differences, keys, *workspace)
    np.testing.assert_array_equal(keys, untouched)

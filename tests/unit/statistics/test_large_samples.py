"""Counting and radix sort against plain numpy, on one thread and on two."""

import math

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpwilcoxon.statistics import compiled, large_samples, signed_rank, tie_blocks
from dpwilcoxon.statistics.keys import SignedKeys
from dpwilcoxon.statistics.scores import RANKS
from dpwilcoxon.statistics.signed_rank import ordered_total, signed_rank_total, tie_groups
from dpwilcoxon.statistics.tie_groups import ZeroMethod

pytestmark = pytest.mark.kernels
ROWS = 500 if numba.config.DISABLE_JIT else 100_000
THREADS = [1, 2]
any_float = st.floats(allow_nan=False)
any_int64 = st.integers(-(2**63), 2**63 - 1) | st.integers(-3, 3)


@pytest.fixture
def small_pieces(monkeypatch):
    """Partitions, blocks and tasks so small that a few rows fill many of them."""
    monkeypatch.setattr(large_samples, "PARTITION_ROWS", 8)
    monkeypatch.setattr(large_samples, "BLOCK_ROWS", 16)
    monkeypatch.setattr(tie_blocks, "BLOCK_ROWS", 16)


def outliers(rng, n):
    """A narrow cluster of floats, and one row in a hundred anywhere at all."""
    anywhere = rng.integers(0, 2**63 - 2**53, n, dtype=np.int64).view(np.float64)
    return np.where(rng.random(n) < 0.01, anywhere, 1 + 1e-13 * rng.normal(size=n))


SHAPES = {
    "normal": lambda rng, n: rng.normal(size=n),
    "uniform": lambda rng, n: rng.uniform(-1, 1, size=n),
    "cauchy": lambda rng, n: rng.standard_cauchy(size=n),
    "outliers": outliers,
    "two clusters": lambda rng, n: rng.choice([1.0, -1e9], n) * (1 + 1e-12 * rng.normal(size=n)),
    "many zeros": lambda rng, n: np.where(rng.random(n) < 0.4, 0.0, rng.normal(size=n)),
    "many infinite": lambda rng, n: np.where(rng.random(n) < 0.4, -math.inf, rng.normal(size=n)),
    "rounded": lambda rng, n: np.round(rng.normal(size=n), 4),
    "grid": lambda rng, n: np.round(rng.normal(size=n), 1) - np.round(rng.normal(size=n), 1),
    "one decimal in binary": lambda rng, n: rng.integers(0, 30, n) * 0.1 - rng.integers(0, 9, n),
    "integers": lambda rng, n: rng.integers(-50, 60, n),
    "wide integers": lambda rng, n: rng.integers(-(10**6), 10**6, n),
    "all 64 bits": lambda rng, n: rng.integers(-(2**63), 2**63 - 1, n),
    "equal": lambda _, n: np.full(n, -3.5),
    "zeros": lambda _, n: np.zeros(n),
    "alternating": lambda _, n: np.resize([1.0, -1.0], n),
    "ascending": lambda _, n: np.arange(n),
    "descending": lambda _, n: -np.arange(n)[::-1].astype(float),
}


@pytest.fixture(scope="module", params=SHAPES)
def keys(request):
    """Keys of one shape of data."""
    differences = SHAPES[request.param](np.random.default_rng(5), ROWS)
    return SignedKeys.from_differences(differences).values


@pytest.mark.parametrize("threads", THREADS)
@pytest.mark.parametrize("zero_method", ZeroMethod)
def test_every_shape_of_data_has_one_answer(keys, zero_method, threads, capped):
    """Radix sort, counting where it applies, and numpy give the same integer for every score."""
    scores = (RANKS, capped(1), capped(len(keys) // 3), capped(len(keys), lattice=6))
    ordered = np.sort(keys)
    for score in scores:
        expected = ordered_total(ordered, score, zero_method)
        assert large_samples.radix_total(keys, score, zero_method, threads) == expected
        assert large_samples.total(keys, score, zero_method, threads) == expected


@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize("threads", THREADS)
def test_many_small_pieces_have_the_same_answer(keys, threads, capped):
    """Borders of partitions, blocks and tasks may fall anywhere, except inside a tie group."""
    keys = keys[:400]
    for score in (RANKS, capped(100)):
        for zero_method in ZeroMethod:
            expected = ordered_total(np.sort(keys), score, zero_method)
            assert large_samples.radix_total(keys, score, zero_method, threads) == expected


@given(
    differences=st.lists(st.floats(allow_nan=False) | st.integers(-3, 3), min_size=1, max_size=60),
    zero_method=st.sampled_from(ZeroMethod),
    threads=st.sampled_from(THREADS),
    cap=st.integers(1, 60),
)
def test_any_few_rows_have_the_same_answer(differences, zero_method, threads, cap, capped):
    """More threads than rows, one partition, rows of any size."""
    keys = SignedKeys.from_differences(np.array(differences, dtype=np.float64)).values
    for score in (RANKS, capped(cap)):
        expected = ordered_total(np.sort(keys), score, zero_method)
        assert large_samples.radix_total(keys, score, zero_method, threads) == expected
        assert large_samples.total(keys, score, zero_method, threads) == expected


@pytest.mark.parametrize("threads", THREADS)
def test_few_distinct_differences_are_counted(threads):
    """Integers in any form are counted, into the tie groups that sorting finds."""
    rng = np.random.default_rng(6)
    for differences in (rng.integers(-9, 9, ROWS), rng.integers(-9, 9, ROWS) / 10):
        keys = SignedKeys.from_differences(differences)
        counted, sorted_groups = large_samples.count(keys.values, threads), tie_groups(keys)
        assert counted is not None
        assert counted.n_zero == sorted_groups.n_zero
        assert np.array_equal(counted.n_positive, sorted_groups.n_positive)
        assert np.array_equal(counted.n_negative, sorted_groups.n_negative)


@pytest.mark.parametrize("threads", THREADS)
def test_many_distinct_differences_are_not_counted(threads):
    """Too many distinct keys, wherever they are, make counting give up."""
    few = np.zeros(40_000, dtype=np.uint64)
    many = np.arange(40_000, dtype=np.uint64)
    for keys in (np.concatenate([few, many]), np.concatenate([many, few])):
        assert large_samples.count(keys, threads) is None


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # compiled loops never warn
@given(rows=st.lists(st.tuples(any_float, any_float), min_size=1), threads=st.sampled_from(THREADS))
def test_differences_of_floats_get_the_keys_of_numpy(rows, threads):
    """Overflow, infinities and signed zeros included; infinity minus infinity is reported."""
    x, y = np.array(rows).T.copy()
    keys = np.empty(len(rows), dtype=np.uint64)
    complete = large_samples.write_difference_keys(x, y, keys, threads)
    differences = x - y
    assert complete == (not np.isnan(differences).any())
    if complete:
        assert np.array_equal(keys, SignedKeys.from_differences(differences).values)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # compiled loops never warn
@given(rows=st.lists(st.tuples(any_int64, any_int64), min_size=1), threads=st.sampled_from(THREADS))
def test_differences_of_integers_get_exact_keys(rows, threads):
    """A difference of 2^63 or more leaves no room for its sign, and that is reported."""
    x, y = np.array(rows, dtype=np.int64).T.copy()
    keys = np.empty(len(rows), dtype=np.uint64)
    complete = large_samples.write_difference_keys(x, y, keys, threads)
    assert complete == all(abs(a - b) < 2**63 for a, b in rows)
    if complete:
        assert keys.tolist() == [2 * abs(a - b) + (a < b) for a, b in rows]


def test_keys_are_left_alone():
    """The same keys give the same answer twice: nothing is sorted in place."""
    keys = SignedKeys.from_differences(np.random.default_rng(7).normal(size=ROWS))
    before = keys.values.copy()
    large_samples.radix_total(keys.values, RANKS, ZeroMethod.PRATT)
    assert np.array_equal(keys.values, before)


def test_large_samples_take_the_compiled_path(monkeypatch):
    """The door finds the loops, and the answer is that of numpy."""
    keys = SignedKeys.from_differences(np.random.default_rng(8).normal(size=ROWS))
    expected = signed_rank_total(keys, RANKS)
    monkeypatch.setattr(compiled, "KERNEL_FROM", 1)
    monkeypatch.setattr(signed_rank, "ordered_total", None)  # numpy's path would fail
    assert signed_rank_total(keys, RANKS) == expected

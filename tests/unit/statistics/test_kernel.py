"""The compiled loops, one by one. They also run as plain Python, with NUMBA_DISABLE_JIT=1."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpwilcoxon.statistics import kernel
from dpwilcoxon.statistics.scores import RANKS
from dpwilcoxon.statistics.tie_blocks import tie_runs
from dpwilcoxon.statistics.tie_groups import signed_score_sum

pytestmark = pytest.mark.kernels
LARGEST_KEY = 2**64 - 1
ONE = np.uint64(1)


def order(keys):
    """Order a copy of the keys, with workspace as large as documented."""
    keys = keys.copy()
    workspace = (
        np.empty(len(keys), dtype=np.uint64),
        np.empty(kernel.MOST_BUCKETS, dtype=np.uint32),
        np.empty((len(keys) // kernel.LARGEST_INSERTION + 1, 2), dtype=np.int64),
    )
    kernel.order(keys, *workspace)
    return keys


def assert_ordered(keys):
    """Nothing is lost, and sizes do not decrease."""
    ordered = order(keys)
    assert np.array_equal(np.sort(ordered), np.sort(keys))
    assert np.all(np.diff(ordered >> ONE) <= LARGEST_KEY // 2)  # unsigned: a step back is huge
    assert np.array_equal(ordered >> ONE, np.sort(keys >> ONE))


@given(
    st.lists(
        st.integers(0, LARGEST_KEY) | st.integers(0, 9) | st.just(LARGEST_KEY),
        min_size=1,
        max_size=50,
    )
)
def test_any_keys_are_ordered(keys):
    """Keys from 0 to 2^64 - 1, with and without ties."""
    assert_ordered(np.array(keys, dtype=np.uint64))


@pytest.mark.parametrize("rows", [2, kernel.LARGEST_INSERTION, 300])
@pytest.mark.parametrize("levels", [1, 2, 4])
def test_clusters_within_clusters_are_ordered(rows, levels):
    """Keys in few buckets, again and again: one pass sends most of them to the same place."""
    rng = np.random.default_rng(levels)
    keys = np.full(rows * levels, 2**63, dtype=np.uint64)
    for level in range(levels):
        keys[level * rows :] += np.uint64(1 << (60 - 14 * level))
    keys += rng.integers(0, 200, len(keys), dtype=np.uint64)
    assert_ordered(rng.permutation(keys))


def test_descending_keys_in_one_bucket_are_ordered():
    """An outlier makes the buckets so wide that one holds the rest in the worst order."""
    keys = np.append(np.arange(400, 0, -1, dtype=np.uint64), np.uint64(LARGEST_KEY))
    assert_ordered(keys)


def test_insertion_gives_up_after_too_many_moves():
    """Descending rows are sorted if the moves suffice; else the source is left as it was."""
    source = np.array([8, 6, 4, 2], dtype=np.uint64)
    target = np.empty_like(source)
    assert kernel.insert(source, target, 6)
    assert target.tolist() == [2, 4, 6, 8]
    assert not kernel.insert(source, target, 5)
    assert source.tolist() == [8, 6, 4, 2]


def test_equal_sizes_are_not_moved():
    """Signs do not count as order, so ties cost nothing."""
    source = np.array([5, 4, 5, 4], dtype=np.uint64)
    target = np.empty_like(source)
    assert kernel.insert(source, target, 0)
    assert target.tolist() == [5, 4, 5, 4]


@given(st.lists(st.integers(0, LARGEST_KEY), max_size=30), st.data())
def test_bins_keep_the_order_of_keys(keys, data):
    """A larger key is never in a lower bin, and no key is outside."""
    low, high = sorted(data.draw(st.lists(st.integers(0, LARGEST_KEY), min_size=2, max_size=2)))
    shift = max((high - low).bit_length() - 4, 1)
    bins = (np.uint64(low), np.uint64(high), np.uint64(shift))
    found = [int(kernel.bin_of(np.uint64(key), bins)) for key in sorted(keys)]
    assert found == sorted(found)
    assert all(0 <= each < 16 for each in found)


def test_bins_are_counted():
    """Keys that differ in their sign alone share a bin; keys beyond the last count with it."""
    counts = np.zeros(4, dtype=np.int64)
    bins = (np.uint64(0), np.uint64(7), ONE)
    keys = np.array([0, 2, 1, 0, 7, 100], dtype=np.uint64)
    kernel.count_bins(keys, bins, counts)
    assert counts.tolist() == [3, 1, 0, 2]


def count_distinct(keys):
    """Count keys in a fresh table."""
    slots = np.zeros(1 << kernel.SLOT_BITS, dtype=np.uint64)
    counts = np.zeros(1 << kernel.SLOT_BITS, dtype=np.int64)
    if not kernel.count_distinct(keys, slots, counts):
        return None
    return dict(zip(slots[counts > 0].tolist(), counts[counts > 0].tolist(), strict=True))


@given(st.lists(st.integers(0, 5) | st.integers(0, LARGEST_KEY), max_size=60))
def test_distinct_keys_are_counted(keys):
    """Every key with the number of its rows, the key 0 among them."""
    expected = {key: keys.count(key) for key in keys}
    assert count_distinct(np.array(keys, dtype=np.uint64)) == expected


def test_counting_gives_up_on_too_many_keys():
    """The table is never more than half full, and a full half is still counted."""
    keys = np.arange(kernel.MOST_DISTINCT, dtype=np.uint64) << np.uint64(40)
    assert len(count_distinct(keys)) == kernel.MOST_DISTINCT
    assert count_distinct(np.append(keys, ONE)) is None


@given(
    sizes=st.lists(st.integers(1, 9), max_size=30).map(sorted),
    seed=st.integers(0, 9),
    before=st.integers(0, 5),
    cap=st.integers(1, 30),
)
def test_groups_are_scored_like_in_numpy(sizes, seed, before, cap, capped):
    """From the pieces of A alone, for linear and for capped scores."""
    rng = np.random.default_rng(seed)
    ordered = np.array([2 * size + rng.integers(2) for size in sizes], dtype=np.uint64)
    for score in (RANKS, capped(cap), capped(cap, lattice=6)):
        expected = 0
        if sizes:
            last, rows, net = tie_runs(ordered)
            expected = signed_score_sum(last + before, rows, net, score)
        assert kernel.score_groups(ordered, before, score.table) == expected


@pytest.mark.parametrize("net", [2, -2])
def test_halves_are_rounded_away_from_zero(net):
    """7/4 for each of four rows, of which two more have one sign: 3.5, so 4."""
    assert kernel.group_score(7, 4, net) == 2 * net


def test_machine_code_is_kept_only_where_that_is_possible(monkeypatch):
    """Without a folder to write to, loops are compiled anew instead of failing."""
    options = []

    def njit(**chosen):
        options.append(chosen)
        if chosen.get("cache"):
            raise RuntimeError("cannot cache function: no locator available")
        return lambda loop: loop

    monkeypatch.setattr(kernel, "njit", njit)
    assert kernel.compiled(len) is len
    assert options == [{"nogil": True, "cache": True}, {"nogil": True}]

"""Blocks of ordered keys that cut no tie group."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpwilcoxon.statistics import tie_blocks
from dpwilcoxon.statistics.keys import SignedKeys
from dpwilcoxon.statistics.scores import RANKS
from dpwilcoxon.statistics.tie_blocks import counted_groups, score_block, tie_runs, whole_groups

BLOCK = 4
sorted_sizes = st.lists(st.integers(1, 6), min_size=1, max_size=30).map(sorted)


@pytest.fixture(scope="module", autouse=True)
def small_blocks():
    """Blocks of four rows, so that a few rows fill many."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tie_blocks, "BLOCK_ROWS", BLOCK)
        yield


def keys_of(sizes, rng):
    """Ordered keys with signs in any order."""
    return np.array([2 * size + rng.integers(2) for size in sizes], dtype=np.uint64)


@given(sizes=sorted_sizes, first=st.integers(0, 30), seed=st.integers(0, 9))
def test_blocks_cover_the_rows_and_cut_no_group(sizes, first, seed):
    """Blocks follow one another; only a single group may be larger than a block."""
    ordered = keys_of(sizes, np.random.default_rng(seed))
    first = sizes.index(sizes[min(first, len(sizes) - 1)])  # where a group begins
    blocks = list(whole_groups(ordered, first, len(ordered)))
    assert [row for block in blocks for row in range(*block.indices(len(sizes)))] == list(
        range(first, len(sizes))
    )
    for block in blocks:
        rows = sizes[block]
        assert len(rows) <= BLOCK or len(set(rows)) == 1
        assert block.stop == len(sizes) or sizes[block.stop] != rows[-1]


def test_the_largest_key_ends_a_block():
    """The group of the largest key there is has an end, although no key lies beyond it."""
    largest = np.uint64(2**64 - 1)
    ordered = np.array([4, largest - np.uint64(1), *[largest] * 6], dtype=np.uint64)
    assert list(whole_groups(ordered, 0, 8)) == [slice(0, 1), slice(1, 8)]


@given(
    sizes=sorted_sizes, dropped=st.integers(0, 3), cap=st.integers(1, 20), seed=st.integers(0, 9)
)
def test_blocks_add_up(sizes, dropped, cap, seed, capped):
    """Scored block by block, whatever their size, keys have the score of all their groups."""
    ordered = keys_of([1] * dropped + [size + 1 for size in sizes], np.random.default_rng(seed))
    last, rows, net = tie_runs(ordered[dropped:])
    for score in (RANKS, capped(cap)):
        expected = tie_blocks.signed_score_sum(last, rows, net, score)
        blocks = whole_groups(ordered, dropped, len(ordered))
        assert sum(score_block(ordered, block, dropped, score) for block in blocks) == expected


@given(st.lists(st.tuples(st.integers(-4, 4), st.integers(1, 5))))
def test_counted_keys_make_the_groups_of_their_rows(counted):
    """Keys that occur several times, in any order, are added up by size and sign."""
    keys = SignedKeys.from_differences(np.array([d for d, _ in counted], dtype=np.int64)).values
    counts = np.array([count for _, count in counted], dtype=np.int64)
    groups = counted_groups(keys, counts)
    rows = [d for d, count in counted for _ in range(count)]
    sizes = sorted({abs(d) for d in rows} - {0})
    assert groups.n_zero == rows.count(0)
    assert groups.n_positive.tolist() == [rows.count(size) for size in sizes]
    assert groups.n_negative.tolist() == [rows.count(-size) for size in sizes]

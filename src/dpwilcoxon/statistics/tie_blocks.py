"""Ordered keys, block by block: no block cuts a tie group, so each is scored by itself.

Keys count as ordered when ``key >> 1`` does not decrease; the signs of equal sizes may come in
any order.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dpwilcoxon.arraytypes import IntArray, KeyArray
from dpwilcoxon.statistics.chunks import chunks
from dpwilcoxon.statistics.scores import Score
from dpwilcoxon.statistics.tie_groups import TieGroups, signed_score_sum

BLOCK_ROWS = 1 << 16
_ONE = np.uint64(1)


def count_zeros(ordered: KeyArray) -> int:
    """How many rows at the start have no difference."""
    return int(np.searchsorted(ordered, np.uint64(2)))


def whole_groups(ordered: KeyArray, first: int, end: int) -> Iterator[slice]:
    """Cut the rows first..end into blocks of whole tie groups.

    A block has at most BLOCK_ROWS rows, unless it is a single group that is larger.
    """
    while first < end:
        stop = min(first + BLOCK_ROWS, end)
        if stop < end:
            stop = _border(ordered, first, stop, end)
        yield slice(first, stop)
        first = stop


def _border(ordered: KeyArray, first: int, stop: int, end: int) -> int:
    """Move `stop` back to where the tie group at it begins, or else on to where it ends."""
    group = ordered[stop] & ~_ONE
    begin = first + int(np.searchsorted(ordered[first:stop], group))
    if begin > first:
        return begin
    return stop + int(np.searchsorted(ordered[stop:end], group | _ONE, side="right"))


def score_block(ordered: KeyArray, block: slice, dropped: int, score: Score) -> int:
    """Score a block of tie groups, none of them zero; `dropped` rows before it have no rank."""
    if block.stop - block.start > BLOCK_ROWS:
        return score_single_group(ordered, block, dropped, score)
    last, rows, net = tie_runs(ordered[block])
    return signed_score_sum(last + (block.start - dropped), rows, net, score)


def score_single_group(ordered: KeyArray, block: slice, dropped: int, score: Score) -> int:
    """Score a block that is one tie group, however large, in little memory."""
    group = ordered[block]
    negative = sum(int(np.count_nonzero(group[part] & _ONE)) for part in chunks(len(group)))
    last, rows, net = (
        np.array([number], dtype=np.int64)
        for number in (block.stop - dropped, len(group), len(group) - 2 * negative)
    )
    return signed_score_sum(last, rows, net, score)


def tie_runs(ordered: KeyArray) -> tuple[IntArray, IntArray, IntArray]:
    """Return the last position (from 1), the rows and the net sign of each tie group."""
    size = ordered >> _ONE
    last = np.append(np.flatnonzero(size[1:] != size[:-1]) + 1, len(ordered))
    negative = np.cumsum(ordered & _ONE, dtype=np.int64)[last - 1]
    rows = np.diff(last, prepend=0)
    return last, rows, rows - 2 * np.diff(negative, prepend=0)


def counted_groups(keys: KeyArray, counts: IntArray) -> TieGroups:
    """Make tie groups of keys, of which some may be equal, and how often each occurs."""
    zero = keys >> _ONE == 0
    n_zero = int(counts[zero].sum())
    keys, counts = keys[~zero], counts[~zero]
    sizes, place = np.unique(keys >> _ONE, return_inverse=True)
    by_sign = np.zeros((2, len(sizes)), dtype=np.int64)
    np.add.at(by_sign, ((keys & _ONE).astype(np.intp), place), counts)
    return TieGroups(n_zero, by_sign[0], by_sign[1])

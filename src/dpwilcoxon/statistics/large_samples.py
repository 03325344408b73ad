"""Millions of keys: counted if few are distinct, else put in order by a radix sort. Needs numba.

The radix sort takes two steps. Keys are first copied to partitions of neighbouring sizes, cut
so that each holds about as many rows; then every partition, which fits in cache, is ordered by
itself and scored while it is still there.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from dpwilcoxon.arraytypes import AnyArray, IntArray, KeyArray
from dpwilcoxon.statistics import kernel
from dpwilcoxon.statistics.chunks import THREADS, in_threads, shares
from dpwilcoxon.statistics.scores import Score
from dpwilcoxon.statistics.tie_blocks import (
    BLOCK_ROWS,
    count_zeros,
    counted_groups,
    score_single_group,
    whole_groups,
)
from dpwilcoxon.statistics.tie_groups import TieGroups, ZeroMethod

SAMPLE_ROWS = 1 << 12
ROWS_PER_BIN = 1 << 12
FEWEST_BINS, MOST_BINS = 1 << 12, 1 << 16
PARTITION_ROWS = 1 << 14
ZERO_KEY = np.uint64(1)  # the keys up to here have no size
MOST_PARTITIONS = 1 << 12  # writing to many more of them in turn would outgrow the cache


def write_difference_keys(x: AnyArray, y: AnyArray, keys: KeyArray, threads: int = THREADS) -> bool:
    """Write the keys of x - y, both float64 or both int64; False if a difference has no key."""
    loop = kernel.subtract_integers if x.dtype == np.int64 else kernel.subtract_floats
    written = in_threads(
        lambda rows: loop(x[rows], y[rows], keys[rows]), shares(len(keys), threads), threads
    )
    return all(written)


def total(keys: KeyArray, score: Score, zero_method: ZeroMethod, threads: int = THREADS) -> int:
    """Compute the signed-rank statistic of keys in any order."""
    groups = count(keys, threads)
    if groups is not None:
        return groups.statistic(score, zero_method)
    return radix_total(keys, score, zero_method, threads)


def count(keys: KeyArray, threads: int = THREADS) -> TieGroups | None:
    """Count the tie groups; None if too many keys are distinct, which is found out early."""

    def count_share(share: slice) -> tuple[KeyArray, IntArray] | None:
        slots = np.zeros(1 << kernel.SLOT_BITS, dtype=np.uint64)
        counts = np.zeros(1 << kernel.SLOT_BITS, dtype=np.int64)
        if not kernel.count_distinct(keys[share], slots, counts):
            return None
        return slots[counts > 0], counts[counts > 0]

    tables = in_threads(count_share, shares(len(keys), threads), threads)
    filled = [table for table in tables if table is not None]
    if len(filled) < len(tables):
        return None
    return counted_groups(*(np.concatenate(column) for column in zip(*filled, strict=True)))


def radix_total(
    keys: KeyArray, score: Score, zero_method: ZeroMethod, threads: int = THREADS
) -> int:
    """Order the keys and score them, partition by partition."""
    partitions = Partitions.of(keys, threads)
    dropped = partitions.n_zero if zero_method is ZeroMethod.WILCOX else 0

    def order_and_score(task: range) -> int:
        rows = partitions.order(task)
        blocks = whole_groups(partitions.keys, max(rows.start, partitions.n_zero), rows.stop)
        return sum(_score_block(partitions.keys, block, dropped, score) for block in blocks)

    return sum(in_threads(order_and_score, partitions.tasks(), threads))


def _score_block(ordered: KeyArray, block: slice, dropped: int, score: Score) -> int:
    if block.stop - block.start > BLOCK_ROWS:
        return score_single_group(ordered, block, dropped, score)
    return int(kernel.score_groups(ordered[block], block.start - dropped, score.table))


@dataclass(frozen=True, eq=False)
class Partitions:
    """Keys by size: in order between partitions, and in none within a partition."""

    keys: KeyArray
    bounds: IntArray  # the first row of each partition, and the end of the last
    n_zero: int

    @classmethod
    def of(cls, keys: KeyArray, threads: int = THREADS) -> Partitions:
        """Copy keys to partitions."""
        bins = _plan_bins(keys)
        parts = [keys[share] for share in shares(len(keys), threads)]
        counts = np.zeros((threads, _number_of_bins(len(keys))), dtype=np.int64)
        each = range(threads)
        in_threads(lambda i: kernel.count_bins(parts[i], bins, counts[i]), each, threads)
        partition, place = _plan_partitions(counts)
        bounds = np.append(place[0], len(keys))
        copy = np.empty_like(keys)
        in_threads(
            lambda i: kernel.scatter(parts[i], bins, partition, place[i], copy), each, threads
        )
        # No bin is below that of the zeros, so they are all in the first partition.
        n_zero = int(np.count_nonzero(copy[: bounds[1]] <= ZERO_KEY))
        return cls(copy, bounds, n_zero)

    def tasks(self) -> list[range]:
        """Ranges of partitions that hold about BLOCK_ROWS rows together."""
        starts = np.searchsorted(self.bounds, np.arange(0, len(self.keys), BLOCK_ROWS))
        edges = np.unique(np.append(starts, len(self.bounds) - 1)).tolist()
        return [range(*pair) for pair in pairwise(edges)]

    def order(self, task: range) -> slice:
        """Order the partitions of a task, and return the rows they hold."""
        bounds = self.bounds[task.start : task.stop + 1].tolist()
        rows = max(stop - first for first, stop in pairwise(bounds))
        scratch = np.empty(rows, dtype=np.uint64)
        ends = np.empty(kernel.MOST_BUCKETS, dtype=np.uint32)
        pending = np.empty((rows // kernel.LARGEST_INSERTION + 1, 2), dtype=np.int64)
        for first, stop in pairwise(bounds):
            if stop - first > 1:
                kernel.order(self.keys[first:stop], scratch, ends, pending)
        return slice(bounds[0], bounds[-1])


def _number_of_bins(n: int) -> int:
    return min(max(n // ROWS_PER_BIN, FEWEST_BINS), MOST_BINS)


def _plan_bins(keys: KeyArray) -> kernel.Bins:
    """Cut the range in which most keys lie into bins of equal width.

    A sample tells where most keys lie. A bad guess costs time, never the right order.
    """
    sample = np.sort(keys[:: max(1, len(keys) // SAMPLE_ROWS)])
    sample = sample[count_zeros(sample) :]
    if len(sample) == 0:
        return np.uint64(0), np.uint64(1), np.uint64(1)
    outside = len(sample) // 256
    low, high = int(sample[outside]) & ~1, int(sample[len(sample) - 1 - outside]) | 1
    shift = 1
    while (high - low) >> shift >= _number_of_bins(len(keys)):
        shift += 1
    return np.uint64(low), np.uint64(high), np.uint64(shift)


def _plan_partitions(counts: IntArray) -> tuple[AnyArray, IntArray]:
    """Join bins to partitions of about as many rows, given the counts of each thread.

    Returns the partition of every bin, and for each thread and partition the place of the first
    key that the thread copies there.
    """
    rows = counts.sum(axis=0)
    target = max(PARTITION_ROWS, int(rows.sum()) // MOST_PARTITIONS)
    begins = np.diff((np.cumsum(rows) - rows) // target, prepend=0) > 0
    partition = np.cumsum(begins, dtype=np.uint16)
    starts = np.append(0, np.flatnonzero(begins))
    sizes = np.add.reduceat(counts, starts, axis=1)
    ends = np.cumsum(sizes.T).reshape(sizes.T.shape).T
    return partition, np.ascontiguousarray(ends - sizes)

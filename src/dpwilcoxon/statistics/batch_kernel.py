"""Loops over many samples, compiled by numba; loaded only for large studies.

They give the keys and the integers that numpy gives in `batches`, to the last bit and faster.
"""

from __future__ import annotations

import math

import numpy as np

from dpwilcoxon.arraytypes import AnyArray, FloatArray, IntArray, KeyArray
from dpwilcoxon.statistics.kernel import (
    LARGEST_INSERTION,
    MOST_BUCKETS,
    compiled,
    order,
    score_groups,
)

LARGEST_LINEAR = 1 << 15  # rows whose buckets are numbered with 16 bits
SMALLEST_DIVISOR = 1e-300
MOST_SHARED = 6  # squared counts of the buckets, per key: about 2 for normal differences

_ONE = np.uint64(1)
_TOP_BIT = np.uint64(63)


# Ordering.


@compiled
def order_rows(differences: FloatArray, bits: KeyArray, keys: KeyArray) -> None:
    """Write the keys of each row, in increasing order; `bits` are those of the differences."""
    n = differences.shape[1]
    scratch = np.empty(n, dtype=np.uint64)
    bucket = np.empty(min(n, LARGEST_LINEAR), dtype=np.uint16)
    starts = np.empty(min(2 * n, MOST_BUCKETS), dtype=np.uint16)
    ends = np.empty(min(2 * n, MOST_BUCKETS), dtype=np.uint32)
    pending = np.empty((n // LARGEST_INSERTION + 1, 2), dtype=np.int64)
    for i in range(len(differences)):
        for j in range(n):
            size = bits[i, j] << _ONE
            keys[i, j] = size | (bits[i, j] >> _TOP_BIT) if size else size  # -0.0 is +0.0
        if not order_evenly(differences[i], keys[i], bucket, starts, scratch):
            order(keys[i], scratch, ends, pending)
            put_negatives_last(keys[i])


@compiled
def order_evenly(
    differences: FloatArray, keys: KeyArray, bucket: AnyArray, starts: AnyArray, scratch: KeyArray
) -> bool:
    """Order keys that fill equally wide buckets evenly; if they do not, give up.

    Where buckets are twice as many as keys, most keys are alone in theirs. One pass without
    branches puts pairs right, and insertion has little left to do: in all no more steps than
    there are pairs of keys that share a bucket, which is known before anything is moved.
    """
    n = len(keys)
    largest, zeros = 0.0, 0
    for i in range(n):
        largest = max(largest, abs(differences[i]))
        zeros += differences[i] == 0.0
    if n > LARGEST_LINEAR or not SMALLEST_DIVISOR < largest < math.inf:
        return False
    width = (len(starts) - 0.5) / largest
    starts[:] = 0
    for i in range(n):
        bucket[i] = np.uint16(abs(differences[i]) * width)
        starts[bucket[i]] += np.uint16(1)
    total, shared = 0, -zeros * zeros  # zeros are equal and never pass each other
    for i in range(len(starts)):
        count = int(starts[i])
        shared += count * count
        starts[i] = np.uint16(total)
        total += count
    if shared > MOST_SHARED * n:
        return False
    for i in range(n):
        scratch[starts[bucket[i]]] = keys[i]
        starts[bucket[i]] += np.uint16(1)
    carry_largest(scratch)
    insert_keys(scratch, keys)
    return True


@compiled
def carry_largest(keys: KeyArray) -> None:
    """Put neighbours in order, the larger one going on to meet the next."""
    carried = keys[0]
    for i in range(1, len(keys)):
        here = keys[i]
        keys[i - 1] = min(carried, here)
        carried = max(carried, here)
    keys[len(keys) - 1] = carried


@compiled
def insert_keys(source: KeyArray, target: KeyArray) -> None:
    """Insertion sort by key from one array to another."""
    for i in range(len(source)):
        key = source[i]
        j = i
        while j > 0 and target[j - 1] > key:
            target[j] = target[j - 1]
            j -= 1
        target[j] = key


@compiled
def put_negatives_last(ordered: KeyArray) -> None:
    """Put the signs in every tie group in order, so that the keys are."""
    first = 0
    while first < len(ordered):
        stop, positive = first, first
        while stop < len(ordered) and ordered[stop] >> _ONE == ordered[first] >> _ONE:
            positive += 1 - int(ordered[stop] & _ONE)
            stop += 1
        size = (ordered[first] >> _ONE) << _ONE
        ordered[first:positive] = size
        ordered[positive:stop] = size | _ONE
        first = stop


# Scoring.


@compiled
def score_rows(
    keys: KeyArray, pieces: IntArray, cumulative: IntArray, dropped: IntArray, totals: IntArray
) -> None:
    """Write the statistic of each row of ordered keys.

    `pieces` is `Score.table` and `cumulative` holds A(0) .. A(n), which is faster to ask without
    ties; `dropped` tells how many zeros of each row take no rank.
    """
    for i in range(len(keys)):
        zeros = count_leading_zeros(keys[i])
        ordered, before = keys[i, zeros:], zeros - dropped[i]
        if have_ties(ordered):
            totals[i] = score_groups(ordered, before, pieces)
        else:
            totals[i] = score_untied(ordered, cumulative[before:])


@compiled
def have_ties(ordered: KeyArray) -> bool:
    """Whether any two neighbours have the same size."""
    ties = 0
    for i in range(1, len(ordered)):
        ties += ordered[i] >> _ONE == ordered[i - 1] >> _ONE
    return ties > 0


@compiled
def score_untied(ordered: KeyArray, cumulative: IntArray) -> int:
    """Add up the signed scores of single rows: all of them, less twice the negative ones."""
    negative = 0
    for i in range(len(ordered)):
        negative += (cumulative[i + 1] - cumulative[i]) * np.int64(ordered[i] & _ONE)
    return int(cumulative[len(ordered)] - cumulative[0] - 2 * negative)


@compiled
def square_rows(
    keys: KeyArray, cumulative: IntArray, dropped: IntArray, squares: FloatArray
) -> None:
    """Write the sum of squared average scores of each row, zeros left out."""
    for i in range(len(keys)):
        zeros = count_leading_zeros(keys[i])
        squares[i] = add_squares(keys[i, zeros:], cumulative[zeros - dropped[i] :])


@compiled
def add_squares(ordered: KeyArray, cumulative: IntArray) -> float:
    """Add up rows * (gain / rows)^2 over tie groups."""
    total = 0.0
    first = 0
    while first < len(ordered):
        stop = first + 1
        while stop < len(ordered) and ordered[stop] >> _ONE == ordered[first] >> _ONE:
            stop += 1
        average = (cumulative[stop] - cumulative[first]) / (stop - first)
        total += (stop - first) * average**2
        first = stop
    return total


@compiled
def count_leading_zeros(ordered: KeyArray) -> int:
    """Count the zero differences, which come first."""
    zeros = 0
    while zeros < len(ordered) and ordered[zeros] <= _ONE:
        zeros += 1
    return zeros

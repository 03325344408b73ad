"""Loops over millions of keys, compiled by numba; loaded only for large samples.

Every loop releases Python's lock, so that two threads can run two of them. None of them knows
a score: what they need of it arrives as the pieces of its cumulative score.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, TypeVar, cast

import numpy as np
from numba import njit

from dpwilcoxon.arraytypes import AnyArray, FloatArray, IntArray, KeyArray

Loop = TypeVar("Loop", bound=Callable[..., object])
Bins: TypeAlias = tuple[np.uint64, np.uint64, np.uint64]  # least and greatest key, width (a shift)

LARGEST_INSERTION = 32  # rows that insertion sorts faster than one more pass over buckets
MOST_BUCKETS = 1 << 16
MOVES_PER_ROW = 4

SLOT_BITS = 15
MOST_DISTINCT = 1 << (SLOT_BITS - 1)  # a table that is half full finds a key in a step or two

# numba turns a mixture of signed and unsigned 64-bit integers into floats: keys meet only these.
_ZERO = np.uint64(0)
_ONE = np.uint64(1)
_TOP_BIT = np.uint64(63)
_HALF = np.uint64(32)
_LOW_HALF = np.uint64(0xFFFFFFFF)
_MIX = np.uint64(0x9E3779B1)  # 2^32 over the golden ratio
_SLOT_SHIFT = np.uint64(32 - SLOT_BITS)
_SLOT_MASK = np.uint64((1 << SLOT_BITS) - 1)


def compiled(loop: Loop) -> Loop:
    """Compile a loop when it is first called, and keep the machine code where that is possible."""
    try:
        return cast("Loop", njit(nogil=True, cache=True)(loop))
    except RuntimeError:  # there is no folder that numba may write to
        return cast("Loop", njit(nogil=True)(loop))


# The keys of two columns' differences, as keys.py defines them.


@compiled
def subtract_floats(x: FloatArray, y: FloatArray, keys: KeyArray) -> bool:
    """Write the keys of x - y; tell whether no difference is NaN."""
    complete = True
    for i in range(len(x)):
        difference = x[i] - y[i]
        complete &= difference == difference  # noqa: PLR0124 - NaN is not itself
        bits = np.float64(difference + 0.0).view(np.uint64)  # -0.0 becomes +0.0
        keys[i] = bits << _ONE | bits >> _TOP_BIT
    return complete


@compiled
def subtract_integers(x: IntArray, y: IntArray, keys: KeyArray) -> bool:
    """Write the keys of x - y; tell whether every difference leaves room for its sign."""
    largest = _ZERO
    for i in range(len(x)):
        negative = x[i] < y[i]
        # Modulo 2^64 the larger minus the smaller cannot overflow.
        high, low = (y[i], x[i]) if negative else (x[i], y[i])
        magnitude = np.uint64(high) - np.uint64(low)
        largest |= magnitude
        keys[i] = magnitude << _ONE | np.uint64(negative)
    return bool(largest >> _TOP_BIT == _ZERO)


# Ordering, first step: every key goes to a partition of neighbouring sizes.


@compiled
def bin_of(key: np.uint64, bins: Bins) -> np.uint64:
    """Return the bin a key belongs to; keys beyond the outer bins count with them."""
    low, high, shift = bins
    return (min(max(key, low), high) - low) >> shift


@compiled
def count_bins(keys: KeyArray, bins: Bins, counts: IntArray) -> None:
    """Count the keys in each bin."""
    for i in range(len(keys)):
        counts[bin_of(keys[i], bins)] += 1


@compiled
def scatter(
    keys: KeyArray, bins: Bins, partition: AnyArray, place: IntArray, copy: KeyArray
) -> None:
    """Copy each key to the next free place of the partition of its bin."""
    for i in range(len(keys)):
        part = partition[bin_of(keys[i], bins)]
        copy[place[part]] = keys[i]
        place[part] += 1


# Second step: every partition, which fits in cache, is ordered by itself.


@compiled
def order(keys: KeyArray, scratch: KeyArray, ends: AnyArray, pending: IntArray) -> None:
    """Order keys in place by size (key >> 1); equal sizes stay together, signs in any order.

    Keys are sent to about as many buckets as there are keys, and insertion puts the few in a
    bucket right. A bucket that is still large waits in `pending` to be ordered in the same way.
    Buckets that wait are disjoint, so there are at most len(keys) / LARGEST_INSERTION of them.
    """
    pending[0, 0], pending[0, 1] = 0, len(keys)
    waiting = 1
    while waiting > 0:
        waiting -= 1
        first, stop = pending[waiting, 0], pending[waiting, 1]
        part = keys[first:stop]
        low, shift, buckets = plan_buckets(part)
        if buckets > 1:
            fill_buckets(part, low, shift, ends[:buckets], scratch)
            if not insert(scratch[: len(part)], part, MOVES_PER_ROW * len(part)):
                waiting += insert_small_buckets(
                    scratch, part, ends[:buckets], pending[waiting:], first
                )


@compiled
def plan_buckets(keys: KeyArray) -> tuple[np.uint64, np.uint64, int]:
    """Return the origin, the width (as a shift) and the number of buckets for these keys."""
    low = keys[0]
    high = low
    for i in range(1, len(keys)):
        low = min(low, keys[i])
        high = max(high, keys[i])
    low = (low >> _ONE) << _ONE
    shift = _ONE
    wanted = np.uint64(min(2 * len(keys), MOST_BUCKETS))
    while (high - low) >> shift >= wanted:
        shift += _ONE
    return low, shift, int((high - low) >> shift) + 1


@compiled
def fill_buckets(
    keys: KeyArray, low: np.uint64, shift: np.uint64, ends: AnyArray, scratch: KeyArray
) -> None:
    """Copy keys to scratch, bucket after bucket; `ends` then holds where each ends."""
    ends[:] = 0
    for i in range(len(keys)):
        ends[(keys[i] - low) >> shift] += 1
    total = 0
    for bucket in range(len(ends)):
        rows = ends[bucket]
        ends[bucket] = total
        total += rows
    for i in range(len(keys)):
        bucket_of_key = (keys[i] - low) >> shift
        scratch[ends[bucket_of_key]] = keys[i]
        ends[bucket_of_key] += 1


@compiled
def insert(source: KeyArray, target: KeyArray, moves: int) -> bool:
    """Insertion sort by size from one array to another; give up after too many moves."""
    for i in range(len(source)):
        key = source[i]
        size = key >> _ONE
        j = i
        while j > 0 and target[j - 1] >> _ONE > size:
            target[j] = target[j - 1]
            j -= 1
        target[j] = key
        moves -= i - j
        if moves < 0:
            return False
    return True


@compiled
def insert_small_buckets(
    scratch: KeyArray,
    keys: KeyArray,
    ends: AnyArray,
    pending: IntArray,
    origin: int,
) -> int:
    """Insertion sort the small buckets; write the large ones to `pending` and count them."""
    first, waiting = 0, 0
    for bucket in range(len(ends)):
        stop = ends[bucket]
        if stop - first <= LARGEST_INSERTION:
            if stop > first:
                insert(scratch[first:stop], keys[first:stop], LARGEST_INSERTION**2)
        else:
            keys[first:stop] = scratch[first:stop]
            pending[waiting, 0], pending[waiting, 1] = origin + first, origin + stop
            waiting += 1
        first = stop
    return waiting


# Scoring ordered keys.


@compiled
def score_groups(ordered: KeyArray, before: int, pieces: IntArray) -> int:
    """Add up the scores of whole tie groups, as `signed_score_sum` does.

    `before` rows have lower ranks; `pieces` is `Score.table`.
    """
    total = 0
    first = 0
    cumulative = cumulative_score(before, pieces)
    while first < len(ordered):
        size = ordered[first] >> _ONE
        stop, net = first + 1, sign(ordered[first])
        while stop < len(ordered) and ordered[stop] >> _ONE == size:
            net += sign(ordered[stop])
            stop += 1
        next_cumulative = cumulative_score(before + stop, pieces)
        gain = next_cumulative - cumulative
        total += gain * net if stop - first == 1 else group_score(gain, stop - first, net)
        first, cumulative = stop, next_cumulative
    return total


@compiled
def cumulative_score(rank: int, pieces: IntArray) -> int:
    """A(rank), from the last piece that starts before it."""
    piece = len(pieces) - 1
    while piece > 0 and rank <= pieces[piece, 0]:
        piece -= 1
    constant, linear, quadratic = pieces[piece, 1], pieces[piece, 2], pieces[piece, 3]
    return constant + rank * (linear + rank * quadratic)  # type: ignore[no-any-return]  # int64


@compiled
def sign(key: np.uint64) -> int:
    """1 or -1, without a branch: half of the signs would be guessed wrong."""
    return 1 - 2 * np.int64(key & _ONE)  # type: ignore[return-value]  # int64


@compiled
def group_score(gain: int, rows: int, net: int) -> int:
    """Score gain * net / rows, to the nearest integer, halves away from zero."""
    whole = gain // rows
    rest = (gain - whole * rows) * abs(net)
    rounded = rest // rows
    if 2 * (rest - rounded * rows) >= rows:
        rounded += 1
    return whole * net + (rounded if net > 0 else -rounded)


# Counting: data with few distinct differences needs no ordering.


@compiled
def count_distinct(keys: KeyArray, slots: KeyArray, counts: IntArray) -> bool:
    """Count each distinct key in a hash table; give up when there are too many.

    A slot is free while its count is zero.
    """
    used = 0
    for i in range(len(keys)):
        key = keys[i]
        # The halves are folded before they are mixed, so that the product fits 64 bits.
        folded = (key ^ (key >> _HALF)) & _LOW_HALF
        slot = (folded * _MIX >> _SLOT_SHIFT) & _SLOT_MASK
        while counts[slot] != 0 and slots[slot] != key:
            slot = (slot + _ONE) & _SLOT_MASK
        if counts[slot] == 0:
            if used == MOST_DISTINCT:
                return False
            slots[slot] = key
            used += 1
        counts[slot] += 1
    return True

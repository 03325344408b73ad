"""The statistic of keys that arrive in order, some at a time, as from a sort on a disk."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from dpwilcoxon.arraytypes import IntArray, KeyArray
from dpwilcoxon.errors import InternalError
from dpwilcoxon.statistics.scores import Score
from dpwilcoxon.statistics.tie_blocks import tie_runs
from dpwilcoxon.statistics.tie_groups import ZeroMethod, check_range, signed_score_sum

_ONE = np.uint64(1)


def chunked_total(chunks: Iterable[KeyArray], n: int, score: Score, zero_method: ZeroMethod) -> int:
    """Compute the statistic of chunks of ordered keys, whatever the chunks cut in two.

    Parameters
    ----------
    chunks : iterable of arrays
        Keys whose sizes (``key >> 1``) never fall, none of the chunks empty.
    n : int
        How many keys there are in all.
    score : Score
        The cumulative scores of the test.
    zero_method : ZeroMethod
        Whether zeros take the lowest ranks or are dropped.

    Returns
    -------
    int
        The exact statistic; not private.
    """
    check_range(score, n)
    total, ranked, seen = 0, 0, 0
    last = np.zeros((3, 1), dtype=np.int64)  # the group that may go on: so far no zeros
    for keys in chunks:
        groups = _joined(last, _groups(keys))
        complete, last = groups[:, :-1], groups[:, -1:]
        total += _scored(complete, ranked, score, zero_method)
        ranked += _ranks_taken(complete, zero_method)
        seen += len(keys)
    if seen != n:
        raise InternalError("Another number of keys was put in order than there were.")
    return total + _scored(last, ranked, score, zero_method)


def _groups(keys: KeyArray) -> IntArray:
    """Size, rows and positives - negatives of each tie group."""
    last, rows, net = tie_runs(keys)
    sizes = (keys[last - 1] >> _ONE).astype(np.int64)
    return np.stack([sizes, rows, np.where(sizes == 0, 0, net)])


def _joined(before: IntArray, groups: IntArray) -> IntArray:
    """Put a group before others, or add it to the first where it is the same."""
    if (np.diff(groups[0], prepend=before[0]) < 0).any():
        raise InternalError("Keys that should be in order are not.")
    if groups[0, 0] > before[0, 0]:
        return np.hstack([before, groups])
    groups[1:, :1] += before[1:]
    return groups


def _scored(groups: IntArray, ranked: int, score: Score, zero_method: ZeroMethod) -> int:
    """Score groups, of which the first may be the zeros, above so many ranks."""
    n_zero = int(groups[1, groups[0] == 0].sum())
    _, rows, net = groups[:, groups[0] > 0]
    below = ranked + (n_zero if zero_method is ZeroMethod.PRATT else 0)
    return signed_score_sum(below + np.cumsum(rows), rows, net, score)


def _ranks_taken(groups: IntArray, zero_method: ZeroMethod) -> int:
    counted = groups[1] if zero_method is ZeroMethod.PRATT else groups[1, groups[0] > 0]
    return int(counted.sum())

"""The signed-rank statistic of signed keys: one exact integer, whichever path computes it."""

from __future__ import annotations

import numpy as np

from dpwilcoxon.arraytypes import KeyArray
from dpwilcoxon.statistics.compiled import loops_for_rows
from dpwilcoxon.statistics.keys import SignedKeys
from dpwilcoxon.statistics.scores import Score
from dpwilcoxon.statistics.tie_blocks import count_zeros, score_block, tie_runs, whole_groups
from dpwilcoxon.statistics.tie_groups import TieGroups, ZeroMethod, check_range


def signed_rank_total(
    keys: SignedKeys, score: Score, zero_method: ZeroMethod = ZeroMethod.PRATT
) -> int:
    """Compute the sum of sign times tie-averaged score, in lattice units of the score.

    The path is chosen by the number of rows alone: numpy below KERNEL_FROM, compiled loops
    from there on if numba is installed. Both give the same integer for every score.

    Parameters
    ----------
    keys : SignedKeys
        The differences.
    score : Score
        The cumulative scores of the test.
    zero_method : ZeroMethod
        Whether zero differences take the lowest ranks or are dropped.

    Returns
    -------
    int
        The exact statistic; not private.
    """
    check_range(score, len(keys))
    loops = loops_for_rows(len(keys))
    if loops is None:
        return ordered_total(np.sort(keys.values), score, zero_method)
    return int(loops.total(keys.values, score, zero_method))


def ordered_total(ordered: KeyArray, score: Score, zero_method: ZeroMethod) -> int:
    """Compute the statistic of sorted keys with numpy alone."""
    n_zero = count_zeros(ordered)
    dropped = n_zero if zero_method is ZeroMethod.WILCOX else 0
    blocks = whole_groups(ordered, n_zero, len(ordered))
    return sum(score_block(ordered, block, dropped, score) for block in blocks)


def tie_groups(keys: SignedKeys) -> TieGroups:
    """Reduce differences to the distinct sizes and how often each occurs with either sign."""
    ordered = np.sort(keys.values)
    n_zero = count_zeros(ordered)
    if n_zero == len(ordered):
        return TieGroups(n_zero, np.zeros(0, np.int64), np.zeros(0, np.int64))
    _, rows, net = tie_runs(ordered[n_zero:])
    return TieGroups(n_zero, (rows + net) // 2, (rows - net) // 2)

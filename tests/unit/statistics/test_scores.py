"""Scores of ranks."""

import numpy as np

from dpwilcoxon.statistics.scores import RankScore


def test_rank_scores_add_up():
    """A(r) is the sum of a(1)..a(r) = 2, 4, ..., and every other number follows from a."""
    score, n = RankScore(), 50
    a = [2 * r for r in range(1, n + 1)]
    assert score.cumulative(np.arange(n + 1)).tolist() == [sum(a[:r]) for r in range(n + 1)]
    assert score.total(n) == sum(a)
    assert score.largest(n) == max(a)
    assert score.sum_of_squares(n) == sum(value**2 for value in a)
    assert score.lattice == 2  # the average rank of a tie of two is a half

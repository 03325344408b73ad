"""Ladders: scores that climb and then stay."""

import numpy as np
import pytest

from dpwilcoxon.errors import InternalError
from dpwilcoxon.nulls.ladder import Ladder
from dpwilcoxon.statistics.scores import RANKS, SIGNS, Piece, Score, capped_ranks

LOWER = Score(2, (Piece(0, 0, 1, 1), Piece(3, -3, 5, 0)))
STEEPER = Score(2, (Piece(0, 0, 1, 1), Piece(2, 6, -4, 2)))
LATE = Score(1, (Piece(0, 0, 0, 1),))
TWO_BORDERS = Score(2, (Piece(0, 0, 1, 1), Piece(2, -2, 4, 0), Piece(5, -7, 5, 0)))


@pytest.mark.parametrize(
    ("score", "n", "ladder"),
    [
        (RANKS, 5, Ladder(5, 5, 2)),
        (SIGNS, 5, Ladder(5, 1, 1)),
        (capped_ranks(3, 4), 5, Ladder(5, 3, 8)),
        (capped_ranks(3), 3, Ladder(3, 3, 2)),
        (capped_ranks(30), 4, Ladder(4, 4, 2)),
        (capped_ranks(2), 1, Ladder(1, 1, 2)),
    ],
)
def test_ladders_of_scores(score, n, ladder):
    """The ladder has the largest value and the variance that the score itself says."""
    assert Ladder.of(score, n) == ladder
    assert ladder.largest == score.total(n)
    assert ladder.deviation**2 == pytest.approx(score.sum_of_squares(n))
    assert ladder.plateau == n - ladder.cap
    scores = np.diff(score.cumulative(np.arange(n + 1)))
    assert scores.tolist() == [ladder.unit * min(rank, ladder.cap) for rank in range(1, n + 1)]


@pytest.mark.parametrize("score", [LOWER, STEEPER, LATE, TWO_BORDERS])
def test_other_scores_are_refused(score):
    """A law is never computed for scores it does not describe."""
    assert not Ladder.describes(score, 10)
    with pytest.raises(InternalError, match="climb and then stay"):
        Ladder.of(score, 10)

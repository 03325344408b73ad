"""Scores of ranks."""

import numpy as np
import pytest

from dpwilcoxon.errors import InternalError, InvalidArgument
from dpwilcoxon.statistics.scores import RANKS, SIGNS, Piece, Score, capped_ranks


def every_score():
    """Scores with a(r) = what it is by definition, in lattice units."""
    yield RANKS, lambda r: 2 * r
    yield SIGNS, lambda _: 1
    for cap in (1, 2, 7, 49, 50, 51, 200):
        for fineness in (1, 3, 64):
            yield (
                capped_ranks(cap, fineness),
                lambda r, cap=cap, fineness=fineness: 2 * fineness * min(r, cap),
            )


@pytest.mark.parametrize(("score", "a"), list(every_score()))
@pytest.mark.parametrize("n", [1, 2, 50])
def test_pieces_follow_from_the_scores(score, a, n):
    """A(r) is the sum of a(1)..a(r), and every other number follows from a."""
    scores = [a(r) for r in range(1, n + 1)]
    assert score.cumulative(np.arange(n + 1)).tolist() == [sum(scores[:r]) for r in range(n + 1)]
    assert score.total(n) == sum(scores)
    assert score.largest(n) == max(scores)
    assert score.sum_of_squares(n) == sum(value**2 for value in scores)


def test_lattices():
    """The average rank of a tie of two is a half; that of two signs is not."""
    assert (RANKS.lattice, SIGNS.lattice, capped_ranks(3, 5).lattice) == (2, 1, 10)


@pytest.mark.parametrize(
    "pieces",
    [(Piece(0, 1, 1, 0),), (Piece(1, 0, 1, 0),), (Piece(0, 0, 1, 0), Piece(3, 1, 1, 0))],
)
def test_pieces_that_do_not_join_are_refused(pieces):
    """A score that jumps would not have the sensitivity that is claimed for it."""
    with pytest.raises(InternalError, match="join"):
        Score(1, pieces)


@pytest.mark.parametrize(("cap", "fineness"), [(0, 1), (1, 0)])
def test_a_cap_is_at_least_one(cap, fineness):
    """A cap of zero would leave nothing to test."""
    with pytest.raises(InvalidArgument, match="at least 1"):
        capped_ranks(cap, fineness)


@pytest.mark.parametrize("cap", [1, 3, 8, 12])
def test_sensitivity_is_twice_the_largest_score(cap):
    """One border costs nothing; more than one could leave several groups rounded."""
    for n in (1, 3, 10):
        assert capped_ranks(cap, 5).sensitivity(n) == 2 * capped_ranks(cap, 5).largest(n)
    two_borders = Score(2, (Piece(0, 0, 1, 1), Piece(2, -2, 4, 0), Piece(5, -7, 5, 0)))
    assert two_borders.sensitivity(5) == 2 * 4
    assert two_borders.sensitivity(6) == 2 * 5 + 2

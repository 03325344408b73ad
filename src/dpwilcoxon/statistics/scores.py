"""Rank scores: the one thing in which signed-rank tests differ.

A test gives the row of rank r the score a(r) >= 0, never falling. All that a statistic needs is the
cumulative score A(r) = a(1) + ... + a(r): rows that tie at ranks first..last share the average
score (A(last) - A(first - 1)) / (last - first + 1), in memory and in SQL alike.

A score is data, not code: straight lines between a few ranks, so that A is a parabola on each
piece. Whoever can evaluate integer polynomials - numpy, a compiled loop, a database - can run every
test there is or will be. Scores are integers on a lattice: `lattice` units are one unit of the
paper's w.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Final, final

import numpy as np

from dpwilcoxon.arraytypes import IntArray
from dpwilcoxon.errors import InternalError, InvalidArgument


@final
@dataclass(frozen=True)
class Piece:
    """On the ranks after `start`, A(r) = constant + linear * r + quadratic * r^2."""

    start: int
    constant: int
    linear: int
    quadratic: int

    def cumulative(self, rank: int) -> int:
        """A(rank), without limits."""
        return self.constant + rank * (self.linear + self.quadratic * rank)

    def cumulative_array(self, ranks: IntArray) -> IntArray:
        """A(ranks), exact while every A that is asked for fits 64 bits."""
        return self.constant + ranks * (self.linear + self.quadratic * ranks)

    def sum_of_squares(self, last: int) -> int:
        """a(start + 1)^2 + ... + a(last)^2, where a(r) = linear + quadratic * (2r - 1)."""
        first, step = self.linear - self.quadratic, 2 * self.quadratic
        rows, ranks, squares = (
            power_sum(last) - power_sum(self.start) for power_sum in (int, _ranks, _squares)
        )
        return first * first * rows + 2 * first * step * ranks + step * step * squares


@final
@dataclass(frozen=True)
class Score:
    """Scores of the ranks 1, 2, ... as pieces in the order of their start.

    Parameters
    ----------
    lattice
        Integer units in one unit of the paper's statistic w.
    pieces
        The first starts at 0 with A(0) = 0, and A does not jump from one to the next.
    """

    lattice: int
    pieces: tuple[Piece, ...]

    def __post_init__(self) -> None:
        borders = [(None, self.pieces[0]), *pairwise(self.pieces)]
        for before, after in borders:
            here = 0 if before is None else before.cumulative(after.start)
            if after.cumulative(after.start) != here or (before is None) != (after.start == 0):
                raise InternalError("The pieces of a score must start at 0 and join.")

    def cumulative(self, rank: IntArray) -> IntArray:
        """A(rank), exact, elementwise, with A(0) = 0."""
        values = self.pieces[0].cumulative_array(rank)
        for piece in self.pieces[1:]:
            values = np.where(rank > piece.start, piece.cumulative_array(rank), values)
        return values

    @property
    def table(self) -> IntArray:
        """Start, constant, linear and quadratic of every piece, for loops that know no classes."""
        return np.array(
            [(each.start, each.constant, each.linear, each.quadratic) for each in self.pieces],
            dtype=np.int64,
        )

    def total(self, n: int) -> int:
        """A(n): the largest value of the statistic of n rows."""
        return self._piece_at(n).cumulative(n)

    def largest(self, n: int) -> int:
        """a(n): the largest score among n rows."""
        return self.total(n) - self.total(n - 1)

    def sum_of_squares(self, n: int) -> int:
        """a(1)^2 + ... + a(n)^2: the variance of the statistic under H0 without ties and zeros."""
        ends = [piece.start for piece in self.pieces[1:]] + [n]
        return sum(
            piece.sum_of_squares(min(end, n))
            for piece, end in zip(self.pieces, ends, strict=True)
            if piece.start < n
        )

    def sensitivity(self, n: int) -> int:
        """The most the statistic of n rows can change when one row is replaced.

        Twice the largest score, whatever is tied or zero and in spite of rounding, for scores that
        never fall and have at most one border below n: docs/beyond-the-paper.md has the proof.
        Each border can leave one group rounded by half a unit in either sample, so with more of
        them that is added.
        """
        borders = sum(piece.start < n for piece in self.pieces[1:])
        return 2 * self.largest(n) + (borders if borders > 1 else 0)

    def _piece_at(self, rank: int) -> Piece:
        later = (piece for piece in reversed(self.pieces) if piece.start < rank)
        return next(later, self.pieces[0])


def capped_ranks(cap: int, fineness: int = 1) -> Score:
    """Scores a(r) = min(r, cap), on a lattice of 2 * fineness.

    Parameters
    ----------
    cap
        The rank from which on all scores are the same, at least 1.
    fineness
        A tie group across the cap has a fractional average score, which is rounded to the
        lattice: the finer it is, the smaller the rounding compared with the scores.
    """
    if cap < 1 or fineness < 1:
        raise InvalidArgument(f"`cap` and `fineness` must be at least 1; got {cap} and {fineness}.")
    below = Piece(0, 0, fineness, fineness)
    return Score(
        2 * fineness, (below, Piece(cap, fineness * cap * (1 - cap), 2 * fineness * cap, 0))
    )


def equal_scores(lattice: int) -> Score:
    """Scores a(r) = 1: signs alone, on a lattice for noise that is finer than they are."""
    return Score(lattice, (Piece(0, 0, lattice, 0),))


RANKS: Final = Score(2, (Piece(0, 0, 1, 1),))
"""Wilcoxon's a(r) = r, doubled so that the average rank of a tie is an integer."""

SIGNS: Final = equal_scores(1)
"""The sign test's a(r) = 1: ranks do not matter, and ties need no lattice."""


def _ranks(n: int) -> int:
    """1 + ... + n."""
    return n * (n + 1) // 2


def _squares(n: int) -> int:
    """1^2 + ... + n^2."""
    return n * (n + 1) * (2 * n + 1) // 6

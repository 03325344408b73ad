"""Scores that climb a step a rank and then stay: what the exact laws know how to add up.

Ranks climb all the way, signs do not climb at all, and capped ranks lie between the two.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self, final

from dpwilcoxon.errors import InternalError
from dpwilcoxon.statistics.scores import Score

MOST_PIECES = 2  # the climb, and the plateau


@final
@dataclass(frozen=True)
class Ladder:
    """The scores unit * min(r, cap) of the ranks r = 1..n.

    Without ties and zeros the statistic is T = sum of +-unit * min(r, cap): it lives on the
    points largest, largest - step, ..., -largest.

    Parameters
    ----------
    n
        How many rows there are, at least 1.
    cap
        The rank up to which scores climb, in 1..n.
    unit
        The score of rank 1, in lattice units.
    """

    n: int
    cap: int
    unit: int

    @classmethod
    def of(cls, score: Score, n: int) -> Self:
        """The ladder that `score` is among n rows."""
        if not cls.describes(score, n):
            raise InternalError("The exact law is known for scores that climb and then stay.")
        return cls._nearest(score, n)

    @classmethod
    def describes(cls, score: Score, n: int) -> bool:
        """Whether `score` is a ladder among n rows."""
        ladder = cls._nearest(score, n)
        ranks = [rank for rank in (1, ladder.cap, ladder.cap + 1, n) if rank <= n]
        return (
            len(score.pieces) <= MOST_PIECES
            and score.total(n) == ladder.largest
            and all(score.largest(each) == ladder.unit * min(each, ladder.cap) for each in ranks)
        )

    @classmethod
    def _nearest(cls, score: Score, n: int) -> Self:
        """The ladder with the first step and the first border of `score`."""
        first, *rest = score.pieces
        climbs = first.quadratic > 0
        unit = score.largest(1)
        cap = 1 if not climbs else min(rest[0].start, n) if rest else n
        return cls(n, cap, unit)

    @property
    def plateau(self) -> int:
        """How many rows score as much as the row of rank `cap`, besides that one."""
        return self.n - self.cap

    @property
    def step(self) -> int:
        """The distance of neighbouring values of T."""
        return 2 * self.unit

    @property
    def sum_in_units(self) -> int:
        """The sum of all scores in units: T is one of largest - step * (0, 1, ..., this)."""
        return self.cap * (self.cap + 1) // 2 + self.cap * self.plateau

    @property
    def largest(self) -> int:
        """The largest T."""
        return self.unit * self.sum_in_units

    @property
    def deviation(self) -> float:
        """The standard deviation of T under H0."""
        cap = self.cap
        squares = cap * (cap + 1) * (2 * cap + 1) // 6 + self.plateau * cap * cap
        return self.unit * math.sqrt(squares)

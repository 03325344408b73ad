"""Rank scores: the one function in which signed-rank tests differ.

A test gives the row of rank r the score a(r). All it has to supply is the cumulative score
A(r) = a(1) + ... + a(r): rows that tie at ranks first..last share the average score
(A(last) - A(first - 1)) / (last - first + 1), in memory and in SQL alike.

Scores are integers on a lattice: `lattice` units are one unit of the paper's w.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from dpwilcoxon.arraytypes import IntArray


class Score(Protocol):
    """A non-decreasing score a(1) <= a(2) <= ..., given by its integer cumulative sums."""

    @property
    def lattice(self) -> int:
        """Integer units in one unit of the paper's statistic w."""
        ...

    def cumulative(self, rank: IntArray) -> IntArray:
        """A(rank), exact, elementwise, with A(0) = 0."""
        ...

    def total(self, n: int) -> int:
        """A(n): the largest value of the statistic of n rows."""
        ...

    def largest(self, n: int) -> int:
        """a(n): the largest score among n rows."""
        ...

    def sum_of_squares(self, n: int) -> int:
        """a(1)^2 + ... + a(n)^2: the variance of the statistic under H0 without ties and zeros."""
        ...


@dataclass(frozen=True)
class RankScore:
    """Wilcoxon's scores a(r) = r, doubled so that the average rank of a tie is an integer."""

    lattice: int = 2

    def cumulative(self, rank: IntArray) -> IntArray:
        """r (r + 1): twice the sum of the ranks 1..r."""
        return rank * (rank + 1)

    def total(self, n: int) -> int:
        """n (n + 1)."""
        return n * (n + 1)

    def largest(self, n: int) -> int:
        """2 n."""
        return 2 * n

    def sum_of_squares(self, n: int) -> int:
        """4 n (n + 1) (2n + 1) / 6."""
        return 4 * n * (n + 1) * (2 * n + 1) // 6

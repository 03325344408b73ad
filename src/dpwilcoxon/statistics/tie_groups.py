"""The signed-rank statistic of a list of tie groups, exact in integers.

This is the whole statistic: a paired sample, wherever it lives, is reduced to the distinct
sizes |d| of its differences in increasing order with the number of positive and of negative
differences of each size. Memory, numba and SQL engines all end here or agree with it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpwilcoxon.arraytypes import FloatArray, IntArray
from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.parameters import Choice
from dpwilcoxon.statistics.scores import Score

INT64_LIMIT = 2**63


class ZeroMethod(Choice):
    """What happens to differences that are zero."""

    PRATT = "pratt"  # they take the lowest ranks (Algorithm WP of the paper)
    WILCOX = "wilcox"  # they are dropped before ranking (Algorithm W)


@dataclass(frozen=True)
class TieGroups:
    """Counts per distinct |d| > 0 in increasing order of |d|, and the number of zeros."""

    n_zero: int
    n_positive: IntArray
    n_negative: IntArray

    def __len__(self) -> int:
        return int(self.n_zero + self.n_positive.sum() + self.n_negative.sum())

    def statistic(self, score: Score, zero_method: ZeroMethod = ZeroMethod.PRATT) -> int:
        """Sum of sign times tie-averaged score, in lattice units."""
        check_range(score, len(self))
        net = self.n_positive - self.n_negative
        return signed_score_sum(self.last_ranks(zero_method), self.sizes, net, score)

    def ranks(self, score: Score, zero_method: ZeroMethod = ZeroMethod.PRATT) -> FloatArray:
        """The tie-averaged score of each group, in lattice units."""
        last = self.last_ranks(zero_method)
        return (score.cumulative(last) - score.cumulative(last - self.sizes)) / self.sizes

    @property
    def sizes(self) -> IntArray:
        """How many rows share each |d|."""
        return self.n_positive + self.n_negative

    def last_ranks(self, zero_method: ZeroMethod) -> IntArray:
        """The highest rank inside each group; Pratt's zeros take the lowest ranks."""
        first = self.n_zero if zero_method is ZeroMethod.PRATT else 0
        return first + np.cumsum(self.sizes, dtype=np.int64)


def check_range(score: Score, n: int) -> None:
    """Refuse samples whose statistic could overflow: from 3,037,000,500 rows on, for ranks."""
    if score.total(n) >= INT64_LIMIT:
        raise InvalidArgument(
            f"`n` is too large: the statistic of {n} rows does not fit 64-bit integers."
        )


def signed_score_sum(last: IntArray, size: IntArray, net: IntArray, score: Score) -> int:
    """Add up (A(last) - A(last - size)) * net / size over tie groups.

    The quotient is taken before the product, so nothing overflows while A fits 64 bits. A
    fraction that remains (a score that is not linear across the group) is rounded to the
    nearest lattice point, halves away from zero: odd-symmetric, so the null stays symmetric.
    """
    gain = score.cumulative(last) - score.cumulative(last - size)
    return int(np.sum(rounded_scores(gain, size, net), dtype=np.int64))


def rounded_scores(gain: IntArray, size: IntArray, net: IntArray) -> IntArray:
    """gain * net / size of each group, to the nearest integer, halves away from zero."""
    whole, rest = np.divmod(gain, size)
    scores = whole * net
    if rest.any():
        quotient, remainder = np.divmod(rest * np.abs(net), size)
        quotient += 2 * remainder >= size
        scores += np.sign(net) * quotient
    return scores

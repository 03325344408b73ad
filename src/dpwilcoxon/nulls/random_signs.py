"""The exact law of a signed-rank statistic without noise, whatever the ties and zeros.

Given the sizes of the differences, under H0 each sign is a coin's, and the statistic is a sum of
ranks with random signs. Its law is counted, which costs the number of ranks times their sum.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from dpwilcoxon.arraytypes import FloatArray, IntArray
from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.parameters import Alternative

LARGEST_SIGNED_N = 1000  # half a second, and half a billion additions


@dataclass(frozen=True, eq=False)
class RandomSignLaw:
    """The law of sum of +-ranks, symmetric about zero.

    Parameters
    ----------
    step
        The statistic, like its largest value, is a multiple of this.
    upper_tail
        P(statistic >= step * (2 v - total)) for v = 0, ..., total, and 0 for v = total + 1.
    """

    step: int
    upper_tail: FloatArray

    def pvalue(self, statistic: IntArray | int, alternative: Alternative) -> FloatArray:
        """Exact p-values; two-sided they are twice the smaller tail, at most 1."""
        given = np.asarray(statistic, dtype=np.int64)
        if alternative is Alternative.TWO_SIDED:
            return np.minimum(1.0, 2.0 * self._sf(np.abs(given)))
        return self._sf(-given if alternative is Alternative.LESS else given)

    def _sf(self, statistic: IntArray) -> FloatArray:
        total = self.upper_tail.size - 2
        return np.asarray(self.upper_tail[(statistic // self.step + total) // 2], dtype=np.float64)


@lru_cache(maxsize=16)
def law_of_random_signs(ranks: tuple[int, ...]) -> RandomSignLaw:
    """Count the law of a sum of these positive ranks, each with a random sign.

    Examples
    --------
    All three ranks positive is one outcome of eight:

    >>> float(law_of_random_signs((1, 2, 3)).pvalue(6, Alternative.GREATER))
    0.125
    """
    if len(ranks) > LARGEST_SIGNED_N:
        raise InvalidArgument(
            f"`method` 'exact' without noise needs at most {LARGEST_SIGNED_N} differences that are "
            f"not zero; got {len(ranks)}. Use 'normal-laplace', the normal law."
        )
    step = math.gcd(*ranks) if ranks else 1
    total = sum(ranks) // step
    probabilities = np.zeros(total + 1)
    probabilities[0] = 1.0
    reached = 0
    for rank in sorted(each // step for each in ranks):
        lifted = probabilities[: reached + 1] / 2.0
        probabilities[: reached + 1] = lifted
        reached += rank
        probabilities[rank : reached + 1] += lifted
    tail = np.append(np.cumsum(probabilities[::-1])[::-1], 0.0)
    return RandomSignLaw(step, tail)


def doubled_ranks(sizes: IntArray, n_zero: int) -> tuple[int, ...]:
    """Twice the average rank of each row, from the sizes of the tie groups after `n_zero` rows."""
    last = n_zero + np.cumsum(sizes, dtype=np.int64)
    return tuple(np.repeat(2 * last - sizes + 1, sizes).tolist())

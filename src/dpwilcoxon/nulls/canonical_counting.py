"""The exact law under canonical noise by counting: subsets of the ranks, spread over windows.

The noise is W Z + U, and a window W is as long as `cap` steps between lattice points. As a function
of t the tail P(T~ >= t) is therefore a chain of straight lines, with knots half a window above the
lattice points. At the knot of the k-th lattice point from the top,

    P(T + U >= t) = average of P(V <= k - 1), P(V <= k - 2), ..., P(V <= k - cap),

with T = largest - step V, and Z mixes the values at knots that lie `cap` apart, with probabilities
that fall by b = exp(-1 / scale of Z) from one to the next. Everything is a sum of positive terms,
but for the averages, which are differences of sums over some n windows: tails of any depth keep
some twelve digits.
"""

from __future__ import annotations

import math

import numpy as np

from dpwilcoxon.arraytypes import FloatArray
from dpwilcoxon.errors import InternalError
from dpwilcoxon.noise import CanonicalNoise
from dpwilcoxon.nulls.exact_counting import all_subset_counts
from dpwilcoxon.nulls.ladder import Ladder


class CanonicalCountedTail:
    """P(T~ >= t), read off lines between knots.

    Parameters
    ----------
    ladder
        The scores of the ranks.
    noise
        The noise that is added; its window is twice the largest score.
    """

    def __init__(self, ladder: Ladder, noise: CanonicalNoise) -> None:
        if noise.window != ladder.step * ladder.cap:
            raise InternalError("The exact law needs a window as wide as the sensitivity.")
        self._ladder, self._noise = ladder, noise
        ratio = noise.steps.ratio
        # column j of row i is knot i * cap + j - cap, from one window above the topmost T
        rows = self._averages()
        lower = np.zeros_like(rows)  # sums over the knots further up, in steps of a window
        for i in range(1, len(rows)):
            lower[i] = ratio * (rows[i - 1] + lower[i - 1])
        upper = np.empty_like(rows)
        upper[-1] = ratio / -math.expm1(-1.0 / noise.step_scale)  # all averages beyond are 1
        for i in range(len(rows) - 2, -1, -1):
            upper[i] = ratio * (rows[i + 1] + upper[i + 1])
        share = math.tanh(0.5 / noise.step_scale)  # P(Z = 0)
        self._log_tail = np.log(share * (rows + lower + upper)).ravel()

    def _averages(self) -> FloatArray:
        """P(T + U >= t) at all knots where it is neither 0 nor 1, and at a window more."""
        ladder, cap = self._ladder, self._ladder.cap
        counts = np.ldexp(all_subset_counts(ladder.n, cap), -ladder.n)
        knots = cap * (3 + counts.size // cap)
        at_most = np.ones(knots)  # P(V <= v) for v = -cap, -cap + 1, ...
        at_most[:cap] = 0.0
        at_most[cap : cap + counts.size] = np.minimum(np.cumsum(counts), 1.0)
        sums = np.append(0.0, np.cumsum(at_most))[:knots]
        averages = np.zeros(knots)
        averages[cap:] = (sums[cap:] - sums[:-cap]) / cap
        averages[cap + counts.size - 1 + cap :] = 1.0
        return averages.reshape(-1, cap)

    def log_upper_tail(self, t: FloatArray) -> FloatArray:
        """Log of P(T~ >= t) for integers t >= 1, given as a one-dimensional array of floats."""
        ladder, cap = self._ladder, self._ladder.cap
        top = ladder.largest + self._noise.window / 2 + 0.5  # the knot of the topmost T
        place = (top - t) / ladder.step
        # further up the tail falls by b from each window to the next
        windows = np.maximum(np.ceil(-place / cap), 0.0)
        place += windows * cap
        knot = np.floor(place)
        index = knot.astype(np.int64) + cap
        share = place - knot
        high, low = self._log_tail[index], self._log_tail[index + 1]
        between = low + np.log(share + (1.0 - share) * np.exp(high - low))
        return np.asarray(between - windows / self._noise.step_scale)

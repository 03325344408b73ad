"""Tests that compare a sum plus Laplace noise with a critical value: what the rivals share.

These serve studies only, so their noise is continuous.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from dpwilcoxon.arraytypes import FloatArray
from dpwilcoxon.nulls.base import LOG_2
from dpwilcoxon.nulls.normal_laplace import upper_tail_point
from dpwilcoxon.parameters import Alternative, Design, Method
from dpwilcoxon.procedures.base import StudyProcedure
from dpwilcoxon.statistics.tie_groups import ZeroMethod

TUNING_POWER = 0.8
SHIFT_STEPS = 30  # bisections: a shift to nine digits


class NoisySumTest(StudyProcedure):
    """A rival of the signed-rank tests; its p-values have no choice of methods."""

    zero_method = ZeroMethod.PRATT  # there are no ranks to give to zeros, or they come last
    methods = (Method.NORMAL_LAPLACE,)

    def automatic_method(self, design: Design) -> Method:  # noqa: ARG002 - there is only one
        """The closed form."""
        return Method.NORMAL_LAPLACE


def laplace_tail(x: FloatArray, scale: float) -> FloatArray:
    """P(Laplace(scale) >= x)."""
    tail = 0.5 * np.exp(-np.abs(x) / scale)
    return np.where(x > 0.0, tail, 1.0 - tail)


def rejection_probability(
    total: FloatArray, critical: FloatArray | float, scale: float, alternative: Alternative
) -> FloatArray:
    """P(total + noise is as far out as `critical`, on the sides of the alternative)."""
    probability = np.zeros(np.broadcast_shapes(np.shape(total), np.shape(critical)))
    if alternative is not Alternative.LESS:
        probability += laplace_tail(critical - total, scale)
    if alternative is not Alternative.GREATER:
        probability += laplace_tail(critical + total, scale)
    return probability


def one_sided_log_level(alpha: float, alternative: Alternative) -> float:
    """The logarithm of the level that one tail may use up."""
    return math.log(alpha) - (LOG_2 if alternative is Alternative.TWO_SIDED else 0.0)


def closed_form_critical(
    sigma: float, scale: float, alpha: float, alternative: Alternative
) -> float:
    """The critical value of a normal sum plus Laplace noise."""
    return float(upper_tail_point(one_sided_log_level(alpha, alternative), sigma, scale))


def least_shift(power: Callable[[float], float], largest: float) -> float:
    """The least shift at which a test that is being tuned reaches a power of 80%; or infinity."""
    low, high = 0.0, largest
    if power(high) < TUNING_POWER:
        return math.inf
    for _ in range(SHIFT_STEPS):
        middle = (low + high) / 2.0
        low, high = (low, middle) if power(middle) >= TUNING_POWER else (middle, high)
    return high

"""A rival: the paired t-test made private by clipping, the paper's second open question."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import final

import numpy as np

from dpwilcoxon.arraytypes import FloatArray
from dpwilcoxon.nulls.normal_laplace import upper_tail_point
from dpwilcoxon.parameters import Alternative, Design, Method
from dpwilcoxon.procedures.base import RejectionRule
from dpwilcoxon.procedures.noisy_sums import (
    NoisySumTest,
    one_sided_log_level,
    rejection_probability,
)
from dpwilcoxon.statistics.batches import SampleBatch

BOUND = 3.0 * math.sqrt(2.0)  # three standard deviations of a difference in the paper's model
SHARE_OF_LEVEL = 0.1  # kept for the case that the noise makes the variance look too small
NOISE_NODES = 24
SIGMAS_PER_SCALE = np.geomspace(1e-3, 1e6, 512)


@final
@dataclass(frozen=True)
class PrivateT(NoisySumTest):
    """The sum of the differences over its estimated deviation, both private.

    Differences are clipped to [-bound, bound], which somebody has to know. Half of epsilon goes to
    the sum (which one row changes by at most 2 bounds), half to the sum of squares (1 bound
    squared). Under H0 the sum is compared with a normal law whose variance is the noisy sum of
    squares, raised by a quantile of its noise, plus Laplace noise.

    Parameters
    ----------
    bound
        What differences are clipped to.
    """

    name = "private-t"
    summary = "STUDIES ONLY: clipped differences over their noisy standard deviation"

    bound: float = BOUND

    def rejection_rule(
        self,
        design: Design,
        alpha: float,
        alternative: Alternative,
        method: Method = Method.AUTO,
    ) -> RejectionRule:
        """Integrate both noises out, that of the squares numerically."""
        self.resolve_method(design, method)
        epsilon = float(design.epsilon)
        scale, scale_of_squares = 4.0 / epsilon, 2.0 / epsilon
        spared = SHARE_OF_LEVEL * alpha
        margin = -scale_of_squares * math.log(2.0 * spared)
        level = one_sided_log_level(alpha - spared, alternative)
        table = np.array([float(upper_tail_point(level, each, 1.0)) for each in SIGMAS_PER_SCALE])

        def rule(batch: SampleBatch) -> FloatArray:
            clipped = np.clip(batch.differences / self.bound, -1.0, 1.0)
            totals, squares = clipped.sum(axis=1), np.square(clipped).sum(axis=1)
            probability = np.zeros(totals.shape)
            for noise in _equally_likely_noise(scale_of_squares):
                sigma = np.sqrt(np.maximum(squares + noise + margin, 0.0))
                critical = scale * np.interp(sigma / scale, SIGMAS_PER_SCALE, table)
                probability += rejection_probability(totals, critical, scale, alternative)
            return probability / NOISE_NODES

        return rule


def _equally_likely_noise(scale: float) -> FloatArray:
    """The middles of equally likely parts of a Laplace law."""
    share = (np.arange(NOISE_NODES) + 0.5) / NOISE_NODES - 0.5
    return np.asarray(-scale * np.sign(share) * np.log1p(-2.0 * np.abs(share)))

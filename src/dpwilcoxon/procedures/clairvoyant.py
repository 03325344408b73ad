"""A yardstick: the clipped sum of somebody who knows the law of the differences beforehand."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import final

import numpy as np

from dpwilcoxon.arraytypes import FloatArray
from dpwilcoxon.nulls.normal_laplace import log_upper_tail
from dpwilcoxon.parameters import Alternative, Design, Method
from dpwilcoxon.procedures.base import RejectionRule
from dpwilcoxon.procedures.noisy_sums import (
    NoisySumTest,
    closed_form_critical,
    least_shift,
    rejection_probability,
)
from dpwilcoxon.statistics.batches import SampleBatch

ROOT_2 = math.sqrt(2.0)
QUANTILES = 2001
CLIPS = np.geomspace(0.02, 8.0, 60)  # in units of the median size of a difference under H0
LARGEST_SHIFT = 50.0


@final
@dataclass(frozen=True, eq=False)
class Clairvoyant(NoisySumTest):
    """Sum of clip(d / c, -1, 1), plus Laplace noise of scale 2 / epsilon.

    No practical test: the law of the differences under H0 has to be known, its scale included, to
    choose the clip c and to compare the sum with a normal law of the right variance. The clip is
    that with which the least shift is found with a power of 80%.

    A yardstick and not a bound: another function of the differences, or other noise, could do
    better.

    Parameters
    ----------
    null_differences
        Equally likely differences under H0. By default those of the paper's model, two independent
        standard normal measurements.
    """

    name = "clairvoyant"
    is_yardstick = True
    summary = "STUDIES ONLY: a yardstick, clipped differences whose law is known beforehand"

    null_differences: FloatArray | None = None

    def rejection_rule(
        self,
        design: Design,
        alpha: float,
        alternative: Alternative,
        method: Method = Method.AUTO,
    ) -> RejectionRule:
        """Clip, add up, and integrate the noise out."""
        self.resolve_method(design, method)
        clip, scale = self._best_clip(design, alpha, alternative), _noise_scale(design)
        critical = closed_form_critical(
            self._deviation(clip, 0.0, design.n_pairs), scale, alpha, alternative
        )

        def rule(batch: SampleBatch) -> FloatArray:
            totals = np.clip(batch.differences / clip, -1.0, 1.0).sum(axis=1)
            return rejection_probability(totals, critical, scale, alternative)

        return rule

    @cached_property
    def _null(self) -> FloatArray:
        given = self.null_differences
        return _normal_differences() if given is None else given

    @cached_property
    def _best_clip(self) -> Callable[[Design, float, Alternative], float]:
        return lru_cache(maxsize=1024)(self._find_best_clip)

    def _find_best_clip(self, design: Design, alpha: float, alternative: Alternative) -> float:
        median = float(np.median(np.abs(self._null)))
        shifts = [self._least_shift(clip, design, alpha, alternative) for clip in CLIPS * median]
        return float(CLIPS[int(np.argmin(shifts))] * median)

    def _least_shift(
        self, clip: float, design: Design, alpha: float, alternative: Alternative
    ) -> float:
        n, scale = design.n_pairs, _noise_scale(design)
        critical = closed_form_critical(self._deviation(clip, 0.0, n), scale, alpha, alternative)

        def power(shift: float) -> float:
            mean = n * float(np.clip((self._null + shift) / clip, -1.0, 1.0).mean())
            deviation = max(self._deviation(clip, shift, n), 1e-9 * scale)
            return math.exp(float(log_upper_tail(critical - mean, deviation, scale)))

        return least_shift(power, LARGEST_SHIFT)

    def _deviation(self, clip: float, shift: float, n: int) -> float:
        """The standard deviation of the sum."""
        return math.sqrt(n) * float(np.clip((self._null + shift) / clip, -1.0, 1.0).std())


def _noise_scale(design: Design) -> float:
    """One row replaced changes the sum by at most 2."""
    return 2.0 / float(design.epsilon)


def _normal_differences() -> FloatArray:
    from scipy.special import ndtri

    return np.asarray(ROOT_2 * ndtri((np.arange(QUANTILES) + 0.5) / QUANTILES))

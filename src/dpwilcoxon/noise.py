"""Noise laws: frozen descriptions that mechanisms draw and nulls convolve.

A law says what is added to an integer statistic; it draws nothing. The scale of a law that
protects at level epsilon is found here in exact arithmetic, so that p-values can be computed
without loading the sampler, and is checked again by the mechanism before any draw.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from dpwilcoxon.arraytypes import FloatArray
from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.parameters import Epsilon

INT64_LIMIT = 2**63
TAIL_SCALES = 64  # P(|noise| > 64 scales) < 2e-28: a saturated draw will never be seen


@dataclass(frozen=True)
class DiscreteLaplace:
    """Integer noise with P(L = k) proportional to exp(-|k| / scale)."""

    scale: float
    family: ClassVar[str] = "discrete-laplace"

    def __post_init__(self) -> None:
        if not (math.isfinite(self.scale) and self.scale > 0):
            raise InvalidArgument(f"`scale` must be positive and finite; got {self.scale}.")

    @classmethod
    def protecting(cls, sensitivity: int, epsilon: Epsilon) -> DiscreteLaplace:
        """Return the least noise whose loss is at most epsilon at this sensitivity.

        The loss is sensitivity / scale rounded up to a float, as OpenDP states it; the scale
        is stepped up until that loss, as an exact fraction, is at most epsilon.
        """
        try:
            scale = _float_at_least(Fraction(sensitivity) / epsilon.exact)
        except OverflowError:
            raise InvalidArgument(
                f"`epsilon` {epsilon} is too small: its noise cannot be represented."
            ) from None
        while Fraction(_float_at_least(Fraction(sensitivity) / Fraction(scale))) > epsilon.exact:
            scale = math.nextafter(scale, math.inf)
        return cls(scale)

    @property
    def ratio(self) -> float:
        """The factor by which the probability falls from one integer to the next."""
        return math.exp(-1.0 / self.scale)

    @property
    def variance(self) -> float:
        """The variance, 2 ratio / (1 - ratio)^2."""
        return 2.0 * self.ratio / math.expm1(-1.0 / self.scale) ** 2

    def pmf(self, k: FloatArray | int) -> FloatArray:
        """P(L = k)."""
        return np.asarray(
            math.tanh(0.5 / self.scale) * np.exp(-np.abs(k) / self.scale), dtype=np.float64
        )

    def sf(self, k: FloatArray | int) -> FloatArray:
        """P(L >= k) for real k."""
        least = np.ceil(k)
        # P(L >= j) = ratio^j / (1 + ratio) for j >= 1, and P(L >= j) = 1 - P(L >= 1 - j)
        tail = np.exp(-np.where(least >= 1, least, 1 - least) / self.scale) / (1.0 + self.ratio)
        return np.asarray(np.where(least >= 1, tail, 1.0 - tail), dtype=np.float64)

    def half_width(self, confidence: float) -> int:
        """The least h with P(|L| <= h) >= confidence."""
        # P(|L| > h) = 2 ratio^(h+1) / (1 + ratio)
        log_tail = math.log1p(-confidence) + math.log1p(self.ratio) - math.log(2.0)
        return max(0, math.ceil(-log_tail * self.scale) - 1)

    def check_range(self, largest: int) -> None:
        """Refuse statistics up to `largest` whose noisy value could leave 64-bit integers."""
        if largest + TAIL_SCALES * Fraction(self.scale) >= INT64_LIMIT:
            raise InvalidArgument(
                "The noisy statistic could leave the range of 64-bit integers: `epsilon` is too "
                f"small or `n` too large (noise scale {self.scale:.3g}, largest statistic "
                f"{largest:.3g}); use a larger `epsilon`."
            )


def _float_at_least(value: Fraction) -> float:
    """The smallest float that is not below `value`."""
    nearest = float(value)
    return nearest if Fraction(nearest) >= value else math.nextafter(nearest, math.inf)

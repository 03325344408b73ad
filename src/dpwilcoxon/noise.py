"""Noise laws: frozen descriptions that mechanisms draw and nulls convolve.

A law says what is added to an integer statistic; it draws nothing. The scale of a law that
protects at level epsilon is found here in exact arithmetic, so that p-values can be computed
without loading the sampler, and is checked again by the mechanism before any draw.

There are two: the discrete Laplace law, and the canonical one, which is flat over windows as wide
as the sensitivity. Both are symmetric, and have the same properties and functions. A third would
join :data:`NoiseLaw`, and mypy lists the places that have to know it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, TypeAlias, final

import numpy as np

from dpwilcoxon.arraytypes import FloatArray
from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.parameters import Epsilon, Noise

INT64_LIMIT = 2**63
TAIL_SCALES = 64  # P(|noise| > 64 scales) < 2e-28: a saturated draw will never be seen
LARGEST_CANONICAL_EPSILON = 10


@final
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
        _check_range(largest, Fraction(self.scale))


@final
@dataclass(frozen=True)
class CanonicalNoise:
    """Integer noise W Z + U: a discrete Laplace Z, and U uniform over a window of W integers.

    W is the sensitivity, or one more if that is odd. No window of an even number of integers is
    central; each of the two best is taken with probability 1/2, so that the law is symmetric:
    U = -W/2, ..., W/2, the ends with half the probability of the others. A statistic that changes
    by at most W shifts Z by at most 1, so the scale of Z is that of sensitivity 1.

    This is the discrete member of a family known as Tulap, canonical and staircase noise. It is
    lighter than Laplace noise for epsilon up to about 4.

    Parameters
    ----------
    window
        W, even.
    step_scale
        The scale of Z.
    """

    window: int
    step_scale: float
    family: ClassVar[str] = "canonical"

    def __post_init__(self) -> None:
        if self.window < 2 or self.window % 2:  # noqa: PLR2004 - even
            raise InvalidArgument(f"`window` must be even and positive; got {self.window}.")
        _ = self.steps  # checks the scale

    @classmethod
    def protecting(cls, sensitivity: int, epsilon: Epsilon) -> CanonicalNoise:
        """Return the least noise whose loss is at most epsilon at this sensitivity."""
        if epsilon.exact > LARGEST_CANONICAL_EPSILON:
            raise InvalidArgument(
                f"`noise` 'canonical' is for `epsilon` up to {LARGEST_CANONICAL_EPSILON}; got "
                f"{epsilon}. Use 'laplace', which is lighter from about 4 on."
            )
        window = sensitivity + sensitivity % 2
        return cls(window, DiscreteLaplace.protecting(1, epsilon).scale)

    @property
    def steps(self) -> DiscreteLaplace:
        """The law of Z: by how many windows the statistic is shifted."""
        return DiscreteLaplace(self.step_scale)

    @property
    def scale(self) -> float:
        """How slowly the tails fall: by a factor e over so many integers."""
        return self.window * self.step_scale

    @property
    def variance(self) -> float:
        """The variance, W^2 Var(Z) + Var(U)."""
        return self.window**2 * self.steps.variance + (self.window**2 + 2) / 12.0

    def pmf(self, k: FloatArray | int) -> FloatArray:
        """P(W Z + U = k): half from either window."""
        k = np.asarray(k, dtype=np.float64)
        lower = np.floor(k / self.window + 0.5)  # the step if the window is -W/2 .. W/2 - 1
        upper = np.ceil(k / self.window - 0.5)
        return np.asarray((self.steps.pmf(lower) + self.steps.pmf(upper)) / (2.0 * self.window))

    def sf(self, k: FloatArray | int) -> FloatArray:
        """P(W Z + U >= k) for real k: the tail of Z, on straight lines over each window."""
        least = np.ceil(k)
        step = np.ceil(least / self.window - 0.5)
        place = least - step * self.window  # -W/2 + 1 .. W/2
        share = (self.window / 2 - place + 0.5) / self.window
        return np.asarray(self.steps.sf(step + 1.0) + self.steps.pmf(step) * share)

    def half_width(self, confidence: float) -> int:
        """The least h with P(|noise| <= h) >= confidence."""
        tail = (1.0 - confidence) / 2.0  # of h + 1
        step = max(0, self.steps.half_width(confidence) - 1)
        while float(self.sf(step * self.window + self.window // 2)) > tail:
            step += 1
        excess = (tail - float(self.steps.sf(step + 1))) / float(self.steps.pmf(step))
        place = math.ceil(self.window / 2 + 0.5 - self.window * excess)
        return max(0, step * self.window + max(place, 1 - self.window // 2) - 1)

    def check_range(self, largest: int) -> None:
        """Refuse statistics up to `largest` whose noisy value could leave 64-bit integers."""
        _check_range(largest + self.window, self.window * Fraction(self.step_scale))


NoiseLaw: TypeAlias = DiscreteLaplace | CanonicalNoise


def protecting(noise: Noise, sensitivity: int, epsilon: Epsilon) -> NoiseLaw:
    """Return the least noise of a kind whose loss is at most epsilon at this sensitivity."""
    kind = CanonicalNoise if noise is Noise.CANONICAL else DiscreteLaplace
    return kind.protecting(sensitivity, epsilon)


def _check_range(largest: int, scale: Fraction) -> None:
    if largest + TAIL_SCALES * scale >= INT64_LIMIT:
        raise InvalidArgument(
            "The noisy statistic could leave the range of 64-bit integers: `epsilon` is too "
            f"small or `n` too large (noise scale {float(scale):.3g}, largest statistic "
            f"{largest:.3g}); use a larger `epsilon`."
        )


def _float_at_least(value: Fraction) -> float:
    """The smallest float that is not below `value`."""
    nearest = float(value)
    return nearest if Fraction(nearest) >= value else math.nextafter(nearest, math.inf)

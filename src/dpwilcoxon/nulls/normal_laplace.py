"""The closed form: a normal variable plus Laplace noise.

With x = t / sigma, s = sigma / b and Phi the normal distribution function,

    P(N(0, sigma^2) + Laplace(b) >= t)
        = Phi(-x) + exp(s^2/2 - s x) Phi(x - s) / 2 - exp(s^2/2 + s x) Phi(-x - s) / 2

(the law the paper's Algorithm C~ simulates). Written like this the exponentials overflow and the
terms cancel, so the normal tails are taken as erfcx(u) = exp(u^2) erfc(u), which leaves one
factor exp(-x^2/2) outside; only the middle term, where x > s, needs a logarithm of its own.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple, final

import numpy as np
from numpy.typing import ArrayLike

from dpwilcoxon.arraytypes import FloatArray
from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.noise import DiscreteLaplace
from dpwilcoxon.nulls.base import LOG_2, SymmetricNull

# Releases are integers: the event T~ >= t is the continuous event from halfway below t.
CONTINUITY_CORRECTION = 0.5

ROOT_HALF = math.sqrt(0.5)
NEWTON_STEPS = 60  # quadratic convergence needs about six; the bound only stops a cycle of ulps
NEWTON_TOLERANCE = 4e-16


def log_upper_tail(t: ArrayLike, sigma: float, scale: float) -> FloatArray:
    """Log of P(N(0, sigma^2) + Laplace(scale) >= t)."""
    x = np.asarray(t, dtype=np.float64) / sigma  # of one t a scalar, which numpy is fast on
    with np.errstate(all="ignore"):  # infinite t and underflowing squares are meant
        log_tail = _log_tail(_Pieces.at(np.abs(x), sigma / scale))
        below = x < 0
        if np.count_nonzero(below):  # of a scalar in a tenth of the time of `any`
            log_tail = np.where(below, np.log1p(-np.exp(log_tail)), log_tail)
    return log_tail


def log_density(t: ArrayLike, sigma: float, scale: float) -> FloatArray:
    """Log density of N(0, sigma^2) + Laplace(scale) at t."""
    x = np.abs(np.atleast_1d(t) / sigma)
    with np.errstate(all="ignore"):
        return _log_density(_Pieces.at(x, sigma / scale)).reshape(np.shape(t)) - math.log(scale)


def upper_tail_point(log_p: ArrayLike, sigma: float, scale: float) -> FloatArray:
    """The t at which the log of P(N(0, sigma^2) + Laplace(scale) >= t) is log_p."""
    given = np.asarray(log_p, dtype=np.float64)
    level = given.reshape(-1)
    with np.errstate(all="ignore"):
        log_tail = np.where(level > -LOG_2, np.log(-np.expm1(level)), level)
        inside = np.isfinite(log_tail)
        x = _newton(np.where(inside, log_tail, -LOG_2), sigma / scale)
    distance = np.where(inside, sigma * x, -log_tail)  # probability 0 lies at infinity
    return np.where(level > -LOG_2, -distance, distance).reshape(given.shape)


class _Pieces(NamedTuple):
    """The three terms of the formula at x >= 0, the outer two without their exp(-x^2/2)."""

    normal: FloatArray
    overlap: FloatArray  # the middle term where x <= s, else 0
    mirrored: FloatArray
    log_gauss: FloatArray
    log_far: FloatArray | None  # log of the middle term where x > s; None if that is nowhere

    @classmethod
    def at(cls, x: FloatArray, s: float) -> _Pieces:
        from scipy.special import erfcx, log_ndtr

        y, centre = x * ROOT_HALF, s * ROOT_HALF
        overlap, log_far = 0.5 * erfcx(np.abs(centre - y)), None
        far = x > s
        if np.count_nonzero(far):
            log_far = np.where(far, s * (0.5 * s - x) + log_ndtr(x - s) - LOG_2, -np.inf)
            overlap = overlap * ~far
        return cls(erfcx(y), overlap, 0.5 * erfcx(centre + y), -y * y, log_far)


def _log_tail(at: _Pieces) -> FloatArray:
    # mirrored is at most half of normal, so nothing cancels
    log_tail = np.log(0.5 * (at.normal - at.mirrored + at.overlap)) + at.log_gauss
    return log_tail if at.log_far is None else np.logaddexp(log_tail, at.log_far)


def _log_density(at: _Pieces) -> FloatArray:
    """Log density of the noise's scale times the variable."""
    log_density = np.log(0.5 * (at.mirrored + at.overlap)) + at.log_gauss
    return log_density if at.log_far is None else np.logaddexp(log_density, at.log_far)


def _newton(log_tail: FloatArray, s: float) -> FloatArray:
    """Solve for x >= 0. The log tail is concave, so Newton overshoots once and then descends."""
    x = np.minimum(np.sqrt(-2.0 * log_tail), s)
    for _ in range(NEWTON_STEPS):
        pieces = _Pieces.at(x, s)
        here = _log_tail(pieces)
        step = (here - log_tail) * np.exp(here - _log_density(pieces)) / s
        x = np.maximum(x + step, 0.0)
        if np.all(np.abs(step) <= NEWTON_TOLERANCE * (1.0 + x)):
            break
    return x


@final
@dataclass(frozen=True)
class NormalLaplaceNull(SymmetricNull):
    """The closed form with a continuity correction: P(T~ >= t) is the continuous law at t - 1/2.

    Parameters
    ----------
    sigma
        Standard deviation of the noise-free statistic, in lattice units.
    noise
        The noise that was added; the law takes its scale as that of a continuous Laplace.
    """

    sigma: float
    noise: DiscreteLaplace

    def __post_init__(self) -> None:
        if not (math.isfinite(self.sigma) and self.sigma > 0):
            raise InvalidArgument(f"`sigma` must be positive and finite; got {self.sigma}.")

    def logsf(self, t: ArrayLike) -> FloatArray:
        """Log of P(T~ >= t), for any real t."""
        corrected = np.subtract(t, CONTINUITY_CORRECTION)
        return log_upper_tail(corrected, self.sigma, self.noise.scale)

    def upper_point(self, log_p: ArrayLike) -> FloatArray:
        """The real t at which log P(T~ >= t) is log_p."""
        return CONTINUITY_CORRECTION + upper_tail_point(log_p, self.sigma, self.noise.scale)

    def logppf(self, log_q: ArrayLike) -> FloatArray:
        """The real t at which log P(T~ <= t) is log_q."""
        return -self.upper_point(log_q)

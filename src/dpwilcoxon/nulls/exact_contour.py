r"""The exact tail for large n, by integrating the transform along a line.

T lives on the lattice N, N - 4, ..., -N with N = n(n+1). With Q(k) = P(noise >= k) summed over
that lattice by geometric series, the inversion formula of the noisy tail is, for 0 < c < 1/b,

    P(T~ >= t) = (2 / pi) * integral over |y| <= pi/4 of exp(K(s) - s p) kernel_d(s) dy,  s = c + iy
    kernel_d(s) = 1/expm1(4s) - [a^d/expm1(4(s - 1/b)) + a^(1-d)/expm1(4(s + 1/b))] / (1 + a)

where p is the last lattice point up to t, d = t - p in 0..3, and a = exp(-1/b) is the noise's
ratio. So the discreteness of statistic and noise is exact. The integrand is periodic and analytic,
and the trapezoid rule converges exponentially at a rate set by the distance to the poles at 0 and
1/b.

Accuracy must be relative to the tail, so the line passes near the saddle point, K'(c) = t, where
the integrand is no larger than the answer. Where that lies beyond the pole, the line does too, and
the pole's residue is added: it is P(noise alone carries T beyond t), the tail of every t >= N,

    residue(t) = E exp((T - t)/b) / (1 + a) = exp(K(1/b) - t/b) / (1 + a),

nearly all of the tail when the noise dominates. Lines are shared by all t in a window of them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dpwilcoxon.arraytypes import FloatArray, IntArray
from dpwilcoxon.noise import DiscreteLaplace
from dpwilcoxon.nulls.base import LOG_2
from dpwilcoxon.nulls.rank_transform import (
    ComplexArray,
    log_transform,
    log_transform_from_top,
    log_transform_on_line,
    tilted_moments,
)

# Lengths along the real axis are in units of 1 / (tilted standard deviation).
POLE_DISTANCE = 0.8
LINE_SPACING = 1.5
LARGEST_ABSCISSA = 0.5  # here T is within a few lattice points of its maximum
# Trapezoid: error exp(-2 pi distance / step), truncation exp(-extent^2 / 2), both below 1e-16.
STEP = 0.13
STEP_PER_POLE_DISTANCE = 0.16
EXTENT = 9.0
NEGLIGIBLE = math.log(1e-14)
ONLY_RESIDUE = 9.0  # so far beyond the tilted mean the line integral is below 1e-17 of the residue
HALF_PERIOD = math.pi / 4
BLOCK = 4096  # values of t integrated at a time, to bound memory


@dataclass(frozen=True)
class _Line:
    """A vertical line in the plane of s: where it stands, and the law tilted by its abscissa."""

    abscissa: float
    mean: float
    deviation: float

    @classmethod
    def at(cls, n: int, abscissa: float) -> _Line:
        return cls(abscissa, *tilted_moments(n, abscissa))


@dataclass(frozen=True)
class _Integrand:
    """The integrand on one line for every t: its values at t = centre, ready to be turned."""

    abscissa: float
    log_height: float
    centre: float
    ordinates: FloatArray
    weights: ComplexArray  # one row for each offset d in 0..3

    def integrate(self, point: FloatArray, offset: IntArray) -> FloatArray:
        """The integral, in units of exp(log_height - abscissa * point)."""
        total = np.empty(point.shape)
        for start in range(0, point.size, BLOCK):
            block = slice(start, start + BLOCK)
            turns = np.exp(-1j * np.multiply.outer(point[block] - self.centre, self.ordinates))
            total[block] = np.sum(turns * self.weights[offset[block]], axis=1).real
        return total


class ContourTail:
    """P(T~ >= t) for t >= 1, by integration along vertical lines that are found when needed."""

    def __init__(self, n: int, noise: DiscreteLaplace) -> None:
        self._n = n
        self._noise = noise
        self._largest = n * (n + 1)
        self._pole = 1.0 / noise.scale
        self._log_residue_at_top = _log_transform_at_top(n, self._pole) - math.log1p(noise.ratio)
        at_pole = _Line.at(n, self._pole)
        self.residue_only = min(
            float(self._largest), at_pole.mean + ONLY_RESIDUE * at_pole.deviation
        )
        width = max(at_pole.deviation, 2.0)
        self._left_end = min(self._pole - POLE_DISTANCE / width, LARGEST_ABSCISSA)
        self._right_start = self._pole + 1.0 / width
        first = POLE_DISTANCE / math.sqrt(4.0 * n * (n + 1) * (2 * n + 1) / 6.0)
        self._lines = [_Line.at(n, first if first <= self._left_end else self._right_start)]
        self._integrands: dict[int, _Integrand] = {}

    def log_upper_tail(self, t: FloatArray) -> FloatArray:
        """Log of P(T~ >= t) for integers t >= 1, given as a one-dimensional array of floats."""
        log_tail = self._log_residue_at_top - (t - self._largest) * self._pole
        inner = np.flatnonzero(t < self.residue_only)
        if inner.size:
            self._extend(float(t[inner].max()))
            means = np.array([line.mean for line in self._lines])
            nearest = np.searchsorted((means[1:] + means[:-1]) / 2, t[inner])
            for index in np.unique(nearest):
                chosen = inner[nearest == index]
                log_tail[chosen] = self._on_line(int(index), t[chosen], log_tail[chosen])
        return log_tail

    def _on_line(self, index: int, t: FloatArray, log_residue: FloatArray) -> FloatArray:
        integrand = self._integrands.get(index)
        if integrand is None:
            integrand = self._integrands[index] = self._integrand(self._lines[index])
        offset = np.mod(t - self._largest, 4.0)
        point = t - offset
        integral = integrand.integrate(point, offset.astype(np.int64))
        log_unit = integrand.log_height - integrand.abscissa * point
        if integrand.abscissa < self._pole:
            return np.asarray(log_unit + np.log(integral))
        return np.asarray(log_residue + np.log1p(integral * np.exp(log_unit - log_residue)))

    def _extend(self, t: float) -> None:
        """Add lines to the right until one of them has a tilted mean of at least t."""
        while self._lines[-1].mean < t:
            last = self._lines[-1]
            following = last.abscissa + LINE_SPACING / last.deviation
            if last.abscissa < self._pole:
                at_end = last.abscissa >= self._left_end
                following = self._right_start if at_end else min(following, self._left_end)
            if last.abscissa >= LARGEST_ABSCISSA:
                break
            self._lines.append(_Line.at(self._n, following))

    def _integrand(self, line: _Line) -> _Integrand:
        ordinates, step, log_modulus, phase = self._transform_on(line)
        s = line.abscissa + 1j * ordinates
        log_height = log_modulus[0]
        values = np.exp(log_modulus - log_height + 1j * (phase - ordinates * line.mean))
        quadrature = np.full(ordinates.shape, 4.0 * step / math.pi)
        quadrature[0] /= 2.0
        if ordinates[-1] == HALF_PERIOD:
            quadrature[-1] /= 2.0
        weights = np.stack([self._kernel(s, offset) * values * quadrature for offset in range(4)])
        return _Integrand(line.abscissa, float(log_height), line.mean, ordinates, weights)

    def _transform_on(self, line: _Line) -> tuple[FloatArray, float, FloatArray, FloatArray]:
        """Ordinates from 0 to where the transform has died away, their step, and K on them."""
        distance = min(line.abscissa, abs(line.abscissa - self._pole))
        step = min(STEP / line.deviation, STEP_PER_POLE_DISTANCE * distance)
        extent = EXTENT / line.deviation
        while True:
            if extent >= HALF_PERIOD:
                extent = HALF_PERIOD
                step = HALF_PERIOD / math.ceil(HALF_PERIOD / step)
            ordinates = np.linspace(0.0, extent, round(extent / step) + 1)
            step = float(ordinates[1])
            log_modulus, phase = log_transform_on_line(self._n, line.abscissa, ordinates)
            if extent == HALF_PERIOD or log_modulus[-1] - log_modulus[0] < NEGLIGIBLE:
                return ordinates, step, log_modulus, phase
            extent *= 2.0

    def _kernel(self, s: ComplexArray, offset: int) -> ComplexArray:
        noise = self._noise
        # a^(1-d) / expm1(4(s + 1/b)), written so that a^-2 cannot overflow when b is tiny
        above = np.exp((offset - 5) * self._pole - 4.0 * s) / -np.expm1(-4.0 * (s + self._pole))
        below = math.exp(-offset * self._pole) / np.expm1(4.0 * (s - self._pole))
        return np.asarray(1.0 / np.expm1(4.0 * s) - (below + above) / (1.0 + noise.ratio))


def _log_transform_at_top(n: int, s: float) -> float:
    """K(s) - n(n+1) s, from whichever form has the smaller terms."""
    if n * s > 1.0:
        return log_transform_from_top(n, s) - n * LOG_2
    return log_transform(n, s) - n * (n + 1) * s

r"""The exact tail for large n, by integrating the transform along a line.

T lives on the lattice N, N - h, ..., -N (h = 4 for doubled ranks). With P(noise >= k) summed over
that lattice by geometric series, the inversion formula of the noisy tail is, for 0 < c < 1/b,

    P(T~ >= t) = h/(2 pi) * integral over |y| <= pi/h of exp(K(s) - s p) kernel_t(s) dy,  s = c + iy

with a point p near t and a kernel that :mod:`~dpwilcoxon.nulls.contour_kernels` has for each law of
noise; 1/b is the rate of the noise's tails. So the discreteness of statistic and noise is exact.
The integrand is periodic and analytic, and the trapezoid rule converges exponentially at a rate set
by the distance to the poles at 0 and 1/b.

Where many rows share one score, their part of the transform is as large again at every multiple of
pi / score. Only the ranks below the cap damp these lobes, so with few of them, or far out in the
tail where they hardly vary, the lobes are integrated too.

Accuracy must be relative to the tail, so the line passes near the saddle point, K'(c) = t, where
the integrand is no larger than the answer. Where that lies beyond the pole, the line does too, and
the pole's residue is added: it is P(noise alone carries T beyond t), the whole tail of t near N and
above, and nearly all of it where the noise dominates. Lines are shared by all t in a stretch of
them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dpwilcoxon.arraytypes import FloatArray
from dpwilcoxon.noise import NoiseLaw
from dpwilcoxon.nulls.contour_kernels import kernel_of
from dpwilcoxon.nulls.ladder import Ladder
from dpwilcoxon.nulls.rank_transform import (
    NEGLIGIBLE,
    ComplexArray,
    log_ripple,
    log_transform_on_line,
    plateau_on_line,
    tilted_moments,
)

# Lengths along the real axis are in units of 1 / (tilted standard deviation).
POLE_DISTANCE = 0.8
LINE_SPACING = 1.5
LEAST_WIDTH = 8.0  # in units: however narrow the law at the pole is, lines come near to it
# Trapezoid: error exp(-2 pi distance / step), truncation exp(-extent^2 / 2), both below 1e-16.
STEP = 0.13
STEP_PER_POLE_DISTANCE = 0.16
EXTENT = 9.0
LOST = math.log(1e-17)  # what is smaller disappears in the rounding of the sum
ONLY_RESIDUE = 9.0  # so far beyond the tilted mean the line integral is below 1e-17 of the residue
BLOCK = 1 << 18  # values of t times ordinates that are in memory at a time


@dataclass(frozen=True)
class _Line:
    """A vertical line in the plane of s: where it stands, and the law tilted by its abscissa."""

    abscissa: float
    mean: float
    deviation: float

    @classmethod
    def at(cls, ladder: Ladder, abscissa: float) -> _Line:
        return cls(abscissa, *tilted_moments(ladder, abscissa))


@dataclass(frozen=True)
class _Integrand:
    """The integrand on one line for every t: its values at t = centre, ready to be turned."""

    abscissa: float
    log_height: float
    centre: float
    ordinates: FloatArray
    weights: ComplexArray  # one column for each term of the kernel

    def integrate(self, point: FloatArray, shares: FloatArray) -> FloatArray:
        """The integral, in units of exp(log_height - abscissa * point)."""
        total = np.empty(point.shape)
        size = max(1, BLOCK // self.ordinates.size)
        for start in range(0, point.size, size):
            block = slice(start, start + size)
            turns = np.exp(-1j * np.multiply.outer(point[block] - self.centre, self.ordinates))
            terms = np.einsum("ij,jk->ik", turns, self.weights).real
            total[block] = np.sum(terms * shares[block], axis=1)
        return total


class ContourTail:
    """P(T~ >= t) for t >= 1, by integration along vertical lines that are found when needed."""

    def __init__(self, ladder: Ladder, noise: NoiseLaw) -> None:
        self._ladder = ladder
        self._kernel = kernel_of(ladder, noise)
        self._half_period = math.pi / ladder.step
        self._pole = self._kernel.pole
        at_pole = _Line.at(ladder, self._pole)
        self.residue_only = min(
            self._kernel.residue_only, at_pole.mean + ONLY_RESIDUE * at_pole.deviation
        )
        width = max(at_pole.deviation, LEAST_WIDTH * ladder.unit)
        self._largest_abscissa = _abscissa_of_top(ladder)
        self._left_end = min(self._pole - POLE_DISTANCE / width, self._largest_abscissa)
        self._right_start = self._pole + 1.0 / width
        first = POLE_DISTANCE / ladder.deviation
        self._lines = [_Line.at(ladder, first if first <= self._left_end else self._right_start)]
        self._integrands: dict[int, _Integrand] = {}

    def log_upper_tail(self, t: FloatArray) -> FloatArray:
        """Log of P(T~ >= t) for integers t >= 1, given as a one-dimensional array of floats."""
        log_tail = self._kernel.log_residue(t)
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
        point, shares = self._kernel.split(t)
        integral = integrand.integrate(point, shares)
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
            if last.abscissa >= self._largest_abscissa:
                break
            self._lines.append(_Line.at(self._ladder, following))

    def _integrand(self, line: _Line) -> _Integrand:
        ordinates, step, log_modulus, phase = self._transform_on(line)
        log_height = log_modulus[0]
        values = np.exp(log_modulus - log_height + 1j * (phase - ordinates * line.mean))
        values *= step / self._half_period
        values[0] /= 2.0
        if ordinates[-1] == self._half_period:
            values[-1] /= 2.0
        kept = log_modulus - log_height > LOST
        ordinates, values = ordinates[kept], values[kept]
        weights = self._kernel.terms(line.abscissa + 1j * ordinates) * values[:, np.newaxis]
        return _Integrand(line.abscissa, float(log_height), line.mean, ordinates, weights)

    def _transform_on(self, line: _Line) -> tuple[FloatArray, float, FloatArray, FloatArray]:
        """Ordinates from 0 to where the transform has died away, their step, and K on them."""
        distance = min(line.abscissa, abs(line.abscissa - self._pole))
        step = min(STEP / line.deviation, STEP_PER_POLE_DISTANCE * distance)
        if log_ripple(self._ladder, line.abscissa) > NEGLIGIBLE:
            ordinates, step = self._ordinates_of_lobes(line, step)
            return ordinates, step, *self._transform_at(line, ordinates)
        extent = EXTENT / line.deviation
        while True:
            if extent >= self._half_period:
                extent = self._half_period
                step = extent / math.ceil(extent / step)
            ordinates = np.linspace(0.0, extent, round(extent / step) + 1)
            step = float(ordinates[1])
            log_modulus, phase = self._transform_at(line, ordinates)
            if extent == self._half_period or log_modulus[-1] - log_modulus[0] < NEGLIGIBLE:
                return ordinates, step, log_modulus, phase
            extent *= 2.0

    def _transform_at(self, line: _Line, ordinates: FloatArray) -> tuple[FloatArray, FloatArray]:
        return log_transform_on_line(self._ladder, line.abscissa, ordinates)

    def _ordinates_of_lobes(self, line: _Line, step: float) -> tuple[FloatArray, float]:
        """Points of one grid over the whole half period, where the equal scores let it live."""
        intervals = math.ceil(self._half_period / step)
        ordinates = np.linspace(0.0, self._half_period, intervals + 1)
        spacing = 2.0 * self._half_period / self._ladder.cap  # of the lobes
        extent = EXTENT / line.deviation
        while extent < spacing / 2.0:
            at_end = np.array([0.0, extent])
            log_modulus, _ = plateau_on_line(self._ladder, line.abscissa, at_end)
            if log_modulus[1] - log_modulus[0] < NEGLIGIBLE:
                from_lobe = np.abs(ordinates - spacing * np.rint(ordinates / spacing))
                ordinates = ordinates[from_lobe <= extent]
                break
            extent *= 1.5
        return ordinates, self._half_period / intervals


def _abscissa_of_top(ladder: Ladder) -> float:
    """Where the tilted T is within a few lattice points of its maximum."""
    return (1.0 + 0.5 * math.log(max(ladder.plateau, 1)) / ladder.cap) / ladder.unit

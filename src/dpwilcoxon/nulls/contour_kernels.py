r"""What each law of noise contributes to the contour integral of the exact tail.

A kernel is the transform of the noise's tail, summed over the lattice N, N - h, ..., of T:

    P(T~ >= t) = h/(2 pi) * integral over |y| <= pi/h of exp(K(s) - s p) kernel_t(s) dy

with s = c + iy.

It is a sum of a few terms, the same for all t, each with a share that depends on where t lies
between lattice points. To the right of the pole at 1/b its residue has to be added.

**Discrete Laplace noise.** p is the last lattice point up to t, d = t - p, a = exp(-1/b), and

    kernel_t(s) = 1/expm1(h s) - [a^d/expm1(h(s - 1/b)) + a^(1-d)/expm1(h(s + 1/b))] / (1 + a).

The residue is E exp((T - t)/b) / (1 + a).

**Canonical noise** of window W = h M. Between its knots, half a window above the lattice points,
the tail is a straight line: t lies the fraction f of a step h below the knot p + 1/2, and with
a = exp(-W/b)

    kernel_t(s) = [1 - f + f exp(h s)] sinh(s W/2) / (2 M sinh(s h/2)^2)
                  * (1 - a)^2 / ((1 - a exp(s W)) (1 - a exp(-s W))).

It has M poles in a period, 2 pi / W apart on the line through 1/b, because steps of a window
keep T in its class modulo W. Where T's classes are not all alike (a low cap, or far out in the
tail), all their residues are needed.
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import Protocol, final

import numpy as np

from dpwilcoxon.arraytypes import FloatArray
from dpwilcoxon.errors import InternalError
from dpwilcoxon.noise import CanonicalNoise, DiscreteLaplace, NoiseLaw
from dpwilcoxon.nulls.base import LOG_2
from dpwilcoxon.nulls.ladder import Ladder
from dpwilcoxon.nulls.rank_transform import (
    NEGLIGIBLE,
    ComplexArray,
    log_ripple,
    log_transform,
    log_transform_from_top,
    log_transform_on_line,
)

BLOCK = 1 << 18  # values of t times poles that are in memory at a time


class Kernel(Protocol):
    """The noise's part of the integrand."""

    @property
    def pole(self) -> float:
        """1/b."""
        ...

    @property
    def residue_only(self) -> float:
        """From here on the residue is the whole tail."""
        ...

    def log_residue(self, t: FloatArray) -> FloatArray:
        """Log of what is added on the right of the pole."""
        ...

    def split(self, t: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The point p of each t, and its shares of the terms, one row for each t."""
        ...

    def terms(self, s: ComplexArray) -> ComplexArray:
        """The terms of the kernel, one column for each."""
        ...


def kernel_of(ladder: Ladder, noise: NoiseLaw) -> Kernel:
    """Return the kernel of a law of noise."""
    if isinstance(noise, CanonicalNoise):
        return CanonicalKernel(ladder, noise)
    return LaplaceKernel(ladder, noise)


@final
class LaplaceKernel:
    """Discrete Laplace noise."""

    def __init__(self, ladder: Ladder, noise: DiscreteLaplace) -> None:
        self._step, self._largest = float(ladder.step), float(ladder.largest)
        self._ratio = noise.ratio
        self.pole = 1.0 / noise.scale
        self.residue_only = self._largest
        self._log_residue_at_top = log_transform_at_top(ladder, self.pole) - math.log1p(noise.ratio)

    def log_residue(self, t: FloatArray) -> FloatArray:
        """Log of E exp((T - t)/b) / (1 + a)."""
        return np.asarray(self._log_residue_at_top - (t - self._largest) * self.pole)

    def split(self, t: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The last lattice point up to t, and what each offset makes of the three terms.

        a^(1 - d) is left a factor a^h here, or it could overflow; the third term has the other.
        """
        offset = np.mod(t - self._largest, self._step)
        share = -1.0 / (1.0 + self._ratio)
        below = share * np.exp(-offset * self.pole)
        above = share * np.exp((offset - 1.0 - self._step) * self.pole)
        return t - offset, np.stack([np.ones(offset.shape), below, above], axis=1)

    def terms(self, s: ComplexArray) -> ComplexArray:
        """The three terms of the kernel without what depends on the offset."""
        h = self._step
        below = 1.0 / np.expm1(h * (s - self.pole))
        above = np.exp(-h * s) / -np.expm1(-h * (s + self.pole))
        return np.stack([1.0 / np.expm1(h * s), below, above], axis=1)


@final
class CanonicalKernel:
    """Canonical noise, whose window is `cap` steps of the lattice."""

    def __init__(self, ladder: Ladder, noise: CanonicalNoise) -> None:
        if noise.window != ladder.step * ladder.cap:
            raise InternalError("The exact law needs a window as wide as the sensitivity.")
        self._ladder, self._window = ladder, float(noise.window)
        self._rate = 1.0 / noise.step_scale  # -log a
        self.pole = self._rate / self._window
        # where every T lies in the window around t or below, the law of the noise is one formula
        self.residue_only = ladder.largest - self._window / 2 + ladder.step

    def log_residue(self, t: FloatArray) -> FloatArray:
        """Log of the sum over all poles that count."""
        point, shares = self.split(t)
        # K(1/b) - p/b, from the top, where both are large
        log_unit = self._log_transform_at_top - (point - self._ladder.largest) * self.pole
        total = np.empty(t.shape)
        size = max(1, BLOCK // self._ordinates.size)
        for start in range(0, t.size, size):
            block = slice(start, start + size)
            turns = np.exp(-1j * np.multiply.outer(point[block], self._ordinates))
            values = np.einsum("ij,jk->ik", turns, self._residues).real
            total[block] = np.sum(values * shares[block], axis=1)
        return np.asarray(log_unit + np.log(total))

    def split(self, t: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The knot from t on, less 1/2, and the shares of it and of the next one below."""
        step, half = float(self._ladder.step), self._window / 2
        distance = self._ladder.largest + half + 0.5 - t
        below = np.floor(distance / step)
        fraction = distance / step - below
        point = self._ladder.largest + half - step * below
        return point, np.stack([1.0 - fraction, fraction], axis=1)

    def terms(self, s: ComplexArray) -> ComplexArray:
        """The kernel at a knot, and at the next one below."""
        window, step = self._window, float(self._ladder.step)
        missing = math.expm1(-self._rate)
        steps = missing**2 / (
            np.expm1(window * s - self._rate) * np.expm1(-window * s - self._rate)
        )
        flat = np.sinh(s * window / 2) / (2 * self._ladder.cap * np.sinh(s * step / 2) ** 2)
        return np.stack([steps * flat, steps * flat * np.exp(step * s)], axis=1)

    @cached_property
    def _log_transform_at_top(self) -> float:
        return log_transform_at_top(self._ladder, self.pole)

    @cached_property
    def _ordinates(self) -> FloatArray:
        """Those of the poles in half a period; of the first alone where the others are nothing."""
        alone = log_ripple(self._ladder, self.pole) < NEGLIGIBLE
        last = 0 if alone else self._ladder.cap // 2
        return np.asarray(2.0 * math.pi / self._window * np.arange(last + 1, dtype=np.float64))

    @cached_property
    def _residues(self) -> ComplexArray:
        """exp(K(s) - K(1/b)) times the residue of either term, at every pole."""
        poles, cap = self.pole + 1j * self._ordinates, self._ladder.cap
        log_modulus, phase = log_transform_on_line(self._ladder, self.pole, self._ordinates)
        # sinh(s W/2) changes its sign from each pole to the next
        sign = np.where(np.arange(poles.size) % 2, -1.0, 1.0)
        flat = sign * math.sinh(self._rate / 2) / (2 * np.sinh(poles * self._ladder.step / 2) ** 2)
        values = np.exp(log_modulus - log_modulus[0] + 1j * phase) * flat
        values *= math.tanh(self._rate / 2) / cap**2
        values[1:] *= 2.0  # with the conjugate poles of the other half
        if poles.size > 1 and cap % 2 == 0:
            values[-1] /= 2.0  # which is its own conjugate, half a period away
        return np.stack([values, values * np.exp(self._ladder.step * poles)], axis=1)


def log_transform_at_top(ladder: Ladder, s: float) -> float:
    """K(s) - largest * s, from whichever form has the smaller terms."""
    if ladder.largest * s > ladder.n:
        return log_transform_from_top(ladder, s) - ladder.n * LOG_2
    return log_transform(ladder, s) - ladder.largest * s

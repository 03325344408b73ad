"""The Laplace transform of the signed-rank statistic without ties and zeros.

Under H0 the doubled statistic is T = sum of +-2i over the ranks i = 1..n with fair signs, so

    K(s) = log E exp(s T) = sum over i = 1..n of log cosh(2 i s).

A sum of n smooth terms is no dearer than a sum of 64: :func:`gauss_rule` is the Gauss quadrature
of the uniform measure on the integers 1..n, exact for polynomials of degree 127. Where the terms
are not smooth enough (far out in the tail, n below some thousands) they are summed one by one.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dpwilcoxon.arraytypes import FloatArray
from dpwilcoxon.nulls.base import LOG_2

GAUSS_NODES = 64
DIRECT_RANKS = 256  # up to here the sum is always taken term by term
LEAST_RADIUS = 1.34  # radius ** -(2 * GAUSS_NODES) < 1e-16
SATURATION = 18.0  # from x = 18 on, log cosh(x) is x - log 2 to the last digit
SHRINKAGE = 0.75

ComplexArray: TypeAlias = NDArray[np.complexfloating[Any, Any]]
RankRule: TypeAlias = tuple[FloatArray, FloatArray]


def direct_rule(n: int) -> RankRule:
    """The ranks 1..n, each with weight 1."""
    return np.arange(1.0, n + 1.0), np.ones(n)


@lru_cache(maxsize=128)
def gauss_rule(n: int) -> RankRule:
    """Return nodes and weights with sum f(i) over i = 1..n equal to sum weight * f(node).

    Golub and Welsch's method on the recurrence of the discrete Chebyshev (Gram) polynomials. The
    solver for tridiagonal matrices starts no threads: `numpy.linalg.eigh` does, and its 0.5 ms
    become 100 ms on a machine that is busy.
    """
    from scipy.linalg import eigh_tridiagonal

    degree = np.arange(1.0, GAUSS_NODES)
    off_diagonal = degree * np.sqrt((n**2 - degree**2) / (4.0 * (4.0 * degree**2 - 1.0)))
    nodes, vectors = eigh_tridiagonal(np.zeros(GAUSS_NODES), off_diagonal, lapack_driver="stemr")
    return (n + 1) / 2 + nodes, n * vectors[0] ** 2


def rank_rule(n: int, s: ComplexArray) -> RankRule:
    """A rule that sums log cosh(2 i s) over i = 1..n to rounding, for every given s.

    The terms, as a function of i, are analytic up to i = +-(i pi / 4) / s. The Gauss rule
    converges like the radius of the largest ellipse around [1, n] without that point.
    """
    if n <= DIRECT_RANKS:
        return direct_rule(n)
    singular = (0.5j * math.pi / s - (n + 1)) / (n - 1)
    root = np.sqrt(singular * singular - 1.0)
    radius = np.maximum(np.abs(singular + root), np.abs(singular - root))
    return gauss_rule(n) if radius.min() >= LEAST_RADIUS else direct_rule(n)


def log_transform(n: int, s: float) -> float:
    """K(s) for real s > 0."""
    active = _active_ranks(n, s)
    ranks, weights = rank_rule(active, np.array([s + 0j]))
    x = 2.0 * s * ranks
    small = np.log1p(2.0 * np.sinh(0.5 * np.minimum(x, 1.0)) ** 2)
    large = x - LOG_2 + np.log1p(np.exp(-2.0 * x))
    saturated = _saturated_part(n, active) * s - (n - active) * LOG_2
    return float(weights @ np.where(x < 1.0, small, large)) + saturated


def log_transform_from_top(n: int, s: float) -> float:
    """K(s) - n(n+1) s + n log 2, for real s > 0, without cancellation where s is large."""
    ranks, weights = rank_rule(_active_ranks(n, s), np.array([s + 0j]))
    return float(weights @ np.log1p(np.exp(-4.0 * s * ranks)))


def log_transform_on_line(
    n: int, abscissa: float, ordinates: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Real and imaginary part of K(abscissa + i ordinate), for abscissa > 0.

    |cosh(a + ib)|^2 = 1 + sinh(a)^2 - sin(b)^2 keeps its relative accuracy near zero. The
    imaginary part must not jump by 2 pi from rank to rank, or the Gauss rule would fail; it stays
    within pi/2 of b.
    """
    active = _active_ranks(n, abscissa)
    ranks, weights = rank_rule(active, abscissa + 1j * ordinates)
    a = 2.0 * abscissa * ranks[:, np.newaxis]
    b = 2.0 * np.multiply.outer(ranks, ordinates)
    sine = np.sin(b)
    real = 0.5 * np.log1p(np.sinh(a) ** 2 - sine**2)
    principal = np.arctan2(np.tanh(a) * sine, np.cos(b))
    imaginary = principal + 2.0 * math.pi * np.rint((b - principal) / (2.0 * math.pi))
    rest = _saturated_part(n, active)
    # einsum, unlike @, starts no threads either
    return (
        np.einsum("i,ij->j", weights, real) + rest * abscissa - (n - active) * LOG_2,
        np.einsum("i,ij->j", weights, imaginary) + rest * ordinates,
    )


def tilted_moments(n: int, s: float) -> tuple[float, float]:
    """K'(s) and sqrt(K''(s)): mean and standard deviation of T tilted by exp(s T), s > 0."""
    active = _active_ranks(n, s)
    ranks, weights = rank_rule(active, np.array([s + 0j]))
    slope = np.tanh(2.0 * s * ranks)
    mean = float(weights @ (2.0 * ranks * slope)) + _saturated_part(n, active)
    variance = float(weights @ (4.0 * ranks**2 * (1.0 - slope) * (1.0 + slope)))
    return mean, math.sqrt(variance)


def _active_ranks(n: int, s: float) -> int:
    """How many of the ranks are not saturated at s; in few sizes, so that rules are reused."""
    while 2.0 * s * (fewer := int(SHRINKAGE * n)) > SATURATION:
        n = fewer
    return n


def _saturated_part(n: int, active: int) -> float:
    """Sum of 2 i over the ranks active + 1 .. n, where log cosh(2 i s) is 2 i s - log 2."""
    return float(n * (n + 1) - active * (active + 1))

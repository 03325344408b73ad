r"""The Laplace transform of a signed-rank statistic without ties and zeros.

Under H0 the statistic is T = sum of +-a(r) over the ranks r = 1..n with fair signs, where the
scores a(r) = unit * min(r, cap) climb up to the cap and then stay, so

    K(s) = log E exp(s T) = sum over r = 1..cap of log cosh(unit r s)
                            + (n - cap) log cosh(unit cap s).

A sum of many smooth terms is no dearer than a sum of 64: :func:`gauss_rule` is the Gauss quadrature
of the uniform measure on the integers 1..n, exact for polynomials of degree 127. Where the terms
are not smooth enough (far out in the tail, below some thousands) they are summed one by one.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dpwilcoxon.arraytypes import FloatArray
from dpwilcoxon.nulls.base import LOG_2
from dpwilcoxon.nulls.ladder import Ladder

GAUSS_NODES = 64
DIRECT_RANKS = 256  # up to here the sum is always taken term by term
LEAST_RADIUS = 1.34  # radius ** -(2 * GAUSS_NODES) < 1e-16
SATURATION = 18.0  # from x = 18 on, log cosh(x) is x - log 2 to the last digit
SHRINKAGE = 0.75
NEGLIGIBLE = math.log(1e-14)  # a ripple of the transform that need not be followed
BLOCK_TERMS = 1 << 18  # ranks times ordinates that are in memory at a time

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


def rank_rule(n: int, x: ComplexArray) -> RankRule:
    """A rule that sums log cosh(i x) over i = 1..n to rounding, for every given x.

    The terms, as a function of i, are analytic up to i = +-(i pi / 2) / x. The Gauss rule
    converges like the radius of the largest ellipse around [1, n] without that point.
    """
    if n <= DIRECT_RANKS:
        return direct_rule(n)
    singular = (1j * math.pi / x - (n + 1)) / (n - 1)
    root = np.sqrt(singular * singular - 1.0)
    radius = np.maximum(np.abs(singular + root), np.abs(singular - root))
    return gauss_rule(n) if radius.min() >= LEAST_RADIUS else direct_rule(n)


def log_transform(ladder: Ladder, s: float) -> float:
    """K(s) for real s > 0."""
    active = _active_ranks(ladder, s)
    ranks, weights = _rule_with_plateau(ladder, active, s)
    x = ladder.unit * s * ranks
    small = np.log1p(2.0 * np.sinh(0.5 * np.minimum(x, 1.0)) ** 2)
    large = x - LOG_2 + np.log1p(np.exp(-2.0 * x))
    saturated = _saturated_part(ladder, active) * s - (ladder.cap - active) * LOG_2
    return float(weights @ np.where(x < 1.0, small, large)) + saturated


def log_transform_from_top(ladder: Ladder, s: float) -> float:
    """K(s) - largest * s + n log 2, for real s > 0, without cancellation where s is large."""
    ranks, weights = _rule_with_plateau(ladder, _active_ranks(ladder, s), s)
    return float(weights @ np.log1p(np.exp(-2.0 * ladder.unit * s * ranks)))


def log_transform_on_line(
    ladder: Ladder, abscissa: float, ordinates: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Real and imaginary part of K(abscissa + i ordinate), for abscissa > 0."""
    active = _active_ranks(ladder, abscissa)
    line = ladder.unit * (abscissa + 1j * ordinates)
    ranks, weights = rank_rule(active, line)
    block = max(1, BLOCK_TERMS // ranks.size)
    blocks = [ordinates[first : first + block] for first in range(0, ordinates.size, block)]
    parts = [_ramp_on_line(ladder, ranks, weights, abscissa, part) for part in blocks]
    real, imaginary = (np.concatenate(part) for part in zip(*parts, strict=True))
    rest = _saturated_part(ladder, active)
    real += rest * abscissa - (ladder.cap - active) * LOG_2
    imaginary += rest * ordinates
    if not ladder.plateau:
        return real, imaginary
    log_modulus, phase = plateau_on_line(ladder, abscissa, ordinates)
    return real + log_modulus, imaginary + phase


def _ramp_on_line(
    ladder: Ladder, ranks: FloatArray, weights: FloatArray, abscissa: float, ordinates: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """The part of the ranks up to the cap that are not saturated.

    |cosh(a + ib)|^2 = 1 + sinh(a)^2 - sin(b)^2 keeps its relative accuracy near zero. The
    imaginary part must not jump by 2 pi from rank to rank, or the Gauss rule would fail; it stays
    within pi/2 of b.
    """
    a = ladder.unit * abscissa * ranks[:, np.newaxis]
    b = ladder.unit * np.multiply.outer(ranks, ordinates)
    sine = np.sin(b)
    with np.errstate(divide="ignore"):  # a zero of cosh
        real = 0.5 * np.log1p(np.sinh(a) ** 2 - sine**2)
    principal = np.arctan2(np.tanh(a) * sine, np.cos(b))
    imaginary = principal + 2.0 * math.pi * np.rint((b - principal) / (2.0 * math.pi))
    # einsum, unlike @, starts no threads either
    return np.einsum("i,ij->j", weights, real), np.einsum("i,ij->j", weights, imaginary)


def plateau_on_line(
    ladder: Ladder, abscissa: float, ordinates: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """The part of the rows beyond the cap, all of one score; the imaginary part up to 2 pi."""
    a = ladder.unit * ladder.cap * abscissa
    b = ladder.unit * ladder.cap * ordinates
    if a < 1.0:
        with np.errstate(divide="ignore"):  # a zero of cosh
            log_modulus = 0.5 * np.log1p(math.sinh(a) ** 2 - np.sin(b) ** 2)
    else:
        fading = 2.0 * math.exp(-2.0 * a) * np.cos(2.0 * b) + math.exp(-4.0 * a)
        log_modulus = a - LOG_2 + 0.5 * np.log1p(fading)
    phase = np.arctan2(math.tanh(a) * np.sin(b), np.cos(b))
    return ladder.plateau * log_modulus, ladder.plateau * phase


def tilted_moments(ladder: Ladder, s: float) -> tuple[float, float]:
    """K'(s) and sqrt(K''(s)): mean and standard deviation of T tilted by exp(s T), s > 0."""
    active = _active_ranks(ladder, s)
    ranks, weights = _rule_with_plateau(ladder, active, s)
    score = ladder.unit * ranks
    mean = float(weights @ (score * np.tanh(score * s))) + _saturated_part(ladder, active)
    fading = np.exp(-2.0 * score * s)
    variance = float(weights @ (4.0 * score**2 * fading / (1.0 + fading) ** 2))
    return mean, math.sqrt(variance)


def log_ripple(ladder: Ladder, s: float) -> float:
    """About the largest log |E exp((s + iy) T)| - K(s) that the ranks leave away from y = 0.

    Where cosines of the ranks' multiples of an angle are as large as they get (a third of a
    circle), two thirds of the ranks damp the transform as if their angles were all alike.
    """
    ranks, weights = _rule_of_ramp(_active_ranks(ladder, s), s * ladder.unit)
    damping = np.log1p(np.exp(-2.0 * ladder.unit * s * ranks))
    return -2.0 / 3.0 * float(weights @ damping)


def _rule_with_plateau(ladder: Ladder, active: int, s: float) -> RankRule:
    """The rule for the ranks 1..active and real s, and the rows beyond the cap as one more node."""
    ranks, weights = _rule_of_ramp(active, ladder.unit * s)
    if not ladder.plateau:
        return ranks, weights
    return np.append(ranks, float(ladder.cap)), np.append(weights, float(ladder.plateau))


def _rule_of_ramp(active: int, x: float) -> RankRule:
    return rank_rule(active, np.array([x + 0j]))


def _active_ranks(ladder: Ladder, s: float) -> int:
    """How many of the ranks up to the cap are not saturated; in few sizes, to reuse rules."""
    active = ladder.cap
    while ladder.unit * s * (fewer := int(SHRINKAGE * active)) > SATURATION:
        active = fewer
    return active


def _saturated_part(ladder: Ladder, active: int) -> float:
    """Sum of the scores of the ranks active + 1 .. cap, where log cosh(x) is x - log 2."""
    cap = ladder.cap
    return float(ladder.unit * (cap * (cap + 1) - active * (active + 1)) // 2)

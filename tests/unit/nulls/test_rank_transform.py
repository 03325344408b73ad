"""The Laplace transform of the signed-rank sum."""

import cmath
import math

import numpy as np
import pytest

from dpwilcoxon.nulls.ladder import Ladder
from dpwilcoxon.nulls.rank_transform import (
    DIRECT_RANKS,
    direct_rule,
    gauss_rule,
    log_transform,
    log_transform_from_top,
    log_transform_on_line,
    rank_rule,
    tilted_moments,
)


@pytest.mark.parametrize("n", [DIRECT_RANKS + 1, 5000, 100_000])
def test_gauss_rule_sums_polynomials_exactly(n):
    """Sum of i^k over 1..n is reproduced to rounding for k up to 100."""
    nodes, weights = gauss_rule(n)
    for power in (0, 1, 2, 7, 30, 100):
        true = math.fsum((i / n) ** power for i in range(1, n + 1))
        assert weights @ (nodes / n) ** power == pytest.approx(true, rel=1e-13)


LADDERS = [Ladder(3, 3, 2), Ladder(40, 40, 2), Ladder(300, 300, 2), Ladder(3000, 3000, 2)]
LADDERS += [Ladder(40, 1, 1), Ladder(40, 7, 128), Ladder(3000, 12, 2), Ladder(3000, 700, 8)]


def scores_of(ladder):
    """Every score, one by one."""
    return [ladder.unit * min(rank, ladder.cap) for rank in range(1, ladder.n + 1)]


@pytest.mark.parametrize("ladder", LADDERS, ids=str)
def test_transform_is_the_product_over_ranks(ladder):
    """K(s) is the sum of log cosh(a(r) s), real or complex, from small to saturating s."""
    n, sigma = ladder.n, ladder.deviation
    for abscissa in (1e-6 / sigma, 0.8 / sigma, 5 / sigma, 30 / sigma, 0.6 / ladder.unit):
        terms = [
            math.log1p(2 * math.sinh(x / 2) ** 2)
            if x < 1
            else x + math.log1p(math.exp(-2 * x)) - math.log(2)
            for x in (score * abscissa for score in scores_of(ladder))
        ]
        assert log_transform(ladder, abscissa) == pytest.approx(math.fsum(terms), rel=1e-13)
        ordinates = np.array([0.0, 0.5 / sigma, 3 / sigma, 9 / sigma])
        modulus, phase = log_transform_on_line(ladder, abscissa, ordinates)
        for y, log_modulus, angle in zip(ordinates, modulus, phase, strict=True):
            s = complex(abscissa, y)
            logs = [a * s + cmath.log(1 + cmath.exp(-2 * a * s)) for a in scores_of(ladder)]
            real = math.fsum(z.real for z in logs) - n * math.log(2)
            imaginary = math.fsum(z.imag for z in logs)
            assert log_modulus == pytest.approx(real, rel=1e-12, abs=1e-11)
            assert math.remainder(angle - imaginary, 2 * math.pi) == pytest.approx(0, abs=1e-10)


def test_transform_from_the_top_is_the_same_function():
    """K(s) - largest * s + n log 2, where both forms are accurate."""
    for n, cap, s in ((5, 5, 0.2), (300, 300, 0.01), (300, 20, 0.02), (4000, 4000, 0.001)):
        ladder = Ladder(n, cap, 2)
        expected = log_transform(ladder, s) - ladder.largest * s + n * math.log(2)
        assert log_transform_from_top(ladder, s) == pytest.approx(expected, rel=1e-9)


def test_tilted_moments_are_derivatives():
    """Mean and variance of the tilted law are the first two derivatives of K."""
    for n, cap, s in ((4, 4, 0.1), (500, 500, 0.002), (500, 9, 0.03), (20_000, 20_000, 1e-5)):
        ladder = Ladder(n, cap, 2)
        mean, deviation = tilted_moments(ladder, s)
        values = [log_transform(ladder, s * (1 + h)) for h in (-1e-3, 0, 1e-3)]
        assert mean == pytest.approx((values[2] - values[0]) / (2e-3 * s), rel=1e-5)
        second = (values[2] - 2 * values[1] + values[0]) / (1e-3 * s) ** 2
        assert deviation**2 == pytest.approx(second, rel=1e-4)


def test_rule_falls_back_where_terms_are_not_smooth():
    """Few ranks, or a zero of cosh close by, are summed one by one; else 64 nodes do."""
    assert rank_rule(10, np.array([0.02 + 0j]))[0].size == 10
    assert rank_rule(5000, np.array([2e-5 + 0j]))[0].size == 64
    nearby_zero = np.array([2e-4 + 0.02j])
    assert rank_rule(5000, nearby_zero)[0].size == direct_rule(5000)[0].size

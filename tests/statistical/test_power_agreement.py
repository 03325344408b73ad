"""Estimated powers against a brute-force simulation that shares no code with them.

Pairs are drawn as pairs, the statistic is SciPy's, the noise is drawn and added, and the outcome is
a yes or no. `python -m benchmarks.power` does the same at full size.
"""

import math
from itertools import product

import numpy as np
import pytest
from scipy import stats

import dpwilcoxon as dpw
from dpwilcoxon.studies.cases import Case
from dpwilcoxon.studies.comparison import powers
from dpwilcoxon.studies.models import Population
from dpwilcoxon.studies.planned import PlannedTest

REPLICATES = 4000
GRID = list(product((6, 25, 70), (0.3, 3), (0.0, 0.8), (0.0, 0.3)))


def draw_differences(rng, n, effect, zero_fraction):
    """Two normal measurements of each pair; the first pairs do not change."""
    before = rng.normal(0, 1, (REPLICATES, n))
    after = rng.normal(effect, 1, (REPLICATES, n))
    unchanged = math.floor(zero_fraction * n + 0.5)
    after[:, :unchanged] = before[:, :unchanged]
    return after - before


def scipy_test(differences):
    """SciPy's doubled w with zeros ranked, and its two-sided p-value with zeros dropped."""
    n = differences.shape[1]
    options = {"axis": 1, "correction": False, "method": "asymptotic"}
    upper = stats.wilcoxon(differences, zero_method="pratt", alternative="greater", **options)
    zeros = np.count_nonzero(differences == 0, axis=1)
    ranks = (n * (n + 1) - zeros * (zeros + 1)) / 2
    dropped = stats.wilcoxon(differences, zero_method="wilcox", **options)
    return 2 * (2 * upper.statistic - ranks), dropped.pvalue


def draw_noise(rng, scale):
    """The discrete Laplace law as a difference of two geometric variables."""
    p = -math.expm1(-1 / scale)
    return rng.geometric(p, REPLICATES) - rng.geometric(p, REPLICATES)


def brute_force(n, epsilon, effect, zero_fraction, *, scale=None):
    """Which of many private tests reject."""
    rng = np.random.default_rng([n, round(10 * epsilon), round(10 * effect)])
    totals, _ = scipy_test(draw_differences(rng, n, effect, zero_fraction))
    noisy = totals + draw_noise(rng, scale or 4 * n / epsilon)
    return np.abs(noisy) / 2 >= dpw.critical_value(n, epsilon)


@pytest.mark.parametrize("design", GRID)
def test_pratt(design):
    """Two-sided power within 4 standard errors of 4,000 brute-force tests.

    24 designs: a correct program fails one of them once in 600 runs of fresh luck.
    """
    *asked, zero_fraction = design
    estimate = dpw.power(*asked, zero_fraction=zero_fraction, replicates=10_000, rng=1)
    assert distance(brute_force(*design), estimate) < 4


def canonical_rejects(n, epsilon, effect, zero_fraction, *, window=None):
    """As `brute_force`, the noise drawn as steps of windows and a place in one of two windows."""
    rng = np.random.default_rng([n, round(10 * epsilon), round(10 * effect), 1])
    window, half = window or 4 * n, (window or 4 * n) // 2
    totals, _ = scipy_test(draw_differences(rng, n, effect, zero_fraction))
    place = rng.integers(-half, half, REPLICATES) + rng.integers(0, 2, REPLICATES)
    noisy = totals + window * draw_noise(rng, 1 / epsilon) + place
    return np.abs(noisy) / 2 >= dpw.critical_value(n, epsilon, noise="canonical")


@pytest.mark.parametrize("design", GRID)
def test_pratt_with_canonical_noise(design):
    """Likewise, 24 designs: critical values, noise and power, and type I error without effect."""
    *asked, zero_fraction = design
    estimate = dpw.power(
        *asked, zero_fraction=zero_fraction, noise="canonical", replicates=10_000, rng=1
    )
    assert distance(canonical_rejects(*design), estimate) < 4


@pytest.mark.parametrize("factor", [0.8, 1.25])
def test_a_wrong_window_is_seen(factor):
    """Windows a quarter larger or a fifth smaller are more than 6 standard errors away."""
    rejects = canonical_rejects(70, 0.3, 0.0, 0.0, window=2 * round(factor * 140))
    estimate = dpw.power(70, 0.3, 0, noise="canonical", replicates=10_000, rng=1)
    assert distance(rejects, estimate) > 6


@pytest.mark.parametrize("factor", [0.8, 1.25])
def test_a_wrong_noise_scale_is_seen(factor):
    """Noise a quarter larger or a fifth smaller is more than 6 standard errors away.

    Seen where nothing changes; a power near one half hardly depends on the noise.
    """
    rejects = brute_force(70, 0.3, 0.0, 0.0, scale=factor * 4 * 70 / 0.3)
    estimate = dpw.power(70, 0.3, 0, replicates=10_000, rng=1)
    assert distance(rejects, estimate) > 6


@pytest.mark.parametrize(
    ("n", "effect", "zero_fraction"), list(product((25, 70), (0.0, 0.6), (0, 0.3)))
)
def test_public(n, effect, zero_fraction):
    """The test without privacy, likewise: 8 designs."""
    rng = np.random.default_rng([n, round(10 * effect)])
    _, pvalues = scipy_test(draw_differences(rng, n, effect, zero_fraction))
    estimate = dpw.power(
        n, 1, effect, procedure="public", zero_fraction=zero_fraction, replicates=10_000, rng=1
    )
    assert distance(pvalues <= 0.05, estimate) < 4


def distance(rejects, estimate):
    """How many standard errors two independent estimates are apart."""
    rate = rejects.mean()
    error = math.hypot(
        math.sqrt(max(rate * (1 - rate), 1e-4) / rejects.size), estimate.standard_error
    )
    return abs(rate - estimate.power) / error


def pvalue_distribution(population, n_pairs, levels, replicates):
    """How often p-values are at most each level: a test at each, on the same samples."""
    cases = [Case(population, PlannedTest.parse("pratt", 1, each), n_pairs) for each in levels]
    return powers(cases, replicates=replicates, seed=3)


@pytest.mark.parametrize(("zero_fraction", "slack"), [(0.0, 1e-4), (0.3, 5e-3)])
def test_pvalues_under_the_null_are_uniform(zero_fraction, slack):
    """P(p <= level) is the level at 19 levels: 40,000 replicates, four standard errors.

    The slack is one lattice point where no pair is zero. With 30% zeros the variance of the
    statistic is 2.7% smaller than that of the null, which moves no level by more than 0.005.
    """
    levels = np.arange(1, 20) / 20
    rates = pvalue_distribution(Population(zero_fraction=zero_fraction), 200, levels, 40_000)
    for level, rate in zip(levels, rates, strict=True):
        assert abs(rate.probability - level) < 4 * rate.standard_error + slack


def test_pvalues_are_conservative_with_many_zeros():
    """With 90% zeros small p-values are rarer than they should be, as the paper's appendix says."""
    rates = pvalue_distribution(Population(zero_fraction=0.9), 500, [0.01, 0.05, 0.2], 10_000)
    for level, rate in zip([0.01, 0.05, 0.2], rates, strict=True):
        assert rate.probability < 0.8 * level

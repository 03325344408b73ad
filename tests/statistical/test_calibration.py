"""Type I error: p-values under H0 with and without zeros."""

import numpy as np
import pytest
from scipy.stats import kstest

import dpwilcoxon as dpw
from dpwilcoxon.noise import DiscreteLaplace
from dpwilcoxon.nulls.normal_laplace import NormalLaplaceNull
from dpwilcoxon.parameters import Alternative, Epsilon

N_PAIRS, REPLICATES = 500, 20_000


def simulated_releases(zero_fraction: float, rng: np.random.Generator) -> np.ndarray:
    """Doubled Pratt statistics of null samples plus simulated discrete Laplace noise.

    The statistic is computed the long way, from sorted ranks, and the noise as a difference of
    two geometrics, so nothing here leans on the code under test.
    """
    zeros = round(zero_fraction * N_PAIRS)
    ranks = np.arange(1, N_PAIRS + 1)
    signs = rng.choice([-1, 1], size=(REPLICATES, N_PAIRS))
    statistic = 2 * (signs[:, zeros:] * ranks[zeros:]).sum(axis=1)
    success = -np.expm1(-1.0 / (4 * N_PAIRS))
    first, second = rng.geometric(success, size=(2, REPLICATES))
    return statistic + first - second


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_pvalues_of_continuous_data_are_uniform(alternative):
    """20,000 null samples without zeros, n = 500, epsilon 1; Kolmogorov-Smirnov at 1e-6.

    A distribution function that is off by 0.03 anywhere is found with probability above 0.99.
    """
    releases = simulated_releases(0.0, np.random.default_rng(1))
    pvalues = dpw.pvalue(releases / 2, N_PAIRS, 1, alternative=alternative)
    assert kstest(pvalues, "uniform").pvalue > 1e-6


@pytest.mark.parametrize("zero_fraction", [0.3, 0.9])
def test_with_zeros_pvalues_follow_the_true_smaller_variance(zero_fraction):
    """The variance is the sum of squared ranks above the zeros; same sample size and threshold.

    The released p-value p stands for a critical value c(p); the chance to pass it is predicted
    from the smaller variance. Transformed so, the p-values are uniform; untransformed, those of
    90% zeros are not.
    """
    releases = simulated_releases(zero_fraction, np.random.default_rng(2))
    zeros = round(zero_fraction * N_PAIRS)
    ranks = np.arange(zeros + 1, N_PAIRS + 1)
    noise = DiscreteLaplace.protecting(4 * N_PAIRS, Epsilon.parse(1))
    true_null = NormalLaplaceNull(2 * np.sqrt((ranks.astype(float) ** 2).sum()), noise)
    predicted = true_null.pvalue(releases, Alternative.TWO_SIDED)
    assert kstest(predicted, "uniform").pvalue > 1e-6
    if zero_fraction == 0.9:
        pvalues = dpw.pvalue(releases / 2, N_PAIRS, 1)
        assert kstest(pvalues, "uniform").pvalue < 1e-6


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.1])
def test_ninety_percent_zeros_make_the_test_conservative(alpha):
    """As the paper's appendix says: type I error falls below alpha, by more than 4 errors."""
    releases = simulated_releases(0.9, np.random.default_rng(3))
    rejected = np.mean(dpw.pvalue(releases / 2, N_PAIRS, 1) <= alpha)
    standard_error = np.sqrt(alpha * (1 - alpha) / REPLICATES)
    assert rejected < alpha - 4 * standard_error


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.1])
def test_thirty_percent_zeros_have_no_noticeable_effect(alpha):
    """Type I error stays within 4 standard errors plus 3% of alpha."""
    releases = simulated_releases(0.3, np.random.default_rng(4))
    rejected = np.mean(dpw.pvalue(releases / 2, N_PAIRS, 1) <= alpha)
    standard_error = np.sqrt(alpha * (1 - alpha) / REPLICATES)
    assert alpha * 0.97 - 4 * standard_error < rejected < alpha + 4 * standard_error

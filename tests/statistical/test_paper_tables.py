"""Every critical value printed in the paper, against the closed form.

The paper took quantiles of 10 million draws and rounded them. So a printed value may differ from
the true quantile by half a printed unit plus a Monte Carlo error; we allow 4 standard errors,
sqrt(alpha (1 - alpha) / c) / density. Columns that were not simulated get the half unit alone.
Run with `-s` to see the largest deviation of each table in units of its tolerance.
"""

import math
from statistics import NormalDist

import numpy as np
import pytest

from dpwilcoxon.nulls.normal_laplace import log_density, upper_tail_point

DRAWS = 10_000_000
STANDARD_ERRORS = 4.0

# Appendix "Critical Value Tables": w~ itself, two-sided alpha.
TWO_SIDED_ALPHAS = np.array([0.05, 0.025, 0.01, 0.005])
SIZES = np.array([10, 20, 30, 40, 50, 75, 100, 200, 300, 400, 500, 1000])
BY_EPSILON = {
    1.0: """
        70 83 102 116
        155 183 220 248
        256 299 355 397
        369 429 506 562
        494 572 670 742
        854 984 1143 1257
        1271 1460 1690 1853
        3402 3895 4486 4900
        6127 7012 8069 8798
        9335 10679 12276 13382
        12978 14845 17061 18592
        36235 41443 47637 51906""",
    0.1: """
        600 739 922 1061
        1202 1479 1846 2123
        1806 2220 2770 3185
        2413 2968 3704 4261
        3018 3713 4628 5324
        4541 5577 6954 7989
        6073 7461 9294 10677
        12328 15098 18767 21531
        18733 22892 28391 32519
        25296 30837 38193 43736
        32054 38979 48128 55083
        68258 82120 100408 114230""",
    0.01: """
        5992 7377 9209 10596
        11971 14742 18416 21196
        17976 22137 27644 31774
        23974 29516 36877 42425
        29964 36905 46081 53034
        44933 55371 69105 79513
        59921 73792 92066 106005
        119902 147619 184222 212010
        179942 221477 276678 317895
        239695 295106 368374 423528
        299627 368763 460256 529522
        600096 738071 921529 1061150""",
}

# Tables "Critical Value Comparison": w~ / sigma, one-sided alpha, by n and then epsilon;
# columns Public, New, TC.
ONE_SIDED_ALPHAS = np.array([0.1, 0.05, 0.025])
COMPARISON = {
    (100, 1.0): "1.282 1.417 2.680  1.645 1.826 3.091  1.960 2.186 3.511",
    (100, 0.1): "1.282 5.684 14.786  1.645 8.063 15.197  1.960 10.438 15.617",
    (100, 0.01): "1.282 55.350 135.843  1.645 79.233 136.254  1.960 103.116 136.674",
    (1000, 1.0): "1.282 1.296 1.763  1.645 1.665 2.174  1.960 1.984 2.594",
    (1000, 0.1): "1.282 2.203 5.617  1.645 2.975 6.028  1.960 3.740 6.448",
    (1000, 0.01): "1.282 17.681 44.157  1.645 25.234 44.568  1.960 32.844 44.988",
}
GAMMA = 0.01


def numbers(text):
    """The printed numbers of a table, in reading order."""
    return np.array([float(word) for word in text.split()])


def sigma_of(n):
    """Standard deviation of w under H0."""
    return math.sqrt(n * (n + 1) * (2 * n + 1) / 6)


def quantile_and_error(n, epsilon, one_sided):
    """The upper point of w~ with that tail, and the density there."""
    sigma, scale = sigma_of(n), 2 * n / epsilon
    point = upper_tail_point(np.log(one_sided), sigma, scale)
    return point, np.exp(log_density(point, sigma, scale))


def worst(printed, computed, tolerance, table):
    """The largest deviation in units of its tolerance, printed and returned."""
    deviation = np.max(np.abs(printed - computed) / tolerance)
    print(f"{table}: largest deviation {deviation:.2f} of its tolerance")  # noqa: T201 - shown by -s
    return deviation


def task_clifton(n, epsilon, alpha):
    """z_{1-beta} + g with m = n non-zero rows, which is neither of the two TC variants."""
    beta = (alpha - GAMMA) / (1 - GAMMA)
    noise_bound = -math.log(2 * GAMMA) * (2 * n / sigma_of(n)) / epsilon
    return NormalDist().inv_cdf(1 - beta) + noise_bound


@pytest.mark.parametrize("epsilon", BY_EPSILON)
def test_tables_by_epsilon(epsilon):
    """The 48 two-sided critical values of each table: quantiles of |w~|, density 2 f."""
    printed = numbers(BY_EPSILON[epsilon]).reshape(SIZES.size, TWO_SIDED_ALPHAS.size)
    alpha = TWO_SIDED_ALPHAS
    rows = [quantile_and_error(int(n), epsilon, alpha / 2) for n in SIZES]
    computed, density = (np.array(column) for column in zip(*rows, strict=True))
    error = np.sqrt(alpha * (1 - alpha) / DRAWS) / (2 * density)
    assert worst(printed, computed, 0.5 + STANDARD_ERRORS * error, f"epsilon = {epsilon}") <= 1


@pytest.mark.parametrize("n", [100, 1000])
def test_comparison_tables_new_column(n):
    """The normalised one-sided critical values of the paper's own test."""
    deviations = []
    for epsilon in (1.0, 0.1, 0.01):
        printed = numbers(COMPARISON[n, epsilon]).reshape(3, 3)[:, 1]
        alpha, sigma = ONE_SIDED_ALPHAS, sigma_of(n)
        point, density = quantile_and_error(n, epsilon, alpha)
        error = np.sqrt(alpha * (1 - alpha) / DRAWS) / (density * sigma)
        tolerance = 0.0005 + STANDARD_ERRORS * error
        table = f"n = {n}, epsilon = {epsilon}, New"
        deviations.append(worst(printed, point / sigma, tolerance, table))
    assert max(deviations) <= 1


@pytest.mark.parametrize("design", COMPARISON)
def test_comparison_tables_public_and_tc_columns(design):
    """Normal quantiles, and TC's bound with m = n, to half a unit of the third decimal."""
    printed = numbers(COMPARISON[design]).reshape(3, 3)
    public = [NormalDist().inv_cdf(1 - alpha) for alpha in ONE_SIDED_ALPHAS]
    assert worst(printed[:, 0], public, 0.0005, f"{design}, Public") <= 1.001
    bound = [task_clifton(*design, alpha) for alpha in ONE_SIDED_ALPHAS]
    assert worst(printed[:, 2], bound, 0.0005, f"{design}, TC") <= 1.001


def test_tolerance_can_fail():
    """A noise scale off by 1% misses n = 100, epsilon = .1 by more than twice its tolerance."""
    printed = numbers(BY_EPSILON[0.1]).reshape(SIZES.size, TWO_SIDED_ALPHAS.size)[6]
    alpha = TWO_SIDED_ALPHAS
    computed, density = quantile_and_error(100, 0.1 / 1.01, alpha / 2)
    error = np.sqrt(alpha * (1 - alpha) / DRAWS) / (2 * density)
    assert np.all(np.abs(printed - computed) > 2 * (0.5 + STANDARD_ERRORS * error))

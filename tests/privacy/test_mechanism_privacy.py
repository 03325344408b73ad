"""The released integer is epsilon-private: exactly, and as drawn."""

import random
from fractions import Fraction
from itertools import product

import mpmath
import numpy as np
import pytest
from scipy.stats import chi2

from dpwilcoxon.mechanisms.discrete_laplace import release_integer
from dpwilcoxon.noise import DiscreteLaplace
from dpwilcoxon.parameters import Design, Epsilon
from dpwilcoxon.procedures.base import PrivateProcedure
from dpwilcoxon.procedures.registry import PROCEDURES
from dpwilcoxon.sources.arrays import pairs_from_arrays
from dpwilcoxon.statistics.signed_rank import signed_rank_total

PRIVATE = [each for each in PROCEDURES.values() if isinstance(each, PrivateProcedure)]
GRID = (-2, -1, 0, 1, 2)


@pytest.mark.parametrize("procedure", PRIVATE, ids=lambda each: each.name)
@pytest.mark.parametrize("epsilon", ["0.01", "0.1", "1", "1/3", "2.5", "10"])
@pytest.mark.parametrize("n", [1, 2, 3])
def test_no_outcome_is_more_than_exp_epsilon_likelier_for_a_neighbour(procedure, epsilon, n):
    """Over every database of n differences on a grid, every neighbour and every outcome.

    P(T + L = k) / P(T' + L = k) = exp((|k - T'| - |k - T|) / scale). The exponent is compared
    with epsilon as exact fractions for every outcome k between the extreme statistics; beyond
    them it no longer changes. The bound is attained to within rounding.
    """
    design = Design.parse(n, epsilon)
    scale = Fraction(procedure.noise(design).scale)
    score = procedure.score(design)
    statistics = {
        row: signed_rank_total(pairs_from_arrays(list(row)).keys, score, procedure.zero_method)
        for row in product(GRID, repeat=n)
    }
    worst = Fraction(0)
    for row, statistic in statistics.items():
        for place, value in product(range(n), GRID):
            neighbour = statistics[(*row[:place], value, *row[place + 1 :])]
            low, high = sorted((statistic, neighbour))
            for outcome in range(low, high + 1):
                loss = (abs(outcome - neighbour) - abs(outcome - statistic)) / scale
                worst = max(worst, loss)
    assert worst <= design.epsilon.exact
    assert worst >= design.epsilon.exact * (1 - Fraction(1, 10**12))


@pytest.mark.parametrize("scale", [0.7, 40.0])
def test_the_pmf_of_the_noise_has_the_ratio_the_proof_uses(scale):
    """pmf(k) / pmf(k + d) = exp(d / scale), against fifty-digit arithmetic."""
    noise = DiscreteLaplace(scale)
    with mpmath.workdps(50):
        for k, step in ((0, 1), (3, 8), (-9, 5)):
            expected = mpmath.exp(mpmath.mpf(abs(k + step) - abs(k)) / mpmath.mpf(scale))
            assert float(noise.pmf(k) / noise.pmf(k + step)) == pytest.approx(float(expected))


def test_opendp_states_the_same_loss_as_our_calibration():
    """500 random designs: OpenDP's own map, as a fraction, is at most epsilon each time.

    `release_integer` raises InternalError otherwise.
    """
    rng = random.Random(20180711)
    for _ in range(500):
        n = rng.choice([rng.randint(1, 50), rng.randint(1, 10**6), rng.randint(1, 10**9)])
        epsilon = Epsilon(Fraction(rng.randint(1, 10**6), 10 ** rng.randint(1, 6)))
        noise = DiscreteLaplace.protecting(4 * n, epsilon)
        release_integer(0, noise, sensitivity=4 * n, epsilon=epsilon)


def chi_square_tail(draws: np.ndarray, noise: DiscreteLaplace) -> float:
    """Probability of so bad a fit or worse, over 24 bins of about equal mass."""
    edges = np.round(noise.scale * np.log(np.arange(1, 12) / 12.0)).astype(int)
    edges = np.unique(np.concatenate([edges, [0], -edges]))
    support = np.arange(-int(60 * noise.scale) - 60, int(60 * noise.scale) + 61)
    expected = np.bincount(
        np.searchsorted(edges, support), weights=noise.pmf(support), minlength=len(edges) + 1
    )
    observed = np.bincount(np.searchsorted(edges, draws), minlength=len(edges) + 1)
    terms = (observed - len(draws) * expected) ** 2 / (len(draws) * expected)
    return float(chi2.sf(terms.sum(), len(edges)))


@pytest.mark.parametrize(("n", "epsilon"), [(3, "2"), (100, "0.1")])
def test_real_draws_follow_the_law_and_a_scale_ten_percent_off_is_noticed(n, epsilon):
    """Chi-square of 30,000 draws of the real mechanism against the pmf.

    The draws cannot be seeded, so the threshold is 1e-9: one false alarm in a thousand million
    runs. A law whose scale is 10% off in either direction, held against the same draws, has a
    noncentrality of at least 230 and passes at that threshold with probability below 1e-9.
    """
    design = Design.parse(n, epsilon)
    noise = DiscreteLaplace.protecting(4 * n, design.epsilon)
    draws = np.array(
        [
            release_integer(0, noise, sensitivity=4 * n, epsilon=design.epsilon)
            for _ in range(30_000)
        ]
    )
    assert chi_square_tail(draws, noise) > 1e-9
    for factor in (0.9, 1.1):
        assert chi_square_tail(draws, DiscreteLaplace(noise.scale * factor)) < 1e-9

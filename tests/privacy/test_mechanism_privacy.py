"""The released integer is epsilon-private: exactly, and as drawn."""

import random
from fractions import Fraction
from itertools import product

import mpmath
import numpy as np
import pytest
from scipy.stats import chi2

from dpwilcoxon.mechanisms.integers import release_integer
from dpwilcoxon.noise import CanonicalNoise, DiscreteLaplace
from dpwilcoxon.parameters import Design, Epsilon, Noise
from dpwilcoxon.procedures.base import PrivateProcedure
from dpwilcoxon.procedures.registry import PROCEDURES
from dpwilcoxon.sources.arrays import pairs_from_arrays
from dpwilcoxon.statistics.signed_rank import signed_rank_total

PRIVATE = [each for each in PROCEDURES.values() if isinstance(each, PrivateProcedure)]
GRID = (-2, -1, 0, 1, 2)


def neighbouring_statistics(procedure, design):
    """The statistics of every two neighbouring databases of differences on the grid."""
    score = procedure.score(design)
    statistics = {
        row: signed_rank_total(pairs_from_arrays(list(row)).keys, score, procedure.zero_method)
        for row in product(GRID, repeat=design.n_pairs)
    }
    return {
        (statistic, statistics[(*row[:place], value, *row[place + 1 :])])
        for row, statistic in statistics.items()
        for place, value in product(range(design.n_pairs), GRID)
    }


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
    worst = Fraction(0)
    for statistic, neighbour in neighbouring_statistics(procedure, design):
        low, high = sorted((statistic, neighbour))
        for outcome in range(low, high + 1):
            loss = (abs(outcome - neighbour) - abs(outcome - statistic)) / scale
            worst = max(worst, loss)
    assert worst <= design.epsilon.exact
    assert worst >= design.epsilon.exact * (1 - Fraction(1, 10**12))


def steps_to(outcome, statistic, window):
    """By how many windows each of the two grids' steps carries the statistic to the outcome."""
    distance = 2 * (outcome - statistic)
    lower = (distance + window) // (2 * window)  # the window is -W/2 .. W/2 - 1
    upper = -((window - distance) // (2 * window))  # -W/2 + 1 .. W/2
    return abs(lower), abs(upper)


@pytest.mark.parametrize("procedure", PRIVATE, ids=lambda each: each.name)
@pytest.mark.parametrize("epsilon", ["0.01", "1", "1/3", "2.5", "10"])
@pytest.mark.parametrize("n", [1, 2, 3])
def test_under_canonical_noise_no_outcome_is_more_than_exp_epsilon_likelier(procedure, epsilon, n):
    """Over every database on the grid, every neighbour and every outcome that there is.

    With a = exp(-1 / scale of a step), the probability of an outcome is proportional to a^i + a^j,
    i and j the steps it takes on either grid. If neither exponent differs by more than 1 between
    neighbours, no ratio exceeds 1/a; and log(1/a) = 1 / scale, as an exact fraction, is at most
    epsilon. From a window beyond both statistics on, all exponents grow alike. The pmf has these
    exponents, the bound is attained, and a window narrower by 2 would break it.
    """
    design = Design.parse(n, epsilon, Noise.CANONICAL)
    noise = procedure.noise(design)
    assert isinstance(noise, CanonicalNoise)
    loss = 1 / Fraction(noise.step_scale)
    assert design.epsilon.exact * (1 - Fraction(1, 10**12)) <= loss <= design.epsilon.exact
    changes = {
        window: largest_change_of_steps(neighbouring_statistics(procedure, design), window)
        for window in (noise.window, noise.window - 2)
    }
    assert changes == {noise.window: 1, noise.window - 2: 2}
    outcomes = np.arange(-3 * noise.window, 3 * noise.window + 1)
    expected = [
        sum(noise.steps.ratio**step for step in steps_to(int(each), 0, noise.window))
        for each in outcomes
    ]
    pmf = noise.pmf(outcomes)
    np.testing.assert_allclose(pmf / pmf.max(), np.array(expected) / max(expected), rtol=1e-12)


def largest_change_of_steps(statistics, window):
    """The most any exponent differs, over all outcomes up to a window beyond both statistics."""
    worst = 0
    for statistic, neighbour in statistics:
        low, high = sorted((statistic, neighbour))
        outcomes = np.arange(low - window, high + window + 1)
        here, there = (np.array(steps_of_all(outcomes, each, window)) for each in (low, high))
        worst = max(worst, int(np.abs(here - there).max()))
    return worst


def steps_of_all(outcomes, statistic, window):
    """`steps_to` for many outcomes at once."""
    distance = 2 * (outcomes - statistic)
    return np.abs((distance + window) // (2 * window)), np.abs(
        -((window - distance) // (2 * window))
    )


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


def real_draws(noise, **promise) -> np.ndarray:
    """30,000 draws of the real mechanism."""
    return np.array([release_integer(0, noise, **promise) for _ in range(30_000)])


def chi_square_tail(draws: np.ndarray, noise: DiscreteLaplace | CanonicalNoise) -> float:
    """Probability of so bad a fit or worse, over 24 bins of about equal mass."""
    edges = np.array([noise.half_width(share / 12.0) for share in range(1, 12)])
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
    draws = real_draws(noise, sensitivity=4 * n, epsilon=design.epsilon)
    assert chi_square_tail(draws, noise) > 1e-9
    for factor in (0.9, 1.1):
        assert chi_square_tail(draws, DiscreteLaplace(noise.scale * factor)) < 1e-9


@pytest.mark.parametrize(("n", "epsilon"), [(10, "2"), (100, "0.5")])
def test_real_draws_of_canonical_noise_follow_the_law_and_what_is_off_is_noticed(n, epsilon):
    """Chi-square of 30,000 draws of the real mechanism against the pmf, at a threshold of 1e-9.

    As above: one false alarm in a thousand million runs. Held against the same draws, a law whose
    steps or whose window are 10% off in either direction is refused, and so is the Laplace law
    that the noise replaces.
    """
    design = Design.parse(n, epsilon)
    noise = CanonicalNoise.protecting(4 * n, design.epsilon)
    draws = real_draws(noise, sensitivity=4 * n, epsilon=design.epsilon)
    assert chi_square_tail(draws, noise) > 1e-9
    for factor in (0.9, 1.1):
        other_window = 2 * round(2 * n * factor)
        assert chi_square_tail(draws, CanonicalNoise(4 * n, noise.step_scale * factor)) < 1e-9
        assert chi_square_tail(draws, CanonicalNoise(other_window, noise.step_scale)) < 1e-9
    assert chi_square_tail(draws, DiscreteLaplace(noise.scale)) < 1e-9

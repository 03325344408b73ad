"""The two laws of noise and the calibration of their scales."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.noise import CanonicalNoise, DiscreteLaplace, protecting
from dpwilcoxon.parameters import Epsilon, Noise


@given(
    sensitivity=st.integers(min_value=1, max_value=10**12),
    epsilon=st.fractions(min_value=Fraction(1, 10**6), max_value=100),
)
def test_the_calibrated_scale_never_overspends_and_wastes_next_to_nothing(sensitivity, epsilon):
    """sensitivity / scale <= epsilon as exact fractions, within a few units in the last place."""
    scale = Fraction(DiscreteLaplace.protecting(sensitivity, Epsilon(epsilon)).scale)
    assert sensitivity / scale <= epsilon
    assert sensitivity / scale >= epsilon * (1 - Fraction(1, 10**15))


@pytest.mark.parametrize("scale", [0.05, 0.5, 3.0, 40.0])
def test_moments_and_mass_follow_from_the_pmf(scale):
    """The pmf sums to one and has the stated variance and decay."""
    noise = DiscreteLaplace(scale)
    k = np.arange(-3000, 3001)
    pmf = noise.pmf(k)
    assert pmf.sum() == pytest.approx(1.0, rel=1e-12)
    assert (pmf * k**2).sum() == pytest.approx(noise.variance, rel=1e-10)
    assert pmf[3001] / pmf[3000] == pytest.approx(noise.ratio, rel=1e-12)


CANONICAL = [(2, 1.0), (4, 1 / 0.3), (20, 0.5), (256, 0.2), (256, 3.0)]
LAWS = [
    *(DiscreteLaplace(scale) for scale in (0.05, 0.5, 3.0, 40.0)),
    *(CanonicalNoise(window, step_scale) for window, step_scale in CANONICAL),
]


@pytest.mark.parametrize("noise", LAWS, ids=str)
@pytest.mark.parametrize("confidence", [0.001, 0.01, 0.3, 0.5, 0.95, 0.999, 0.999999])
def test_half_width_is_the_least_with_its_confidence(noise, confidence):
    """P(|noise| <= h) reaches the confidence at h and not at h - 1."""
    half_width = noise.half_width(confidence)

    def covered(h):
        return noise.pmf(np.arange(-h, h + 1)).sum() if h >= 0 else 0.0

    assert covered(half_width) >= confidence - 1e-12
    assert covered(half_width - 1) < confidence


def test_noise_that_could_leave_the_integers_is_refused():
    """A statistic plus 64 noise scales must stay below 2^63."""
    DiscreteLaplace(1e16).check_range(10**18)
    with pytest.raises(InvalidArgument, match="larger `epsilon`"):
        DiscreteLaplace(1e17).check_range(4 * 10**18)


def test_noise_too_large_for_a_float_is_refused():
    """An epsilon near zero is answered with a sentence, not with an overflow."""
    with pytest.raises(InvalidArgument, match="too small"):
        DiscreteLaplace.protecting(4, Epsilon(Fraction(1, 10**400)))


@pytest.mark.parametrize("scale", [0.0, -1.0, math.inf, math.nan])
def test_a_scale_is_positive_and_finite(scale):
    """A law that is none cannot be made."""
    with pytest.raises(InvalidArgument, match="`scale`"):
        DiscreteLaplace(scale)


@pytest.mark.parametrize("scale", [0.3, 4.0, 700.0])
def test_tails_add_up_the_probabilities(scale):
    """P(L >= k) is the sum of the probabilities from k on, for real k too."""
    noise = DiscreteLaplace(scale)
    far = np.arange(-60 * int(scale + 1), 60 * int(scale + 1) + 1)
    mass = noise.pmf(far)
    for k in (-7, -1, 0, 0.5, 1, 2, 40):
        np.testing.assert_allclose(noise.sf(k), mass[far >= k].sum(), rtol=1e-12)


@given(
    sensitivity=st.integers(min_value=1, max_value=10**12),
    epsilon=st.fractions(min_value=Fraction(1, 10**6), max_value=10),
)
def test_a_step_of_canonical_noise_never_overspends_and_wastes_next_to_nothing(
    sensitivity, epsilon
):
    """The window just covers the sensitivity; 1 / scale of a step <= epsilon as exact fractions."""
    noise = protecting(Noise.CANONICAL, sensitivity, Epsilon(epsilon))
    assert isinstance(noise, CanonicalNoise)
    assert noise.window in (sensitivity, sensitivity + 1)
    assert epsilon * (1 - Fraction(1, 10**15)) <= 1 / Fraction(noise.step_scale) <= epsilon


def canonical_pmf(noise):
    """All integers that matter, and their probabilities by the definition W Z + U."""
    half, window = noise.window // 2, noise.window
    steps = np.arange(-60 * math.ceil(noise.step_scale) - 2, 60 * math.ceil(noise.step_scale) + 3)
    places = np.arange(-half, half + 1)
    uniform = np.where(np.abs(places) == half, 0.5, 1.0) / window
    support = np.arange(window * steps[0] - half, window * steps[-1] + half + 1)
    mass = np.zeros(support.size)
    sums = np.add.outer(window * steps, places) - support[0]
    np.add.at(mass, sums, np.multiply.outer(noise.steps.pmf(steps), uniform))
    return support, mass


@pytest.mark.parametrize(("window", "step_scale"), CANONICAL)
def test_canonical_noise_is_steps_of_windows_plus_a_place_in_one(window, step_scale):
    """Pmf, tails at integers and between them, and variance, by the definition."""
    noise = CanonicalNoise(window, step_scale)
    support, mass = canonical_pmf(noise)
    inner = slice(1, -1)  # the ends have the other half of their mass from a step not taken
    np.testing.assert_allclose(noise.pmf(support)[inner], mass[inner], rtol=1e-12)
    assert (mass * support.astype(float) ** 2).sum() == pytest.approx(noise.variance, rel=1e-9)
    tails = np.cumsum(mass[::-1])[::-1]
    near = np.abs(support) <= 4 * window
    np.testing.assert_allclose(noise.sf(support[near]), tails[near], rtol=1e-9)
    np.testing.assert_allclose(noise.sf(support[near] - 0.25), tails[near], rtol=1e-9)


def test_canonical_noise_is_lighter_up_to_epsilon_four_and_heavier_from_five_on():
    """Why it is offered, and why not at large epsilon: the window never becomes narrower."""
    ratios = []
    for epsilon in (0.5, 1, 2, 3, 4, 5, 10):
        laplace, canonical = (protecting(kind, 4000, Epsilon.parse(epsilon)) for kind in Noise)
        ratios.append(canonical.variance / laplace.variance)
    np.testing.assert_allclose(ratios[:5], [0.990, 0.962, 0.891, 0.871, 0.971], atol=0.001)
    assert 1 < ratios[5] < ratios[6]
    with pytest.raises(InvalidArgument, match="'laplace', which is lighter"):
        CanonicalNoise.protecting(4000, Epsilon.parse("10.1"))


@pytest.mark.parametrize(("window", "step_scale"), [(0, 1.0), (3, 1.0), (-2, 1.0), (4, 0.0)])
def test_a_window_is_even_and_a_step_scale_positive(window, step_scale):
    """A law that is none cannot be made."""
    with pytest.raises(InvalidArgument, match=r"`(window|scale)`"):
        CanonicalNoise(window, step_scale)


def test_canonical_noise_that_could_leave_the_integers_is_refused():
    """A statistic plus a window and 64 scales must stay below 2^63."""
    CanonicalNoise(10**16, 1.0).check_range(10**18)
    with pytest.raises(InvalidArgument, match="larger `epsilon`"):
        CanonicalNoise(10**17, 1.0).check_range(4 * 10**18)

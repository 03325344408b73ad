"""The discrete Laplace law and the calibration of its scale."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.noise import DiscreteLaplace
from dpwilcoxon.parameters import Epsilon


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


@pytest.mark.parametrize("scale", [0.05, 0.5, 3.0, 40.0])
@pytest.mark.parametrize("confidence", [0.01, 0.5, 0.95, 0.999])
def test_half_width_is_the_least_with_its_confidence(scale, confidence):
    """P(|L| <= h) reaches the confidence at h and not at h - 1."""
    noise = DiscreteLaplace(scale)
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

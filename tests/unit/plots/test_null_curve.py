"""What a picture shows, as numbers."""

import math

import numpy as np
import pytest

from dpwilcoxon.plots.null_curve import LARGEST_STRETCH, null_curve
from dpwilcoxon.procedures import scored


def area(curve, mask):
    """The area under the part of the curve where `mask` holds."""
    return np.trapezoid(curve.density[mask], curve.points[mask])


@pytest.mark.parametrize("statistic", [402, -402, 0])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_the_shaded_region_is_the_p_value(released, statistic, alternative):
    """Its area is p, to what lies outside the picture (0.1%), so it is on the right side."""
    result = released(statistic, alternative=alternative)
    curve = null_curve(result)
    shaded = sum(area(curve, tail) for tail in curve.region())
    assert shaded == pytest.approx(result.pvalue, abs=3e-3)


def test_the_region_reaches_to_the_released_value_itself(released):
    """A two-sided region begins at plus and minus the statistic, not at the next grid point."""
    curve = null_curve(released(402.5))
    low, high = curve.region()
    assert curve.points[low].max() == -402.5
    assert curve.points[high].min() == 402.5


@pytest.mark.parametrize(("n", "epsilon"), [(1, 2), (3, 1), (8, 30), (100, "0.01"), (5000, 1)])
def test_the_curve_is_a_symmetric_density(released, n, epsilon):
    """It encloses all but 0.1% of the probability, and is as symmetric as the null."""
    curve = null_curve(released(0, n=n, epsilon=epsilon))
    assert area(curve, slice(None)) == pytest.approx(1.0, abs=2e-3)
    np.testing.assert_allclose(curve.density, curve.density[::-1], rtol=0, atol=1e-7 * curve.peak)


def test_the_parity_ripple_of_the_exact_null_is_smoothed(released):
    """Signed-rank sums skip three of four integers; with next to no noise that must not show."""
    curve = null_curve(released(0, n=40, epsilon=100))
    rises = np.diff(curve.density) > 1e-9 * curve.peak
    falls = np.diff(curve.density) < -1e-9 * curve.peak
    assert np.flatnonzero(rises).max() < np.flatnonzero(falls).min()


def test_a_picture_simulates_nothing(released, monkeypatch):
    """A Monte Carlo result is drawn as the closed form that was simulated."""
    simulated = released(method="monte-carlo")
    monkeypatch.setattr(scored, "MonteCarloNull", None)
    drawn = null_curve(simulated)
    np.testing.assert_array_equal(
        drawn.density, null_curve(released(method="normal-laplace")).density
    )


@pytest.mark.parametrize("sign", [1, -1])
def test_a_moderately_distant_value_is_shown_where_it_is(released, sign):
    """The axis grows on that side, interval included; the other side stays as it was."""
    curve = null_curve(released(sign * 4000))
    assert curve.is_statistic_in_view
    assert all(end in curve.view for end in curve.interval)
    near, far = sorted((abs(curve.view.low), abs(curve.view.high)))
    assert near < 3000
    assert far > 4000


@pytest.mark.parametrize("sign", [1, -1])
def test_a_value_far_out_does_not_flatten_the_null_to_a_spike(released, sign):
    """Beyond the largest stretch the picture stays with the null, and says so by an arrow."""
    curve = null_curve(released(sign * 4e8, n=50_000))
    assert not curve.is_statistic_in_view
    visible = curve.points[curve.density > curve.peak / 100]
    assert np.ptp(visible) > (curve.view.high - curve.view.low) / LARGEST_STRETCH / 2
    assert curve.is_region_faint
    assert math.isfinite(curve.log_pvalue)


def test_only_a_region_too_low_to_see_counts_as_faint(released):
    """At p = 0.013 the tails still show; at p = 1e-9 they do not."""
    assert not null_curve(released(1613.5)).is_region_faint
    assert null_curve(released(5000)).is_region_faint

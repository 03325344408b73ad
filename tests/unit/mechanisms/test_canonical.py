"""The canonical mechanism: a random grid, one private step, and no window that is too narrow."""

from collections import Counter
from fractions import Fraction

import pytest

from dpwilcoxon.errors import InternalError
from dpwilcoxon.mechanisms import canonical, integers
from dpwilcoxon.mechanisms.canonical import check_release, nearest_step, release_integer
from dpwilcoxon.noise import CanonicalNoise, DiscreteLaplace
from dpwilcoxon.parameters import Epsilon

ONE = Epsilon.parse(1)


def test_a_release_is_the_statistic_plus_integer_noise():
    """Under a large epsilon all noise is rounding to the grid: at most half a window."""
    epsilon = Epsilon.parse(10)
    noise = CanonicalNoise.protecting(40, epsilon)
    draws = [release_integer(1000, noise, sensitivity=40, epsilon=epsilon) for _ in range(200)]
    assert all(isinstance(draw, int) for draw in draws)
    assert len(set(draws)) > 25
    assert sum(abs(draw - 1000) <= 20 for draw in draws) > 190


@pytest.mark.parametrize("window", [2, 4, 10])
def test_rounding_to_the_grid_is_uniform_over_two_windows(window):
    """Every offset and coin once: an error of -W/2..W/2, whose ends are half as frequent.

    That is the law of U whatever the statistic is, so it gives nothing away about it.
    """
    expected = Counter(dict.fromkeys(range(-window // 2 + 1, window // 2), 2))
    expected.update({-window // 2: 1, window // 2: 1})
    for statistic in range(-2 * window, 2 * window):
        errors = Counter(
            offset + window * nearest_step(statistic - offset, window, coin) - statistic
            for offset in range(window)
            for coin in (0, 1)
        )
        assert errors == expected


@pytest.mark.parametrize("window", [2, 4, 10])
def test_a_change_as_large_as_the_window_moves_the_step_by_at_most_one(window):
    """The reduction to sensitivity 1, for every offset, coin, statistic and change.

    A change by one more moves some statistic by two steps: the window must not be narrower.
    """
    for change in range(-window - 1, window + 2):
        moved = {
            abs(nearest_step(d + change, window, coin) - nearest_step(d, window, coin))
            for d in range(-window, window)
            for coin in (0, 1)
        }
        assert (max(moved) <= 1) == (abs(change) <= window)


def test_a_window_narrower_than_the_sensitivity_is_a_bug_and_draws_nothing():
    """And so is a step whose scale is one ulp too small."""
    noise = CanonicalNoise.protecting(40, ONE)
    integers.check_release(noise, sensitivity=40, epsilon=ONE)
    for call in (check_release, integers.check_release):
        with pytest.raises(InternalError, match="nothing was released"):
            call(noise, sensitivity=41, epsilon=ONE)
    with pytest.raises(InternalError, match="nothing was released"):
        release_integer(0, noise, sensitivity=42, epsilon=ONE)
    too_little = CanonicalNoise(40, noise.step_scale * (1 - 1e-15))
    with pytest.raises(InternalError, match="nothing was released"):
        release_integer(0, too_little, sensitivity=40, epsilon=ONE)
    with pytest.raises(InternalError, match="nothing was released"):
        check_release(too_little, sensitivity=40, epsilon=ONE)


def test_randomness_is_cryptographic_and_takes_no_seed(monkeypatch):
    """Offset and coin come from `secrets`: with both fixed, only the private step is left."""
    monkeypatch.setattr(canonical.secrets, "randbelow", lambda window: window - 1)
    monkeypatch.setattr(canonical.secrets, "randbits", lambda bits: bits)
    noise = CanonicalNoise.protecting(40, ONE)
    draws = {release_integer(7, noise, sensitivity=40, epsilon=ONE) for _ in range(100)}
    assert {draw % 40 for draw in draws} == {39}
    assert len(draws) > 3


def test_each_law_has_its_mechanism():
    """Both are drawn by one call; a law that nobody draws is a bug."""
    laplace = DiscreteLaplace.protecting(40, ONE)
    for noise in (laplace, CanonicalNoise.protecting(40, ONE)):
        integers.check_release(noise, sensitivity=40, epsilon=ONE)
        drawn = integers.release_integer(10**6, noise, sensitivity=40, epsilon=ONE)
        assert abs(drawn - 10**6) < 64 * 40 + 40
    for call in (
        lambda: integers.check_release(Fraction(1), sensitivity=1, epsilon=ONE),
        lambda: integers.release_integer(0, Fraction(1), sensitivity=1, epsilon=ONE),
    ):
        with pytest.raises(InternalError, match="No mechanism"):
            call()

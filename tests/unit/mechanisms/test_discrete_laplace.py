"""The mechanism refuses to overspend and adds integer noise."""

import pytest

from dpwilcoxon.errors import InternalError
from dpwilcoxon.mechanisms.discrete_laplace import check_release, release_integer
from dpwilcoxon.noise import DiscreteLaplace
from dpwilcoxon.parameters import Epsilon


def test_a_release_is_the_statistic_plus_integer_noise():
    """With next to no noise the statistic comes back; with noise it moves."""
    tiny = DiscreteLaplace(0.01)
    assert release_integer(42, tiny, sensitivity=4, epsilon=Epsilon.parse(1000)) == 42
    wide = DiscreteLaplace(1e6)
    draws = {release_integer(0, wide, sensitivity=1, epsilon=Epsilon.parse(1)) for _ in range(20)}
    assert len(draws) > 10
    assert all(isinstance(draw, int) for draw in draws)


def test_noise_too_small_for_its_epsilon_is_a_bug_and_draws_nothing():
    """One ulp below the calibrated scale is refused."""
    epsilon = Epsilon.parse("0.1")
    noise = DiscreteLaplace.protecting(400, epsilon)
    release_integer(0, noise, sensitivity=400, epsilon=epsilon)
    check_release(noise, sensitivity=400, epsilon=epsilon)
    too_little = DiscreteLaplace(noise.scale * (1 - 1e-15))
    with pytest.raises(InternalError, match="nothing was released"):
        release_integer(0, too_little, sensitivity=400, epsilon=epsilon)
    with pytest.raises(InternalError, match="nothing was released"):
        check_release(too_little, sensitivity=400, epsilon=epsilon)

"""The exact law under canonical noise, against enumeration of every sign pattern."""

import itertools

import mpmath
import numpy as np
import pytest

from dpwilcoxon.errors import InternalError
from dpwilcoxon.noise import CanonicalNoise
from dpwilcoxon.nulls.canonical_counting import CanonicalCountedTail
from dpwilcoxon.nulls.contour_kernels import CanonicalKernel
from dpwilcoxon.nulls.ladder import Ladder


def enumerated_log_tail(ladder, noise, t):
    """Log P(T~ >= t) in 60 digits: every sign pattern, step of Z and place in the window."""
    half = noise.window // 2
    patterns = itertools.product((-ladder.unit, ladder.unit), repeat=ladder.n)
    with mpmath.workdps(60):
        ratio = mpmath.exp(-1 / mpmath.mpf(noise.step_scale))

        def step_tail(z):
            return ratio**z / (1 + ratio) if z >= 0 else 1 - ratio ** (1 - z) / (1 + ratio)

        def noise_tail(k):
            places = [(u, 2 - (abs(u) == half)) for u in range(-half, half + 1)]
            return mpmath.fsum(
                weight * step_tail(-((u - k) // noise.window)) for u, weight in places
            ) / (2 * noise.window)

        sums = [
            sum(sign * min(rank, ladder.cap) for rank, sign in enumerate(signs, start=1))
            for signs in patterns
        ]
        mass = mpmath.fsum(sums.count(each) * noise_tail(t - each) for each in set(sums))
        return float(mpmath.log(mass / 2**ladder.n))


@pytest.mark.parametrize(
    "ladder",
    [Ladder(1, 1, 2), Ladder(4, 1, 3), Ladder(5, 2, 2), Ladder(6, 6, 2), Ladder(7, 3, 4)],
    ids=str,
)
@pytest.mark.parametrize("epsilon", [0.01, 1.0, 3.0, 10.0])
def test_tail_agrees_with_enumeration(ladder, epsilon):
    """To twelve digits, up to seven windows beyond the largest T: tails down to 1e-31."""
    noise = CanonicalNoise(ladder.step * ladder.cap, 1 / epsilon)
    top = ladder.largest
    t = np.unique([1, 2, 3, top // 2, top - 1, top, top + 1, top + 7 * noise.window - 3])
    t = t[t >= 1]
    expected = [enumerated_log_tail(ladder, noise, int(each)) for each in t]
    found = CanonicalCountedTail(ladder, noise).log_upper_tail(t.astype(float))
    np.testing.assert_allclose(np.expm1(found - expected), 0, atol=1e-12)


@pytest.mark.parametrize("law", [CanonicalCountedTail, CanonicalKernel])
def test_windows_must_be_as_wide_as_the_sensitivity(law):
    """Both computations rest on it, so neither answers for another window."""
    with pytest.raises(InternalError, match="sensitivity"):
        law(Ladder(5, 3, 2), CanonicalNoise(14, 1.0))

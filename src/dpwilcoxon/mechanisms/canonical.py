"""The canonical mechanism: a statistic rounded to a random grid, its place on it made private.

The points of the grid lie `window` apart, which is the sensitivity, and begin at an offset that is
drawn first and does not depend on the data. Replacing one row moves the statistic by at most
`window`, and so the number of the nearest point by at most 1 (points halfway are rounded up or down
by a coin that does not depend on the data either). That number is released by the discrete Laplace
mechanism for sensitivity 1; offset and window make a statistic of it again, which is
post-processing. Rounding to a random grid adds an error that is uniform over one window whatever
the statistic is: together the noise is :class:`~dpwilcoxon.noise.CanonicalNoise`.

Invariants: those of the discrete Laplace mechanism, which states and checks the privacy loss; a
window narrower than the sensitivity is refused; offset and coin come from the operating system's
cryptographic generator.
"""

from __future__ import annotations

import secrets

from dpwilcoxon.errors import InternalError
from dpwilcoxon.mechanisms import discrete_laplace
from dpwilcoxon.noise import CanonicalNoise
from dpwilcoxon.parameters import Epsilon

ONE_STEP = 1  # what the number of the nearest grid point can change by


def release_integer(
    statistic: int, noise: CanonicalNoise, *, sensitivity: int, epsilon: Epsilon
) -> int:
    """Add noise to an integer statistic of the given sensitivity.

    Arguments and answer are those of :func:`discrete_laplace.release_integer`.
    """
    _check_window(noise, sensitivity)
    offset, coin = secrets.randbelow(noise.window), secrets.randbits(1)
    released = discrete_laplace.release_integer(
        nearest_step(statistic - offset, noise.window, coin),
        noise.steps,
        sensitivity=ONE_STEP,
        epsilon=epsilon,
    )
    return offset + noise.window * released


def check_release(noise: CanonicalNoise, *, sensitivity: int, epsilon: Epsilon) -> None:
    """Load the sampler and check its stated loss, and draw nothing."""
    _check_window(noise, sensitivity)
    discrete_laplace.check_release(noise.steps, sensitivity=ONE_STEP, epsilon=epsilon)


def nearest_step(distance: int, window: int, coin: int) -> int:
    """Return the integer nearest to distance / window, for an even window; 1/2 is rounded by coin.

    Examples
    --------
    >>> [nearest_step(distance, 4, coin=0) for distance in (-2, -1, 1, 2, 3)]
    [-1, 0, 0, 0, 1]
    >>> [nearest_step(distance, 4, coin=1) for distance in (-2, -1, 1, 2, 3)]
    [0, 0, 0, 1, 1]
    """
    return (distance + window // 2 + coin - 1) // window


def _check_window(noise: CanonicalNoise, sensitivity: int) -> None:
    if noise.window < sensitivity:
        raise InternalError(
            f"A window of {noise.window} does not cover a sensitivity of {sensitivity}; nothing "
            "was released. Please report this."
        )

"""The mechanism that draws a given law of noise."""

from __future__ import annotations

from dpwilcoxon.errors import InternalError
from dpwilcoxon.mechanisms import canonical, discrete_laplace
from dpwilcoxon.noise import CanonicalNoise, DiscreteLaplace, NoiseLaw
from dpwilcoxon.parameters import Epsilon


def release_integer(statistic: int, noise: NoiseLaw, *, sensitivity: int, epsilon: Epsilon) -> int:
    """Add noise to an integer statistic of the given sensitivity, by the mechanism of its law."""
    if isinstance(noise, DiscreteLaplace):
        return discrete_laplace.release_integer(
            statistic, noise, sensitivity=sensitivity, epsilon=epsilon
        )
    if isinstance(noise, CanonicalNoise):
        return canonical.release_integer(statistic, noise, sensitivity=sensitivity, epsilon=epsilon)
    raise _unknown(noise)


def check_release(noise: NoiseLaw, *, sensitivity: int, epsilon: Epsilon) -> None:
    """Load the sampler and check its stated loss, and draw nothing.

    For whoever pays before the draw: what can fail for other reasons than chance fails here.
    """
    if isinstance(noise, DiscreteLaplace):
        discrete_laplace.check_release(noise, sensitivity=sensitivity, epsilon=epsilon)
    elif isinstance(noise, CanonicalNoise):
        canonical.check_release(noise, sensitivity=sensitivity, epsilon=epsilon)
    else:
        raise _unknown(noise)


def _unknown(noise: NoiseLaw) -> InternalError:
    return InternalError(f"No mechanism draws {noise!r}; nothing was released.")

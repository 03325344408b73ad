"""The discrete Laplace mechanism, drawn exactly by OpenDP.

Invariants: a draw happens only after OpenDP itself has stated the privacy loss of this noise at
this sensitivity and the loss, as an exact fraction, is at most epsilon. Nothing here accepts a
random generator or a seed: private noise cannot be replayed.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from dpwilcoxon.errors import InternalError
from dpwilcoxon.noise import DiscreteLaplace
from dpwilcoxon.parameters import Epsilon


def release_integer(
    statistic: int, noise: DiscreteLaplace, *, sensitivity: int, epsilon: Epsilon
) -> int:
    """Add noise to an integer statistic of the given sensitivity.

    Parameters
    ----------
    statistic : int
        The exact statistic; with its noise it must fit 64 bits (see `noise.check_range`).
    noise : DiscreteLaplace
        The law to draw from.
    sensitivity : int
        The most `statistic` can change when one row of the data is replaced.
    epsilon : Epsilon
        The privacy loss that must not be exceeded.

    Returns
    -------
    int
        The statistic plus one draw of the noise: an epsilon-differentially private release.
    """
    return int(_checked(noise, sensitivity, epsilon)(statistic))


def check_release(noise: DiscreteLaplace, *, sensitivity: int, epsilon: Epsilon) -> None:
    """Load the sampler and check its stated loss, and draw nothing.

    For whoever pays before the draw: what can fail for other reasons than chance fails here.
    """
    _checked(noise, sensitivity, epsilon)


def _checked(noise: DiscreteLaplace, sensitivity: int, epsilon: Epsilon) -> Callable[[int], int]:
    """OpenDP's mechanism, if its loss is at most epsilon."""
    # Imported on the first draw: loading OpenDP costs as much as numpy and scipy together.
    import opendp.prelude as dp

    dp.enable_features("contrib")
    mechanism = dp.m.make_laplace(
        dp.atom_domain(T="i64"), dp.absolute_distance(T="i64"), scale=noise.scale
    )
    stated_loss: float = mechanism.map(sensitivity)  # type: ignore[no-untyped-call]  # OpenDP's
    loss = Fraction(stated_loss)
    if loss > epsilon.exact:
        raise InternalError(
            f"Noise of scale {noise.scale} would cost {stated_loss}, more than epsilon "
            f"{epsilon}; nothing was released. Please report this."
        )
    return mechanism

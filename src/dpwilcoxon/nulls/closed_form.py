"""The closed form of a normal statistic plus noise, for every law of noise."""

from __future__ import annotations

from dpwilcoxon.noise import CanonicalNoise, NoiseLaw
from dpwilcoxon.nulls.base import SymmetricNull
from dpwilcoxon.nulls.normal_canonical import NormalCanonicalNull
from dpwilcoxon.nulls.normal_laplace import NormalLaplaceNull


def closed_form(sigma: float, noise: NoiseLaw) -> SymmetricNull:
    """Return the law of N(0, sigma^2) plus noise, in lattice units."""
    if isinstance(noise, CanonicalNoise):
        return NormalCanonicalNull(sigma, noise)
    return NormalLaplaceNull(sigma, noise)

"""Where simulations get their randomness from."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.parameters import shown

Seed: TypeAlias = "int | np.random.Generator | np.random.SeedSequence | None"


def seed_sequence(seed: Seed) -> np.random.SeedSequence:
    """Return what all random numbers derive from; a generator gives one, and moves on."""
    if isinstance(seed, np.random.SeedSequence):
        return seed
    if isinstance(seed, np.random.Generator):
        return np.random.SeedSequence(seed.integers(0, 2**32, size=8).tolist())
    try:
        return np.random.SeedSequence(seed)
    except (TypeError, ValueError):
        raise InvalidArgument(
            "`rng` must be a whole number that is not negative, a numpy random generator or None; "
            f"got {shown(seed)}."
        ) from None

"""What a family of distributions of paired differences is.

Random numbers are drawn for all samples' first pair, then for all samples' second, and so on,
and in the same number whatever the effect. Equal seeds therefore give neighbouring effects the same
luck, and a larger sample begins with the smaller one.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import ClassVar, TypeAlias

import numpy as np

from dpwilcoxon.arraytypes import FloatArray
from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.statistics.compiled import loops_for_batches

Size: TypeAlias = tuple[int, int]
"""Pairs by samples."""

ROOT_2 = math.sqrt(2.0)


def standard_normal(rng: np.random.Generator, size: tuple[int, ...]) -> FloatArray:
    """Draw the numbers of `rng.standard_normal`, by a compiled loop where such loops are loaded."""
    if loops_for_batches() is None:
        return rng.standard_normal(size)
    from dpwilcoxon.studies.normal_kernel import fill_normal

    draws = np.empty(size)
    fill_normal(rng, draws.reshape(-1))
    return draws


class Family(ABC):
    """One law of differences. Subclasses are final and frozen."""

    name: ClassVar[str]
    largest_effect: ClassVar[float] = 100.0  # to search in: nothing but tails is left beyond it
    has_direction: ClassVar[bool] = True  # whether a negative effect is one the other way
    null_without_effect: ClassVar[bool] = True  # whether effect 0 is the null hypothesis

    @abstractmethod
    def draw(self, rng: np.random.Generator, effect: float, size: Size) -> FloatArray:
        """Differences for all pairs of all samples."""

    def is_null(self, effect: float) -> bool:
        """Whether nothing changes with this effect, as far as is known."""
        return self.null_without_effect and effect == 0.0

    def check_effect(self, effect: float) -> None:
        """Refuse an effect that this family cannot have."""
        if not math.isfinite(effect):
            raise InvalidArgument(f"`effect` must be a finite number; got {effect}.")

    def __str__(self) -> str:
        return self.name


class SymmetricFamily(Family):
    """d = effect + sqrt(2) E, with E symmetric about zero."""

    @abstractmethod
    def noise(self, rng: np.random.Generator, size: Size) -> FloatArray:
        """Draw E, in an array that is free to be overwritten."""

    def draw(self, rng: np.random.Generator, effect: float, size: Size) -> FloatArray:
        """Shift and scale E."""
        differences = self.noise(rng, size)
        differences *= ROOT_2
        differences += effect
        return differences

"""Populations: where simulated samples come from."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import final

import numpy as np

from dpwilcoxon.arraytypes import FloatArray, IntArray
from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.parameters import Choice, real_number
from dpwilcoxon.studies.families import FamilyLike, Normal, parse_family
from dpwilcoxon.studies.family import Family


class Zeros(Choice):
    """How many pairs of a sample are made not to change at all."""

    FIXED = "fixed"  # the wanted share of each sample, rounded
    RANDOM = "random"  # each pair with the wanted probability


@final
@dataclass(frozen=True)
class Population:
    """A law of paired differences to draw samples from.

    Parameters
    ----------
    family
        The law of the differences that are not made zero.
    effect
        How large the change is: 0 for none; what 1 means is up to the family, and for the paper's
        it is one standard deviation of a single measurement.
    zero_fraction
        The share of pairs that do not change at all, besides zeros the family itself has.
    zeros
        Whether that share is kept in every sample, or on average.
    """

    family: Family = field(default_factory=Normal)
    effect: float = 0.0
    zero_fraction: float = 0.0
    zeros: Zeros = Zeros.FIXED

    def __post_init__(self) -> None:
        self.family.check_effect(self.effect)
        if not 0.0 <= self.zero_fraction <= 1.0:
            raise InvalidArgument(
                f"`zero_fraction` must lie between 0 and 1; got {self.zero_fraction}."
            )

    @classmethod
    def parse(
        cls,
        differences: FamilyLike = "normal",
        effect: float = 0.0,
        zero_fraction: float = 0.0,
        zeros: str | Zeros = Zeros.FIXED,
    ) -> Population:
        """Read a population from what a caller may say."""
        return cls(
            parse_family(differences),
            real_number(effect, "effect"),
            real_number(zero_fraction, "zero_fraction"),
            Zeros.parse(zeros),
        )

    @property
    def is_null(self) -> bool:
        """Whether nothing changes here, so that the power of a test is its type I error."""
        return self.zero_fraction == 1.0 or self.family.is_null(self.effect)

    def with_effect(self, effect: float) -> Population:
        """The same population with another effect."""
        return replace(self, effect=effect)

    def draw(self, rng: np.random.Generator, samples: int, n_pairs: int) -> FloatArray:
        """Draw a matrix of differences, one sample per row.

        With the same seed, populations that differ in their effect alone get the same luck, and
        the samples of a smaller `n_pairs` are the beginnings of those of a larger one.
        """
        zero_rng = rng.spawn(1)[0]
        differences = self.family.draw(rng, self.effect, (n_pairs, samples))
        if self.zeros is Zeros.RANDOM and self.zero_fraction > 0.0:
            differences[zero_rng.random((n_pairs, samples)) < self.zero_fraction] = 0.0
        else:
            differences[self._fixed_zeros(n_pairs)] = 0.0
        return differences.T

    def _fixed_zeros(self, n_pairs: int) -> IntArray:
        """Which pairs are zero, so that each first k pairs hold zero_fraction * k, rounded."""
        wanted = np.floor(self.zero_fraction * np.arange(n_pairs + 1) + 0.5)
        return np.flatnonzero(np.diff(wanted)).astype(np.int64)

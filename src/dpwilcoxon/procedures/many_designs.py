"""One private test for many public designs: arrays of n and epsilon, each null made once."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from dpwilcoxon.arraytypes import FloatArray
from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.nulls.base import SymmetricNull
from dpwilcoxon.parameters import Design, Method, Noise
from dpwilcoxon.procedures.base import PrivateProcedure, Simulation

Evaluation: TypeAlias = Callable[[FloatArray, Design], FloatArray]
"""What is asked of some values under one design."""


@dataclass(frozen=True)
class ManyDesigns:
    """A private procedure, a p-value method and a kind of noise, for any public design.

    Parameters
    ----------
    procedure, method, noise
        The test.
    simulation
        How Monte Carlo draws, where that is the method.
    """

    procedure: PrivateProcedure
    method: Method
    noise: Noise
    simulation: Simulation

    def null(self, design: Design) -> SymmetricNull:
        """The law of the released statistic."""
        return self.procedure.null(design, self.method, self.simulation)

    def lattice(self, design: Design) -> int:
        """Integer units in one unit of the paper's statistic w."""
        return self.procedure.score(design).lattice

    def standard_deviation(self, design: Design) -> float:
        """That of the statistic without noise, in lattice units."""
        return math.sqrt(self.procedure.score(design).sum_of_squares(design.n_pairs))

    def evaluate(
        self, evaluation: Evaluation, values: FloatArray, n: ArrayLike, epsilon: ArrayLike
    ) -> Any:  # noqa: ANN401 - a number for numbers, else an array
        """Broadcast values against n and epsilon, and evaluate each distinct design once."""
        counts, epsilons = np.asarray(n, dtype=object), np.asarray(epsilon, dtype=object)
        shape = _common_shape(values.shape, counts.shape, epsilons.shape)
        if counts.size == epsilons.size == 1:
            design = Design.parse(counts.item(), epsilons.item(), self.noise)
            return _scalar_or_array(evaluation(values.reshape(shape), design))
        values, counts, epsilons = np.broadcast_arrays(values, counts, epsilons)
        places: dict[Design, list[int]] = defaultdict(list)
        for place, (count, each) in enumerate(zip(counts.flat, epsilons.flat, strict=True)):
            places[Design.parse(count, each, self.noise)].append(place)
        result = np.empty(values.size)
        for design, where in places.items():
            result[where] = evaluation(values.ravel()[where], design)
        return _scalar_or_array(result.reshape(values.shape))


def _common_shape(*shapes: tuple[int, ...]) -> tuple[int, ...]:
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        words = ", ".join(map(str, shapes))
        raise InvalidArgument(
            f"Arrays of these shapes do not go together: {words}. Each must be a single number, or "
            "fit the others by numpy's rules."
        ) from None


def _scalar_or_array(values: FloatArray) -> Any:  # noqa: ANN401 - a number for numbers
    return float(values) if np.ndim(values) == 0 else values

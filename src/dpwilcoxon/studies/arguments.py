"""The arguments of planning functions: what all designs share, and arrays that broadcast."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np

from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.parameters import Alternative, Epsilon, Method, Noise, real_number, whole_number
from dpwilcoxon.studies.cases import Case
from dpwilcoxon.studies.families import FamilyLike, parse_family
from dpwilcoxon.studies.family import Family
from dpwilcoxon.studies.models import Population, Zeros
from dpwilcoxon.studies.planned import PlannedTest, ProcedureLike

ANY_EPSILON = 1  # of a test whose epsilon is sought

_CHECKS: dict[str, Callable[[Any], list[Any]]] = {
    "n": lambda array: [whole_number(each, "n") for each in array.flat],
    "epsilon": lambda array: [Epsilon.parse(each) for each in array.flat],
    "effect": lambda array: [real_number(each, "effect") for each in array.flat],
}


@final
@dataclass(frozen=True, kw_only=True)
class Asked:
    """What all cases of one call have in common."""

    procedure: ProcedureLike
    alpha: float
    alternative: str | Alternative
    method: str | Method
    differences: FamilyLike
    zero_fraction: float
    zeros: str | Zeros
    noise: str | Noise = Noise.LAPLACE

    @cached_property
    def family(self) -> Family:
        """The law of differences, parsed once so that all designs share it."""
        return parse_family(self.differences)

    def population(self, effect: float) -> Population:
        """Where samples come from."""
        return Population.parse(self.family, effect, self.zero_fraction, self.zeros)

    def test(self, epsilon: Any) -> PlannedTest:
        """The test that spends so much."""
        return PlannedTest.parse(
            self.procedure,
            epsilon,
            self.alpha,
            self.alternative,
            self.method,
            noise=self.noise,
        )

    def cases(self, **varying: Any) -> tuple[tuple[Case, ...], tuple[int, ...]]:
        """Broadcast `n`, `epsilon` and `effect`, one of which may be sought and left out."""
        columns, shape = broadcast(**varying)
        rows = (dict(zip(varying, values, strict=True)) for values in zip(*columns, strict=True))
        cases = tuple(
            Case(
                self.population(row.get("effect", 0.0)),
                self.test(row.get("epsilon", ANY_EPSILON)),
                row.get("n"),
            )
            for row in rows
        )
        return cases, shape


def broadcast(**arguments: Any) -> tuple[list[list[Any]], tuple[int, ...]]:
    """Arguments that may be arrays as equally long lists, and the shape of the result."""
    given = [np.asarray(each, dtype=object) for each in arguments.values()]
    try:
        arrays = np.broadcast_arrays(*given)
    except ValueError:
        shapes = ", ".join(
            f"`{name}` {each.shape}" for name, each in zip(arguments, given, strict=True)
        )
        raise InvalidArgument(f"Arrays must have shapes that go together; got {shapes}.") from None
    if arrays[0].size == 0:
        names = ", ".join(f"`{name}`" for name in arguments)
        raise InvalidArgument(f"{names} must hold at least one number each.")
    lists = [_CHECKS[name](array) for name, array in zip(arguments, arrays, strict=True)]
    return lists, arrays[0].shape

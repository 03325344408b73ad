"""What is asked of a study, row by row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, TypeAlias, final

from dpwilcoxon.studies.models import Population
from dpwilcoxon.studies.planned import PlannedTest

Record: TypeAlias = dict[str, Any]


@final
@dataclass(frozen=True)
class Case:
    """One test of so many pairs of one population; a number that is sought is left out."""

    population: Population
    test: PlannedTest
    n: int | None = None

    @property
    def n_pairs(self) -> int:
        """The number of pairs, where it is not what is sought."""
        assert self.n is not None  # noqa: S101 - whoever seeks it does not ask for it
        return self.n

    def fields(self) -> Record:
        """The case as plain values."""
        return {
            "procedure": self.test.procedure.name,
            "n": self.n,
            "epsilon": float(self.test.epsilon),
            "effect": self.population.effect,
            "alternative": str(self.test.alternative),
            "alpha": self.test.alpha,
            "differences": str(self.population.family),
            "zero_fraction": self.population.zero_fraction,
            "zeros": str(self.population.zeros),
            "noise": str(self.test.noise),
        }


def crossed(
    tests: Sequence[PlannedTest], populations: Sequence[Population], sizes: Sequence[int | None]
) -> tuple[Case, ...]:
    """Every test with every population and every number of pairs."""
    return tuple(
        Case(population, test, n) for test, population, n in product(tests, populations, sizes)
    )

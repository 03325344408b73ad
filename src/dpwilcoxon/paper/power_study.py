"""Power at many points: what every curve of the paper is made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

from dpwilcoxon.paper.item import Cell, NumberTable
from dpwilcoxon.paper.session import Session
from dpwilcoxon.studies.families import Normal
from dpwilcoxon.studies.models import Population
from dpwilcoxon.studies.planned import PlannedTest
from dpwilcoxon.studies.rejection import Estimate

TEXT = "as the text describes"
SCRIPTS = "as in the published scripts"


@final
@dataclass(frozen=True)
class Point:
    """Where power is measured: the paper's normal differences, one sigma apart unless said."""

    n_pairs: int
    effect: float = 1.0
    zero_fraction: float = 0.0

    @property
    def population(self) -> Population:
        """Zeros in a fixed share, as the paper chooses them."""
        return Population(Normal(), self.effect, self.zero_fraction)


@final
@dataclass(frozen=True)
class Curve:
    """A test under one convention.

    Parameters
    ----------
    panel
        The convention, in words: the part of the figure in which it is drawn.
    name
        The test, as the paper calls it.
    test
        The test itself.
    """

    panel: str
    name: str
    test: PlannedTest


@final
@dataclass(frozen=True)
class PowerStudy:
    """Estimates for points by curves."""

    points: Sequence[Point]
    curves: Sequence[Curve]
    estimates: Sequence[tuple[Estimate, ...]]

    def line(self, curve: Curve, points: Sequence[Point] | None = None) -> list[float]:
        """The power of one curve at some points, or at all."""
        column = self.curves.index(curve)
        wanted = self.points if points is None else points
        known = dict(zip(self.points, self.estimates, strict=True))
        return [known[point][column].probability for point in wanted]

    def numbers(self) -> NumberTable:
        """One row per point and curve."""
        columns = (
            "n", "effect", "zero_fraction", "convention", "test", "epsilon", "alpha", "alternative",
            "power", "standard_error", "replicates",
        )  # fmt: skip
        rows: list[tuple[Cell, ...]] = [
            (
                point.n_pairs,
                point.effect,
                point.zero_fraction,
                curve.panel,
                curve.name,
                "" if curve.test.procedure.name.startswith("public") else str(curve.test.epsilon),
                curve.test.alpha,
                str(curve.test.alternative),
                estimate.probability,
                estimate.standard_error,
                estimate.replicates,
            )
            for point, row in zip(self.points, self.estimates, strict=True)
            for curve, estimate in zip(self.curves, row, strict=True)
        ]
        return NumberTable(columns, rows)


def study(
    session: Session, points: Sequence[Point], curves: Sequence[Curve], *, of: str
) -> PowerStudy:
    """Measure every curve at every point; all curves see the same samples."""
    tests = [curve.test for curve in curves]
    estimates = [session.rates(point.population, point.n_pairs, tests, of=of) for point in points]
    return PowerStudy(points, curves, estimates)

"""What a picture of a released statistic shows, as numbers: no drawing happens here.

The null is discrete, on the integers, and its signed-rank part moves in steps of twice the
smallest score (four, for the paper's test). Its density is therefore taken over cells of whole
steps: the difference of two tail probabilities, which smooths that ripple and costs no
re-simulation.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dpwilcoxon.arraytypes import BoolArray, FloatArray
from dpwilcoxon.nulls.base import SymmetricNull
from dpwilcoxon.parameters import Alternative, Method
from dpwilcoxon.procedures.base import PrivateProcedure, Simulation
from dpwilcoxon.procedures.registry import get_private_procedure
from dpwilcoxon.result import Interval, PrivateTestResult

POINTS = 400  # across the null, so that its curve looks like one
EDGE_LEVEL = 1e-3  # two-sided probability left outside a picture of the null alone
MARGIN = 1.08
FAINT_REGION = 0.02  # of the peak: lower than that, shading is hard to see
LARGEST_STRETCH = 3.5  # how many times the null's own width one side may grow to


@dataclass(frozen=True)
class View:
    """The stretch of the axis that is drawn, on the paper's w scale."""

    low: float
    high: float

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high


@dataclass(frozen=True)
class NullCurve:
    """The null density over a view, and which part of it makes up the p-value.

    `points` includes the places where the p-value region begins, so that it can be shaded up to
    its very edge.
    """

    view: View
    points: FloatArray
    density: FloatArray
    statistic: float
    interval: Interval
    alternative: Alternative
    log_pvalue: float

    @property
    def peak(self) -> float:
        """The largest density in view."""
        return float(self.density.max())

    @property
    def is_statistic_in_view(self) -> bool:
        """Whether the released value can be marked where it is."""
        return self.statistic in self.view

    def region(self) -> list[BoolArray]:
        """Return the tails that make up the p-value, one mask over `points` each."""
        if self.alternative is Alternative.GREATER:
            return [self.points >= self.statistic]
        if self.alternative is Alternative.LESS:
            return [self.points <= self.statistic]
        distance = abs(self.statistic)
        return [self.points <= -distance, self.points >= distance]

    @property
    def is_region_faint(self) -> bool:
        """Whether the p-value region is too low to be seen when it is shaded."""
        tails = np.logical_or.reduce(self.region())
        return bool(self.density[tails].max(initial=0.0) < FAINT_REGION * self.peak)


def null_curve(result: PrivateTestResult) -> NullCurve:
    """Return the curve that a picture of this result shows."""
    procedure = get_private_procedure(result.procedure)
    null = _null_to_draw(procedure, result)
    interval = result.interval(0.95)
    half_width = float(null.critical_value(EDGE_LEVEL, Alternative.TWO_SIDED)) / result.lattice
    view = _view(half_width, result.statistic, interval)
    edges = sorted({-result.statistic, result.statistic})
    step = 2 * procedure.score(result.design).largest(1)
    points, density = _density(null, view, half_width, result.lattice, step)
    inside = [edge for edge in edges if edge in view]
    density = np.insert(
        density, np.searchsorted(points, inside), np.interp(inside, points, density)
    )
    points = np.insert(points, np.searchsorted(points, inside), inside)
    return NullCurve(
        view=view,
        points=points,
        density=density,
        statistic=result.statistic,
        interval=interval,
        alternative=result.alternative,
        log_pvalue=result.log_pvalue,
    )


def _null_to_draw(procedure: PrivateProcedure, result: PrivateTestResult) -> SymmetricNull:
    # A simulated null is drawn as the closed form it simulates: a picture draws nothing anew.
    method = Method.NORMAL_LAPLACE if result.method is Method.MONTE_CARLO else result.method
    return procedure.null(result.design, method, Simulation())


def _view(half_width: float, statistic: float, interval: Interval) -> View:
    """Show the null, and the released value with its interval while they are not too far out."""
    largest = LARGEST_STRETCH * half_width

    def reach(outermost: float, marker: float) -> float:
        if marker > largest:  # the marker becomes an arrow at the edge
            return 1.6 * half_width
        return min(max(half_width, outermost, marker), largest)

    low = reach(-interval.low, -statistic)
    high = reach(interval.high, statistic)
    return View(-MARGIN * low, MARGIN * high)


def _density(
    null: SymmetricNull, view: View, half_width: float, lattice: int, step: int
) -> tuple[FloatArray, FloatArray]:
    """Tail differences over cells, centred so that the curve is as symmetric as the null."""
    stride = max(1, round(2.0 * half_width * lattice / POINTS))
    cell = step * math.ceil(stride / step)
    centres = stride * np.arange(
        math.floor(view.low * lattice / stride), math.ceil(view.high * lattice / stride) + 1
    )
    # Counting each end of a cell by half makes it symmetric: {0..h-1} and {1..h} averaged.
    starts = centres - cell // 2
    mass = sum(null.sf(starts + k) - null.sf(starts + cell + k) for k in (0, 1)) / 2
    return centres / lattice, np.maximum(mass, 0.0) * lattice / cell

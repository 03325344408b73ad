"""Power by effect size at n = 2500."""

from __future__ import annotations

from typing import final

from dpwilcoxon.paper.curves import CurveFigure, Panel
from dpwilcoxon.paper.figure_power import CURVES, lines_by_epsilon
from dpwilcoxon.paper.item import Item, Outcome
from dpwilcoxon.paper.power_study import TEXT, Point, study
from dpwilcoxon.paper.session import Session

N_PAIRS = 2500
EFFECTS = (
    0.01, 0.02, 0.03, 0.04, 0.05, 0.075, 0.1, 0.13, 0.2, 0.3, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0,
)  # fmt: skip


@final
class EffectFigure(Item):
    """What many pairs can detect."""

    name = "figure-effect"
    title = "Power by effect size, n = 2,500"
    place = "section 4"

    def measure(self, session: Session) -> Outcome:
        """Every effect has the same luck, so that the curves are smooth."""
        points = [Point(N_PAIRS, effect) for effect in EFFECTS]
        measured = study(session, points, CURVES, of=self.name)
        panel = Panel(TEXT, lines_by_epsilon(measured, list(EFFECTS)))
        figure = CurveFigure(
            [panel], "effect, in standard deviations of a measurement", log_x=True, legend_columns=4
        )
        return Outcome(
            measured.numbers(),
            figure.draw,
            "Power rises with the effect. With 2,500 pairs the curve for epsilon 1 lies next to "
            "that of the public test; that for epsilon 0.01 rises ten times as far to the right.",
            notes=("Two-sided at α = .05, no zeros.",),
        )

"""Power by effect size at n = 2500."""

from __future__ import annotations

from typing import final

from dpwilcoxon.paper.curves import CurveFigure
from dpwilcoxon.paper.figure_power import curves_by_epsilon, panel_by_epsilon
from dpwilcoxon.paper.item import Item, Outcome
from dpwilcoxon.paper.power_study import TEXT, Point, study
from dpwilcoxon.paper.session import Session

N_PAIRS = 2500
# Those of the published script, whose .82 among the small ones stands for .082.
EFFECTS = (
    0.01, 0.02, 0.03, 0.04, 0.05, 0.075, 0.082, 0.1, 0.13, 0.2, 0.3, 0.5, 0.75, 1.0, 1.25, 1.5,
    1.75, 2.0,
)  # fmt: skip
PUBLISHED_ALPHA = 0.025
PUBLISHED = "at α = .025, as the published curve"
NOTES = (
    "Left: two-sided at α = .05 as the text and the script say, no zeros.",
    (
        "Right: two-sided at α = .025. The data file that comes with the script for this figure "
        "fits these curves and not those on the left: at the smallest effect its powers are "
        "below .05 at every ε."
    ),
)


@final
class EffectFigure(Item):
    """What many pairs can detect."""

    name = "figure-effect"
    title = "Power by effect size, n = 2,500"
    place = "section 4"

    def measure(self, session: Session) -> Outcome:
        """Every effect has the same luck, so that the curves are smooth."""
        points = [Point(N_PAIRS, effect) for effect in EFFECTS]
        curves = [*curves_by_epsilon(), *curves_by_epsilon(PUBLISHED, PUBLISHED_ALPHA)]
        measured = study(session, points, curves, of=self.name)
        figure = CurveFigure(
            [panel_by_epsilon(measured, title, EFFECTS) for title in (TEXT, PUBLISHED)],
            "effect, in standard deviations",
            log_x=True,
            legend_columns=4,
        )
        return Outcome(
            measured.numbers(),
            figure.draw,
            "Power rises with the effect. With 2,500 pairs the curve for epsilon 1 lies next to "
            "that of the public test; that for epsilon 0.01 rises ten times as far to the right.",
            notes=NOTES,
        )

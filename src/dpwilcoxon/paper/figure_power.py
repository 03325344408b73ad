"""Power by epsilon and number of pairs, without zeros and with 30% of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, final

from dpwilcoxon.paper import tests_of_the_paper as tests
from dpwilcoxon.paper.curves import DASHED, DOTTED, SOLID, CurveFigure, Line, Panel, style_of
from dpwilcoxon.paper.item import Item, Outcome
from dpwilcoxon.paper.power_study import TEXT, Curve, Point, PowerStudy, study
from dpwilcoxon.paper.session import Session
from dpwilcoxon.plots.palette import GREY, INK

# The sizes of the published scripts, evenly spread on a logarithmic axis.
SIZES = (
    10, 30, 60, 90, 120, 150, 210, 270, 360, 480, 600, 780, 1020, 1320, 1680, 2100, 2670, 3330,
    4140, 5130, 6330, 7800,
)  # fmt: skip
EPSILONS = ("0.01", "0.1", "1")
STYLES: dict[str, dict[str, Any]] = {
    "ε = 0.01": {"color": INK, "linestyle": DOTTED},
    "ε = 0.1": {"color": INK, "linestyle": DASHED},
    "ε = 1": {"color": INK, "linestyle": SOLID, "linewidth": 2.2},
    "public": {"color": GREY, "linestyle": SOLID},
}


def curves_by_epsilon(panel: str = TEXT, alpha: float = tests.ALPHA) -> list[Curve]:
    """One curve per epsilon and one for the public test, two-sided."""
    new = [Curve(panel, f"ε = {each}", tests.new(each, alpha=alpha)) for each in EPSILONS]
    return [*new, Curve(panel, "public", tests.public(alpha=alpha))]


def panel_by_epsilon(measured: PowerStudy, title: str, x: Sequence[float]) -> Panel:
    """The curves of one panel as lines."""
    return Panel(
        title,
        [
            Line(curve.name, x, measured.line(curve), style_of(curve.name, STYLES))
            for curve in measured.curves
            if curve.panel == title
        ],
    )


@final
class PowerFigure(Item):
    """The figure for one share of zeros."""

    def __init__(self, name: str, zero_fraction: float, place: str) -> None:
        self.name = name
        self.place = place
        self.zero_fraction = zero_fraction
        share = f"{zero_fraction:.0%} zeros" if zero_fraction else "no zeros"
        self.title = f"Power by ε and number of pairs, {share}"

    def measure(self, session: Session) -> Outcome:
        """Simulate every size once for all epsilons."""
        points = [Point(n, zero_fraction=self.zero_fraction) for n in SIZES]
        measured = study(session, points, curves_by_epsilon(), of=self.name)
        panel = panel_by_epsilon(measured, TEXT, SIZES)
        figure = CurveFigure([panel], "pairs, n", log_x=True, legend_columns=4)
        return Outcome(
            measured.numbers(),
            figure.draw,
            "Power rises with the number of pairs: for the public test first, then for epsilon 1, "
            "0.1 and 0.01, each about ten times as far to the right as the one before it.",
            notes=self._notes(),
        )

    def _notes(self) -> tuple[str, ...]:
        note = "Two-sided at α = .05; u and v are normal with means one standard deviation apart."
        if not self.zero_fraction:
            return (note,)
        return (
            note,
            (
                "The public test drops the zeros and is compared with the variance for the rows "
                "that are left, as the text has it."
            ),
        )

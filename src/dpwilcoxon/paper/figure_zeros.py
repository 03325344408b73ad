"""Power against the proportion of zeros, beside High Utility and beside High Privacy."""

from __future__ import annotations

from typing import final

from dpwilcoxon.paper import tests_of_the_paper as tests
from dpwilcoxon.paper.curves import DASHED, DOTTED, SOLID, CurveFigure, Line, Panel
from dpwilcoxon.paper.item import Item, Outcome
from dpwilcoxon.paper.power_study import SCRIPTS, TEXT, Curve, Point, PowerStudy, study
from dpwilcoxon.paper.session import Session
from dpwilcoxon.parameters import Alternative
from dpwilcoxon.plots.palette import BLUE, INK
from dpwilcoxon.procedures.base import Procedure

EPSILON = "1"
SHARES = tuple(round(0.05 * step, 2) for step in range(21))
LINE_STYLES = (SOLID, DASHED, DOTTED)
WHERE_NEW_LOSES = (
    "The text says that the new test retains power longer in all cases. On the right it does. On "
    "the left High Utility at n = 300 and n = 1,000 keeps more power once most rows are zeros: "
    "its sigma shrinks with them while its noise does not grow. That is where fewer rows than "
    "the assumed 0.3 n are left, and where it is not private."
)
NOTES = (
    "The number of zeros is fixed, as the text says: first the rows with d = 0 are chosen.",
    (
        "Left: two-sided at α = .05, and W divided by the standard deviation for the rows that "
        "are not zero. Right: the published scripts test one-sided at α = .05 and divide by the "
        "standard deviation for all rows, which costs the TC tests power as zeros become more."
    ),
)


@final
class ZerosFigure(Item):
    """The new test and one rival, for three sizes."""

    def __init__(
        self, name: str, label: str, text: Procedure, script: Procedure, sizes: tuple[int, ...]
    ) -> None:
        self.name = name
        self.title = f"Power by the share of zeros, beside {label}"
        self.place = "section 5"
        self.label = label
        self.sizes = sizes
        greater = Alternative.GREATER
        self.curves = (
            Curve(TEXT, tests.NEW, tests.new(EPSILON)),
            Curve(TEXT, label, tests.rival(text, EPSILON)),
            Curve(SCRIPTS, tests.NEW, tests.new(EPSILON, greater)),
            Curve(SCRIPTS, label, tests.rival(script, EPSILON, greater)),
        )

    def measure(self, session: Session) -> Outcome:
        """Simulate every size at every share."""
        points = [Point(n, zero_fraction=share) for n in self.sizes for share in SHARES]
        measured = study(session, points, self.curves, of=self.name)
        figure = CurveFigure(
            [self._panel(measured, title) for title in (TEXT, SCRIPTS)],
            "share of zeros",
            legend_columns=2,
        )
        return Outcome(
            measured.numbers(),
            figure.draw,
            f"Power falls as the share of zeros grows, for the new test and for {self.label} at "
            "three sizes; on the right the new test keeps its power longer at every size.",
            notes=(*NOTES, WHERE_NEW_LOSES) if self.label == tests.HIGH_UTILITY else NOTES,
        )

    def _panel(self, measured: PowerStudy, title: str) -> Panel:
        lines = []
        for curve in self.curves:
            if curve.panel != title:
                continue
            color, width = (INK, 2.2) if curve.name == tests.NEW else (BLUE, 1.3)
            for n, dashes in zip(self.sizes, LINE_STYLES, strict=True):
                points = [Point(n, zero_fraction=share) for share in SHARES]
                style = {"color": color, "linestyle": dashes, "linewidth": width}
                label = f"{curve.name}, n = {n:,}"
                lines.append(Line(label, SHARES, measured.line(curve, points), style))
        return Panel(title, lines)

"""What each of the paper's two changes contributes: the TC tests with exact critical values."""

from __future__ import annotations

from typing import final

from dpwilcoxon.paper import tests_of_the_paper as tests
from dpwilcoxon.paper.curves import CurveFigure
from dpwilcoxon.paper.figure_compare import SIZES, panels
from dpwilcoxon.paper.item import Item, Outcome
from dpwilcoxon.paper.power_study import SCRIPTS, TEXT, Curve, Point, study
from dpwilcoxon.paper.session import Session
from dpwilcoxon.parameters import Method

EPSILON = "1"
BY_PANEL = {
    TEXT: {
        tests.PUBLIC: tests.public(),
        tests.NEW: tests.new(EPSILON),
        tests.HIGH_UTILITY_PLUS: tests.rival(tests.UTILITY_PLUS, EPSILON),
        tests.HIGH_PRIVACY_PLUS: tests.rival(tests.PRIVACY_PLUS, EPSILON),
        tests.HIGH_UTILITY: tests.rival(tests.UTILITY, EPSILON),
        tests.HIGH_PRIVACY: tests.rival(tests.PRIVACY, EPSILON),
    },
    SCRIPTS: {
        tests.PUBLIC: tests.public(method=Method.EXACT),
        tests.NEW: tests.new(EPSILON),
        tests.HIGH_UTILITY_PLUS: tests.rival(tests.SCRIPT_UTILITY_PLUS, EPSILON),
        tests.HIGH_PRIVACY_PLUS: tests.rival(tests.SCRIPT_PRIVACY_PLUS, EPSILON),
        tests.HIGH_UTILITY: tests.rival(tests.SCRIPT_UTILITY_ISOLATED, EPSILON),
        tests.HIGH_PRIVACY: tests.rival(tests.SCRIPT_PRIVACY, EPSILON),
    },
}
NOTES = (
    (
        "Left: as the text describes, two-sided at α = .05, α/2 in each tail. The critical values "
        "of the + variants are the quantiles of z + noise."
    ),
    (
        "Right: the published script for this figure sets High Utility's noise for m = n, "
        "although its critical value is for m = 0.3 n, and both TC tests with their own bound "
        "compare |z| with the one-sided value."
    ),
)


@final
class PlusFigure(Item):
    """Six tests at epsilon 1."""

    name = "figure-plus"
    title = "Power with exact critical values for the TC tests, ε = 1"
    place = "section 5, relative contribution of improvements"

    def measure(self, session: Session) -> Outcome:
        """Simulate both panels on the same samples."""
        curves = [
            Curve(panel, name, test)
            for panel, by_name in BY_PANEL.items()
            for name, test in by_name.items()
        ]
        sizes = SIZES[EPSILON]
        measured = study(session, [Point(n) for n in sizes], curves, of=self.name)
        figure = CurveFigure(panels(measured, sizes), "pairs, n", legend_columns=3)
        return Outcome(
            measured.numbers(),
            figure.draw,
            "The + variants lie between the TC tests with their own bounds and the new test.",
            notes=NOTES,
        )

"""Q-Q plot of p-values when nothing changed, with 0%, 30% and 90% zeros."""

from __future__ import annotations

from typing import Any, final

import numpy as np

from dpwilcoxon.paper.curves import DASHED, DOTTED, SOLID, CurveFigure, Line, Panel
from dpwilcoxon.paper.item import Item, NumberTable, Outcome
from dpwilcoxon.paper.power_study import TEXT, Point
from dpwilcoxon.paper.session import Session
from dpwilcoxon.parameters import Method
from dpwilcoxon.plots.palette import BLUE, INK, RED
from dpwilcoxon.studies.planned import PlannedTest

N_PAIRS, EPSILON = 500, "1"
LEVELS = tuple(round(float(level), 2) for level in np.linspace(0.01, 0.99, 99))
STYLES: dict[float, dict[str, Any]] = {
    0.0: {"color": INK, "linestyle": SOLID, "linewidth": 2.2},
    0.3: {"color": BLUE, "linestyle": DASHED},
    0.9: {"color": RED, "linestyle": DOTTED, "linewidth": 2.2},
}


@final
class UniformityFigure(Item):
    """How often a p-value is at most alpha, for every alpha."""

    name = "figure-qq"
    title = "Q-Q plot of p-values under H0, n = 500, ε = 1"
    place = "appendix, Uniformity of p-values"

    def measure(self, session: Session) -> Outcome:
        """The level and how often it is reached are the two axes of the plot."""
        tests = [
            PlannedTest.parse("pratt", EPSILON, level, method=Method.NORMAL_LAPLACE)
            for level in LEVELS
        ]
        lines, rows, worst = [], [], {}
        for share, style in STYLES.items():
            population = Point(N_PAIRS, effect=0.0, zero_fraction=share).population
            estimates = session.rates(population, N_PAIRS, tests, of=self.name)
            reached = [each.probability for each in estimates]
            lines.append(Line(f"{share:.0%} zeros", reached, LEVELS, style))
            worst[share] = max(reached[i] - level for i, level in enumerate(LEVELS))
            rows += [
                (share, level, each.probability, each.standard_error, each.replicates)
                for level, each in zip(LEVELS, estimates, strict=True)
            ]
        figure = CurveFigure(
            [Panel(TEXT, lines)],
            "probability of so small a p-value",
            "p-value",
            levels=(),
        )
        columns = ("zero_fraction", "alpha", "type_one_error", "standard_error", "replicates")
        return Outcome(
            NumberTable(columns, rows),
            figure.draw,
            "The curves for no zeros and for 30% lie on the diagonal; that for 90% lies above it, "
            "so p-values are larger than they need to be.",
            notes=(
                "By how much the level is exceeded at most: "
                + ", ".join(
                    f"{excess:+.4f} with {share:.0%} zeros" for share, excess in worst.items()
                )
                + ". Two-sided, with the closed-form null for data without zeros.",
            ),
        )

"""The appendix's three tables of critical values of w~, by n and two-sided level."""

from __future__ import annotations

from typing import final

from dpwilcoxon.noise import DiscreteLaplace
from dpwilcoxon.nulls.exact import ExactRankNull
from dpwilcoxon.paper import printed
from dpwilcoxon.paper.comparison import Comparison, Printed, Reading
from dpwilcoxon.paper.item import Cell, Item, NumberTable, Outcome
from dpwilcoxon.paper.session import Session
from dpwilcoxon.paper.simulated_null import SimulatedNull
from dpwilcoxon.paper.typeset import TypesetTable
from dpwilcoxon.parameters import Alternative, Epsilon

HALF_UNIT = 0.5
NOTES = (
    (
        "Two-sided levels: the values are quantiles of |w~|. Measured are those of the law that "
        "the paper simulates, in closed form and without simulation, so they have no uncertainty; "
        "the print has that of 10 million draws."
    ),
    (
        "The column 'exact' of the numbers is the least significant value of the statistic itself, "
        "with the discreteness of ranks and noise."
    ),
)


@final
class CriticalValueTable(Item):
    """The table for one epsilon."""

    def __init__(self, epsilon: str) -> None:
        self.epsilon = epsilon
        self.name = f"table-critical-eps{epsilon}"
        self.title = f"Critical values for ε = {epsilon}"
        self.place = "appendix, New Critical Value Table"

    def measure(self, session: Session) -> Outcome:  # noqa: ARG002 - nothing is simulated
        """Compute all 48 values."""
        table = printed.critical_values(self.epsilon)
        levels = printed.TWO_SIDED_ALPHAS
        numbers: list[tuple[Cell, ...]] = []
        rows: list[tuple[str, ...]] = []
        comparisons: list[Comparison] = []
        for n, printed_row in zip(printed.SIZES, table, strict=True):
            null = SimulatedNull(n, float(self.epsilon))
            values = null.upper_point(levels / 2)
            errors = null.print_error(levels / 2, of_absolute=True)
            exact = self._exact(n)
            rows.append((f"{n:,}", *(f"{value:,.0f}" for value in values)))
            for alpha, value, error, least, old in zip(
                levels, values, errors, exact, printed_row, strict=True
            ):
                numbers.append(
                    (n, float(alpha), float(value), 0.0, least, float(old), float(error))
                )
                comparisons.append(
                    Comparison(
                        f"critical/{self.epsilon}/{n}/{alpha:g}",
                        f"critical value at n = {n}, α = {alpha:g}, ε = {self.epsilon}",
                        Printed(float(old), HALF_UNIT, float(error)),
                        (Reading.exactly(float(value), "two-sided level"),),
                    )
                )
        typeset = TypesetTable(self.title, ("n", *(f"{alpha:g}" for alpha in levels)), rows)
        columns = (
            "n", "alpha", "critical_value", "standard_error", "exact", "printed", "print_error",
        )  # fmt: skip
        return Outcome(
            NumberTable(columns, numbers),
            typeset.draw,
            f"A table of critical values of the noisy statistic for epsilon {self.epsilon}, by "
            "number of pairs and two-sided level.",
            tuple(comparisons),
            NOTES,
            typeset.to_latex(),
        )

    def _exact(self, n: int) -> list[float]:
        """On the scale of w, half of the doubled statistic."""
        noise = DiscreteLaplace.protecting(4 * n, Epsilon.parse(self.epsilon))
        null = ExactRankNull(n, noise)
        points = null.critical_value(printed.TWO_SIDED_ALPHAS, Alternative.TWO_SIDED)
        return [float(point) / 2 for point in points]

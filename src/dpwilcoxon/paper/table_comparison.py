"""The two tables that compare normalised critical values: Public, New and TC."""

from __future__ import annotations

from collections.abc import Iterator
from typing import final

import numpy as np

from dpwilcoxon.arraytypes import FloatArray
from dpwilcoxon.paper import printed
from dpwilcoxon.paper.comparison import Comparison, Printed, Reading
from dpwilcoxon.paper.item import Cell, Item, NumberTable, Outcome
from dpwilcoxon.paper.session import Session
from dpwilcoxon.paper.simulated_null import SimulatedNull
from dpwilcoxon.paper.typeset import TypesetTable
from dpwilcoxon.procedures.task_clifton import noise_scale, upper_bound

HALF_UNIT = 0.0005
GAMMA = 0.01
EPSILONS = ("1", "0.1", "0.01")
NOTES = (
    (
        "One-sided levels: the column New holds quantiles of w~ itself, not of |w~| as the text "
        "says of the test, and Public holds those of one normal tail."
    ),
    (
        "The column TC takes m = n in the bound z + g. That is neither variant of the test: High "
        "Utility assumes m = 0.3 n and High Privacy m = 30. Both are in the numbers beside it, and "
        "are larger."
    ),
)


@final
class ComparisonTable(Item):
    """The table for one number of pairs."""

    def __init__(self, n: int) -> None:
        self.n = n
        self.name = f"table-compare-n{n}"
        self.title = f"Critical values compared, n = {n:,}"
        self.place = "section 5" if n == 100 else "appendix"  # noqa: PLR2004 - one of two

    def measure(self, session: Session) -> Outcome:  # noqa: ARG002 - nothing is simulated
        """Compute the columns, and what they would be for the variants of the TC test."""
        numbers: list[tuple[Cell, ...]] = []
        rows: list[tuple[str, ...]] = []
        comparisons: list[Comparison] = []
        for epsilon in EPSILONS:
            values, errors = self._columns(epsilon)
            comparisons += self._compared(epsilon, values, errors)
            variants = [self._bound(m, epsilon) for m in (0.3 * self.n, 30.0)]
            table = zip(printed.COMPARISON_ALPHAS, values, *variants, strict=True)
            for number, (alpha, row, utility, privacy) in enumerate(table):
                numbers.append(
                    (epsilon, float(alpha), *map(float, row), 0.0, float(utility), float(privacy))
                )
                rows.append(
                    ("" if number else epsilon, f"{alpha:g}", *(f"{each:.3f}" for each in row))
                )
        typeset = TypesetTable(self.title, ("ε", "α", *printed.COMPARISON_COLUMNS), rows, (3, 6))
        columns = (
            "epsilon", "alpha", "public", "new", "tc_with_m_equal_n", "standard_error",
            "tc_high_utility", "tc_high_privacy",
        )  # fmt: skip
        return Outcome(
            NumberTable(columns, numbers),
            typeset.draw,
            f"A table of normalised critical values for {self.n} pairs: the public test, the "
            "paper's, and Task and Clifton's bound.",
            tuple(comparisons),
            NOTES,
            typeset.to_latex(),
        )

    def _columns(self, epsilon: str) -> tuple[FloatArray, FloatArray]:
        """Levels by columns, and the standard errors of the print."""
        from scipy.special import ndtri

        levels = printed.COMPARISON_ALPHAS
        null = SimulatedNull(self.n, float(epsilon))
        new = null.upper_point(levels) / null.sigma
        error = null.print_error(levels, of_absolute=False) / null.sigma
        values = np.stack([-ndtri(levels), new, self._bound(float(self.n), epsilon)], axis=1)
        none = np.zeros(levels.size)
        return values, np.stack([none, error, none], axis=1)

    def _bound(self, rows: float, epsilon: str) -> FloatArray:
        scale = noise_scale(rows, float(epsilon))
        return np.array([upper_bound(each, GAMMA, scale) for each in printed.COMPARISON_ALPHAS])

    def _compared(
        self, epsilon: str, values: FloatArray, errors: FloatArray
    ) -> Iterator[Comparison]:
        table = printed.comparison(self.n, epsilon)
        for row, alpha in enumerate(printed.COMPARISON_ALPHAS):
            for column, test in enumerate(printed.COMPARISON_COLUMNS):
                convention = "one-sided level, m = n" if test == "TC" else "one-sided level"
                yield Comparison(
                    f"compare/{self.n}/{epsilon}/{alpha:g}/{test.lower()}",
                    f"{test}, n = {self.n}, ε = {epsilon}, α = {alpha:g}",
                    Printed(float(table[row, column]), HALF_UNIT, float(errors[row, column])),
                    (Reading.exactly(float(values[row, column]), convention),),
                )

"""Every table and figure of the paper, in its order. Adding one is a file and a line here."""

from __future__ import annotations

from collections.abc import Sequence

from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.paper import tests_of_the_paper as tests
from dpwilcoxon.paper.figure_compare import CompareFigure
from dpwilcoxon.paper.figure_effect import EffectFigure
from dpwilcoxon.paper.figure_plus import PlusFigure
from dpwilcoxon.paper.figure_power import PowerFigure
from dpwilcoxon.paper.figure_qq import UniformityFigure
from dpwilcoxon.paper.figure_taxi import TaxiFigure
from dpwilcoxon.paper.figure_zeros import ZerosFigure
from dpwilcoxon.paper.item import Item
from dpwilcoxon.paper.table_comparison import ComparisonTable
from dpwilcoxon.paper.table_critical_values import CriticalValueTable
from dpwilcoxon.paper.table_worked_example import DroppedTable, InitialTable, PrattTable

ITEMS: dict[str, Item] = {
    item.name: item
    for item in (
        InitialTable(),
        DroppedTable(),
        PrattTable(),
        PowerFigure("figure-power", 0.0, "section 4"),
        PowerFigure("figure-power-zeros", 0.3, "section 4"),
        EffectFigure(),
        ComparisonTable(100),
        CompareFigure("1"),
        ZerosFigure(
            "figure-zeros-utility",
            tests.HIGH_UTILITY,
            tests.UTILITY,
            tests.SCRIPT_UTILITY_ZEROS,
            (100, 300, 1000),
        ),
        ZerosFigure(
            "figure-zeros-privacy",
            tests.HIGH_PRIVACY,
            tests.PRIVACY,
            tests.SCRIPT_PRIVACY_ZEROS,
            (50, 100, 500),
        ),
        PlusFigure(),
        TaxiFigure(),
        UniformityFigure(),
        CompareFigure("0.1"),
        ComparisonTable(1000),
        CriticalValueTable("1"),
        CriticalValueTable("0.1"),
        CriticalValueTable("0.01"),
    )
}


def items_called(names: Sequence[str]) -> list[Item]:
    """The items with these names, in the paper's order and each once."""
    for name in names:
        if name not in ITEMS:
            known = ", ".join(ITEMS)
            raise InvalidArgument(
                f"There is no table or figure called {name!r} here; there are {known}."
            )
    return [item for name, item in ITEMS.items() if name in set(names)]

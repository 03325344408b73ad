"""What a table or figure of the paper is here, and what measuring it leaves."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, final

from dpwilcoxon.paper.comparison import Comparison
from dpwilcoxon.paper.session import Session

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Cell: TypeAlias = "str | int | float"


@final
@dataclass(frozen=True)
class NumberTable:
    """Numbers with the names of their columns, as they go into a CSV file."""

    columns: tuple[str, ...]
    rows: Sequence[tuple[Cell, ...]]


@final
@dataclass(frozen=True)
class Outcome:
    """Everything that measuring an item gives.

    Parameters
    ----------
    numbers
        What was measured, with standard errors where it was simulated.
    draw
        Draws the picture; a table is drawn as it would be typeset.
    description
        The picture in words.
    comparisons
        Printed numbers beside measured ones, where the paper prints any.
    notes
        What a reader of the numbers has to know.
    latex
        A table as LaTeX source.
    missing
        Why nothing could be measured; then everything else is empty.
    """

    numbers: NumberTable = NumberTable((), ())
    draw: Callable[[], Figure] | None = None
    description: str = ""
    comparisons: tuple[Comparison, ...] = ()
    notes: tuple[str, ...] = ()
    latex: str | None = None
    missing: str | None = None


class Item(ABC):
    """One table or figure: whatever it is made with, measuring it changes nothing in it."""

    name: str
    title: str
    place: str  # where it stands in the paper

    @abstractmethod
    def measure(self, session: Session) -> Outcome:
        """Compute or simulate the item."""

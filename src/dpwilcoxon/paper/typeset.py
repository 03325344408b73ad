"""Tables as they would be typeset: as LaTeX source, and as pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

from dpwilcoxon.plots.backend import house_style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ROW_HEIGHT, CHARACTER_WIDTH, COLUMN_GAP = 0.24, 0.085, 0.3  # inches
THICK, THIN = 1.1, 0.6  # points
_LATEX = {"\\": r"\textbackslash{}", **{letter: rf"\{letter}" for letter in "&%$#_{}"}}
_SYMBOLS = {"ε": r"$\epsilon$", "α": r"$\alpha$", "\N{MINUS SIGN}": "$-$", "σ": r"$\sigma$"}
_LETTERS = str.maketrans(_LATEX | _SYMBOLS | {"→": r"$\rightarrow$"})


@final
@dataclass(frozen=True)
class TypesetTable:
    """A table of short texts.

    Parameters
    ----------
    caption
        What stands above it.
    header
        One word or symbol per column.
    rows
        As many texts each; an empty one repeats the one above.
    groups
        After how many rows a thin rule is drawn.
    """

    caption: str
    header: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    groups: tuple[int, ...] = ()

    def to_latex(self) -> str:
        """Return a table environment that needs the booktabs package."""
        lines = [
            "\\begin{table}[ht]",
            "\\centering",
            f"\\caption{{{latex(self.caption)}}}",
            f"\\begin{{tabular}}{{{'r' * len(self.header)}}}",
            "\\toprule",
            _latex_row(self.header),
            "\\midrule",
        ]
        for number, row in enumerate(self.rows, start=1):
            lines.append(_latex_row(row))
            if number in self.groups:
                lines.append("\\midrule")
        return "\n".join([*lines, "\\bottomrule", "\\end{tabular}", "\\end{table}", ""])

    def draw(self) -> Figure:
        """Draw the table, right-aligned, with rules instead of lines."""
        with house_style():
            from matplotlib.figure import Figure

            edges = self._right_edges()
            width, height = edges[-1] + COLUMN_GAP, ROW_HEIGHT * (len(self.rows) + 3.0)
            figure = Figure(figsize=(max(width, 3.2), height))
            axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
            axes.set_axis_off()
            axes.set_xlim(0.0, max(width, 3.2))
            axes.set_ylim(len(self.rows) + 2.0, -1.0)
            axes.text(COLUMN_GAP / 2, -0.45, self.caption, weight="bold", va="center", size=9)
            self._draw_rows(axes, edges)
            self._draw_rules(axes, edges[-1])
        return figure

    def _right_edges(self) -> list[float]:
        edges, edge = [], COLUMN_GAP / 2
        for texts in zip(self.header, *self.rows, strict=True):
            edge += COLUMN_GAP + CHARACTER_WIDTH * max(map(len, texts))
            edges.append(edge)
        return edges

    def _draw_rows(self, axes: Axes, edges: list[float]) -> None:
        for number, row in enumerate([self.header, *self.rows]):
            for edge, text in zip(edges, row, strict=True):
                axes.text(edge, number + 0.5, text, ha="right", va="center", size=9)

    def _draw_rules(self, axes: Axes, right: float) -> None:
        last = len(self.rows) + 1
        rules = {0: THICK, 1: THIN, last: THICK} | {each + 1: THIN for each in self.groups}
        for height, thickness in rules.items():
            weight = THICK if height == last else thickness
            axes.plot(
                [COLUMN_GAP / 2, right + COLUMN_GAP / 2],
                [height, height],
                color="black",
                linewidth=weight,
            )


def latex(text: str) -> str:
    """Write text so that LaTeX prints it as it is."""
    return text.translate(_LETTERS)


def _latex_row(cells: Sequence[str]) -> str:
    return " & ".join(latex(cell) for cell in cells) + r" \\"

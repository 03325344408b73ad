"""Figures of curves, told apart by lightness and line style so that they survive a photocopier."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, final

from dpwilcoxon.plots.backend import house_style
from dpwilcoxon.plots.palette import BLUE, GOLD, GREY, INK, RED, TEAL, VIOLET

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SOLID, DASHED, DOTTED, DASH_DOT, LONG = (
    "-",
    (0, (5, 2)),
    (0, (1, 1.6)),
    (0, (5, 2, 1, 2)),
    (0, (9, 3)),
)

STYLES: Mapping[str, Mapping[str, Any]] = {
    "Public": {"color": GREY, "linestyle": SOLID},
    "New": {"color": INK, "linestyle": SOLID, "linewidth": 2.2},
    "High Utility": {"color": BLUE, "linestyle": DASHED},
    "High Privacy": {"color": RED, "linestyle": DOTTED},
    "High Utility +": {"color": TEAL, "linestyle": DASH_DOT},
    "High Privacy +": {"color": GOLD, "linestyle": LONG},
}


# Of a curve that the paper does not have.
ADDED: Mapping[str, Any] = {"color": VIOLET, "linestyle": SOLID, "marker": "o", "markevery": 0.1}


def style_of(name: str, styles: Mapping[str, Mapping[str, Any]] = STYLES) -> Mapping[str, Any]:
    """How the curve of a test is drawn: in the style of its name, or as one that was added."""
    return styles.get(name, ADDED)


@final
@dataclass(frozen=True)
class Line:
    """One curve of a panel."""

    label: str
    x: Sequence[float]
    y: Sequence[float]
    style: Mapping[str, Any] = field(default_factory=dict)


@final
@dataclass(frozen=True)
class Panel:
    """One set of axes."""

    title: str
    lines: Sequence[Line]


@final
@dataclass(frozen=True)
class CurveFigure:
    """Panels side by side on the same axes.

    Parameters
    ----------
    panels
        What is drawn; lines with the same label look the same.
    x_label, y_label
        What the axes show.
    log_x
        Whether the horizontal axis is logarithmic.
    levels
        Heights at which a faint line helps to read.
    legend_columns
        How the legend below is set.
    """

    panels: Sequence[Panel]
    x_label: str
    y_label: str = "power"
    log_x: bool = False
    levels: Sequence[float] = (0.05, 0.8)
    legend_columns: int = 3

    def draw(self) -> Figure:
        """Draw all panels and one legend."""
        with house_style():
            from matplotlib.figure import Figure

            width = 3.7 * len(self.panels) + (1.9 if len(self.panels) == 1 else 0.0)
            figure = Figure(figsize=(width, 3.9), layout="constrained")
            axes = figure.subplots(1, len(self.panels), sharey=True, squeeze=False)[0]
            for each, panel in zip(axes, self.panels, strict=True):
                self._draw_panel(each, panel)
            axes[0].set_ylabel(self.y_label)
            handles, labels = axes[0].get_legend_handles_labels()
            figure.legend(
                handles,
                labels,
                loc="outside lower center",
                ncols=self.legend_columns,
                handlelength=3.2,
                fontsize=9,
            )
            figure.draw_without_rendering()
        return figure

    def _draw_panel(self, axes: Axes, panel: Panel) -> None:
        for level in self.levels:
            axes.axhline(level, color="#cccccc", linewidth=0.7, zorder=0)
        for line in panel.lines:
            style = {"linewidth": 1.7, **line.style}
            axes.plot(line.x, line.y, label=line.label, **style)
        if self.log_x:
            axes.set_xscale("log")
            axes.xaxis.set_major_formatter(lambda value, _: f"{value:,g}")
        axes.set_ylim(-0.02, 1.03)
        axes.set_xlabel(self.x_label)
        if len(self.panels) > 1:
            axes.set_title(panel.title, fontsize=10)

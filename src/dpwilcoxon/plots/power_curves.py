"""Power curves with their uncertainty, and the answer that was asked for marked on them."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple

from dpwilcoxon.plots.backend import house_style
from dpwilcoxon.plots.numerals import plain
from dpwilcoxon.plots.palette import BLUE, GOLD, GREY, INK, OLIVE, QUIET, RED, TEAL, VIOLET
from dpwilcoxon.studies.curves import AXIS_LABELS, Mark, PowerCurve, PowerPicture

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


class Style(NamedTuple):
    """Curves are told apart by lightness, dashes and markers; the hues are a courtesy."""

    color: str
    dashes: Any
    marker: str


STYLES = (
    Style(INK, "-", "o"),
    Style(RED, (0, (6, 2)), "s"),
    Style(BLUE, (0, (1.5, 1.5)), "^"),
    Style(GOLD, (0, (6, 2, 1.5, 2)), "D"),
    Style(TEAL, (0, (3, 1.5)), "v"),
    Style(VIOLET, (0, (10, 3)), "P"),
    Style(GREY, "-", "X"),
    Style(OLIVE, (0, (1.5, 1.5, 6, 1.5)), "*"),
)
DASHES_SHIFT, MARKER_SHIFT = 5, 2
YARDSTICK_INK = QUIET  # of what is written about it: the band itself is too light to read
YARDSTICK = Style("#b9c0c6", "-", "")
YARDSTICK_WIDTH, CURVE_WIDTH = 5.0, 1.7
GUIDE = "#9aa3ab"
MARKERS = 6  # along a curve: enough to tell it apart, few enough to lie elsewhere than on others
LABEL_HEIGHT, LABEL_STEP = 0.27, 0.055  # low, where the curves of larger answers are still flat
LABEL_LEVELS = 5  # labels next to each other are on different levels
LEGEND_COLUMNS, LONGEST_SHORT_LABEL = 3, 24


def draw_power_curves(picture: PowerPicture) -> Figure:
    """Draw power curves with 95% bands.

    Parameters
    ----------
    picture : PowerPicture
        What is drawn.

    Returns
    -------
    matplotlib.figure.Figure
        A figure that belongs to no window and no global state; save it with its `savefig`.

    Raises
    ------
    MissingDependency
        If matplotlib is not installed.
    """
    with house_style():
        from matplotlib.figure import Figure

        columns = _legend_columns(picture)
        rows = -(-len(picture.curves) // columns)
        figure = Figure(figsize=(7.2, 4.1 + 0.22 * rows), layout="constrained")
        axes = figure.add_subplot()
        _frame(axes, picture)
        styles = _styles(picture)
        for number, curve in enumerate(picture.curves):
            _draw_curve(axes, curve, styles[number], number)
        marked = [(curve.mark, styles[i]) for i, curve in enumerate(picture.curves) if curve.mark]
        for number, (mark, style) in enumerate(sorted(marked, key=lambda each: each[0].x)):
            _draw_mark(axes, mark, picture.wanted or 0.0, style, number % LABEL_LEVELS)
        figure.legend(
            loc="outside lower center",
            ncols=columns,
            handlelength=4.0,
            columnspacing=2.0,
            fontsize=9,
        )
        figure.draw_without_rendering()
    return figure


def _legend_columns(picture: PowerPicture) -> int:
    longest = max(len(curve.label) for curve in picture.curves)
    most = LEGEND_COLUMNS if longest <= LONGEST_SHORT_LABEL else LEGEND_COLUMNS - 1
    return min(most, len(picture.curves))


def _frame(axes: Axes, picture: PowerPicture) -> None:
    from matplotlib.ticker import LogLocator

    axes.set_ylim(-0.02, 1.04)
    axes.set_ylabel("power")
    axes.set_xlabel(AXIS_LABELS[picture.axis])
    if picture.log_x:
        axes.set_xscale("log")
        axes.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    axes.xaxis.set_major_formatter(lambda value, _: plain(value, 6))
    axes.xaxis.set_minor_formatter(lambda _value, _: "")
    _guide(axes, picture.alpha, f"level\n{picture.alpha:g}")
    if picture.wanted is not None:
        _guide(axes, picture.wanted, f"wanted\n{picture.wanted:g}")


def _guide(axes: Axes, height: float, text: str) -> None:
    axes.axhline(height, color=GUIDE, linewidth=0.9, linestyle=(0, (2, 3)), zorder=1)
    axes.annotate(
        text,
        xy=(1.0, height),
        xycoords=("axes fraction", "data"),
        xytext=(4, 0),
        textcoords="offset points",
        ha="left",
        va="center",
        color=QUIET,
        size=8.5,
    )


def _styles(picture: PowerPicture) -> list[Style]:
    """One style after the other for the tests, and a broad band of grey for a yardstick."""
    others = map(_style, count())
    return [YARDSTICK if curve.is_yardstick else next(others) for curve in picture.curves]


def _style(number: int) -> Style:
    """The styles in turn; each time round, the hues meet other dashes and markers."""
    turn, place = divmod(number, len(STYLES))
    dashes, marker = (
        STYLES[(place + turn * shift) % len(STYLES)] for shift in (DASHES_SHIFT, MARKER_SHIFT)
    )
    return Style(STYLES[place].color, dashes.dashes, marker.marker)


def _draw_curve(axes: Axes, curve: PowerCurve, style: Style, number: int) -> None:
    every = max(1, len(curve.x) // MARKERS)
    axes.fill_between(
        curve.x, curve.low, curve.high, color=style.color, alpha=0.22, linewidth=0.0, zorder=2
    )
    axes.plot(
        curve.x,
        curve.power,
        color=style.color,
        linestyle=style.dashes,
        linewidth=YARDSTICK_WIDTH if curve.is_yardstick else CURVE_WIDTH,
        marker=style.marker,
        markersize=4.5,
        markevery=(number % every, every),  # so that curves on top of each other both show
        label=curve.label,
        zorder=2 if curve.is_yardstick else 3,
    )


def _draw_mark(axes: Axes, mark: Mark, height: float, style: Style, level: int) -> None:
    """Drop a line from the curve to the axis, and write the answer beside it."""
    ink = YARDSTICK_INK if style is YARDSTICK else style.color
    axes.plot([mark.x] * 2, [-0.02, height], color=ink, linewidth=1.0, zorder=2)
    axes.errorbar(
        mark.x,
        height,
        xerr=[[max(0.0, mark.x - mark.low)], [max(0.0, mark.high - mark.x)]],
        color=ink,
        marker="o",
        markersize=8,
        markerfacecolor="white",
        markeredgewidth=1.8,
        capsize=4,
        zorder=5,
    )
    axes.annotate(
        mark.text,
        xy=(mark.x, LABEL_HEIGHT - LABEL_STEP * level),
        xytext=(6, 0),
        textcoords="offset points",
        ha="left",
        va="center",
        color=ink,
        weight="bold",
        bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 1.5},
        zorder=6,
    )

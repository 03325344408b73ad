"""The picture of a result: the null density, the released value, and the p-value region."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dpwilcoxon.plots.backend import house_style
from dpwilcoxon.plots.null_curve import NullCurve, null_curve
from dpwilcoxon.plots.numerals import p_value, plain
from dpwilcoxon.plots.palette import DEEP_RED, INK, QUIET
from dpwilcoxon.result import PrivateTestResult

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.ticker import Locator

# Told apart by lightness, line style and hatching; the hues are a courtesy.
REGION_FILL = "#a9c7e3"
REGION_HATCH = "#17466f"
RELEASED = DEEP_RED

LARGEST_TICK = 1e6  # longer numbers would run into each other
STRIP = -0.17  # of the peak: where the released value and its interval sit, under the curve
CEILING = 1.42  # of the peak: room for the released value's label


@dataclass(frozen=True)
class Size:
    """The size of a picture in inches, and what fits into its width."""

    width: float = 7.2
    height: float = 3.6
    ticks: int = 6
    legend_columns: int = 2


WIDE = Size()
# For small windows, where a picture scaled down is too small to read.
NARROW = Size(width=4.2, height=4.2, ticks=4, legend_columns=1)


def draw_null_density(result: PrivateTestResult, size: Size = WIDE) -> Figure:
    """Draw where a released statistic falls among those expected if nothing changed.

    Everything drawn is post-processing of the release: it touches no data, costs no privacy
    and simulates nothing.

    Parameters
    ----------
    result : PrivateTestResult
        What :func:`dpwilcoxon.wilcoxon` returned.
    size : Size
        The size of the picture in inches.

    Returns
    -------
    matplotlib.figure.Figure
        A figure that belongs to no window and no global state; save it with its `savefig`.

    Raises
    ------
    MissingDependency
        If matplotlib is not installed.
    """
    return draw_curve(null_curve(result), size)


def draw_curve(curve: NullCurve, size: Size = WIDE) -> Figure:
    """Draw a curve that is already computed; see :func:`draw_null_density`."""
    with house_style():
        from matplotlib.figure import Figure

        figure = Figure(figsize=(size.width, size.height), layout="constrained")
        axes = figure.add_subplot()
        _frame(axes, curve, size.ticks)
        _draw_null(axes, curve)
        _draw_region(axes, curve)
        _draw_released(axes, curve)
        figure.legend(
            loc="outside lower center",
            ncols=size.legend_columns,
            handlelength=2.4,
            columnspacing=2.0,
            fontsize=9,
            borderaxespad=0.2,
        )
        # Lay out now, while the house style is in force: text is measured when it is drawn.
        figure.draw_without_rendering()
    return figure


def _frame(axes: Axes, curve: NullCurve, ticks: int) -> None:
    axes.set_xlim(curve.view.low, curve.view.high)
    axes.set_ylim(2.0 * STRIP * curve.peak, CEILING * curve.peak)
    axes.spines["left"].set_visible(False)
    axes.yaxis.set_visible(False)
    axes.xaxis.set_major_locator(_tick_locator(ticks))
    axes.xaxis.set_major_formatter(lambda value, _: _tick_label(value))
    axes.set_xlabel("signed-rank statistic", labelpad=4)
    axes.axhline(0.0, color=INK, linewidth=0.6)
    for place, side, text in ((0.0, "left", "← decreases"), (1.0, "right", "increases →")):
        axes.text(
            place, 0.985, text, transform=axes.transAxes, ha=side, va="top", color=QUIET, size=9
        )


def _tick_locator(ticks: int) -> Locator:
    from matplotlib.ticker import MaxNLocator

    return MaxNLocator(nbins=ticks, steps=[1, 2, 5, 10])


def _tick_label(value: float) -> str:
    return plain(value, largest=LARGEST_TICK)


def _draw_null(axes: Axes, curve: NullCurve) -> None:
    axes.plot(
        curve.points, curve.density, color=INK, linewidth=1.6, label="expected if nothing changed"
    )


def _draw_region(axes: Axes, curve: NullCurve) -> None:
    probability = f"p = {p_value(curve.log_pvalue)}"
    for tail, label in zip(curve.region(), (f"p-value region, {probability}", None), strict=False):
        axes.fill_between(
            curve.points,
            curve.density,
            where=tail,
            facecolor=REGION_FILL,
            edgecolor=REGION_HATCH,
            hatch="////",
            linewidth=0.0,
            label=label,
        )
    if curve.is_region_faint:
        _point_at_faint_region(axes, curve, probability)


def _point_at_faint_region(axes: Axes, curve: NullCurve, probability: str) -> None:
    foot = min(max(curve.statistic, curve.view.low), curve.view.high)
    side = -1.0 if foot > 0 else 1.0
    axes.annotate(
        f"{probability}\ntoo thin to see",
        xy=(foot, 0.01 * curve.peak),
        xytext=(14.0 * side, 52.0),
        textcoords="offset points",
        ha="right" if side < 0 else "left",
        va="center",
        color=INK,
        arrowprops={"arrowstyle": "-|>", "color": INK, "linewidth": 0.8, "shrinkB": 1.0},
    )


def _draw_released(axes: Axes, curve: NullCurve) -> None:
    height = STRIP * curve.peak
    low, high = curve.interval
    axes.errorbar(
        (low + high) / 2,
        height,
        xerr=(high - low) / 2,
        fmt="none",
        ecolor=RELEASED,
        elinewidth=2.2,
        capsize=5.5,
        capthick=2.2,
        label=f"95% noise interval, {plain(low)} to {plain(high)}",
    )
    axes.plot(
        curve.statistic,
        height,
        color=RELEASED,
        marker="D",
        markersize=7.5,
        linestyle="none",
        label=f"released statistic, {plain(curve.statistic)}",
    )
    if curve.is_statistic_in_view:
        _mark_released(axes, curve, height)
    else:
        _point_off_the_edge(axes, curve, height)


def _mark_released(axes: Axes, curve: NullCurve, height: float) -> None:
    top = 1.08 * curve.peak
    axes.plot(
        [curve.statistic] * 2,
        [height, top],
        color=RELEASED,
        linewidth=1.2,
        linestyle=(0, (5, 3)),
    )
    axes.annotate(
        plain(curve.statistic),
        xy=(curve.statistic, top),
        xytext=(0, 2),
        textcoords="offset points",
        ha="center",
        va="bottom",
        color=RELEASED,
        weight="bold",
    )


def _point_off_the_edge(axes: Axes, curve: NullCurve, height: float) -> None:
    side = 1.0 if curve.statistic > 0 else -1.0
    edge = curve.view.high if side > 0 else curve.view.low
    axes.annotate(
        f"{plain(curve.statistic)}, far beyond this edge",
        xy=(edge, height),
        xytext=(-34.0 * side, 0.0),
        textcoords="offset points",
        ha="right" if side > 0 else "left",
        va="center",
        color=RELEASED,
        weight="bold",
        arrowprops={"arrowstyle": "-|>", "color": RELEASED, "linewidth": 2.2},
    )

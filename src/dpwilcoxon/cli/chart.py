"""A small chart of power curves in plain text."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dpwilcoxon.studies.curves import AXIS_LABELS, PowerCurve, PowerPicture

SYMBOLS = "*o+x#@%&"
HEIGHT = 11  # rows, for powers 0, 0.1, ... 1
MARGIN = 6  # characters left of the chart
TICKS = 4
WANTED = "-"


def chart(picture: PowerPicture, width: int) -> str:
    """Draw power curves in so many columns, one symbol for each curve."""
    columns = max(20, width - MARGIN - 1)
    rows = [[" "] * columns for _ in range(HEIGHT)]
    if picture.wanted is not None:
        rows[_row(picture.wanted)] = [WANTED] * columns
    xs = _positions(picture, columns)
    for curve, symbol in zip(picture.curves, _symbols(picture.curves), strict=True):
        along = np.interp(xs, _scaled(picture, curve.x), curve.power, left=np.nan, right=np.nan)
        for column, power in enumerate(along):
            if not np.isnan(power):
                rows[_row(float(power))][column] = symbol
    lines = [_labelled(number, row) for number, row in enumerate(rows)]
    legend = _legend(picture.curves, columns)
    axis = " " * MARGIN + "+" + "-" * columns
    ticks = _ticks(picture, columns)
    name = AXIS_LABELS[picture.axis].center(columns).rstrip()
    indent = " " * (MARGIN + 1)
    below = [ticks, name, "", *legend]
    return "\n".join(["power", *lines, axis, *((indent + line).rstrip() for line in below)])


def _legend(curves: Sequence[PowerCurve], columns: int) -> list[str]:
    """The symbol of each curve, in as many columns as fit side by side."""
    entries = [
        f"{symbol} {curve.label}" for curve, symbol in zip(curves, _symbols(curves), strict=True)
    ]
    widest = max(len(entry) for entry in entries) + 3
    per_line = max(1, (columns + 3) // widest)
    rows = [entries[start : start + per_line] for start in range(0, len(entries), per_line)]
    return ["".join(entry.ljust(widest) for entry in row).rstrip() for row in rows]


def _symbols(curves: Sequence[PowerCurve]) -> str:
    return "".join(SYMBOLS[number % len(SYMBOLS)] for number in range(len(curves)))


def _row(power: float) -> int:
    return HEIGHT - 1 - round(min(max(power, 0.0), 1.0) * (HEIGHT - 1))


def _labelled(number: int, row: Sequence[str]) -> str:
    height = 1.0 - number / (HEIGHT - 1)
    label = f"{height:.1f}" if number % 2 == 0 else ""
    return f"{label:>{MARGIN}}|{''.join(row)}".rstrip()


def _scaled(
    picture: PowerPicture, x: Sequence[float]
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    values = np.asarray(x, dtype=np.float64)
    return np.log(values) if picture.log_x else values


def _positions(picture: PowerPicture, columns: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    ends = [_scaled(picture, curve.x) for curve in picture.curves]
    return np.linspace(min(x[0] for x in ends), max(x[-1] for x in ends), columns)


def _ticks(picture: PowerPicture, columns: int) -> str:
    """Numbers under the axis, the outer ones flush with its ends."""
    xs = _positions(picture, columns)
    line = [" "] * columns
    for place in np.linspace(0, columns - 1, TICKS).round().astype(int):
        value = float(np.exp(xs[place]) if picture.log_x else xs[place])
        text = f"{round(value):,}" if picture.axis == "n" else f"{value:.3g}"
        start = min(max(0, int(place) - len(text) // 2), columns - len(text))
        line[start : start + len(text)] = text
    return "".join(line).rstrip()

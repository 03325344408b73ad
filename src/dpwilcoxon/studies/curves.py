"""Powers as curves: what a picture or a chart in a terminal shows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

from dpwilcoxon.parameters import pairs_text
from dpwilcoxon.procedures.registry import PROCEDURES
from dpwilcoxon.studies.cases import Record

AXES = ("n", "effect", "epsilon")  # which of them a curve runs along, if several could be
NAMES = ("procedure", "epsilon", "effect", "n")
AXIS_LABELS = {
    "n": "number of pairs",
    "effect": "effect",
    "epsilon": "epsilon",
}
FEWEST_POINTS = 3  # of something worth a picture


@final
@dataclass(frozen=True)
class Mark:
    """A point of a curve that answers a question, with its 95% interval."""

    x: float
    low: float
    high: float
    text: str


@final
@dataclass(frozen=True)
class PowerCurve:
    """The power of one test along an axis, with the 95% intervals of its points."""

    label: str
    x: tuple[float, ...]
    power: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    mark: Mark | None = None
    is_yardstick: bool = False  # nothing that could be run: drawn behind the others


@final
@dataclass(frozen=True)
class PowerPicture:
    """Curves on the same axes.

    Parameters
    ----------
    axis
        What they run along: "n", "effect" or "epsilon".
    curves
        At least one.
    alpha
        The level, which is the power where nothing changes.
    wanted
        The power that is asked for, if one is.
    left_out
        How many curves there would be besides.
    """

    axis: str
    curves: tuple[PowerCurve, ...]
    alpha: float
    wanted: float | None = None
    left_out: int = 0

    @property
    def log_x(self) -> bool:
        """Whether the axis is better drawn in powers of ten."""
        xs = [x for curve in self.curves for x in curve.x]
        return self.axis == "epsilon" and max(xs) > 5.0 * min(xs)

    @classmethod
    def of(cls, records: Sequence[Record]) -> PowerPicture | None:
        """Make a picture of a table of powers; None if too few points differ along any axis."""
        axis = max(AXES, key=lambda name: len({each[name] for each in records}))
        if len({each[axis] for each in records}) < FEWEST_POINTS:
            return None
        return cls(axis, tuple(_curves(records, axis)), records[0]["alpha"])


def _curves(records: Sequence[Record], axis: str) -> list[PowerCurve]:
    groups: dict[tuple[Any, ...], list[Record]] = defaultdict(list)
    for each in records:
        groups[curve_key(each, axis)].append(each)
    return [curve_of(rows, axis, label_of(rows[0], records, axis)) for rows in groups.values()]


def curve_key(record: Record, axis: str) -> tuple[Any, ...]:
    """What a row shares with the others of its curve; a test without noise has no epsilon."""
    return tuple(record[name] for name in _own_names(record, axis))


def _own_names(record: Record, axis: str) -> list[str]:
    known = PROCEDURES.get(record["procedure"])  # studies also take tests of their own
    own = (
        NAMES
        if known is None or known.uses_epsilon
        else [each for each in NAMES if each != "epsilon"]
    )
    return [name for name in own if name != axis]


def label_of(record: Record, others: Sequence[Record], axis: str) -> str:
    """Say in which way a curve differs from the others; failing that, which test it is."""
    own = _own_names(record, axis)
    varying = [name for name in own if len({each[name] for each in others}) > 1]
    return ", ".join(_words(name, record[name]) for name in varying or ["procedure"])


def curve_of(
    records: Sequence[Record], axis: str, label: str, mark: Mark | None = None
) -> PowerCurve:
    """Put rows of a table of powers in order along an axis."""
    by_place = {float(each[axis]): each for each in records}  # the same twice is one point
    ordered = [by_place[place] for place in sorted(by_place)]
    columns = {
        name: tuple(float(each[name]) for each in ordered) for name in ("power", "low", "high")
    }
    known = PROCEDURES.get(ordered[0]["procedure"])  # studies also take tests of their own
    yardstick = known is not None and known.is_yardstick
    label = f"{label}: a yardstick, not a bound" if yardstick else label
    x = tuple(float(each[axis]) for each in ordered)
    return PowerCurve(label, x, **columns, mark=mark, is_yardstick=yardstick)


def _words(name: str, value: Any) -> str:  # noqa: ANN401 - a number or a name
    if name == "procedure":
        return str(value)
    return pairs_text(value) if name == "n" else f"{name} {value:g}"

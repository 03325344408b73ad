"""What the pairs of a table are, written down as plainly as possible, in fractions."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction


def aggregated(values, how):
    """One exact number of several."""
    ordered = sorted(values)
    match how:
        case "mean":
            return Fraction(sum(map(Fraction, ordered)), len(ordered))
        case "median":
            size = len(ordered)
            return Fraction(ordered[(size - 1) // 2] + ordered[size // 2]) / 2
        case "min":
            return ordered[0]
    return ordered[-1]


def unit_differences(rows, levels, how):
    """Differences of (unit, condition, value) rows; a unit without a condition has no change."""
    values = defaultdict(list)
    units = []
    for unit, condition, value in rows:
        values[unit, condition].append(value)
        if unit not in units:
            units.append(unit)
    before, after = levels
    return {
        unit: aggregated(values[unit, after], how) - aggregated(values[unit, before], how)
        if values[unit, after] and values[unit, before]
        else 0
        for unit in units
    }


def signed_places(differences):
    """Each difference as its place among the sizes, with its sign: all that ranks depend on."""
    place = {size: index for index, size in enumerate(sorted({0, *map(abs, differences)}))}
    return [place[abs(each)] * (-1 if each < 0 else 1) for each in differences]


def places_of(pairs):
    """The same of a paired sample, out of its keys."""
    keys = getattr(pairs, "sample", pairs).keys.values  # with or without a description
    return signed_places([int(key >> 1) * (-1 if key & 1 else 1) for key in keys.tolist()])

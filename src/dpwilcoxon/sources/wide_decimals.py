"""Exact differences of decimals that need more than 64 bits, as pairs of words.

A number is high * WORD + low, in multiples of 10^-places. Simulated data and data exported with
all digits of a double is of this kind: one value near zero is enough.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from dpwilcoxon.arraytypes import AnyArray, BoolArray, IntArray
from dpwilcoxon.columns import WORD_DIGITS, Column, Kind
from dpwilcoxon.sources.text_cells import TextCells
from dpwilcoxon.sources.text_sql import WORD, Cell

POWERS_OF_TEN = 10 ** np.arange(WORD_DIGITS + 1, dtype=np.int64)
INFINITE_WORD = 8 * WORD  # above the high word of every difference, and below 2^63


class Wide(NamedTuple):
    """Numbers as two words of the same sign, each below 2 * WORD in size."""

    high: IntArray
    low: IntArray


def wide_difference_column(parsed: Sequence[TextCells], places: int) -> Column | None:
    """Subtract number columns as two words, or return None if some number does not fit.

    Signed ranks need the order of the differences and nothing else, so the column holds the
    place of each difference among their sizes, with its sign, instead of the difference.
    """
    scaled = [_scaled(cells, places) for cells in parsed]
    numbers = [each for each in scaled if each is not None]
    if len(numbers) < len(scaled):
        return None
    difference = numbers[0]
    if len(numbers) > 1:
        difference = Wide(*(x - y for x, y in zip(*numbers, strict=True)))
    directions = [np.where(cells.kinds == Cell.INFINITE, cells.digits, 0) for cells in parsed]
    direction = directions[0] - sum(directions[1:])
    is_missing = _is_missing(parsed) | (parsed[0].having(Cell.INFINITE) & (direction == 0))
    sign, high, low = _sign_and_size(difference)
    is_infinite = direction != 0
    sign[is_infinite] = np.sign(direction[is_infinite])
    high[is_infinite], low[is_infinite] = INFINITE_WORD, 0
    return Column(Kind.INTEGER, sign * _places_in_order(high, low), is_missing)


def _scaled(cells: TextCells, places: int) -> Wide | None:
    """Write numbers as multiples of 10^-places, or return None if one does not fit two words."""
    is_number = (cells.kinds == Cell.NUMBER) & (cells.digits != 0)
    shift = np.where(is_number, places - cells.places, 0)
    digits = np.where(is_number, cells.digits, 0)
    if (cells.kinds == Cell.LONG).any() or shift.max(initial=0) > 2 * WORD_DIGITS:
        return None
    size, sign = np.abs(digits), np.sign(digits)
    within = np.minimum(shift, WORD_DIGITS)  # zeros that fill the low word ...
    beyond = POWERS_OF_TEN[shift - within]  # ... and those that are left for the high word
    in_high, in_low = np.divmod(size, POWERS_OF_TEN[WORD_DIGITS - within])
    if (in_high > (WORD - 1) // beyond).any():
        return None
    wide = Wide(sign * in_high * beyond, sign * in_low * POWERS_OF_TEN[within])
    if cells.upper is None:
        return wide
    high = _scaled_upper(cells.upper, places - cells.places)
    return None if high is None else Wide(wide.high + high, wide.low)


def _scaled_upper(upper: IntArray, shift: AnyArray) -> IntArray | None:
    shift = np.where(upper == 0, 0, shift)
    if shift.max(initial=0) > WORD_DIGITS:
        return None
    factor = POWERS_OF_TEN[shift]
    if (np.abs(upper) > (WORD - 1) // factor).any():
        return None
    return upper * factor


def _sign_and_size(wide: Wide) -> tuple[IntArray, IntArray, IntArray]:
    carry, low = np.divmod(wide.low, WORD)  # low is in [0, WORD) now, whatever its sign was
    high = wide.high + carry
    is_negative = high < 0
    borrows = is_negative & (low > 0)
    low = np.where(borrows, WORD - low, low)
    high = np.abs(high) - borrows
    sign = np.where(is_negative, -1, ((high > 0) | (low > 0)).astype(np.int64))
    return sign, high, low


def _places_in_order(high: IntArray, low: IntArray) -> IntArray:
    """The place of each size among the distinct ones, counted from 1."""
    order = np.lexsort((low, high))
    ordered_high, ordered_low = high[order], low[order]
    is_larger = (ordered_high[1:] != ordered_high[:-1]) | (ordered_low[1:] != ordered_low[:-1])
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.concatenate(([1], 1 + np.cumsum(is_larger)))
    return place


def _is_missing(parsed: Sequence[TextCells]) -> BoolArray:
    missing = np.zeros(len(parsed[0].kinds), dtype=np.bool_)
    for cells in parsed:
        missing |= cells.kinds == Cell.MISSING
    return missing

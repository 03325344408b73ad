"""Search for the integer at which a decreasing tail falls to a level."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dpwilcoxon.arraytypes import BoolArray, FloatArray

SECTIONS = 32  # the tails searched here cost little more for 32 points than for one
WIDENING = 8.0


def least_integer(
    log_tail: Callable[[FloatArray], FloatArray],
    level: FloatArray,
    guess: FloatArray,
    step: float,
) -> FloatArray:
    """For each level the least integer t with log_tail(t) <= level.

    `log_tail` does not increase and takes arrays; `guess` is where to start, `step` how far
    to look first. Levels whose guess is not finite (probability 0 or 1) keep the guess.
    """
    point = guess.copy()
    finite = np.isfinite(guess)
    if finite.any():
        target, start = level[finite], np.round(guess[finite])
        high = _walk(start, step, lambda t: log_tail(t) > target)
        low = _walk(start, -step, lambda t: log_tail(t) <= target)
        point[finite] = _bisect(log_tail, target, low, high)
    return point


def _walk(
    start: FloatArray, step: float, short_of_goal: Callable[[FloatArray], BoolArray]
) -> FloatArray:
    """Go on from `start` in growing steps until no element is short of its goal."""
    point = start + step
    while (short := np.asarray(short_of_goal(point))).any():
        step *= WIDENING
        point = np.where(short, point + step, point)
    return point


def _bisect(
    log_tail: Callable[[FloatArray], FloatArray],
    level: FloatArray,
    low: FloatArray,
    high: FloatArray,
) -> FloatArray:
    """Narrow low < answer <= high to neighbours, in many sections at a time."""
    cuts = np.arange(SECTIONS + 1)[:, np.newaxis] / SECTIONS
    while np.any(high - low > np.maximum(1.0, np.spacing(np.abs(high)))):
        points = np.round(low + (high - low) * cuts)
        points[0], points[-1] = low, high
        below = log_tail(points) > level
        below[0], below[-1] = True, False
        # the tail decreases, so the answer lies behind the last point still above the level
        last = np.argmin(below, axis=0) - 1
        low, high = (np.take_along_axis(points, (last + i)[np.newaxis], 0)[0] for i in (0, 1))
    return high

"""Exact arithmetic on Python numbers that may be infinite."""

from __future__ import annotations

import math
import sys
from decimal import Decimal
from fractions import Fraction
from numbers import Integral
from typing import TypeAlias

from dpwilcoxon.statistics.keys import ExactNumber

Number: TypeAlias = "int | float | Decimal | Fraction"

INFINITIES = (math.inf, -math.inf)  # comparing with them, unlike math.isinf, makes no float


def exact_number(value: Number) -> ExactNumber:
    """Return a number as int or Fraction, or as a float if it is infinite."""
    if isinstance(value, Integral):
        return int(value)
    if value in INFINITIES:
        return float(value)
    return Fraction(*value.as_integer_ratio())  # of numpy's floats, too


def exact_difference(x: ExactNumber, y: ExactNumber) -> ExactNumber | None:
    """Return x - y, or None for infinity minus infinity."""
    if isinstance(y, float):
        return None if x == y else -y
    return x if isinstance(x, float) else x - y


def nearest_float(value: Number) -> float:
    """Round to float64; what is finite stays finite."""
    try:
        number = float(value)
    except OverflowError:
        number = math.inf if value > 0 else -math.inf
    if math.isinf(number) and value not in INFINITIES:
        return math.copysign(sys.float_info.max, number)
    return number

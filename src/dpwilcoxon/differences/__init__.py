"""Two columns to the signed keys of their differences.

What a difference is depends on the kinds of the columns and on the two values of its row, and
on nothing else: one unusual value must never change how the others are computed. So each
combination of kinds has one definition, however many ways there are to compute it.

- beside floats: the exact difference, rounded once to float64; decimals and fractions are
  rounded to float64 first, so that 0.1 is one number in both columns, but integers are not
- beside numpy's long double: the same in long double
- all others: the exact difference
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from dpwilcoxon.columns import Column, Kind
from dpwilcoxon.differences.floats import subtract_floats
from dpwilcoxon.differences.result import Differences, any_missing
from dpwilcoxon.differences.units import common_unit
from dpwilcoxon.differences.unlimited import subtract_unlimited
from dpwilcoxon.differences.whole_numbers import WholeNumbers

__all__ = ["Differences", "subtract"]


def subtract(columns: Sequence[Column], step: Fraction | None = None) -> Differences:
    """Subtract the second column from the first, or take the only one as differences.

    Parameters
    ----------
    columns : sequence of Column
        One or two columns of equal length, of kinds that can be subtracted.
    step : Fraction, optional
        Round each difference to the nearest multiple, halves to the even one.

    Returns
    -------
    Differences
        Their signed keys, and what is missing.
    """
    kinds = {column.kind for column in columns}
    missing = any_missing(columns)
    if Kind.FLOAT in kinds:
        return subtract_floats(columns, missing, step)
    if Kind.OBJECT not in kinds:
        unit, factors = common_unit(columns)
        numbers = WholeNumbers(
            tuple(column.values for column in columns),
            tuple(factors),
            None if step is None else unit / step,
        )
        if numbers.fit_64_bits():
            return numbers.differences(missing)
    return subtract_unlimited(columns, missing, step)

"""Signed keys: differences as unsigned integers that sort by size and remember their sign.

The order of ``key >> 1`` is the order of abs(d), the lowest bit is the sign (1 for negative),
and ``key >> 1`` is zero exactly when d is. Ranks depend on nothing else, so one array of keys
stands for differences of every type, and sorting integers is all that is left to do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

import numpy as np

from dpwilcoxon.arraytypes import AnyArray, BoolArray, FloatArray, KeyArray
from dpwilcoxon.errors import DataError, InvalidArgument

ExactNumber: TypeAlias = "int | Fraction | float"  # floats only where they are infinite

LARGEST_SHIFTED = 2**63 - 1  # larger magnitudes leave no room for the sign
_ONE = np.uint64(1)
_TOP_BIT = np.uint64(63)


@dataclass(frozen=True, eq=False, repr=False)
class SignedKeys:
    """Differences, ready to be ranked; read-only."""

    values: KeyArray

    def __post_init__(self) -> None:
        if self.values.dtype != np.uint64 or self.values.ndim != 1:
            raise InvalidArgument(
                "`values` must be a one-dimensional array of uint64; got "
                f"{self.values.ndim} dimensions of {self.values.dtype}."
            )
        view = self.values.view()
        view.flags.writeable = False
        object.__setattr__(self, "values", view)

    def __len__(self) -> int:
        return len(self.values)

    def __repr__(self) -> str:
        return f"SignedKeys(n={len(self)})"  # never a value

    @classmethod
    def from_differences(cls, differences: AnyArray) -> SignedKeys:
        """Make the keys of an array of floats, integers or Python numbers, none of them NaN."""
        if differences.dtype.kind in "biu":
            return cls(_keys_of_integers(differences))
        if differences.dtype.kind != "f":
            return cls(object_keys(differences.tolist()))
        if np.isnan(differences).any():
            raise DataError("Differences must not be NaN; decide first what missing values mean.")
        if differences.dtype.itemsize > np.dtype(np.float64).itemsize:  # long double
            return cls(ranked_keys(np.abs(differences), differences < 0))
        keys = np.empty(len(differences), dtype=np.uint64)
        write_float_keys(differences.astype(np.float64), keys)
        return cls(keys)


def write_float_keys(differences: FloatArray, out: KeyArray) -> None:
    """Write the keys of finite or infinite floats to `out`; overwrites the differences.

    Rotated left by one, the bits of a float order by size and end in its sign.
    """
    differences += 0.0  # -0.0 becomes +0.0
    bits = differences.view(np.uint64)
    np.left_shift(bits, _ONE, out=out)
    np.right_shift(bits, _TOP_BIT, out=bits)
    np.bitwise_or(out, bits, out=out)


def write_integer_keys(magnitudes: KeyArray, minus: KeyArray, out: KeyArray) -> None:
    """Write the keys of magnitudes up to LARGEST_SHIFTED to `out`.

    `minus` holds the sign as `take_magnitudes` left it: 2^64 - 1, which is -1, for negative.
    """
    np.left_shift(magnitudes, _ONE, out=out)
    np.subtract(out, minus, out=out)


def take_magnitudes(integers: KeyArray, minus: KeyArray) -> None:
    """Turn integers modulo 2^64 into their magnitudes, given 1 in `minus` for negative ones."""
    np.negative(minus, out=minus)  # every bit of it, so that what follows is two's complement
    np.bitwise_xor(integers, minus, out=integers)
    np.subtract(integers, minus, out=integers)


def ranked_keys(magnitudes: AnyArray, negative: BoolArray) -> KeyArray:
    """Make keys of magnitudes of any sortable type: their dense ranks, zero staying zero."""
    distinct, rank = np.unique(magnitudes, return_inverse=True)
    keys = rank.reshape(-1).astype(np.uint64)
    if len(distinct) and distinct[0] != 0:
        keys += _ONE
    keys <<= _ONE
    keys |= negative.astype(np.uint64)
    return keys


def object_keys(differences: Sequence[ExactNumber]) -> KeyArray:
    """Make the keys of Python numbers, compared exactly."""
    sizes = [-each if each < 0 else each for each in differences]
    rank = {size: place for place, size in enumerate(sorted({0, *sizes}))}
    keys = [2 * rank[size] + (each < 0) for size, each in zip(sizes, differences, strict=True)]
    return np.array(keys, dtype=np.uint64)


def _keys_of_integers(differences: AnyArray) -> KeyArray:
    keys = differences.astype(np.uint64)
    minus = (differences < 0).astype(np.uint64)
    take_magnitudes(keys, minus)
    if keys.max(initial=0) > LARGEST_SHIFTED:
        return ranked_keys(keys, minus != 0)
    write_integer_keys(keys, minus, keys)
    return keys

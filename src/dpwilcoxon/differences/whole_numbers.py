"""Exact differences of 64-bit integers, in unsigned arithmetic that cannot overflow."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from dpwilcoxon.arraytypes import AnyArray, BoolArray, KeyArray
from dpwilcoxon.differences.compiled import subtract_compiled
from dpwilcoxon.differences.result import Differences
from dpwilcoxon.statistics.chunks import CHUNK_ROWS, chunks
from dpwilcoxon.statistics.keys import (
    LARGEST_SHIFTED,
    ranked_keys,
    take_magnitudes,
    write_integer_keys,
)

INT64_END = 2**63
UINT64_END = 2**64


@dataclass(frozen=True, eq=False)
class WholeNumbers:
    """One or two arrays of integers to subtract, each in a unit of its own."""

    arrays: tuple[AnyArray, ...]
    factors: tuple[int, ...]  # units of the difference in one unit of each array
    steps: Fraction | None = None  # steps to round to in one unit of the difference

    def fit_64_bits(self) -> bool:
        """Tell whether every step of the computation stays below 2^64."""
        types = {array.dtype for array in self.arrays}
        if self._plain and (np.dtype(np.uint64) not in types or len(types) == 1):
            return True
        bounds = [
            (int(array.min()) * factor, int(array.max()) * factor)
            for array, factor in zip(self.arrays, self.factors, strict=True)
        ]
        if set(self.factors) != {1}:
            for low, high in [*bounds, (0, max(self.factors))]:
                if low < -INT64_END or high >= INT64_END:
                    return False
        return self._largest(bounds) < UINT64_END

    @property
    def _plain(self) -> bool:
        """Whether there is nothing to scale and nothing to round."""
        return self.steps is None and set(self.factors) == {1}

    def _largest(self, bounds: list[tuple[int, int]]) -> int:
        (low, high), (least, most) = bounds[0], bounds[1] if len(bounds) > 1 else (0, 0)
        largest = max(high - least, most - low)
        if self.steps is None:
            return largest
        return max(largest * self.steps.numerator, self.steps.denominator)

    def differences(self, missing: BoolArray | None) -> Differences:
        """The differences, of which the missing ones are zero."""
        n = len(self.arrays[0])
        keys = np.empty(n, dtype=np.uint64)
        if self._plain and missing is None and subtract_compiled(self.arrays, keys):
            return Differences(keys)
        workspace = np.empty((2, min(n, CHUNK_ROWS)), dtype=np.uint64)
        for rows in chunks(n):
            magnitudes, minus = workspace[:, : rows.stop - rows.start]
            self._write_chunk(rows, missing, magnitudes, minus)
            if magnitudes.max() > LARGEST_SHIFTED:
                return Differences.of(self._ranked_keys(missing), missing, comparable=False)
            write_integer_keys(magnitudes, minus, keys[rows])
        return Differences.of(keys, missing)

    def _ranked_keys(self, missing: BoolArray | None) -> KeyArray:
        magnitudes, minus = np.empty((2, len(self.arrays[0])), dtype=np.uint64)
        for rows in chunks(len(magnitudes)):
            self._write_chunk(rows, missing, magnitudes[rows], minus[rows])
        return ranked_keys(magnitudes, minus != 0)

    def _write_chunk(
        self, rows: slice, missing: BoolArray | None, magnitudes: KeyArray, minus: KeyArray
    ) -> None:
        """Write the magnitudes of some differences, and -1 for the negative ones to `minus`."""
        scaled = [
            array[rows] if factor == 1 else array[rows].astype(np.int64) * factor
            for array, factor in zip(self.arrays, self.factors, strict=True)
        ]
        minuend, subtrahend = scaled if len(scaled) > 1 else (scaled[0], scaled[0].dtype.type(0))
        np.subtract(_modulo(minuend), _modulo(subtrahend), out=magnitudes)
        np.copyto(minus, np.less(minuend, subtrahend))
        take_magnitudes(magnitudes, minus)
        if self.steps is not None:
            _round_to_steps(magnitudes, self.steps)
        if missing is not None:
            magnitudes[missing[rows]] = 0
        if self.steps is not None or missing is not None:
            minus[magnitudes == 0] = 0


def _modulo(values: AnyArray | np.generic) -> KeyArray | np.uint64:
    """Integers modulo 2^64."""
    if values.dtype.itemsize == np.dtype(np.uint64).itemsize:
        return values.view(np.uint64)
    return values.astype(np.uint64)


def _round_to_steps(magnitudes: KeyArray, steps: Fraction) -> None:
    """Round magnitudes times `steps` to the nearest whole number, halves to even, in place."""
    denominator = np.uint64(steps.denominator)
    magnitudes *= np.uint64(steps.numerator)
    whole, rest = np.divmod(magnitudes, denominator)
    complement = denominator - rest
    whole += (rest > complement) | ((rest == complement) & (whole & np.uint64(1) == 1))
    magnitudes[...] = whole

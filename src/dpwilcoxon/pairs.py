"""A validated paired sample: what every private test starts from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol, Self

from dpwilcoxon.arraytypes import AnyArray
from dpwilcoxon.columns import LARGEST_AMONG_FLOATS, Column, Kind
from dpwilcoxon.differences import Differences, subtract
from dpwilcoxon.differences.exact import nearest_float
from dpwilcoxon.errors import DataError, InvalidArgument
from dpwilcoxon.parameters import Missing, exact_fraction
from dpwilcoxon.statistics.keys import SignedKeys
from dpwilcoxon.statistics.scores import Score
from dpwilcoxon.statistics.signed_rank import signed_rank_total
from dpwilcoxon.statistics.tie_groups import ZeroMethod


class PairedSample(Protocol):
    """What a release needs of a paired sample, whether its rows are in memory or elsewhere."""

    @property
    def n(self) -> int:
        """The number of pairs, which is public."""
        ...

    def signed_rank_total(self, score: Score, zero_method: ZeroMethod) -> int:
        """The exact statistic in lattice units of the score; not private."""
        ...


@dataclass(frozen=True, eq=False, repr=False)
class Pairs:
    """The differences of a paired sample, ready to be ranked.

    Parameters
    ----------
    keys : SignedKeys
        One key per pair, in the order of the rows.

    Privacy
    -------
    One pair stands for one protected person, and the number of pairs is public. What becomes of
    a pair depends on that pair alone, so replacing a row replaces one key.
    """

    keys: SignedKeys

    def __post_init__(self) -> None:
        if self.n == 0:
            raise DataError("There are no pairs; at least one is needed.")

    @property
    def n(self) -> int:
        """The number of pairs."""
        return len(self.keys)

    def signed_rank_total(self, score: Score, zero_method: ZeroMethod) -> int:
        """The exact statistic in lattice units of the score; not private."""
        return signed_rank_total(self.keys, score, zero_method)

    def __repr__(self) -> str:
        return f"Pairs(n={self.n})"  # never a value

    @classmethod
    def from_columns(
        cls,
        x: Column,
        y: Column | None = None,
        *,
        missing: Missing = Missing.RAISE,
        resolution: object = None,
    ) -> Self:
        """Subtract y from x, exactly where the columns are exact; x alone holds differences.

        Parameters
        ----------
        x, y : Column
            Equally long. Integers, decimals, dates and durations are subtracted exactly, floats
            in float64. Beside a column of floats, decimals are rounded to float64 first, as a
            column of floats would hold them; integers are not.
        missing : Missing
            Refuse pairs with a missing value (or infinity minus infinity), or count them as no
            change.
        resolution : number or str, optional
            Round each difference to the nearest multiple of this, halves to the even multiple:
            exactly where the differences are exact, in float64 where they are floats.

        Returns
        -------
        Pairs
            The validated sample.
        """
        return cls.from_differences(differences_of(x, y, resolution), missing)

    @classmethod
    def from_differences(cls, differences: Differences, missing: Missing) -> Self:
        """Keep differences, if those that are missing are allowed to be."""
        if missing is Missing.RAISE:
            _refuse_missing(differences)
        return cls(SignedKeys(differences.keys))


def differences_of(x: Column, y: Column | None, resolution: object) -> Differences:
    """Check columns and subtract them, as :meth:`Pairs.from_columns` says."""
    step = _parse_resolution(resolution, x.kind)
    _check_lengths(x, y)
    _check_kinds(x, y)
    check_rounding([x] if y is None else [x, y], step)
    return subtract([x] if y is None else [x, y], step)


def _named(column: Column, default: str) -> str:
    return f"`{column.name or default}`"


def _check_lengths(x: Column, y: Column | None) -> None:
    if y is not None and len(x) != len(y):
        raise DataError(
            f"{_named(x, 'x')} has {len(x)} values and {_named(y, 'y')} has {len(y)}; each pair "
            "needs one of both."
        )
    if len(x) == 0:
        raise DataError("There are no pairs; at least one is needed.")


def _check_kinds(x: Column, y: Column | None) -> None:
    if y is None:
        if x.kind is Kind.TIME:
            raise DataError(
                f"{_named(x, 'x')} holds dates or times, which are not differences; pass the "
                "other measurement too."
            )
        return
    if x.kind.noun != y.kind.noun:
        raise DataError(
            f"{_named(x, 'x')} holds {x.kind.noun} and {_named(y, 'y')} holds {y.kind.noun}, "
            "which cannot be subtracted; bring both to one kind."
        )
    _check_mixed(x, y)
    _check_mixed(y, x)
    if x.zoned != y.zoned:
        raise DataError(
            f"Of {_named(x, 'x')} and {_named(y, 'y')}, one has times with a time zone and the "
            "other without; give both a time zone, or neither."
        )


def _is_beyond(values: AnyArray, size: int) -> bool:
    return bool(len(values)) and (int(values.max()) > size or int(values.min()) < -size)


def _check_mixed(column: Column, other: Column) -> None:
    """Where one float among integers would change how all others are subtracted, refuse it."""
    if not column.floats_among_integers or other.kind is Kind.FLOAT:
        return
    if other.kind is not Kind.INTEGER or _is_beyond(other.values, LARGEST_AMONG_FLOATS):
        raise DataError(
            f"{_named(column, 'x')} mixes integers and floats, and {_named(other, 'y')} has "
            "numbers that floats do not hold; make all of them decimals, or all floats."
        )


def check_rounding(columns: Sequence[Column], step: Fraction | None) -> None:
    """Refuse to round one float among integers to steps that are no float.

    Differences of integers are rounded exactly and those of floats by division, and these two
    part at some halves: one float would change how the integers of all others are rounded. Where
    there are two floats or more, one person cannot make the column one of integers.
    """
    for column in columns:
        is_lone = column.floats_among_integers == 1
        if step is not None and is_lone and Fraction(nearest_float(step)) != step:
            raise DataError(
                f"{_named(column, 'x')} mixes integers and floats, but only one float, and "
                "`resolution` rounds the two in different ways; make all of its values floats."
            )


def _parse_resolution(resolution: object, kind: Kind) -> Fraction | None:
    if resolution is None:
        return None
    if kind in (Kind.TIME, Kind.DURATION):
        raise InvalidArgument(
            "`resolution` is for numbers, and these differences are durations; leave it out, or "
            "convert both columns to numbers first."
        )
    return positive_step(resolution)


def positive_step(resolution: object) -> Fraction:
    """Read what differences are to be rounded to multiples of."""
    step = exact_fraction(resolution, "resolution")
    if step <= 0:
        raise InvalidArgument(f"`resolution` must be positive and finite; got {resolution}.")
    return step


def _refuse_missing(differences: Differences) -> None:
    if differences.n_missing:
        raise DataError(
            "Some of the pairs have no difference: a value is missing, or both are infinite (the "
            f"first is in row {differences.first_missing + 1}). Use missing='zero' to count such "
            "pairs as no change."
        )

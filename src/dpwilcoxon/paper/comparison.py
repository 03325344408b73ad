"""A printed number beside the measured one, and what follows."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

STANDARD_ERRORS = 4.0  # allowed for a print that is a simulation itself


class Verdict(enum.Enum):
    """How a printed number stands."""

    AGREES = "agrees"  # within half a printed unit of the measured interval
    WITHIN_PRINT_ERROR = "agrees within the print's simulation error"
    DIFFERS = "differs"

    def __str__(self) -> str:
        return self.value


@final
@dataclass(frozen=True)
class Printed:
    """A number of the paper.

    Parameters
    ----------
    value
        As it is printed.
    half_unit
        How far rounding may have moved it.
    standard_error
        Of the simulation it comes from; 0 if it is none.
    """

    value: float
    half_unit: float
    standard_error: float = 0.0


@final
@dataclass(frozen=True)
class Reading:
    """The same quantity as measured here, under one reading of what the paper did.

    Parameters
    ----------
    convention
        The reading, in words.
    measured
        The best estimate.
    low, high
        Its 95% interval; both are the estimate itself where nothing is simulated.
    simulated
        Whether the interval is one of chance.
    aside
        Whether it only throws light on the number and cannot make it hold, because it is not
        what the paper says it did.
    """

    convention: str
    measured: float
    low: float
    high: float
    simulated: bool = True
    aside: bool = False

    @classmethod
    def exactly(cls, measured: float, convention: str = "") -> Reading:
        """A reading without uncertainty."""
        return cls(convention, measured, measured, measured, simulated=False)

    def verdict(self, printed: Printed) -> Verdict:
        """Whether the printed number holds under this reading."""
        distance = max(self.low - printed.value, printed.value - self.high, 0.0)
        rounding = printed.half_unit * (1.0 + 1e-9)  # a tie may have been rounded either way
        if distance <= rounding:
            return Verdict.AGREES
        if distance <= rounding + STANDARD_ERRORS * printed.standard_error:
            return Verdict.WITHIN_PRINT_ERROR
        return Verdict.DIFFERS


@final
@dataclass(frozen=True)
class Comparison:
    """One printed number with every reading of it.

    Parameters
    ----------
    key
        A name that never changes, by which the reasons refer to it.
    quantity
        What the number is, in words.
    printed
        The number.
    readings
        What was measured. The first is the reading that the text describes.
    """

    key: str
    quantity: str
    printed: Printed
    readings: tuple[Reading, ...]

    @property
    def best(self) -> Reading:
        """The first reading under which the number holds best."""
        order = list(Verdict)
        counting = [each for each in self.readings if not each.aside]
        return min(counting, key=lambda each: order.index(each.verdict(self.printed)))

    @property
    def verdict(self) -> Verdict:
        """How the number stands under the reading that suits it best."""
        return self.best.verdict(self.printed)

    @property
    def in_words(self) -> str:
        """The verdict, naming the reading where it is not the first."""
        if self.best is self.readings[0]:
            return str(self.verdict)
        return f"{self.verdict}, if read as: {self.best.convention}"

    def to_dict(self) -> dict[str, Any]:
        """Fields for a file."""
        return {
            "key": self.key,
            "quantity": self.quantity,
            "printed": vars(self.printed),
            "readings": [vars(each) for each in self.readings],
            "verdict": self.in_words,
        }

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> Comparison:
        """Read what `to_dict` wrote."""
        return cls(
            fields["key"],
            fields["quantity"],
            Printed(**fields["printed"]),
            tuple(Reading(**each) for each in fields["readings"]),
        )

"""What a caller may say, parsed and checked once: epsilon, n, noise, alpha, alternative, method.

Everything a private test is allowed to depend on besides the data is a :class:`Design`: the
number of pairs, epsilon and the kind of noise, all public. The scale of the noise, the null
distribution, the cap and the choice of a p-value method are functions of the design and nothing
else.
"""

from __future__ import annotations

import enum
import math
import numbers
import re
import sys
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Self, TypeAlias

from dpwilcoxon.errors import InvalidArgument

EpsilonLike: TypeAlias = "int | float | str | Decimal | Fraction | Epsilon"

LARGEST_EXPONENT = 300  # of numbers written as decimals
LARGEST_FLOAT = Fraction(sys.float_info.max)
MOST_PAIRS = 10**18
MOST_DIGITS = 1000  # of numerator and denominator: what can be added up and written down


class Choice(enum.StrEnum):
    """A closed list of words; members are, and are written as, what the caller types."""

    @classmethod
    def parse(cls, word: str | Self) -> Self:
        """Return the member named by `word`, or say which words there are."""
        try:
            return cls(word)
        except ValueError:
            words = ", ".join(repr(member.value) for member in cls)
            option = re.sub(r"\B(?=[A-Z])", "_", cls.__name__).lower()
            raise InvalidArgument(
                f"`{option}` must be one of {words}; got {shown(word)}."
            ) from None


class Alternative(Choice):
    """The direction the test looks in; differences are x - y, or after - before."""

    TWO_SIDED = "two-sided"
    GREATER = "greater"
    LESS = "less"


class Method(Choice):
    """How a p-value is computed from the released statistic."""

    AUTO = "auto"
    EXACT = "exact"
    NORMAL_LAPLACE = "normal-laplace"
    MONTE_CARLO = "monte-carlo"


class Noise(Choice):
    """What kind of noise makes a release private."""

    LAPLACE = "laplace"
    CANONICAL = "canonical"

    @property
    def remark(self) -> str:
        """What it adds to a list of words about a test: nothing if it is the usual one."""
        return "" if self is Noise.LAPLACE else f", {self} noise"


class Missing(Choice):
    """What to do with a pair of which a value is missing."""

    RAISE = "raise"
    ZERO = "zero"


@dataclass(frozen=True)
class Epsilon:
    """A privacy parameter, kept as the exact fraction the caller wrote.

    A float is read as the shortest decimal that prints like it, so ``0.1`` is one tenth.
    """

    exact: Fraction

    def __post_init__(self) -> None:
        if has_too_many_digits(self.exact):
            raise InvalidArgument(f"`epsilon` must be a number of at most {MOST_DIGITS} digits.")
        if not 0 < self.exact <= LARGEST_FLOAT:
            raise InvalidArgument(f"`epsilon` must be positive and finite; got {self}.")

    @classmethod
    def parse(cls, value: EpsilonLike) -> Epsilon:
        """Read an epsilon given as int, float, Decimal, Fraction or text such as "0.1" or "1/3"."""
        if isinstance(value, Epsilon):
            return value
        return cls(exact_fraction(value, "epsilon"))

    def __float__(self) -> float:
        return float(self.exact)

    def __str__(self) -> str:
        return exact_text(self.exact)


@dataclass(frozen=True)
class Design:
    """The public facts of a test: how many pairs, the epsilon it spends and its kind of noise."""

    n_pairs: int
    epsilon: Epsilon
    noise: Noise = Noise.LAPLACE

    def __post_init__(self) -> None:
        if isinstance(self.n_pairs, bool) or not 1 <= self.n_pairs <= MOST_PAIRS:
            raise InvalidArgument(
                f"`n` must be a whole number of pairs, from 1 to {MOST_PAIRS:.0e}; "
                f"got {shown(self.n_pairs)}."
            )

    @classmethod
    def parse(cls, n: int, epsilon: EpsilonLike, noise: str | Noise = Noise.LAPLACE) -> Design:
        """Check and keep the number of pairs, epsilon and noise of a call."""
        return cls(whole_number(n, "n"), Epsilon.parse(epsilon), Noise.parse(noise))


def whole_number(value: object, name: str) -> int:
    """Return `value` as an int if it is a whole number of any numeric type."""
    if isinstance(value, numbers.Integral) and not isinstance(value, bool):
        return int(value)
    number = _finite_float(value)
    if number is not None and number.is_integer():
        return int(number)
    raise InvalidArgument(f"`{name}` must be a whole number; got {shown(value)}.")


def real_number(value: object, name: str) -> float:
    """Return `value` as a float if it is a finite number of any type."""
    number = _finite_float(value)
    if number is None:
        raise InvalidArgument(f"`{name}` must be a finite number; got {shown(value)}.")
    return number


def probability(value: object, name: str) -> float:
    """Return `value` as a float strictly between 0 and 1."""
    number = _finite_float(value)
    if number is None or not 0.0 < number < 1.0:
        raise InvalidArgument(f"`{name}` must lie strictly between 0 and 1; got {shown(value)}.")
    return number


def shown(value: object) -> str:
    """How a message shows what it was given: words and numbers as they are, of all else the type.

    Whatever else was given by mistake may hold data, and no message does.
    """
    if value is None or isinstance(value, str | numbers.Number):
        with suppress(ValueError):  # integers of thousands of digits are not written out
            return repr(value)
    return f"a {type(value).__name__}"


def _finite_float(value: object) -> float | None:
    """A number of any type as a float; None for what is no finite number."""
    if not isinstance(value, numbers.Real | Decimal) or isinstance(value, bool):
        return None
    try:
        number = float(value)
    except (OverflowError, ValueError):  # a huge integer; a signalling NaN
        return None
    return number if math.isfinite(number) else None


def pairs_text(n_pairs: int) -> str:
    """Write how many pairs there are.

    Examples
    --------
    >>> pairs_text(1), pairs_text(1000)
    ('1 pair', '1,000 pairs')
    """
    return "1 pair" if n_pairs == 1 else f"{n_pairs:,} pairs"


def has_too_many_digits(value: Fraction) -> bool:
    """Whether an exact number is too long to be kept."""
    too_large: int = 10**MOST_DIGITS
    return max(abs(value.numerator), value.denominator) >= too_large


def exact_text(value: Fraction) -> str:
    """Write an exact fraction as a decimal where it is one, else as numerator/denominator."""
    denominator = value.denominator
    twos = (denominator & -denominator).bit_length() - 1
    fives, rest = 0, denominator >> twos
    while rest % 5 == 0:
        rest //= 5
        fives += 1
    if rest != 1:
        return f"{value.numerator}/{value.denominator}"
    places = max(twos, fives)
    digits = str(abs(value.numerator) * 10**places // denominator).rjust(places + 1, "0")
    sign = "-" if value < 0 else ""
    whole, decimals = digits[: len(digits) - places], digits[len(digits) - places :]
    return f"{sign}{whole}.{decimals}" if places else f"{sign}{whole}"


def exact_fraction(value: object, name: str) -> Fraction:
    """Return a finite number of any type, or its text, as the exact fraction that was written."""
    if isinstance(value, str):
        return _fraction_from_text(value, name)
    if isinstance(value, Decimal):
        return _fraction_from_decimal(value, name)
    if isinstance(value, numbers.Rational) and not isinstance(value, bool):
        # numpy's integers are rational too, and would stay inside of the fraction and overflow
        return Fraction(int(value.numerator), int(value.denominator))
    if isinstance(value, numbers.Real) and not isinstance(value, bool):
        number = float(value)
        if not math.isfinite(number):
            raise InvalidArgument(f"`{name}` must be positive and finite; got {number}.")
        return Fraction(Decimal(repr(number)))
    raise InvalidArgument(f"`{name}` must be a number such as 1, 0.1 or '0.1'; got {shown(value)}.")


def _fraction_from_text(text: str, name: str) -> Fraction:
    try:
        if "/" in text:
            return Fraction(text)
        decimal = Decimal(text.strip())
    except (InvalidOperation, ValueError, ZeroDivisionError):
        raise InvalidArgument(f"`{name}` must be a number such as 0.1; got {text!r}.") from None
    return _fraction_from_decimal(decimal, name)


def _fraction_from_decimal(decimal: Decimal, name: str) -> Fraction:
    if not decimal.is_finite():
        raise InvalidArgument(f"`{name}` must be positive and finite; got {decimal}.")
    if decimal and abs(decimal.adjusted()) > LARGEST_EXPONENT:  # a fraction could fill the memory
        raise InvalidArgument(
            f"`{name}` must have an exponent between -{LARGEST_EXPONENT} and {LARGEST_EXPONENT}; "
            f"got {decimal}."
        )
    return Fraction(decimal)

"""What paired differences look like: families of distributions to plan with.

The paper's model has u ~ N(0, 1) and v ~ N(effect, 1), so that d = v - u = effect + sqrt(2) E with
Var(E) = 1: an effect of 1 is a change by one standard deviation of a single measurement. The other
symmetric families keep that meaning and change the law of E. Where Var(E) does not exist (Student's
t with two degrees of freedom or fewer), E has the interquartile range of the standard normal.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, final

import numpy as np

from dpwilcoxon.arraytypes import FloatArray, IntArray
from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.parameters import whole_number
from dpwilcoxon.studies.family import Family, Size, SymmetricFamily, standard_normal

UserDraw: TypeAlias = Callable[[np.random.Generator, Size], FloatArray]

LARGEST_LOG_SPREAD = 10.0
MOST_POINTS = 1000


@final
@dataclass(frozen=True)
class Normal(SymmetricFamily):
    """The paper's: both measurements are normal."""

    name = "normal"

    def noise(self, rng: np.random.Generator, size: Size) -> FloatArray:
        """Standard normal."""
        return standard_normal(rng, size)


@final
@dataclass(frozen=True)
class Laplace(SymmetricFamily):
    """A sharper peak and heavier tails than the normal."""

    name = "laplace"

    def noise(self, rng: np.random.Generator, size: Size) -> FloatArray:
        """Laplace of variance 1."""
        return rng.laplace(0.0, math.sqrt(0.5), size)


@final
@dataclass(frozen=True)
class Logistic(SymmetricFamily):
    """Tails a little heavier than the normal's: the family that signed ranks are best at."""

    name = "logistic"

    def noise(self, rng: np.random.Generator, size: Size) -> FloatArray:
        """Logistic of variance 1."""
        return rng.logistic(0.0, math.sqrt(3.0) / math.pi, size)


@final
@dataclass(frozen=True)
class Uniform(SymmetricFamily):
    """No tails at all."""

    name = "uniform"

    def noise(self, rng: np.random.Generator, size: Size) -> FloatArray:
        """Uniform of variance 1."""
        draws = rng.random(size)
        draws -= 0.5
        draws *= 2.0 * math.sqrt(3.0)
        return draws


@final
@dataclass(frozen=True)
class StudentT(SymmetricFamily):
    """Heavy tails: the fewer degrees of freedom, the heavier (1 is Cauchy's law)."""

    name = "student-t"
    degrees_of_freedom: float = 3.0

    def __post_init__(self) -> None:
        if not 0.0 < self.degrees_of_freedom < math.inf:
            raise InvalidArgument(
                "The degrees of freedom of 'student-t' must be positive and finite; got "
                f"{self.degrees_of_freedom}."
            )

    @property
    def unit(self) -> float:
        """What makes the variance 1, or without a variance the interquartile range a normal's."""
        df = self.degrees_of_freedom
        if df > 2.0:  # noqa: PLR2004 - from here on there is a variance
            return math.sqrt((df - 2.0) / df)
        from scipy.special import ndtri, stdtrit

        return float(ndtri(0.75) / stdtrit(df, 0.75))

    def noise(self, rng: np.random.Generator, size: Size) -> FloatArray:
        """Student's t, scaled."""
        draws = rng.standard_t(self.degrees_of_freedom, size)
        draws *= self.unit
        return draws

    def __str__(self) -> str:
        return f"{self.name}:{self.degrees_of_freedom:g}"


@final
@dataclass(frozen=True)
class Likert(Family):
    """Answers on a scale of a few points, so most differences tie and many are zero.

    Behind each answer stands a normal opinion as in the paper's model; the answer says in which of
    the equally wide parts of [-2.5, 2.5] it lies, the outer ones open.
    """

    name = "likert"
    points: int = 5

    def __post_init__(self) -> None:
        if not 2 <= self.points <= MOST_POINTS:  # noqa: PLR2004 - yes or no
            raise InvalidArgument(
                f"The points of 'likert' must be between 2 and {MOST_POINTS}; got {self.points}."
            )

    def draw(self, rng: np.random.Generator, effect: float, size: Size) -> FloatArray:
        """Differences of two answers."""
        opinions = standard_normal(rng, (size[0], 2, size[1]))
        opinions[:, 1] += effect
        opinions += 2.5
        opinions *= self.points / 5.0
        np.floor(opinions, out=opinions)
        np.clip(opinions, 0, self.points - 1, out=opinions)
        return np.asarray(opinions[:, 1] - opinions[:, 0])

    def __str__(self) -> str:
        return f"{self.name}:{self.points}"


@final
@dataclass(frozen=True)
class LogNormal(Family):
    """Measurements that change by a factor, such as concentrations or incomes.

    The logarithms follow the paper's model, times `log_spread`: u = exp(log_spread * N(0, 1)) and
    v = exp(log_spread * N(effect, 1)).
    """

    name = "log-normal"
    largest_effect = 20.0
    log_spread: float = 0.5

    def __post_init__(self) -> None:
        if not 0.0 < self.log_spread <= LARGEST_LOG_SPREAD:
            raise InvalidArgument(
                "The spread of 'log-normal' must be positive and at most "
                f"{LARGEST_LOG_SPREAD:g}; got {self.log_spread}."
            )

    def draw(self, rng: np.random.Generator, effect: float, size: Size) -> FloatArray:
        """Differences of two log-normal measurements."""
        logarithms = standard_normal(rng, (size[0], 2, size[1]))
        logarithms[:, 1] += effect
        logarithms *= self.log_spread
        np.exp(logarithms, out=logarithms)
        return np.asarray(logarithms[:, 1] - logarithms[:, 0])

    def check_effect(self, effect: float) -> None:
        """Refuse what would overflow."""
        super().check_effect(effect)
        if abs(effect) > self.largest_effect:  # e^(10 * (20 + 38)) is still a float
            raise InvalidArgument(
                f"`effect` of 'log-normal' must be within {self.largest_effect:g}; got {effect}."
            )

    def __str__(self) -> str:
        return f"{self.name}:{self.log_spread:g}"


@final
@dataclass(frozen=True)
class Custom(Family):
    """d = effect + whatever a function of yours draws, in its own units.

    Parameters
    ----------
    function
        Called with a random generator and the shape (pairs, samples); returns an array of that
        shape. It has to take all its randomness from the generator.
    """

    name = "custom"
    null_without_effect = False  # who knows what it draws
    function: UserDraw

    def draw(self, rng: np.random.Generator, effect: float, size: Size) -> FloatArray:
        """Shift what the function draws."""
        drawn = np.asarray(self.function(rng, size), dtype=np.float64)
        if drawn.shape != size or np.isnan(drawn).any():
            raise InvalidArgument(
                f"The function in `differences` must return numbers, none of them NaN, of shape "
                f"{size}; got shape {drawn.shape}."
            )
        return drawn + effect


@final
@dataclass(frozen=True, eq=False)
class Pilot(Family):
    """Differences drawn with replacement from those of a PUBLIC pilot study.

    The effect is a share of the pilot's own change: 1 takes the differences as they are, 0 gives
    every one a random sign, and between the two a difference keeps its sign with that probability
    and gets a random one otherwise. Sizes, ties and zeros stay those of the pilot.
    """

    name = "pilot"
    largest_effect = 1.0
    has_direction = False
    differences: FloatArray = field(repr=False)

    def __post_init__(self) -> None:
        values = np.array(self.differences, dtype=np.float64)
        if values.ndim != 1 or len(values) == 0 or np.isnan(values).any():
            raise InvalidArgument(
                "A pilot must be a list of at least one difference, without missing values."
            )
        values.flags.writeable = False
        object.__setattr__(self, "differences", values)

    def draw(self, rng: np.random.Generator, effect: float, size: Size) -> FloatArray:
        """Resample, and undo part of the change."""
        uniform = rng.random((size[0], 2, size[1]))
        chosen: IntArray = (uniform[:, 0] * len(self.differences)).astype(np.int64)
        differences = self.differences[chosen]
        flipped = uniform[:, 1] >= (1.0 + effect) / 2.0  # half of those that get a random sign
        np.negative(differences, where=flipped, out=differences)
        return differences

    def is_null(self, effect: float) -> bool:
        """Nor does anything change if every size is one of as many increases as decreases."""
        symmetric = np.array_equal(np.sort(self.differences), np.sort(-self.differences))
        return symmetric or super().is_null(effect)

    def check_effect(self, effect: float) -> None:
        """Refuse shares outside 0..1."""
        if not 0.0 <= effect <= 1.0:
            raise InvalidArgument(
                "`effect` of a pilot is the share of its own change, between 0 and 1; got "
                f"{effect}."
            )

    def __str__(self) -> str:
        return f"of a {self.name} of {len(self.differences):,} pairs"


_PLAIN: tuple[type[Family], ...] = (Normal, Laplace, Logistic, Uniform)
_WITH_PARAMETER: tuple[type[Family], ...] = (StudentT, Likert, LogNormal)
FAMILY_NAMES = tuple(each.name for each in (*_PLAIN, *_WITH_PARAMETER))

FamilyLike: TypeAlias = "str | Family | UserDraw | Sequence[float] | FloatArray"


def parse_family(given: FamilyLike) -> Family:
    """Return the family meant by a name, a function, an array of pilot differences or itself.

    Examples
    --------
    >>> parse_family("student-t:1")
    StudentT(degrees_of_freedom=1.0)
    >>> str(parse_family([0.5, -0.2, 1.0]))
    'of a pilot of 3 pairs'
    """
    if isinstance(given, Family):
        return given
    if isinstance(given, str):
        return _family_called(given)
    if callable(given):
        return Custom(given)
    try:
        values = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise InvalidArgument(
            "`differences` must be the name of a family, a function or the differences of a "
            f"public pilot; got {type(given).__name__}."
        ) from None
    return Pilot(values)


def _family_called(text: str) -> Family:
    name, colon, parameter = text.partition(":")
    for plain in _PLAIN:
        if name == plain.name and not colon:
            return plain()
    for family in _WITH_PARAMETER:
        if name == family.name:
            return family(*([_number(parameter, text)] if colon else []))
    words = ", ".join(repr(each) for each in FAMILY_NAMES)
    raise InvalidArgument(
        f"`differences` must be one of {words}, the last three with a parameter if you like, such "
        f"as 'student-t:1'; got {text!r}."
    )


def _number(parameter: str, text: str) -> float | int:
    try:
        value = float(parameter)
    except ValueError:
        raise InvalidArgument(
            f"`differences` {text!r} must have a number after the colon."
        ) from None
    return whole_number(value, "points") if text.startswith(Likert.name) else value

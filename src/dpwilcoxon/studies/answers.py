"""Planning questions answered: a number with its interval, or why there is none."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeAlias, final

from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.parameters import Alternative, pairs_text
from dpwilcoxon.studies.asymptotics import approximate_pairs
from dpwilcoxon.studies.cases import Case
from dpwilcoxon.studies.effort import Effort
from dpwilcoxon.studies.models import Population
from dpwilcoxon.studies.planned import PlannedTest
from dpwilcoxon.studies.rejection import LARGEST_N, Estimate
from dpwilcoxon.studies.required import FIRST_GUESS, MOST_PAIRS, required_pairs
from dpwilcoxon.studies.required_values import RequiredValue, required_effect, required_epsilon

CERTAINLY_TOO_MANY = 2 * MOST_PAIRS  # of a guess that is right to a few percent

Number: TypeAlias = "int | float"


@final
@dataclass(frozen=True)
class Answer:
    """The answer to a planning question.

    Parameters
    ----------
    value
        The number of pairs, epsilon or effect that is enough; None if none is.
    low, high
        The 95% interval of `value`, in this order; None where it is open, or there is no answer.
    power
        The power at `value`, or the largest one that was seen; None if nothing was simulated.
    wanted
        The power that was wanted.
    guess
        What the asymptotic formula says, where there is one: a number of pairs.
    reason
        Why there is no answer; empty if there is one.
    """

    value: Number | None
    low: Number | None
    high: Number | None
    power: Estimate | None
    wanted: float
    guess: int | None = None
    reason: str = ""


def enough_pairs(case: Case, effort: Effort) -> Answer:
    """Answer how many pairs are enough."""
    population, test = case.population, case.test
    _check(test, effort)
    if reason := _hopeless(population, test):
        return Answer(None, None, None, None, effort.power, reason=reason)
    guess = approximate_pairs(population, test, effort.power)
    if guess is not None and guess > CERTAINLY_TOO_MANY:
        return Answer(None, None, None, None, effort.power, reason=_far_too_many(population, guess))
    first = FIRST_GUESS if guess is None else int(guess)
    found = required_pairs(population, test, effort, guess=first)
    answer = Answer(found.n, found.low, found.high, found.power, effort.power)
    if found.n is None:
        return replace(answer, reason=f"{_NOT_EVEN}: they reach a power of {found.power.text}")
    return answer if guess is None else replace(answer, guess=first)


def enough_epsilon(case: Case, effort: Effort) -> Answer:
    """Answer how much epsilon is enough for a test of so many pairs."""
    population, test, n_pairs = case.population, case.test, case.n_pairs
    _check(test, effort, n_pairs)
    if reason := _hopeless(population, test):
        return Answer(None, None, None, None, effort.power, reason=reason)
    found = required_epsilon(population, test, n_pairs, effort)
    are = "is" if n_pairs == 1 else "are"
    reason = (
        f"{pairs_text(n_pairs)} {are} too few: with any epsilon up to {found.largest} the power is "
        f"at most {found.power.text}"
    )
    return _from_value(found, effort.power, reason)


def enough_effect(case: Case, effort: Effort) -> Answer:
    """Answer how large a change has to be for a test of so many pairs to detect it."""
    population, test, n_pairs = case.population, case.test, case.n_pairs
    _check(test, effort, n_pairs)
    if population.zero_fraction == 1.0:
        return Answer(None, None, None, None, effort.power, reason=_hopeless(population, test))
    found = required_effect(population, test, n_pairs, effort)
    reason = (
        f"no effect, however large, is found with probability {effort.power:g} by "
        f"{pairs_text(n_pairs)} at epsilon {test.epsilon}: an effect of {found.largest} is found "
        f"with probability {found.power.text}"
    )
    return _from_value(found, effort.power, reason)


def _from_value(found: RequiredValue, wanted: float, reason: str) -> Answer:
    value, low, high = (_float(each) for each in (found.value, found.low, found.high))
    return Answer(value, low, high, found.power, wanted, reason="" if value is not None else reason)


def _float(value: Fraction | None) -> float | None:
    return None if value is None else float(value)


def _check(test: PlannedTest, effort: Effort, n_pairs: int = 1) -> None:
    if effort.power <= test.alpha:
        raise InvalidArgument(
            f"`power` must be larger than `alpha`, which any test reaches without any change; got "
            f"power {effort.power} and alpha {test.alpha}."
        )
    if not 1 <= n_pairs <= LARGEST_N:
        raise InvalidArgument(f"`n` must lie between 1 and {LARGEST_N:,} here; got {n_pairs}.")


def _hopeless(population: Population, test: PlannedTest) -> str:
    """Why no simulation is needed to see that there is no answer; empty if one is."""
    if population.is_null:
        nobody = "an effect of 0 is none"
        if population.zero_fraction == 1.0:
            nobody = "no pair changes"
        elif population.effect != 0.0:
            nobody = "the pilot has as many decreases of each size as increases"
        return f"there is nothing to detect: {nobody}, and whoever rejects is wrong"
    if not (population.family.null_without_effect and population.family.has_direction):
        return ""
    sought = {Alternative.GREATER: 1.0, Alternative.LESS: -1.0}.get(test.alternative, 0.0)
    if sought * population.effect < 0.0:
        return (
            f"the change goes the other way: the alternative is '{test.alternative}' and the "
            f"effect {population.effect:g}"
        )
    return ""


def _far_too_many(population: Population, guess: float) -> str:
    if not population.family.null_without_effect:  # a large sample may show a change by chance
        return f"{_NOT_EVEN}: its mean change is too small, if there is any"
    needed = "more than a billion" if math.isinf(guess) else f"about {int(float(f'{guess:.1e}')):,}"
    return f"{_NOT_EVEN}: by the asymptotic formula {needed} are needed"


_NOT_EVEN = f"not even {pairs_text(MOST_PAIRS)}, where the search ends, are enough"

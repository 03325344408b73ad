"""The power around the answers to a planning question, for a picture with the answers marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from dpwilcoxon.nulls.seeds import Seed
from dpwilcoxon.parameters import Epsilon
from dpwilcoxon.studies.cases import Case
from dpwilcoxon.studies.comparison import powers
from dpwilcoxon.studies.curves import Mark, PowerCurve, PowerPicture, curve_key, curve_of, label_of
from dpwilcoxon.studies.required_values import epsilons_of
from dpwilcoxon.studies.results import SolutionResult, power_record

POINTS = 24
MOST_REPLICATES, LEAST_REPLICATES = 2000, 100
VALUES = 1 << 24  # differences simulated for one curve
MOST_CURVES = 8


def solution_picture(
    result: SolutionResult, *, seed: Seed = None, jobs: int | None = None
) -> PowerPicture | None:
    """Simulate the power around each answer; None where there is no answer.

    Parameters
    ----------
    result
        The answers; only the first `MOST_CURVES` of them are drawn.
    seed, jobs
        As for `powers`.
    """
    answered = [number for number, each in enumerate(result.answers) if each.value is not None]
    if not answered:
        return None
    names = result.records()
    different = {curve_key(names[number], result.sought): number for number in reversed(answered)}
    curves = []
    for number in sorted(different.values())[:MOST_CURVES]:
        label = label_of(names[number], [names[each] for each in answered], result.sought)
        curves.append(_curve(result, number, label, seed, jobs))
    return PowerPicture(
        result.sought,
        tuple(curves),
        result.cases[0].test.alpha,
        result.answers[0].wanted,
        left_out=len(different) - len(curves),
    )


def _curve(
    result: SolutionResult, number: int, label: str, seed: Seed, jobs: int | None
) -> PowerCurve:
    case, answer = result.cases[number], result.answers[number]
    value = float(answer.value or 0)
    cases = [_at(case, result.sought, each) for each in _around(value, result.sought)]
    work = sum(each.n_pairs for each in cases)
    replicates = min(MOST_REPLICATES, max(LEAST_REPLICATES, VALUES // work))
    estimates = powers(cases, replicates=replicates, seed=seed, jobs=jobs)
    records = [power_record(*each) for each in zip(cases, estimates, strict=True)]
    low = value if answer.low is None else float(answer.low)
    high = value if answer.high is None else float(answer.high)
    return curve_of(records, result.sought, label, Mark(value, low, high, _text(value, result)))


def _around(value: float, sought: str) -> Sequence[float]:
    if sought == "epsilon":
        return [float(f"{each:.3g}") for each in np.geomspace(value / 4.0, value * 4.0, POINTS)]
    if sought == "effect":
        return [float(each) for each in np.linspace(0.0, 1.6 * value, POINTS)]
    return [
        float(each) for each in np.unique(np.linspace(0.2 * value, 1.6 * value, POINTS).round())
    ]


def _at(case: Case, sought: str, value: float) -> Case:
    """The case with a value put in for what was sought."""
    if sought == "n":
        return replace(case, n=max(1, int(value)))
    if sought == "epsilon":
        value = min(value, float(epsilons_of(case.test).largest))
        return replace(case, test=replace(case.test, epsilon=Epsilon.parse(value)))
    largest = case.population.family.largest_effect
    return replace(case, population=case.population.with_effect(min(max(value, -largest), largest)))


def _text(value: float, result: SolutionResult) -> str:
    return f"{value:,.0f} pairs" if result.sought == "n" else f"{result.sought} {value:g}"

"""What planning functions give back: one answer or an array of them, ready to print or to plot."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np

from dpwilcoxon.errors import MissingDependency
from dpwilcoxon.studies import wording
from dpwilcoxon.studies.answers import Answer
from dpwilcoxon.studies.cases import Case, Record
from dpwilcoxon.studies.rejection import Estimate


@dataclass(frozen=True, repr=False)
class StudyResult(ABC):
    """Answers in the shape of the arguments they were asked with."""

    cases: tuple[Case, ...]
    shape: tuple[int, ...]

    @abstractmethod
    def records(self) -> list[Record]:
        """Return one flat dictionary for each answer, in the order of the arguments."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}\n{self}>"

    def to_dict(self) -> Record:
        """Return plain values, ready for JSON: one answer flat, several as `results`."""
        records = self.records()
        return records[0] if self.shape == () else {"results": records}

    def to_pandas(self) -> Any:
        """Return a pandas data frame with one row for each answer."""
        return _library("pandas").DataFrame.from_records(self.records())

    def to_polars(self) -> Any:
        """Return a polars data frame with one row for each answer."""
        return _library("polars").from_dicts(self.records(), infer_schema_length=None)

    def _shaped(self, values: Sequence[Any]) -> Any:
        """One value for one answer, else an array; what is missing is None, or nan in an array."""
        if self.shape == ():
            return values[0]
        if any(value is None for value in values):
            values = [np.nan if value is None else value for value in values]
        return np.array(values).reshape(self.shape)


@final
@dataclass(frozen=True, repr=False)
class PowerResult(StudyResult):
    """How likely a test is to reject, and how well that is known.

    Examples
    --------
    >>> import dpwilcoxon as dpw
    >>> result = dpw.power(34, epsilon=1, effect=1, replicates=20_000, rng=1)
    >>> round(result.power, 2), result.standard_error < 0.002
    (0.81, True)
    >>> dpw.power([20, 40], epsilon=1, effect=1, rng=1).power.round(2)
    array([0.41, 0.89])
    """

    estimates: tuple[Estimate, ...]

    @property
    def power(self) -> Any:
        """The probability of rejecting: the type I error where nothing changes."""
        return self._shaped([each.probability for each in self.estimates])

    @property
    def standard_error(self) -> Any:
        """The standard error of `power`, from simulating a finite number of samples."""
        return self._shaped([each.standard_error for each in self.estimates])

    def interval(self, confidence: float = 0.95) -> tuple[Any, Any]:
        """Where the power lies: the lower and the upper end."""
        ends = [each.interval(confidence) for each in self.estimates]
        return self._shaped([low for low, _ in ends]), self._shaped([high for _, high in ends])

    def records(self) -> list[Record]:
        """Return one flat dictionary for each estimate, in the order of the arguments."""
        return [
            power_record(case, estimate)
            for case, estimate in zip(self.cases, self.estimates, strict=True)
        ]

    def __str__(self) -> str:
        if self.shape == ():
            return wording.power_block(self.cases[0].fields(), self.estimates[0])
        return wording.power_table(self.records())


def power_record(case: Case, estimate: Estimate) -> Record:
    """One row of a table of powers."""
    low, high = estimate.interval()
    fields = case.fields()
    asked = {name: fields.pop(name) for name in ("procedure", "n", "epsilon", "effect")}
    measured = {
        "power": estimate.probability,
        "standard_error": estimate.standard_error,
        "low": low,
        "high": high,
    }
    return {**asked, **measured, **fields, "replicates": estimate.replicates}


@dataclass(frozen=True, repr=False)
class SolutionResult(StudyResult):
    """Numbers that are just enough for a power, with their intervals."""

    answers: tuple[Answer, ...]
    sought: ClassVar[str]

    @property
    def low(self) -> Any:
        """The lower end of the 95% interval."""
        return self._shaped([each.low for each in self.answers])

    @property
    def high(self) -> Any:
        """The upper end of the 95% interval; None, or nan in an array, where it is open."""
        return self._shaped([each.high for each in self.answers])

    @property
    def power(self) -> Any:
        """The power at the answer; without an answer, the largest that was seen."""
        return self._shaped(
            [None if each.power is None else each.power.probability for each in self.answers]
        )

    @property
    def reason(self) -> Any:
        """Why there is no answer; empty where there is one."""
        return self._shaped([each.reason for each in self.answers])

    def records(self) -> list[Record]:
        """Return one flat dictionary for each answer, in the order of the arguments."""
        return [
            solution_record(case, answer, self.sought)
            for case, answer in zip(self.cases, self.answers, strict=True)
        ]

    def _sought(self) -> Any:
        return self._shaped([each.value for each in self.answers])

    def __str__(self) -> str:
        if self.shape == ():
            return wording.solution_block(self.cases[0].fields(), self.answers[0], self.sought)
        return wording.solution_table(self.records(), self.sought)


def solution_record(case: Case, answer: Answer, sought: str) -> Record:
    """One row of a table of solutions."""
    fields = case.fields() | {sought: answer.value}
    asked = {name: fields.pop(name) for name in ("procedure", "n", "epsilon", "effect")}
    power = answer.power
    found = {
        "low": answer.low,
        "high": answer.high,
        "power": None if power is None else power.probability,
        "standard_error": None if power is None else power.standard_error,
        "wanted_power": answer.wanted,
        "first_guess": answer.guess,
        "reason": answer.reason,
    }
    return {"sought": sought, **asked, **found, **fields}


@final
@dataclass(frozen=True, repr=False)
class SampleSizeResult(SolutionResult):
    """The smallest number of pairs that is enough, or why there is none.

    Examples
    --------
    >>> import dpwilcoxon as dpw
    >>> result = dpw.sample_size(epsilon=1, effect=1, rng=1)
    >>> 33 <= result.low <= result.n <= result.high <= 35
    True
    >>> dpw.sample_size(epsilon=1, effect=0).n is None
    True
    """

    sought = "n"

    @property
    def n(self) -> Any:
        """The number of pairs; None, or nan in an array, where no number is enough."""
        return self._sought()


@final
@dataclass(frozen=True, repr=False)
class MinimumEpsilonResult(SolutionResult):
    """The smallest epsilon that is enough, to three digits, or why there is none.

    Examples
    --------
    >>> import dpwilcoxon as dpw
    >>> result = dpw.minimum_epsilon(n=100, effect=1, rng=1)
    >>> 0.24 < result.epsilon < 0.26
    True
    """

    sought = "epsilon"

    @property
    def epsilon(self) -> Any:
        """The epsilon; None, or nan in an array, where no epsilon is enough."""
        return self._sought()


@final
@dataclass(frozen=True, repr=False)
class MinimumEffectResult(SolutionResult):
    """The smallest effect that is found, to three digits, or why there is none.

    Examples
    --------
    >>> import dpwilcoxon as dpw
    >>> result = dpw.minimum_effect(n=100, epsilon=1, rng=1)
    >>> 0.45 < result.effect < 0.47
    True
    """

    sought = "effect"

    @property
    def effect(self) -> Any:
        """The effect; None, or nan in an array, where no effect can be detected."""
        return self._sought()


SOLUTIONS: dict[str, type[SolutionResult]] = {
    each.sought: each for each in (SampleSizeResult, MinimumEpsilonResult, MinimumEffectResult)
}


def _library(name: str) -> Any:
    from importlib import import_module

    try:
        return import_module(name)
    except ImportError as error:
        raise MissingDependency(
            f"A {name} data frame needs {name}, which cannot be loaded; install it with "
            f"`pip install {name}`, or use `records()`, which needs nothing."
        ) from error

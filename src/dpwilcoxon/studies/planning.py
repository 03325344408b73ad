"""The public planning functions: power, sample size, smallest epsilon, smallest effect."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from numpy.typing import ArrayLike

from dpwilcoxon.nulls.seeds import Seed
from dpwilcoxon.parameters import Alternative, Method, Noise
from dpwilcoxon.studies.answers import Answer, enough_effect, enough_epsilon, enough_pairs
from dpwilcoxon.studies.arguments import Asked
from dpwilcoxon.studies.cases import Case
from dpwilcoxon.studies.comparison import powers
from dpwilcoxon.studies.effort import Effort
from dpwilcoxon.studies.families import FamilyLike
from dpwilcoxon.studies.models import Zeros
from dpwilcoxon.studies.planned import ProcedureLike
from dpwilcoxon.studies.rejection import Progress
from dpwilcoxon.studies.results import (
    MinimumEffectResult,
    MinimumEpsilonResult,
    PowerResult,
    SampleSizeResult,
    SolutionResult,
)

REPLICATES = 100_000

Solution = TypeVar("Solution", bound=SolutionResult)
_ENOUGH: dict[str, Callable[[Case, Effort], Answer]] = {
    "n": enough_pairs,
    "epsilon": enough_epsilon,
    "effect": enough_effect,
}


def power(
    n: ArrayLike,
    epsilon: Any,
    effect: ArrayLike,
    *,
    procedure: ProcedureLike = "pratt",
    alpha: float = 0.05,
    alternative: str | Alternative = "two-sided",
    zero_fraction: float = 0.0,
    differences: FamilyLike = "normal",
    replicates: int = REPLICATES,
    rng: Seed = None,
    method: str | Method = "auto",
    noise: str | Noise = "laplace",
    zeros: str | Zeros = "fixed",
    jobs: int | None = None,
    progress: Progress | None = None,
) -> PowerResult:
    """Estimate how likely a test is to reject, before there is any data.

    Samples are simulated; for each the probability that the test rejects it is computed exactly
    from the law of the privacy noise. This touches no data and costs no privacy.

    Parameters
    ----------
    n, epsilon, effect : numbers or arrays of them
        The number of pairs, the privacy parameter and the size of the change, broadcast against
        each other. With `differences` "normal" an effect of 1 is a change by one standard
        deviation of a single measurement: u ~ N(0, 1) and v ~ N(effect, 1). With effect 0 the
        result is the type I error.
    procedure : str or Procedure
        Which test; studies may also use those that cannot be released.
    alpha : float
        The level of the test.
    alternative : {"two-sided", "greater", "less"}
        "greater" looks for positive effects.
    zero_fraction : float
        The share of pairs that do not change at all.
    differences : str, callable or array_like
        What differences look like: "normal", "laplace", "logistic", "uniform", "student-t:3",
        "likert:5" (answers on a scale), "log-normal:0.5" (measurements that change by a factor); a
        function of a random generator and a shape (pairs, samples), whose draws the effect is
        added to; or the differences of a PUBLIC pilot study to draw from, of whose own change
        the effect is a share between 0 and 1.
    replicates : int
        How many samples are simulated for each number of pairs and effect.
    rng : int, numpy.random.Generator or None
        Randomness; an int is a seed and gives the same result again.
    method : {"auto", "exact", "normal-laplace", "monte-carlo"}
        How critical values are computed.
    noise : {"laplace", "canonical"}
        The kind of noise of a private test.
    zeros : {"fixed", "random"}
        Whether every sample has `zero_fraction` zeros, rounded, or has them on average.
    jobs : int, optional
        Threads, by default two; the result does not depend on them.
    progress : callable, optional
        Called with (samples done, samples to do) now and then.

    Returns
    -------
    PowerResult
        With `power` and `standard_error`: numbers, or arrays for arrays. It prints well, and
        turns into a data frame with `to_pandas` or `to_polars`.

    Examples
    --------
    >>> import dpwilcoxon as dpw
    >>> result = dpw.power(32, epsilon=1, effect=1, rng=1)
    >>> print(round(result.power, 2), "+-", round(result.standard_error, 4))
    0.77 +- 0.0007
    >>> dpw.power(100, epsilon=[0.1, 1], effect=0, replicates=10_000, rng=1).power.round(2)
    array([0.05, 0.05])
    """
    asked = Asked(
        procedure=procedure,
        alpha=alpha,
        alternative=alternative,
        method=method,
        differences=differences,
        zero_fraction=zero_fraction,
        zeros=zeros,
        noise=noise,
    )
    cases, shape = asked.cases(n=n, epsilon=epsilon, effect=effect)
    return power_of(cases, shape, replicates=replicates, seed=rng, jobs=jobs, progress=progress)


def sample_size(
    epsilon: Any,
    effect: ArrayLike,
    *,
    power: float = 0.8,
    procedure: ProcedureLike = "pratt",
    alpha: float = 0.05,
    alternative: str | Alternative = "two-sided",
    zero_fraction: float = 0.0,
    differences: FamilyLike = "normal",
    tolerance: float | None = None,
    rng: Seed = None,
    method: str | Method = "auto",
    noise: str | Noise = "laplace",
    zeros: str | Zeros = "fixed",
    jobs: int | None = None,
    progress: Progress | None = None,
) -> SampleSizeResult:
    """Find the smallest number of pairs with which a test reaches a power.

    Parameters
    ----------
    epsilon, effect : numbers or arrays of them
        The privacy parameter and the size of the change, broadcast against each other.
    power : float
        The probability of rejecting that is wanted.
    procedure, alpha, alternative, zero_fraction, differences, rng, method, noise, zeros, jobs
        As for :func:`power`.
    tolerance : float, optional
        How far the ends of the 95% interval of the answer may lie from its middle: by default one
        pair, and half a percent of the answer where that is more. Where even a million simulated
        samples do not achieve that, the interval says what they do.
    progress : callable, optional
        Called with (samples done, samples to do) of the estimate under way.

    Returns
    -------
    SampleSizeResult
        With `n`, its 95% interval `low`, `high`, and the `power` there; `n` is None where no
        number of pairs is enough, and `reason` says why.

    Examples
    --------
    >>> import dpwilcoxon as dpw
    >>> result = dpw.sample_size(epsilon=1, effect=1, power=0.8, rng=1)
    >>> result.n in (33, 34, 35)
    True
    >>> dpw.sample_size(epsilon=[1, 0.1], effect=1, alternative="greater", rng=1).n > [20, 150]
    array([ True,  True])
    """
    asked = Asked(
        procedure=procedure,
        alpha=alpha,
        alternative=alternative,
        method=method,
        differences=differences,
        zero_fraction=zero_fraction,
        zeros=zeros,
        noise=noise,
    )
    effort = Effort(power=power, tolerance=tolerance, seed=rng, jobs=jobs, progress=progress)
    cases, shape = asked.cases(epsilon=epsilon, effect=effect)
    return solution(SampleSizeResult, cases, effort, shape)


def minimum_epsilon(
    n: ArrayLike,
    effect: ArrayLike,
    *,
    power: float = 0.8,
    procedure: ProcedureLike = "pratt",
    alpha: float = 0.05,
    alternative: str | Alternative = "two-sided",
    zero_fraction: float = 0.0,
    differences: FamilyLike = "normal",
    tolerance: float | None = None,
    rng: Seed = None,
    method: str | Method = "auto",
    noise: str | Noise = "laplace",
    zeros: str | Zeros = "fixed",
    jobs: int | None = None,
    progress: Progress | None = None,
) -> MinimumEpsilonResult:
    """Find the smallest epsilon with which a test reaches a power.

    Parameters
    ----------
    n, effect : numbers or arrays of them
        The number of pairs and the size of the change, broadcast against each other.
    power, procedure, alpha, alternative, zero_fraction, differences, rng
        As for :func:`sample_size`.
    method, noise, zeros, jobs, progress
        As for :func:`sample_size`.
    tolerance : float, optional
        How far the ends of the 95% interval may lie from its middle, relative to the answer; one
        percent by default.

    Returns
    -------
    MinimumEpsilonResult
        With `epsilon` to three digits, its 95% interval `low`, `high`, and the `power` there;
        `epsilon` is None where none is enough, and `reason` says why.

    Examples
    --------
    >>> import dpwilcoxon as dpw
    >>> result = dpw.minimum_epsilon(n=237, effect=1, rng=1)
    >>> 0.098 < result.epsilon < 0.102
    True
    """
    asked = Asked(
        procedure=procedure,
        alpha=alpha,
        alternative=alternative,
        method=method,
        differences=differences,
        zero_fraction=zero_fraction,
        zeros=zeros,
        noise=noise,
    )
    effort = Effort(power=power, tolerance=tolerance, seed=rng, jobs=jobs, progress=progress)
    cases, shape = asked.cases(n=n, effect=effect)
    return solution(MinimumEpsilonResult, cases, effort, shape)


def minimum_effect(
    n: ArrayLike,
    epsilon: Any,
    *,
    power: float = 0.8,
    procedure: ProcedureLike = "pratt",
    alpha: float = 0.05,
    alternative: str | Alternative = "two-sided",
    zero_fraction: float = 0.0,
    differences: FamilyLike = "normal",
    tolerance: float | None = None,
    rng: Seed = None,
    method: str | Method = "auto",
    noise: str | Noise = "laplace",
    zeros: str | Zeros = "fixed",
    jobs: int | None = None,
    progress: Progress | None = None,
) -> MinimumEffectResult:
    """Find the smallest effect that a test detects with a given power.

    Parameters
    ----------
    n, epsilon : numbers or arrays of them
        The number of pairs and the privacy parameter, broadcast against each other.
    power, procedure, alpha, alternative, zero_fraction, differences, rng
        As for :func:`sample_size`.
    method, noise, zeros, jobs, progress
        As for :func:`sample_size`.
    tolerance : float, optional
        How far the ends of the 95% interval may lie from its middle, relative to the answer; one
        percent by default.

    Returns
    -------
    MinimumEffectResult
        With `effect` to three digits (negative for the alternative "less"), its 95% interval
        `low`, `high`, and the `power` there; `effect` is None where none can be detected, however
        large, and `reason` says why.

    Examples
    --------
    >>> import dpwilcoxon as dpw
    >>> result = dpw.minimum_effect(n=34, epsilon=1, rng=1)
    >>> 0.97 < result.effect < 1.01
    True
    >>> print(dpw.minimum_effect(n=5, epsilon=0.01, power=0.99).effect)
    None
    """
    asked = Asked(
        procedure=procedure,
        alpha=alpha,
        alternative=alternative,
        method=method,
        differences=differences,
        zero_fraction=zero_fraction,
        zeros=zeros,
        noise=noise,
    )
    effort = Effort(power=power, tolerance=tolerance, seed=rng, jobs=jobs, progress=progress)
    cases, shape = asked.cases(n=n, epsilon=epsilon)
    return solution(MinimumEffectResult, cases, effort, shape)


def power_of(
    cases: tuple[Case, ...],
    shape: tuple[int, ...] | None = None,
    *,
    replicates: int,
    seed: Seed = None,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> PowerResult:
    """Estimate the power of cases that are read already, by default in a list."""
    estimates = powers(cases, replicates=replicates, seed=seed, jobs=jobs, progress=progress)
    return PowerResult(cases, _shape_of(cases) if shape is None else shape, tuple(estimates))


def solution(
    kind: type[Solution],
    cases: tuple[Case, ...],
    effort: Effort,
    shape: tuple[int, ...] | None = None,
) -> Solution:
    """Find what is sought for cases that are read already, by default in a list."""
    answers = tuple(_ENOUGH[kind.sought](case, effort) for case in cases)
    return kind(cases, _shape_of(cases) if shape is None else shape, answers)


def _shape_of(cases: tuple[Case, ...]) -> tuple[int, ...]:
    """That of a list, or of one case alone."""
    return () if len(cases) == 1 else (len(cases),)

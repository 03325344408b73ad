"""The functions people call, with SciPy's conventions: differences are x - y."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dpwilcoxon.arraytypes import FloatArray
from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.ledger.budget import Budget
from dpwilcoxon.ledger.events import Dataset
from dpwilcoxon.ledger.subjects import subject_of
from dpwilcoxon.parameters import (
    Alternative,
    Design,
    EpsilonLike,
    Method,
    Missing,
    Noise,
    probability,
)
from dpwilcoxon.procedures.base import DEFAULT_DRAWS, Simulation
from dpwilcoxon.procedures.many_designs import ManyDesigns
from dpwilcoxon.procedures.registry import get_private_procedure
from dpwilcoxon.release import Charge, Request, release
from dpwilcoxon.result import PrivateTestResult
from dpwilcoxon.sources.samples import sample_of
from dpwilcoxon.statistics.scores import RANKS
from dpwilcoxon.statistics.tie_groups import ZeroMethod


def wilcoxon(
    x: Any,
    y: Any = None,
    *,
    epsilon: EpsilonLike,
    alternative: str | Alternative = "two-sided",
    procedure: str = "pratt",
    method: str | Method = "auto",
    noise: str | Noise = "laplace",
    missing: str | Missing = "raise",
    resolution: Any = None,
    budget: Budget | None = None,
    dataset: Dataset | None = None,
    columns: Sequence[str] = (),
    fresh: bool = False,
) -> PrivateTestResult:
    """Run a differentially private Wilcoxon signed-rank test on paired data.

    Parameters
    ----------
    x, y : array_like
        Paired measurements, one row per protected person; differences are ``x - y``, so pass
        ``(after, before)``. With `y` left out, `x` holds the differences. Numbers, decimals,
        booleans, dates and durations; lists, numpy, pandas, polars and pyarrow. `x` may also be
        a paired sample made by :func:`read_pairs`.
    epsilon : int, float, str, Decimal or Fraction
        The privacy parameter this release spends. Read exactly as written.
    alternative : {"two-sided", "greater", "less"}
        "greater" asks whether ``x - y`` tends to be positive.
    procedure : str
        Which private test: "pratt", the paper's; "capped", which needs fewer pairs where privacy
        costs most, and more where differences have no tails; "sign".
    method : {"auto", "exact", "normal-laplace", "monte-carlo"}
        How the p-value is computed. "auto" depends on the procedure, the number of pairs and
        epsilon alone, never on the data.
    noise : {"laplace", "canonical"}
        What kind of noise is added. Canonical noise is as private, lighter at epsilon up to 4, and
        of use where few pairs have to do at epsilon 1 to 3.
    missing : {"raise", "zero"}
        What to do with a pair of which a value is missing: refuse, or count it as no change.
    resolution : number or str, optional
        Round each difference to a multiple of this, so that differences which are equal but
        for floating-point error tie.
    budget : Budget, optional
        What pays for the release; it refuses if too little is left.
    dataset, columns : Dataset and names, optional
        What the ledger of the budget is to call the data, and x and y in it (a sample from
        :func:`read_pairs` knows its columns). With both, asking the same again gives back the
        recorded release at no charge.
    fresh : bool
        Draw, and pay, even if the answer is recorded.

    Returns
    -------
    PrivateTestResult
        The noisy statistic and p-value; ``statistic, pvalue = result`` works too.

    Privacy
    -------
    The result is epsilon-differentially private: neighbouring data sets differ in one pair
    replaced by another. The number of pairs is public. Errors about the data (such as a
    missing value) are for the custodian and are not covered by the guarantee.

    Examples
    --------
    >>> import dpwilcoxon as dpw
    >>> before = [142, 151, 138, 160, 147, 155, 149, 163, 144, 158] * 10
    >>> after = [value - 8 + i % 5 for i, value in enumerate(before)]
    >>> result = dpw.wilcoxon(after, before, epsilon=1)
    >>> result.n, result.epsilon, result.pvalue < 0.05
    (100, 1.0, True)
    """
    request = Request.parse(
        epsilon=epsilon,
        alternative=alternative,
        procedure=procedure,
        method=method,
        noise=noise,
    )
    sample = sample_of(x, y, missing=missing, resolution=resolution)
    subject = subject_of(
        sample,
        columns,
        dataset,
        arrays=1 if y is None else 2,
        missing=missing,
        resolution=resolution,
    )
    return release(sample, request, Charge.parse(budget, subject, fresh=fresh, columns=columns))


def signed_rank(
    x: Any,
    y: Any = None,
    *,
    zero_method: str = "pratt",
    missing: str | Missing = "raise",
    resolution: Any = None,
) -> float:
    """Compute the exact signed-rank statistic. NOT PRIVATE: it protects nobody.

    Parameters
    ----------
    x, y : array_like
        Paired measurements as for :func:`wilcoxon`; differences are ``x - y``.
    zero_method : {"pratt", "wilcox"}
        Rank the zero differences with the others (the paper's Algorithm WP), or drop them
        first (Algorithm W).
    missing, resolution
        As for :func:`wilcoxon`.

    Returns
    -------
    float
        The sum of sign times average rank, a multiple of one half.

    Examples
    --------
    >>> import dpwilcoxon as dpw
    >>> v, u = [18, 11, 3, 10, 8], [9, 2, 3, 8, 9]
    >>> dpw.signed_rank(v, u), dpw.signed_rank(v, u, zero_method="wilcox")
    (10.0, 8.0)
    """
    zeros = ZeroMethod.parse(zero_method)
    pairs = sample_of(x, y, missing=missing, resolution=resolution)
    return pairs.signed_rank_total(RANKS, zeros) / RANKS.lattice


def pvalue(
    statistic: ArrayLike,
    n: ArrayLike,
    epsilon: Any,
    *,
    alternative: str | Alternative = "two-sided",
    procedure: str = "pratt",
    method: str | Method = "auto",
    noise: str | Noise = "laplace",
    draws: int = DEFAULT_DRAWS,
    rng: np.random.Generator | int | None = None,
) -> Any:
    """Compute the p-value of a statistic released by a private test.

    This is post-processing: it touches no data and costs no privacy.

    Parameters
    ----------
    statistic : float or array_like
        Released statistics on the scale of ``result.statistic``.
    n, epsilon : int and number, or arrays of them
        The number of pairs and the privacy parameter of the release.
    alternative, procedure, method, noise
        As for :func:`wilcoxon`.
    draws : int
        How many values Monte Carlo simulates.
    rng : numpy.random.Generator, int or None
        Randomness of Monte Carlo; an int is a seed.

    Returns
    -------
    float or ndarray
        P-values, never 0. Two-sided, P(abs(W) >= abs(statistic)) of the noisy statistic W.

    Examples
    --------
    >>> import dpwilcoxon as dpw
    >>> round(dpw.pvalue(1271, n=100, epsilon=1), 3)
    0.05
    >>> dpw.pvalue([0, 3000], n=100, epsilon=[1, 0.1]).round(3)
    array([1.   , 0.233])
    """
    tests = ManyDesigns(
        get_private_procedure(procedure),
        Method.parse(method),
        Noise.parse(noise),
        Simulation(draws, rng),
    )
    direction = Alternative.parse(alternative)
    try:
        values = np.asarray(statistic, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        values = np.full(1, np.nan)
    if np.isnan(values).any():
        raise InvalidArgument(
            "`statistic` must be a number or an array of numbers, and none of them NaN."
        )

    def evaluate(value: FloatArray, design: Design) -> FloatArray:
        return tests.null(design).pvalue(value * tests.lattice(design), direction)

    return tests.evaluate(evaluate, values, n, epsilon)


def critical_value(
    n: ArrayLike,
    epsilon: Any,
    alpha: ArrayLike = 0.05,
    *,
    alternative: str | Alternative = "two-sided",
    procedure: str = "pratt",
    method: str | Method = "auto",
    noise: str | Noise = "laplace",
    normalized: bool = False,
    draws: int = DEFAULT_DRAWS,
    rng: np.random.Generator | int | None = None,
) -> Any:
    """Compute the statistic from which on a private test is significant.

    Parameters
    ----------
    n, epsilon : int and number, or arrays of them
        The number of pairs and the privacy parameter.
    alpha : float or array_like
        The significance level.
    alternative, procedure, method, noise, draws, rng
        As for :func:`pvalue`.
    normalized : bool
        Divide by the standard deviation of the statistic without noise, as the paper's
        comparison tables do.

    Returns
    -------
    float or ndarray
        The released statistic nearest to zero whose p-value is at most `alpha` (negative for
        "less"). Two-sided, the test is significant when the absolute statistic reaches it.

    Examples
    --------
    >>> import dpwilcoxon as dpw
    >>> dpw.critical_value(100, epsilon=1)
    1270.0
    >>> z = dpw.critical_value(100, 1, [0.1, 0.05], alternative="greater", normalized=True)
    >>> z.round(2)
    array([1.42, 1.83])
    """
    tests = ManyDesigns(
        get_private_procedure(procedure),
        Method.parse(method),
        Noise.parse(noise),
        Simulation(draws, rng),
    )
    direction = Alternative.parse(alternative)
    levels = np.vectorize(lambda level: probability(level, "alpha"), otypes=[float])(alpha)

    def evaluate(level: FloatArray, design: Design) -> FloatArray:
        unit = tests.standard_deviation(design) if normalized else tests.lattice(design)
        return tests.null(design).critical_value(level, direction) / unit

    return tests.evaluate(evaluate, levels, n, epsilon)

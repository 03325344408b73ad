"""Several outcomes of the same people, tested together for one epsilon."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.ledger.budget import Budget
from dpwilcoxon.ledger.events import Dataset, Subject, printable, public_name
from dpwilcoxon.ledger.subjects import outcome_of
from dpwilcoxon.nulls.base import pvalue_of
from dpwilcoxon.parameters import Alternative, Epsilon, EpsilonLike, Method, Missing, Noise
from dpwilcoxon.release import Charge, Request, release_together
from dpwilcoxon.result import PrivateTestResult, Receipt, format_pvalue
from dpwilcoxon.sources.samples import sample_of


@dataclass(frozen=True)
class OutcomeResults(Mapping[str, PrivateTestResult]):
    """The released results of several outcomes, by name, and their adjusted p-values.

    Privacy
    -------
    Everything here follows from the released statistics and public parameters. Together they
    are private at level `epsilon`, the sum of what the outcomes spent.

    Examples
    --------
    >>> import dpwilcoxon as dpw
    >>> outcomes = {"sys": ([5, 4], [4, 3]), "dia": ([9, 7], [8, 8])}
    >>> results = dpw.wilcoxon_together(outcomes, epsilon=1)
    >>> list(results), results["sys"].epsilon
    (['sys', 'dia'], 0.5)
    >>> results.adjusted_pvalues["sys"] >= results["sys"].pvalue
    True
    """

    results: Mapping[str, PrivateTestResult]
    epsilon: Epsilon

    @property
    def adjusted_log_pvalues(self) -> dict[str, float]:
        """The logarithms of the adjusted p-values, which go on where floats end."""
        return holm({name: result.log_pvalue for name, result in self.results.items()})

    @property
    def adjusted_pvalues(self) -> dict[str, float]:
        """Holm's adjusted p-values: compare each with the level wanted for all of them together.

        The probability of even one false finding among all outcomes then is at most that
        level, however the outcomes hang together.
        """
        return {name: float(pvalue_of(log_p)) for name, log_p in self.adjusted_log_pvalues.items()}

    @property
    def receipt(self) -> Receipt | None:
        """What all of it cost, if it was charged to a budget."""
        return next(iter(self.results.values())).receipt

    def to_dict(self) -> dict[str, Any]:
        """Return the results as plain values, ready for JSON."""
        adjusted, logs = self.adjusted_pvalues, self.adjusted_log_pvalues
        return {
            "outcomes": [
                {
                    "outcome": name,
                    **{key: value for key, value in result.to_dict().items() if key != "budget"},
                    "adjusted_pvalue": adjusted[name],
                    "adjusted_log_pvalue": logs[name],
                }
                for name, result in self.results.items()
            ],
            "adjustment": "holm",
            "epsilon": float(self.epsilon),
            "epsilon_exact": str(self.epsilon),
            "budget": self.receipt.to_dict() if self.receipt else None,
        }

    def __getitem__(self, name: str) -> PrivateTestResult:
        return self.results[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.results)

    def __len__(self) -> int:
        return len(self.results)

    def __str__(self) -> str:
        adjusted = self.adjusted_log_pvalues
        rows = [("outcome", "p-value", "adjusted", "statistic", "effect", "pairs", "epsilon")]
        for name, result in self.results.items():
            rows.append(
                (
                    printable(name),
                    format_pvalue(result.log_pvalue),
                    format_pvalue(adjusted[name]),
                    f"{result.statistic:,.1f}",
                    f"{result.effect_size:+.3f}",
                    f"{result.n:,}",
                    str(result.design.epsilon),
                )
            )
        return "\n".join(["Private Wilcoxon signed-rank tests", *_aligned(rows), *self._notes()])

    def _notes(self) -> list[str]:
        first = next(iter(self.results.values()))
        notes = {
            "adjusted": "Holm: compare with the level wanted for all outcomes together",
            "test": f"{first.procedure}, {first.alternative}{first.design.noise.remark}",
            "epsilon": f"{self.epsilon} for all outcomes together",
        }
        if self.receipt is not None:
            notes["budget"] = f"{self.receipt}  (entry {self.receipt.entry})"
        return [f"  {name:<12}{text}" for name, text in notes.items()]


def _aligned(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Lines of cells: the first to the left, numbers to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  " + "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])])
        for row in rows
    ]


def holm(log_pvalues: Mapping[str, float]) -> dict[str, float]:
    """Adjust p-values for being several, by Holm's method, in logarithms.

    The smallest p-value is multiplied by how many there are, the next by one less, and so on;
    none may become smaller than the one before it, nor larger than 1.

    Examples
    --------
    >>> import math
    >>> logs = holm({"a": math.log(0.01), "b": math.log(0.04), "c": math.log(0.03)})
    >>> {name: round(math.exp(log), 3) for name, log in logs.items()}
    {'a': 0.03, 'b': 0.06, 'c': 0.06}
    """
    adjusted, floor = {}, -math.inf
    ordered = sorted(log_pvalues, key=lambda name: log_pvalues[name])
    for left, name in zip(range(len(ordered), 0, -1), ordered, strict=True):
        floor = max(floor, min(0.0, log_pvalues[name] + math.log(left)))
        adjusted[name] = floor
    return {name: adjusted[name] for name in log_pvalues}


def shares_of(
    epsilon: EpsilonLike | Mapping[str, EpsilonLike], names: Sequence[str]
) -> list[Epsilon]:
    """What each outcome may spend: an equal part of one epsilon, or what was given for it.

    Examples
    --------
    >>> [str(share) for share in shares_of("0.5", ["a", "b", "c"])]
    ['1/6', '1/6', '1/6']
    """
    if not names:
        raise InvalidArgument("`outcomes` must name at least one outcome.")
    if not isinstance(epsilon, Mapping):
        return [Epsilon(Epsilon.parse(epsilon).exact / len(names))] * len(names)
    if set(epsilon) != set(names):
        raise InvalidArgument(
            f"`epsilon` must be given for each outcome: {', '.join(map(repr, names))}; got "
            f"{', '.join(map(repr, epsilon))}."
        )
    return [Epsilon.parse(epsilon[name]) for name in names]


def wilcoxon_together(
    outcomes: Mapping[str, Any],
    *,
    epsilon: EpsilonLike | Mapping[str, EpsilonLike],
    alternative: str | Alternative = "two-sided",
    procedure: str = "pratt",
    method: str | Method = "auto",
    noise: str | Noise = "laplace",
    missing: str | Missing = "raise",
    resolution: Any = None,
    budget: Budget | None = None,
    dataset: Dataset | None = None,
    fresh: bool = False,
) -> OutcomeResults:
    """Run private signed-rank tests on several outcomes of the same people, for one epsilon.

    Parameters
    ----------
    outcomes : mapping
        For each outcome, by a name that may be published, its ``(x, y)``: differences are
        ``x - y``, so pass ``(after, before)``; or an array of differences, or a sample from
        :func:`read_pairs`.
    epsilon : number, or mapping of names to numbers
        One epsilon, which is split evenly over the outcomes, or the epsilon of each outcome.
    alternative, procedure, method, noise, missing, resolution
        As for :func:`wilcoxon`, for all outcomes.
    budget : Budget, optional
        What pays for all of them, at once and all or nothing.
    dataset : Dataset, optional
        What the ledger of the budget is to call the data. With it, asking for the same outcomes
        again gives back the recorded releases at no charge.
    fresh : bool
        Draw, and pay, even if the answer is recorded.

    Returns
    -------
    OutcomeResults
        A mapping of names to results, with Holm's adjusted p-values beside the raw ones.

    Privacy
    -------
    One person's measurements of all outcomes are one row. Replacing a row changes the probability
    of any output by a factor of at most e raised to the sum of the epsilons.

    Examples
    --------
    >>> import dpwilcoxon as dpw
    >>> before = {"sys": [142, 151, 138, 160] * 25, "dia": [91, 95, 88, 99] * 25}
    >>> after = {"sys": [130, 139, 141, 148] * 25, "dia": [85, 90, 90, 91] * 25}
    >>> outcomes = {name: (after[name], before[name]) for name in before}
    >>> results = dpw.wilcoxon_together(outcomes, epsilon={"sys": 2, "dia": 1}, alternative="less")
    >>> results["dia"].epsilon, str(results.epsilon)
    (1.0, '3')
    """
    if not isinstance(outcomes, Mapping):
        raise InvalidArgument(
            "`outcomes` must be a mapping of names to what is compared, such as {'systolic': "
            f"(after, before)}}; got {type(outcomes).__name__}."
        )
    names = [public_name(name, "The name of an outcome") for name in outcomes]
    shares = shares_of(epsilon, names)
    request = Request.parse(
        epsilon=sum(share.exact for share in shares),
        alternative=alternative,
        procedure=procedure,
        method=method,
        noise=noise,
    )
    arrays = [_columns(each) for each in outcomes.values()]
    samples = [sample_of(x, y, missing=missing, resolution=resolution) for x, y in arrays]
    measured = [
        outcome_of(name, sample, 1 if y is None else 2)
        for name, sample, (_, y) in zip(names, samples, arrays, strict=True)
    ]
    subject = Subject.declared(measured, dataset, missing=missing, resolution=resolution)
    charge = Charge.parse(budget, subject, fresh=fresh)
    results = release_together(samples, request, shares, charge)
    return OutcomeResults(dict(zip(names, results, strict=True)), request.epsilon)


def _columns(outcome: Any) -> tuple[Any, Any]:
    """Tell (x, y) from an array of differences: only a tuple of two is a pair."""
    if isinstance(outcome, tuple) and len(outcome) == 2:  # noqa: PLR2004 - x and y
        return outcome
    return outcome, None

"""The one door: what leaves the house leaves here, with noise on it.

Order of work, which later editors must keep: check the request completely, build everything
that can fail, compute the exact statistic, charge the budget and have that on the disk, only then
draw, record what was drawn, and only then return it. No function here takes a random generator
for the noise.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.metadata import version
from typing import Self

from dpwilcoxon.errors import DataError, InternalError, InvalidArgument, StudyOnlyProcedure
from dpwilcoxon.ledger.budget import Budget
from dpwilcoxon.ledger.events import AskedOutcome, Event, Subject
from dpwilcoxon.ledger.reservations import Forecast, Recorded
from dpwilcoxon.mechanisms.integers import check_release, release_integer
from dpwilcoxon.nulls.base import SymmetricNull
from dpwilcoxon.pairs import PairedSample
from dpwilcoxon.parameters import Alternative, Design, Epsilon, EpsilonLike, Method, Noise, shown
from dpwilcoxon.procedures.base import PrivateProcedure, Simulation
from dpwilcoxon.procedures.registry import get_private_procedure
from dpwilcoxon.result import PrivateTestResult


@dataclass(frozen=True)
class Request:
    """Everything a release is asked for, except the data: public, parsed and checked."""

    procedure: PrivateProcedure
    epsilon: Epsilon
    alternative: Alternative = Alternative.TWO_SIDED
    method: Method = Method.AUTO
    simulation: Simulation = field(default_factory=Simulation)
    noise: Noise = Noise.LAPLACE

    def __post_init__(self) -> None:
        if not isinstance(self.procedure, PrivateProcedure):
            raise StudyOnlyProcedure(self.procedure.name)

    @classmethod
    def parse(
        cls,
        *,
        epsilon: EpsilonLike,
        alternative: str | Alternative = "two-sided",
        procedure: str = "pratt",
        method: str | Method = "auto",
        simulation: Simulation | None = None,
        noise: str | Noise = Noise.LAPLACE,
    ) -> Request:
        """Read a request from what a caller typed."""
        return cls(
            get_private_procedure(procedure),
            Epsilon.parse(epsilon),
            Alternative.parse(alternative),
            Method.parse(method),
            simulation or Simulation(),
            Noise.parse(noise),
        )

    def prepare(self, n_pairs: int) -> PreparedRelease:
        """Check the request for a sample of this size and build what a release needs."""
        design = Design(n_pairs, self.epsilon, self.noise)
        method = self.procedure.resolve_method(design, self.method)
        null = self.procedure.null(design, method, self.simulation)
        return PreparedRelease(self, design, method, null)


@dataclass(frozen=True)
class PreparedRelease:
    """A request that can be met: nothing after this can fail for a reason of the caller's."""

    request: Request
    design: Design
    method: Method
    null: SymmetricNull

    def check_draw(self) -> None:
        """Make sure that the noise can be drawn, and draw nothing."""
        procedure, design = self.request.procedure, self.design
        check_release(
            procedure.noise(design),
            sensitivity=procedure.sensitivity(design),
            epsilon=design.epsilon,
        )

    def draw(self, statistic: int) -> PrivateTestResult:
        """Draw the noise: the moment privacy is spent. The p-value is not yet computed."""
        procedure, design = self.request.procedure, self.design
        noise, score = procedure.noise(design), procedure.score(design)
        released = release_integer(
            statistic,
            noise,
            sensitivity=procedure.sensitivity(design),
            epsilon=design.epsilon,
        )
        return PrivateTestResult(
            released=released,
            lattice=score.lattice,
            largest=score.total(design.n_pairs),
            log_pvalue=math.nan,
            design=design,
            alternative=self.request.alternative,
            procedure=procedure.name,
            method=self.method,
            noise=noise,
            version=_software_version(),
        )

    def analyse(self, result: PrivateTestResult) -> PrivateTestResult:
        """Compute the p-value of a released statistic, as this request wants it."""
        alternative = self.request.alternative
        log_pvalue = float(self.null.log_pvalue(result.released, alternative))
        return replace(result, alternative=alternative, method=self.method, log_pvalue=log_pvalue)


@dataclass(frozen=True)
class Charge:
    """Which budget pays for a release, and what its ledger is told about the data."""

    budget: Budget
    subject: Subject = field(default_factory=Subject)
    fresh: bool = False  # draw again, and pay again, even if the answer is recorded

    @classmethod
    def parse(
        cls, budget: Budget | None, subject: Subject, *, fresh: bool, columns: Sequence[str] = ()
    ) -> Self | None:
        """Read who pays from what a caller said; nobody does where there is no budget."""
        if isinstance(budget, Budget):
            return cls(budget, subject, fresh)
        if budget is not None:
            raise InvalidArgument(
                f"`budget` must be a Budget, such as Budget.open(path, name); got {shown(budget)}."
            )
        told = {"fresh": fresh, "dataset": subject.dataset, "columns": columns}
        for name, value in told.items():
            if value:
                raise InvalidArgument(
                    f"`{name}` is about what a ledger records; name the `budget` too."
                )
        return None

    def forecast(self, request: Request, shares: Sequence[Epsilon]) -> Forecast:
        """Say what this would cost, or refuse what the budget does not allow; charge nothing."""
        return self.budget.forecast(describe(request, shares, self.subject), fresh=self.fresh)


def release(
    sample: PairedSample, request: Request, charge: Charge | None = None
) -> PrivateTestResult:
    """Test a paired sample and release the noisy statistic with its p-value.

    Privacy
    -------
    Epsilon-differential privacy for samples that differ in one pair replaced by another. The
    number of pairs is public. Each call is a new release and spends epsilon again, unless the
    ledger of a budget holds the answer already.
    """
    (result,) = release_together([sample], request, [request.epsilon], charge)
    return result


def release_together(
    samples: Sequence[PairedSample],
    request: Request,
    shares: Sequence[Epsilon],
    charge: Charge | None = None,
) -> list[PrivateTestResult]:
    """Test several outcomes of the same people, and charge them all or none.

    Privacy
    -------
    As for :func:`release`, with the sum of the shares, which is the epsilon of the request: one
    row holds all outcomes of one person.
    """
    if sum(share.exact for share in shares) != request.epsilon.exact:
        raise InternalError("The shares of the outcomes do not add up to epsilon.")
    prepared = [
        replace(request, epsilon=share).prepare(sample.n)
        for sample, share in zip(samples, shares, strict=True)
    ]
    if charge is None:
        return _analyse(prepared, _draw(prepared, _statistics(prepared, samples)))
    event = describe(request, shares, charge.subject)
    met = charge.budget.forecast(event, fresh=charge.fresh)
    if met.recorded is not None:
        return _given_again(prepared, event, met.recorded)
    statistics = _statistics(prepared, samples)
    for plan in prepared:
        plan.check_draw()
    reservation = charge.budget.reserve(event, fresh=charge.fresh)  # on the disk from here on
    if isinstance(reservation, Recorded):
        return _given_again(prepared, event, reservation)
    with reservation:
        results = _draw(prepared, statistics)
        try:
            results = _analyse(prepared, results)
        except BaseException as error:  # what was drawn is paid for: recorded without its p-value
            receipt = reservation.record(results)
            error.add_note(
                f"What was drawn is charged, and recorded as entry {receipt.entry} of the budget "
                f"{receipt.budget!r}."
            )
            raise
        receipt = reservation.record(results)
    return [replace(result, receipt=receipt) for result in results]


def foresee(
    prepared: Sequence[PreparedRelease],
    request: Request,
    shares: Sequence[Epsilon],
    charge: Charge,
) -> Forecast:
    """Say what a release would meet, and refuse what it would refuse; charge nothing."""
    met = charge.forecast(request, shares)
    if met.recorded is not None:
        _matching(prepared, charge.subject, met.recorded)
    return met


def describe(request: Request, shares: Sequence[Epsilon], subject: Subject) -> Event:
    """Say what is asked, for the ledger: public words and numbers only."""
    simulation = request.simulation
    analysis = {"alternative": str(request.alternative), "method": str(request.method)}
    if request.method is Method.MONTE_CARLO:
        analysis |= {"draws": str(simulation.draws), "seed": str(simulation.rng)}
    return Event(
        dataset=subject.dataset,
        reading=subject.reading,
        procedure=request.procedure.name,
        noise=request.noise,
        outcomes=tuple(
            AskedOutcome(measured, share)
            for measured, share in zip(subject.outcomes, shares, strict=True)
        ),
        analysis=tuple(analysis.items()),
        software=f"dpwilcoxon {_software_version()}",
    )


def _statistics(prepared: Sequence[PreparedRelease], samples: Sequence[PairedSample]) -> list[int]:
    """The exact statistics: not private, and computed before anything is charged for them."""
    return [
        sample.signed_rank_total(
            plan.request.procedure.score(plan.design), plan.request.procedure.zero_method
        )
        for plan, sample in zip(prepared, samples, strict=True)
    ]


def _draw(
    prepared: Sequence[PreparedRelease], statistics: Sequence[int]
) -> list[PrivateTestResult]:
    return [plan.draw(total) for plan, total in zip(prepared, statistics, strict=True)]


def _analyse(
    prepared: Sequence[PreparedRelease], drawn: Sequence[PrivateTestResult]
) -> list[PrivateTestResult]:
    return [plan.analyse(result) for plan, result in zip(prepared, drawn, strict=True)]


def _given_again(
    prepared: Sequence[PreparedRelease], event: Event, recorded: Recorded
) -> list[PrivateTestResult]:
    """Show what was released before; a p-value of another kind is computed from it anew."""
    receipt = recorded.receipt()
    results = _matching(prepared, event, recorded)
    complete = not any(math.isnan(result.log_pvalue) for result in results)
    if not complete or recorded.analysis != dict(event.analysis):
        results = _analyse(prepared, results)
    return [replace(result, receipt=receipt) for result in results]


def _matching(
    prepared: Sequence[PreparedRelease], asked: Event | Subject, recorded: Recorded
) -> list[PrivateTestResult]:
    """The recorded results, if they are what would be drawn today."""
    results, dataset = recorded.results(), asked.dataset
    for plan, result in zip(prepared, results, strict=True):
        if dataset is not None and result.n != plan.design.n_pairs:
            raise DataError(
                f"Version {dataset.version!r} of the data set {dataset.name!r} had "
                f"{result.n} pairs when this test was released, and has {plan.design.n_pairs} "
                "now, so it is another version: give it another name. Nothing was released."
            )
        score = plan.request.procedure.score(plan.design)
        noise = plan.request.procedure.noise(plan.design)
        if (result.lattice, result.noise) != (score.lattice, noise):
            raise InvalidArgument(
                f"The recorded release was made by dpwilcoxon {result.version}, whose test "
                f"{result.procedure!r} is another one; ask for a fresh release to use this one."
            )
    return results


@cache
def _software_version() -> str:
    return version("dpwilcoxon")

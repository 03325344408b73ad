"""The one door: what leaves the house leaves here, with noise on it.

Order of work, which later editors must keep: check the request completely, build everything
that can fail, only then draw. No function here takes a random generator for the noise.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib.metadata import version

from dpwilcoxon.errors import StudyOnlyProcedure
from dpwilcoxon.mechanisms.discrete_laplace import release_integer
from dpwilcoxon.nulls.base import SymmetricNull
from dpwilcoxon.pairs import PairedSample
from dpwilcoxon.parameters import Alternative, Design, Epsilon, EpsilonLike, Method
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
    ) -> Request:
        """Read a request from what a caller typed."""
        return cls(
            get_private_procedure(procedure),
            Epsilon.parse(epsilon),
            Alternative.parse(alternative),
            Method.parse(method),
            simulation or Simulation(),
        )

    def prepare(self, n_pairs: int) -> PreparedRelease:
        """Check the request for a sample of this size and build what a release needs."""
        design = Design(n_pairs, self.epsilon)
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

    def draw(self, statistic: int) -> PrivateTestResult:
        """Draw the noise and compute the p-value. This is the moment privacy is spent."""
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
            log_pvalue=float(self.null.log_pvalue(released, self.request.alternative)),
            design=design,
            alternative=self.request.alternative,
            procedure=procedure.name,
            method=self.method,
            noise=noise,
            version=version("dpwilcoxon"),
        )


def release(sample: PairedSample, request: Request) -> PrivateTestResult:
    """Test a paired sample and release the noisy statistic with its p-value.

    Privacy
    -------
    Epsilon-differential privacy for samples that differ in one pair replaced by another. The
    number of pairs is public. Each call is a new release and spends epsilon again.
    """
    prepared = request.prepare(sample.n)
    procedure = request.procedure
    score = procedure.score(prepared.design)
    return prepared.draw(sample.signed_rank_total(score, procedure.zero_method))

"""What a signed-rank test is made of.

A private test is a score, the sensitivity of its integer statistic, a noise law and a null.
All of them are functions of the :class:`~dpwilcoxon.parameters.Design` alone, so nothing about
a test except its released statistic can depend on the data. A study procedure is any other
test, kept for comparison; it has another type, and the release door does not take it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

import numpy as np

from dpwilcoxon.arraytypes import FloatArray
from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.noise import NoiseLaw, protecting
from dpwilcoxon.nulls.base import SymmetricNull
from dpwilcoxon.parameters import Alternative, Design, Method, Noise, whole_number
from dpwilcoxon.statistics.batches import SampleBatch
from dpwilcoxon.statistics.scores import Score
from dpwilcoxon.statistics.tie_groups import ZeroMethod

DEFAULT_DRAWS = 10_000_000

RejectionRule: TypeAlias = Callable[[SampleBatch], FloatArray]
"""How likely a test is to reject, for each sample of a batch, with its noise integrated out."""


@dataclass(frozen=True)
class Simulation:
    """How a Monte Carlo null is drawn: post-processing, so it may be seeded."""

    draws: int = DEFAULT_DRAWS
    rng: np.random.Generator | int | None = None
    progress: Callable[[int, int], None] | None = None

    def __post_init__(self) -> None:
        draws = whole_number(self.draws, "draws")
        if draws < 1:
            raise InvalidArgument(f"`draws` must be at least 1; got {draws}.")
        object.__setattr__(self, "draws", draws)
        seed = 0 if isinstance(self.rng, np.random.Generator | None) else self.rng
        if whole_number(seed, "rng") < 0:
            raise InvalidArgument(f"`rng` must not be negative as a seed; got {seed}.")


class Procedure(ABC):
    """One signed-rank test. Subclasses are final: one file and one registry line each."""

    name: str
    summary: ClassVar[str]
    zero_method: ClassVar[ZeroMethod]
    methods: ClassVar[tuple[Method, ...]]
    releasable: ClassVar[bool]
    uses_epsilon: ClassVar[bool] = True  # whether there is noise that depends on it
    is_yardstick: ClassVar[bool] = False  # knows what no test can know: to measure others by

    def resolve_method(self, design: Design, method: Method) -> Method:
        """Replace `auto`, and refuse a method this procedure does not have."""
        if method is Method.AUTO:
            return self.automatic_method(design)
        if method not in self.methods:
            words = ", ".join(repr(str(each)) for each in (Method.AUTO, *self.methods))
            raise InvalidArgument(
                f"`method` for procedure {self.name!r} must be one of {words}; got {str(method)!r}."
            )
        return method

    @abstractmethod
    def automatic_method(self, design: Design) -> Method:
        """The method that `auto` stands for: a function of the public design alone."""

    @abstractmethod
    def rejection_rule(
        self, design: Design, alpha: float, alternative: Alternative, method: Method = Method.AUTO
    ) -> RejectionRule:
        """What studies need of a test: how likely it is to reject, given a sample."""


class PrivateProcedure(Procedure):
    """A test whose release is epsilon-differentially private."""

    releasable = True
    # Ranking the zeros is what keeps the sensitivity, and the null, free of the data.
    zero_method = ZeroMethod.PRATT

    @abstractmethod
    def score(self, design: Design) -> Score:
        """The scores of the ranks 1..n."""

    @abstractmethod
    def sensitivity(self, design: Design) -> int:
        """The most the integer statistic can change when one row is replaced."""

    @abstractmethod
    def null(self, design: Design, method: Method, simulation: Simulation) -> SymmetricNull:
        """The law of the released integer under H0, as `method` computes it."""

    def rejection_rule(
        self, design: Design, alpha: float, alternative: Alternative, method: Method = Method.AUTO
    ) -> RejectionRule:
        """Compare the sample's statistic with the critical value, and integrate the noise out."""
        null = self.null(design, method, Simulation())
        critical = float(null.critical_value(alpha, alternative))
        return NoisyRejection(self.score(design), self.noise(design), critical, alternative)

    def noise(self, design: Design) -> NoiseLaw:
        """The noise that makes a release epsilon-private; refuses to leave 64-bit integers."""
        noise = protecting(design.noise, self.sensitivity(design), design.epsilon)
        noise.check_range(self.score(design).total(design.n_pairs))
        return noise


@dataclass(frozen=True)
class NoisyRejection:
    """P(statistic + noise reaches the critical value), exactly, for given samples."""

    score: Score
    noise: NoiseLaw
    critical: float  # negative for the alternative "less"
    alternative: Alternative

    def __call__(self, batch: SampleBatch) -> FloatArray:
        """The probability for each sample of a batch."""
        totals = batch.totals(self.score, PrivateProcedure.zero_method).astype(np.float64)
        if self.alternative is Alternative.LESS:
            return self.noise.sf(totals - self.critical)  # the noise is symmetric
        above = self.noise.sf(self.critical - totals)
        if self.alternative is Alternative.GREATER:
            return above
        return above + self.noise.sf(self.critical + totals)


class StudyProcedure(Procedure):
    """A test that is not private: for studies on simulated or public data only."""

    releasable = False

    def resolve_method(self, design: Design, method: Method) -> Method:
        """Refuse noise of another kind too: whatever noise these tests have is their own."""
        if design.noise is not Noise.LAPLACE:
            raise InvalidArgument(
                f"`noise` of procedure {self.name!r} cannot be chosen; leave it out."
            )
        return super().resolve_method(design, method)

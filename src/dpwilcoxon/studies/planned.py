"""A test as a study plans it: everything about it but the number of pairs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias, final

from dpwilcoxon.parameters import (
    Alternative,
    Design,
    Epsilon,
    EpsilonLike,
    Method,
    Noise,
    probability,
)
from dpwilcoxon.procedures.base import Procedure, RejectionRule
from dpwilcoxon.procedures.registry import get_procedure

ProcedureLike: TypeAlias = "str | Procedure"


@final
@dataclass(frozen=True)
class PlannedTest:
    """A procedure, the epsilon it would spend, its level and its direction.

    A planned test is a function of the number of pairs: what it gives is the rejection rule of
    the test of so many pairs.

    Parameters
    ----------
    procedure
        Any procedure, in the registry or not.
    epsilon
        The privacy parameter; tests that are not private take no notice of it.
    alpha
        The level.
    alternative
        The direction.
    method
        How the critical value is computed.
    noise
        The kind of noise of a private test.

    Examples
    --------
    >>> test = PlannedTest.parse("pratt", epsilon=1)
    >>> rule = test(30)
    """

    procedure: Procedure
    epsilon: Epsilon
    alpha: float = 0.05
    alternative: Alternative = Alternative.TWO_SIDED
    method: Method = Method.AUTO
    noise: Noise = Noise.LAPLACE

    @classmethod
    def parse(
        cls,
        procedure: ProcedureLike,
        epsilon: EpsilonLike,
        alpha: float = 0.05,
        alternative: str | Alternative = Alternative.TWO_SIDED,
        method: str | Method = Method.AUTO,
        *,
        noise: str | Noise = Noise.LAPLACE,
    ) -> PlannedTest:
        """Read a test from what a caller may say."""
        return cls(
            procedure if isinstance(procedure, Procedure) else get_procedure(procedure),
            Epsilon.parse(epsilon),
            probability(alpha, "alpha"),
            Alternative.parse(alternative),
            Method.parse(method),
            Noise.parse(noise),
        )

    def design(self, n_pairs: int) -> Design:
        """The public facts of the test of so many pairs."""
        return Design(n_pairs, self.epsilon, self.noise)

    def __call__(self, n_pairs: int) -> RejectionRule:
        """How likely the test of so many pairs is to reject a sample."""
        return self.procedure.rejection_rule(
            self.design(n_pairs), self.alpha, self.alternative, self.method
        )

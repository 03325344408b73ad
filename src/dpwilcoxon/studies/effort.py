"""How an answer to a planning question is to be found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.nulls.seeds import Seed, seed_sequence
from dpwilcoxon.parameters import probability, real_number
from dpwilcoxon.procedures.base import RejectionRule
from dpwilcoxon.studies.models import Population
from dpwilcoxon.studies.rejection import Estimate, Progress, rejection_rates


@final
@dataclass(frozen=True, kw_only=True)
class Effort:
    """How an answer is to be found.

    Parameters
    ----------
    power
        The power that is wanted.
    tolerance
        How far the ends of the 95% interval may lie from its middle: in pairs, or relative to an
        epsilon or effect.
    seed
        As for `rejection_rates`. All that is estimated with one effort has the same luck.
    jobs
        Threads; by default two.
    progress
        Called with (replicates done, replicates) of the estimate under way.
    """

    power: float = 0.8
    tolerance: float | None = None
    seed: Seed = None
    jobs: int | None = None
    progress: Progress | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "power", probability(self.power, "power"))
        object.__setattr__(self, "seed", seed_sequence(self.seed))
        if self.tolerance is not None:
            object.__setattr__(self, "tolerance", real_number(self.tolerance, "tolerance"))
            if self.tolerance <= 0:
                raise InvalidArgument(f"`tolerance` must be positive; got {self.tolerance}.")

    def rate(
        self, population: Population, n_pairs: int, rule: RejectionRule, replicates: int
    ) -> Estimate:
        """Estimate how often one rule rejects."""
        (estimate,) = rejection_rates(
            population,
            n_pairs,
            [rule],
            replicates=replicates,
            seed=self.seed,
            jobs=self.jobs,
            progress=self.progress,
        )
        return estimate

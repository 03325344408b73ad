"""Task and Clifton's High Utility test: assume that 30% of the rows are not zero.

The assumption is about the data, so the test is not differentially private: on data with fewer
such rows its outcome probabilities break e^epsilon (there is a test that shows it).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.parameters import Design
from dpwilcoxon.procedures.task_clifton import (
    BoundedCriticalValue,
    ExactCriticalValue,
    TaskClifton,
)


@dataclass(frozen=True, kw_only=True)
class AssumedShare(TaskClifton):
    """At least a given share of the rows counts, says an assumption.

    Parameters
    ----------
    fraction
        The share of the rows that is assumed not to be zero; m = fraction * n, not rounded.
    noise_fraction
        The share for which the noise is set; by default the same. Two of the published scripts
        set it for all rows, which is 1.
    """

    fraction: float = 0.3
    noise_fraction: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        shares = {"fraction": self.fraction, "noise_fraction": self.noise_fraction}
        for name, share in shares.items():
            if share is not None and not 0.0 < share <= 1.0:
                raise InvalidArgument(f"`{name}` must be above 0 and at most 1; got {share}.")

    def assumed_rows(self, design: Design) -> float:
        """fraction * n."""
        return self.fraction * design.n_pairs

    def noise_rows(self, design: Design) -> float:
        """fraction * n, unless another share was given."""
        share = self.fraction if self.noise_fraction is None else self.noise_fraction
        return share * design.n_pairs


@final
@dataclass(frozen=True, kw_only=True)
class HighUtility(AssumedShare, BoundedCriticalValue):
    """High Utility with Task and Clifton's critical value, the Laplace bound corrected."""

    name = "tc-high-utility"
    summary = "STUDIES ONLY: Task & Clifton (2016), 30% of the rows assumed not to be zero"


@final
@dataclass(frozen=True, kw_only=True)
class HighUtilityPlus(AssumedShare, ExactCriticalValue):
    """High Utility with the critical value of the noisy null."""

    name = "tc-high-utility-plus"
    summary = "STUDIES ONLY: Task & Clifton's High Utility with exact critical values"

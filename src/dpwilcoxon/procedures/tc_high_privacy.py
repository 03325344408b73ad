"""Task and Clifton's High Privacy test: add rows that are certain not to be zero."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from dpwilcoxon.arraytypes import FloatArray
from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.parameters import Choice, Design, whole_number
from dpwilcoxon.procedures.task_clifton import (
    BoundedCriticalValue,
    ExactCriticalValue,
    TaskClifton,
    sigma_of,
)
from dpwilcoxon.statistics.batches import SampleBatch


class Placement(Choice):
    """Where the 2k dummies are ranked."""

    TIED = "tied"  # at plus and minus infinity, so of equal size: they cancel
    POSITIVE_ABOVE = "positive-above"  # the positive above the negative ones: W grows by k^2
    ABSENT = "absent"  # nowhere: only noise and critical value count them


@dataclass(frozen=True, kw_only=True)
class AddedDummies(TaskClifton):
    """At least 2k rows count, since 2k dummies do.

    Parameters
    ----------
    k
        How many dummies are added with d = +infinity, and how many with d = -infinity.
    placement
        As the paper describes it they are tied. The published scripts give the positive dummies a
        slightly larger |d| than the negative ones, and the one for the taxi data adds none.
    """

    k: int = 15
    placement: Placement | str = Placement.TIED

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "placement", Placement.parse(self.placement))
        object.__setattr__(self, "k", whole_number(self.k, "k"))
        if self.k < 1:
            raise InvalidArgument(f"`k` must be at least 1; got {self.k}.")

    def assumed_rows(self, design: Design) -> float:  # noqa: ARG002 - whatever the data
        """2k."""
        return 2.0 * self.k

    @property
    def dummies(self) -> int:
        """2k, or none."""
        return 0 if self.placement is Placement.ABSENT else 2 * self.k

    def centre(self, design: Design) -> float:
        """The contribution of dummies that do not cancel."""
        if self.placement is not Placement.POSITIVE_ABOVE:
            return 0.0
        return self.k**2 / float(sigma_of(design.n_pairs + self.dummies))

    def statistic(self, batch: SampleBatch) -> FloatArray:
        """W with the dummies, which are ranked above every finite row."""
        w = super().statistic(batch)
        if self.placement is Placement.POSITIVE_ABOVE:
            return w + self.k**2
        if self.placement is Placement.TIED:
            return w + self.k * infinite_rows(batch)
        return w


def infinite_rows(batch: SampleBatch) -> FloatArray:
    """Positive minus negative infinite differences of each sample.

    They tie with the 2k dummies, which lifts their average rank by k.
    """
    if not np.isinf(batch.differences[:, -1]).any():  # rows are in the order of |d|
        return np.zeros(len(batch))
    differences = batch.differences
    signs = np.where(np.isinf(differences), np.sign(differences), 0.0)
    return np.asarray(signs.sum(axis=1), dtype=np.float64)


@final
@dataclass(frozen=True, kw_only=True)
class HighPrivacy(AddedDummies, BoundedCriticalValue):
    """High Privacy with Task and Clifton's critical value, the Laplace bound corrected."""

    name = "tc-high-privacy"
    summary = "STUDIES ONLY: Task & Clifton (2016), with 30 dummies at plus and minus infinity"


@final
@dataclass(frozen=True, kw_only=True)
class HighPrivacyPlus(AddedDummies, ExactCriticalValue):
    """High Privacy with the critical value of the noisy null."""

    name = "tc-high-privacy-plus"
    summary = "STUDIES ONLY: Task & Clifton's High Privacy with exact critical values"

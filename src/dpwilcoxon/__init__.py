"""Differentially private Wilcoxon signed-rank tests for paired data.

>>> import dpwilcoxon as dpw
>>> result = dpw.wilcoxon([5.1, 4.8, 6.0], [4.0, 4.9, 5.2], epsilon=1)
>>> result.n
3

The map of the library:

- :func:`wilcoxon` runs a private test and returns a :class:`PrivateTestResult`;
- :func:`wilcoxon_together` tests several outcomes of the same people for one epsilon;
- :class:`Budget` keeps what is released about the same people within one total;
- :func:`read_pairs` makes the paired sample for it from files and tables;
- :func:`pvalue` and :func:`critical_value` are post-processing: no data, no privacy cost;
- :func:`power`, :func:`sample_size`, :func:`minimum_epsilon` and :func:`minimum_effect` plan a
  study before there is data;
- :func:`signed_rank` is the exact statistic, NOT private.

Names are loaded when first used, so importing the package costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dpwilcoxon.api import critical_value, pvalue, signed_rank, wilcoxon
    from dpwilcoxon.errors import (
        BudgetError,
        BudgetExists,
        DataError,
        DPWilcoxonError,
        InsufficientBudget,
        InternalError,
        InvalidArgument,
        LedgerBusy,
        LedgerDamaged,
        LedgerError,
        MissingDependency,
        OutputError,
        SourceError,
        StudyOnlyProcedure,
        UnknownBudget,
    )
    from dpwilcoxon.ledger.budget import Budget
    from dpwilcoxon.ledger.events import Dataset
    from dpwilcoxon.outcomes import OutcomeResults, wilcoxon_together
    from dpwilcoxon.result import PrivateTestResult
    from dpwilcoxon.sources.samples import read_pairs
    from dpwilcoxon.studies.planning import minimum_effect, minimum_epsilon, power, sample_size
    from dpwilcoxon.studies.results import (
        MinimumEffectResult,
        MinimumEpsilonResult,
        PowerResult,
        SampleSizeResult,
    )

    __version__: str

__all__ = [
    "Budget",
    "BudgetError",
    "BudgetExists",
    "DPWilcoxonError",
    "DataError",
    "Dataset",
    "InsufficientBudget",
    "InternalError",
    "InvalidArgument",
    "LedgerBusy",
    "LedgerDamaged",
    "LedgerError",
    "MinimumEffectResult",
    "MinimumEpsilonResult",
    "MissingDependency",
    "OutcomeResults",
    "OutputError",
    "PowerResult",
    "PrivateTestResult",
    "SampleSizeResult",
    "SourceError",
    "StudyOnlyProcedure",
    "UnknownBudget",
    "critical_value",
    "minimum_effect",
    "minimum_epsilon",
    "power",
    "pvalue",
    "read_pairs",
    "sample_size",
    "signed_rank",
    "wilcoxon",
    "wilcoxon_together",
]

_ROOMS = {
    "critical_value": "api",
    "pvalue": "api",
    "read_pairs": "sources.samples",
    "signed_rank": "api",
    "wilcoxon": "api",
    "wilcoxon_together": "outcomes",
    "Budget": "ledger.budget",
    "Dataset": "ledger.events",
    "OutcomeResults": "outcomes",
    "PrivateTestResult": "result",
    "minimum_effect": "studies.planning",
    "minimum_epsilon": "studies.planning",
    "power": "studies.planning",
    "sample_size": "studies.planning",
    "MinimumEffectResult": "studies.results",
    "MinimumEpsilonResult": "studies.results",
    "PowerResult": "studies.results",
    "SampleSizeResult": "studies.results",
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return import_module("importlib.metadata").version("dpwilcoxon")
    if name not in __all__:
        raise AttributeError(f"module 'dpwilcoxon' has no attribute {name!r}")
    value = getattr(import_module(f"dpwilcoxon.{_ROOMS.get(name, 'errors')}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])

"""Differentially private Wilcoxon signed-rank tests for paired data.

>>> import dpwilcoxon as dpw
>>> result = dpw.wilcoxon([5.1, 4.8, 6.0], [4.0, 4.9, 5.2], epsilon=1)
>>> result.n
3

The map of the library:

- :func:`wilcoxon` runs a private test and returns a :class:`PrivateTestResult`;
- :func:`read_pairs` makes the paired sample for it from files and tables;
- :func:`pvalue` and :func:`critical_value` are post-processing: no data, no privacy cost;
- :func:`signed_rank` is the exact statistic, NOT private.

Names are loaded when first used, so importing the package costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dpwilcoxon.api import critical_value, pvalue, signed_rank, wilcoxon
    from dpwilcoxon.errors import (
        DataError,
        DPWilcoxonError,
        InternalError,
        InvalidArgument,
        MissingDependency,
        OutputError,
        SourceError,
        StudyOnlyProcedure,
    )
    from dpwilcoxon.result import PrivateTestResult
    from dpwilcoxon.sources.samples import read_pairs

    __version__: str

__all__ = [
    "DPWilcoxonError",
    "DataError",
    "InternalError",
    "InvalidArgument",
    "MissingDependency",
    "OutputError",
    "PrivateTestResult",
    "SourceError",
    "StudyOnlyProcedure",
    "critical_value",
    "pvalue",
    "read_pairs",
    "signed_rank",
    "wilcoxon",
]

_ROOMS = {
    "critical_value": "api",
    "pvalue": "api",
    "read_pairs": "sources.samples",
    "signed_rank": "api",
    "wilcoxon": "api",
    "PrivateTestResult": "result",
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

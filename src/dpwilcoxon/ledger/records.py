"""Released results as a ledger keeps them, and back."""

from __future__ import annotations

import math
from typing import Any

from dpwilcoxon.errors import LedgerDamaged
from dpwilcoxon.noise import DiscreteLaplace
from dpwilcoxon.parameters import Alternative, Design, Method
from dpwilcoxon.result import PrivateTestResult


def to_record(result: PrivateTestResult) -> dict[str, Any]:
    """Return what a result consists of: the released integer and public numbers.

    A p-value that was interrupted is missing; it can be computed from the others at any time.
    """
    return {
        "released": result.released,
        "lattice": result.lattice,
        "largest": result.largest,
        "log_pvalue": None if math.isnan(result.log_pvalue) else result.log_pvalue,
        "n": result.n,
        "epsilon": str(result.design.epsilon),
        "alternative": str(result.alternative),
        "procedure": result.procedure,
        "method": str(result.method),
        "noise": result.noise.family,
        "noise_scale": result.noise.scale,
        "version": result.version,
    }


def from_record(record: dict[str, Any]) -> PrivateTestResult:
    """Read what :func:`to_record` wrote."""
    if record["noise"] != DiscreteLaplace.family:
        raise LedgerDamaged(f"No noise is called {record['noise']!r}.")
    return PrivateTestResult(
        released=record["released"],
        lattice=record["lattice"],
        largest=record["largest"],
        log_pvalue=math.nan if record["log_pvalue"] is None else record["log_pvalue"],
        design=Design.parse(record["n"], record["epsilon"]),
        alternative=Alternative.parse(record["alternative"]),
        procedure=record["procedure"],
        method=Method.parse(record["method"]),
        noise=DiscreteLaplace(record["noise_scale"]),
        version=record["version"],
    )

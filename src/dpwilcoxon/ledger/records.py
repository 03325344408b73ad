"""Released results as a ledger keeps them, and back."""

from __future__ import annotations

import math
from typing import Any, assert_never

from dpwilcoxon.errors import LedgerDamaged
from dpwilcoxon.noise import CanonicalNoise, DiscreteLaplace, NoiseLaw
from dpwilcoxon.parameters import Alternative, Design, Method, Noise
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
        **_details(result.noise),
        "version": result.version,
    }


def from_record(record: dict[str, Any]) -> PrivateTestResult:
    """Read what :func:`to_record` wrote."""
    noise, kind = _noise(record)
    return PrivateTestResult(
        released=record["released"],
        lattice=record["lattice"],
        largest=record["largest"],
        log_pvalue=math.nan if record["log_pvalue"] is None else record["log_pvalue"],
        design=Design.parse(record["n"], record["epsilon"], kind),
        alternative=Alternative.parse(record["alternative"]),
        procedure=record["procedure"],
        method=Method.parse(record["method"]),
        noise=noise,
        version=record["version"],
    )


def _details(noise: NoiseLaw) -> dict[str, Any]:
    """What it takes, besides family and scale, to know a law again."""
    if isinstance(noise, CanonicalNoise):
        return {"noise_window": noise.window, "noise_step_scale": noise.step_scale}
    if isinstance(noise, DiscreteLaplace):
        return {}
    assert_never(noise)


def _noise(record: dict[str, Any]) -> tuple[NoiseLaw, Noise]:
    """The law that was drawn, and its kind."""
    if record["noise"] == DiscreteLaplace.family:
        return DiscreteLaplace(record["noise_scale"]), Noise.LAPLACE
    if record["noise"] == CanonicalNoise.family:
        law = CanonicalNoise(record["noise_window"], record["noise_step_scale"])
        return law, Noise.CANONICAL
    raise LedgerDamaged(f"No noise is called {record['noise']!r}.")

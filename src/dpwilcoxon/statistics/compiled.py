"""Whether numba's loops for many samples are in use.

They give what numpy gives, to the last bit, so it does not matter to any result who is asked. It
takes a second to load them and several to compile them first, so small jobs are left to numpy.
"""

from __future__ import annotations

from types import ModuleType

WORTH_LOADING = 1 << 24  # differences: a third of a second's work for numpy, and rarely the last

_loaded: list[ModuleType] = []


def load_loops_for(values: int) -> None:
    """Load the loops if this many differences are worth it and numba is there."""
    if values < WORTH_LOADING or _loaded:
        return
    try:
        from dpwilcoxon.statistics import batch_kernel
    except ImportError:
        return
    _loaded.append(batch_kernel)


def loops() -> ModuleType | None:
    """The compiled loops, if they are loaded."""
    return _loaded[0] if _loaded else None

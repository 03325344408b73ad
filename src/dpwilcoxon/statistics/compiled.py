"""Whether numba's loops are in use: over one large sample, and over many small ones.

They give what numpy gives, to the last bit, so it does not matter to any result which is used. It
takes up to a second to load them and several to compile them first, so small jobs are left to
numpy.
"""

from __future__ import annotations

from types import ModuleType

KERNEL_FROM = 1_000_000  # rows: numpy sorts fewer in the time it takes to load the loops
WORTH_LOADING = 1 << 24  # differences: a third of a second's work for numpy, and rarely the last

_loaded: list[ModuleType] = []


def loops_for_rows(rows: int) -> ModuleType | None:
    """The loops over one large sample, if they pay for so many rows and numba is there."""
    if rows < KERNEL_FROM:
        return None
    try:
        from dpwilcoxon.statistics import large_samples
    except ImportError:
        return None
    return large_samples


def load_loops_for_batches(values: int) -> None:
    """Load the loops over many samples if so many differences are worth it, and numba is there."""
    if values < WORTH_LOADING or _loaded:
        return
    try:
        from dpwilcoxon.statistics import batch_kernel
    except ImportError:
        return
    _loaded.append(batch_kernel)


def loops_for_batches() -> ModuleType | None:
    """The loops over many samples, if they are loaded."""
    return _loaded[0] if _loaded else None

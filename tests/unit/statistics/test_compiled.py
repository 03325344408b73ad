"""The compiled loops are loaded for large jobs only, and never needed."""

import sys

import pytest

from dpwilcoxon.statistics import batch_kernel, compiled


@pytest.fixture(autouse=True)
def _nothing_loaded(monkeypatch):
    monkeypatch.setattr(compiled, "_loaded", [])


def test_small_jobs_are_left_to_numpy():
    """Nothing is loaded for less than it is worth, nor lost once it is there."""
    compiled.load_loops_for_batches(compiled.WORTH_LOADING - 1)
    assert compiled.loops_for_batches() is None
    compiled.load_loops_for_batches(compiled.WORTH_LOADING)
    compiled.load_loops_for_batches(1)
    assert compiled.loops_for_batches() is batch_kernel


def test_without_numba_numpy_does_everything(monkeypatch):
    """A missing extra is no error."""
    monkeypatch.delattr("dpwilcoxon.statistics.batch_kernel")
    monkeypatch.setitem(sys.modules, "dpwilcoxon.statistics.batch_kernel", None)
    compiled.load_loops_for_batches(compiled.WORTH_LOADING)
    assert compiled.loops_for_batches() is None

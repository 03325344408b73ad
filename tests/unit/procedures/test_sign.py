"""The private sign test."""

import numpy as np
import pytest

import dpwilcoxon as dpw
from dpwilcoxon.parameters import Alternative, Design, Method
from dpwilcoxon.procedures.base import Simulation
from dpwilcoxon.procedures.sign import Sign


def test_it_counts_signs():
    """Sizes do not matter, zeros count for nothing: with next to no noise w is seen."""
    result = dpw.wilcoxon([5, 1e9, -3, 0, 2, 0], epsilon=1000, procedure="sign")
    assert result.statistic == pytest.approx(2.0, abs=0.1)
    assert result.largest == 6 * result.lattice
    assert Sign().sensitivity(Design.parse(6, 1)) == 2 * result.lattice


def test_levels_are_used_up():
    """On the fine lattice the exact test of 34 pairs at epsilon 1 has .0499 of its level .05."""
    design = Design.parse(34, 1)
    null = Sign().null(design, Method.EXACT, Simulation())
    critical = null.critical_value(0.05, Alternative.TWO_SIDED)
    assert 0.0498 < null.pvalue(critical, Alternative.TWO_SIDED) <= 0.05


@pytest.mark.parametrize(("n", "epsilon"), [(12, 1), (1000, 0.1), (200_000, 0.5)])
def test_methods_agree(n, epsilon):
    """Exact (up to 100,000 pairs), closed form and simulation give one critical value, about."""
    methods = ["normal-laplace", "monte-carlo"] + (["exact"] if n <= 100_000 else [])
    values = [
        dpw.critical_value(n, epsilon, procedure="sign", method=each, draws=200_000, rng=1)
        for each in methods
    ]
    np.testing.assert_allclose(values, values[0], rtol=0.02, atol=1.0)

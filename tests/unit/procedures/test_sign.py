"""The private sign test."""

import numpy as np
import pytest

import dpwilcoxon as dpw
from dpwilcoxon.parameters import Design
from dpwilcoxon.procedures.sign import Sign


def test_it_counts_signs():
    """Sizes do not matter, zeros count for nothing: with next to no noise w is seen."""
    result = dpw.wilcoxon([5, 1e9, -3, 0, 2, 0], epsilon=1000, procedure="sign")
    assert (result.statistic, result.lattice, result.largest) == (2.0, 1, 6)
    assert Sign().sensitivity(Design.parse(6, 1)) == 2


@pytest.mark.parametrize(("n", "epsilon"), [(12, 1), (1000, 0.1), (200_000, 0.5)])
def test_methods_agree(n, epsilon):
    """Exact (up to 100,000 pairs), closed form and simulation give one critical value, about."""
    methods = ["normal-laplace", "monte-carlo"] + (["exact"] if n <= 100_000 else [])
    values = [
        dpw.critical_value(n, epsilon, procedure="sign", method=each, draws=200_000, rng=1)
        for each in methods
    ]
    np.testing.assert_allclose(values, values[0], rtol=0.02, atol=1.0)

"""The compiled normals are numpy's."""

import numpy as np
import pytest

from dpwilcoxon.studies.normal_kernel import fill_normal


@pytest.mark.parametrize("bits", [np.random.SFC64, np.random.PCG64])
def test_normals_are_numpys(bits):
    """The same numbers as `Generator.standard_normal`, tails and all (100,000 draws)."""
    draws = np.empty(100_000)
    fill_normal(np.random.Generator(bits(3)), draws)
    expected = np.random.Generator(bits(3)).standard_normal(draws.size)
    np.testing.assert_array_equal(draws, expected)

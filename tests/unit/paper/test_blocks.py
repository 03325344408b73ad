"""Blocks cover every replicate once, and what is pooled is what one sample would give."""

import itertools
import math

import numpy as np
import pytest

from dpwilcoxon.paper import blocks
from dpwilcoxon.paper.blocks import blocks_of, pooled
from dpwilcoxon.studies.rejection import Estimate


@pytest.mark.parametrize(
    ("replicates", "n"), [(2, 5), (10**6, 5), (10**6, 5000), (3, 10**9), (10**5, 400), (7, 10**9)]
)
def test_blocks_cover_all_replicates(replicates, n):
    """One after the other without gaps, each of two or more and of no more than it should be."""
    cut = blocks_of(replicates, n)
    assert cut[0].before == 0
    for one, following in itertools.pairwise(cut):
        assert following.before == one.before + one.size
        assert following.number == one.number + 1
    assert cut[-1].before + cut[-1].size == replicates
    assert min(block.size for block in cut) >= 2
    assert max(block.size for block in cut) <= max(3, math.ceil(blocks.BLOCK_VALUES / n))


def estimate(values):
    """The estimate of a sample."""
    return Estimate(values.mean(), values.std(ddof=1) / math.sqrt(len(values)), len(values))


def test_pooled_estimates_are_those_of_all_replicates():
    """Three parts of one sample, of different sizes and with different means."""
    values = np.random.default_rng(1).random(1000) ** np.linspace(1, 3, 1000)
    whole = estimate(values)
    found = pooled([estimate(part) for part in np.split(values, [100, 550])])
    assert found.replicates == 1000
    assert found.probability == pytest.approx(whole.probability, rel=1e-12)
    assert found.standard_error == pytest.approx(whole.standard_error, rel=1e-12)
    assert pooled([whole]) is whole

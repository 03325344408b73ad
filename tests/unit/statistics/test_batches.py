"""Many samples at once give what each gives alone."""

import numpy as np
import pytest

from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.statistics import batch_kernel, compiled
from dpwilcoxon.statistics.batches import SampleBatch
from dpwilcoxon.statistics.keys import SignedKeys
from dpwilcoxon.statistics.scores import RANKS, SIGNS, capped_ranks
from dpwilcoxon.statistics.signed_rank import signed_rank_total, tie_groups
from dpwilcoxon.statistics.tie_groups import ZeroMethod

SCORES = (RANKS, SIGNS, capped_ranks(4), capped_ranks(5, 3), capped_ranks(100))


pytestmark = pytest.mark.kernels


@pytest.fixture(params=["numpy", "numba"], autouse=True)
def engine(request, monkeypatch):
    """Both ways to compute."""
    monkeypatch.setattr(compiled, "_loaded", [batch_kernel] if request.param == "numba" else [])


@pytest.fixture(params=["continuous", "ties", "zeros", "one"])
def matrix(request):
    """Samples by pairs."""
    rng = np.random.default_rng(5)
    return {
        "continuous": rng.normal(0.3, 1, (40, 13)),
        "ties": rng.integers(-3, 4, (60, 17)).astype(float),
        "zeros": np.where(rng.random((30, 9)) < 0.6, -0.0, rng.normal(size=(30, 9))),
        "one": np.array([[0.0], [1.5], [-np.inf]]),
    }[request.param]


@pytest.mark.parametrize("zero_method", ZeroMethod)
@pytest.mark.parametrize("score", SCORES)
def test_totals(matrix, score, zero_method):
    """The statistic of each row is that of the row alone, for every score, ties and zeros."""
    batch = SampleBatch.of_differences(matrix)
    alone = [
        signed_rank_total(SignedKeys.from_differences(row), score, zero_method) for row in matrix
    ]
    assert batch.totals(score, zero_method).tolist() == alone
    assert batch.totals(score, zero_method) is batch.totals(score, zero_method)


@pytest.mark.parametrize("zero_method", ZeroMethod)
def test_variances(matrix, zero_method):
    """The variance given the sizes is the sum of squared scores of the rows that are not zero."""
    batch = SampleBatch.of_differences(matrix)
    for score in SCORES:
        expected = []
        for row in matrix:
            groups = tie_groups(SignedKeys.from_differences(row))
            expected.append(float(np.sum(groups.sizes * groups.ranks(score, zero_method) ** 2)))
        np.testing.assert_allclose(batch.variances(score, zero_method), expected, rtol=1e-14)


def test_rows_come_back_in_order(matrix):
    """The differences are there still, by size, and zeros are counted."""
    batch = SampleBatch.of_differences(matrix)
    assert len(batch), batch.n_pairs == matrix.shape
    by_size = np.take_along_axis(matrix, np.argsort(np.abs(matrix), axis=1, kind="stable"), axis=1)
    np.testing.assert_array_equal(np.abs(batch.differences), np.abs(by_size))
    np.testing.assert_array_equal(np.sort(batch.differences, axis=1), np.sort(matrix, axis=1))
    assert batch.n_zero.tolist() == (matrix == 0).sum(axis=1).tolist()


@pytest.mark.parametrize("shape", [(3,), (2, 0)])
def test_a_batch_is_a_matrix(shape):
    """One sample per row, and at least one pair in each."""
    with pytest.raises(InvalidArgument, match="matrix"):
        SampleBatch.of_differences(np.zeros(shape))

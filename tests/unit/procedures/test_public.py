"""The public tests agree with SciPy's normal approximation."""

import numpy as np
import pytest
from scipy import stats

from dpwilcoxon.parameters import Alternative, Design, Method
from dpwilcoxon.procedures.registry import get_procedure
from dpwilcoxon.sources.arrays import pairs_from_arrays
from dpwilcoxon.statistics.batches import SampleBatch
from dpwilcoxon.statistics.signed_rank import tie_groups


@pytest.mark.parametrize(("name", "zeros"), [("public", "wilcox"), ("public-pratt", "pratt")])
@pytest.mark.parametrize("alternative", list(Alternative))
def test_pvalues_equal_scipys_with_ties_and_zeros(name, zeros, alternative):
    """200 random samples over a grid of seven values; SciPy is run on each."""
    rng = np.random.default_rng(11)
    procedure = get_procedure(name)
    for _ in range(200):
        differences = rng.integers(-2, 5, size=rng.integers(5, 60))
        reference = stats.wilcoxon(
            differences, zero_method=zeros, alternative=alternative.value, method="asymptotic"
        )
        groups = tie_groups(pairs_from_arrays(differences).keys)
        assert procedure.pvalue(groups, alternative) == pytest.approx(reference.pvalue, rel=1e-9)


@pytest.mark.parametrize("alternative", list(Alternative))
@pytest.mark.parametrize("name", ["public", "public-pratt"])
def test_exact_pvalues_equal_scipys_without_ties_and_zeros(name, alternative):
    """40 samples of 1 to 30 continuous differences; SciPy counts too."""
    rng = np.random.default_rng(12)
    procedure = get_procedure(name)
    for n in rng.integers(1, 31, 40):
        differences = rng.normal(0.5, 1.0, n)
        reference = stats.wilcoxon(differences, alternative=alternative.value, method="exact")
        groups = tie_groups(pairs_from_arrays(differences).keys)
        exact = procedure.pvalue(groups, alternative, Method.EXACT)
        assert exact == pytest.approx(reference.pvalue, rel=1e-9)


@pytest.mark.parametrize("alternative", list(Alternative))
@pytest.mark.parametrize("name", ["public", "public-pratt"])
def test_exact_rule_rejects_where_the_exact_pvalue_is_small(name, alternative):
    """150 samples of 14, half of them with ties and zeros: the batch agrees with one by one."""
    rng = np.random.default_rng(13)
    matrix = rng.normal(0.6, 1.0, (150, 14))
    matrix[::2] = np.round(matrix[::2])
    matrix[1::4, :3] = 0.0
    procedure = get_procedure(name)
    rule = procedure.rejection_rule(Design.parse(14, 1), 0.05, alternative, Method.EXACT)
    expected = [
        procedure.pvalue(tie_groups(pairs_from_arrays(row).keys), alternative, Method.EXACT) <= 0.05
        for row in matrix
    ]
    assert rule(SampleBatch.of_differences(matrix)).tolist() == expected
    assert len(set(expected)) == 2 or alternative is Alternative.LESS


def test_no_change_at_all_is_no_evidence():
    """With every difference zero the p-value is 1."""
    groups = tie_groups(pairs_from_arrays([0, 0, 0]).keys)
    for method in (Method.EXACT, Method.NORMAL_LAPLACE):
        assert get_procedure("public").pvalue(groups, Alternative.TWO_SIDED, method) == 1.0


def test_auto_is_the_normal_law():
    """It serves every size, and is what the paper compares with."""
    procedure = get_procedure("public")
    design = Design.parse(10, 1)
    assert procedure.resolve_method(design, Method.AUTO) is Method.NORMAL_LAPLACE

"""The public tests agree with SciPy's normal approximation."""

import numpy as np
import pytest
from scipy import stats

from dpwilcoxon.parameters import Alternative, Design, Method
from dpwilcoxon.procedures.registry import get_procedure
from dpwilcoxon.sources.arrays import pairs_from_arrays
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


def test_no_change_at_all_is_no_evidence():
    """With every difference zero the p-value is 1."""
    groups = tie_groups(pairs_from_arrays([0, 0, 0]).keys)
    assert get_procedure("public").pvalue(groups, Alternative.TWO_SIDED) == 1.0


def test_auto_is_the_only_method():
    """The normal law serves every size."""
    procedure = get_procedure("public")
    design = Design.parse(10, 1)
    assert procedure.resolve_method(design, Method.AUTO) is Method.NORMAL_LAPLACE

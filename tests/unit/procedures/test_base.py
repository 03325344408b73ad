"""How likely a private test is to reject, computed and drawn."""

import numpy as np
import pytest

from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.parameters import Alternative, Design, Noise
from dpwilcoxon.procedures.base import PrivateProcedure, Simulation
from dpwilcoxon.procedures.registry import PROCEDURES
from dpwilcoxon.statistics.batches import SampleBatch

PRIVATE = [each for each in PROCEDURES.values() if isinstance(each, PrivateProcedure)]


@pytest.mark.parametrize("law", Noise)
@pytest.mark.parametrize("alternative", Alternative)
@pytest.mark.parametrize("procedure", PRIVATE, ids=lambda each: each.name)
def test_rejection_is_the_probability_of_a_small_pvalue(procedure, alternative, law):
    """Summed over every value the noise can take, it is P(p-value <= alpha)."""
    design, alpha = Design.parse(9, 2, law), 0.1
    batch = SampleBatch.of_differences(np.random.default_rng(3).normal(0.8, 1.0, (20, 9)))
    noise, score = procedure.noise(design), procedure.score(design)
    null = procedure.null(design, procedure.automatic_method(design), Simulation())
    far = np.arange(-40 * int(noise.scale + 1), 40 * int(noise.scale + 1) + 1)
    expected = [
        noise.pmf(far)[null.pvalue(total + far, alternative) <= alpha].sum()
        for total in batch.totals(score)
    ]
    rule = procedure.rejection_rule(design, alpha, alternative)
    np.testing.assert_allclose(rule(batch), expected, rtol=1e-9)


@pytest.mark.parametrize("name", [each for each in PROCEDURES if not PROCEDURES[each].releasable])
def test_the_noise_of_other_tests_cannot_be_chosen(name):
    """Whatever they have is their own: to take no notice would mislead."""
    with pytest.raises(InvalidArgument, match="cannot be chosen"):
        PROCEDURES[name].rejection_rule(Design.parse(40, 1, "canonical"), 0.05, Alternative.GREATER)


@pytest.mark.parametrize("alternative", Alternative)
@pytest.mark.parametrize("name", ["public", "public-pratt"])
def test_public_tests_reject_or_not(name, alternative):
    """Without noise a sample decides: 1 or 0, as its p-value says."""
    from dpwilcoxon.statistics.keys import SignedKeys
    from dpwilcoxon.statistics.signed_rank import tie_groups

    procedure, design = PROCEDURES[name], Design.parse(12, 1)
    matrix = np.random.default_rng(4).integers(-2, 5, (200, 12)).astype(float)
    rejected = procedure.rejection_rule(design, 0.05, alternative)(
        SampleBatch.of_differences(matrix)
    )
    expected = [
        procedure.pvalue(tie_groups(SignedKeys.from_differences(row)), alternative) <= 0.05
        for row in matrix
    ]
    assert rejected.tolist() == expected
    assert 0 < rejected.mean() < 1 or alternative is Alternative.LESS

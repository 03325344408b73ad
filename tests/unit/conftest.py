"""Results as the release door would give them, for tests of what shows them."""

from __future__ import annotations

import pytest

from dpwilcoxon.parameters import Alternative, Design, Method
from dpwilcoxon.procedures.base import Simulation
from dpwilcoxon.procedures.registry import get_private_procedure
from dpwilcoxon.result import PrivateTestResult


def _released(
    statistic=1613.5,
    n=100,
    *,
    epsilon="1",
    alternative="two-sided",
    method="auto",
    procedure="pratt",
    noise="laplace",
):
    test, design = get_private_procedure(procedure), Design.parse(n, epsilon, noise)
    side, means = Alternative.parse(alternative), test.resolve_method(design, Method.parse(method))
    score = test.score(design)
    released = round(statistic * score.lattice)
    null = test.null(design, means, Simulation(draws=1000, rng=1))
    return PrivateTestResult(
        released=released,
        lattice=score.lattice,
        largest=score.total(n),
        log_pvalue=float(null.log_pvalue(released, side)),
        design=design,
        alternative=side,
        procedure=procedure,
        method=means,
        noise=test.noise(design),
        version="1.2.3",
    )


@pytest.fixture
def released():
    """Build a result with a given released statistic; by default p is 0.013, two-sided."""
    return _released

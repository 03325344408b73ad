"""Answers to planning questions, and the words for having none."""

from functools import partial

import pytest

from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.studies import answers, wording
from dpwilcoxon.studies.answers import Answer, enough_effect, enough_pairs
from dpwilcoxon.studies.cases import Case
from dpwilcoxon.studies.effort import Effort
from dpwilcoxon.studies.models import Population
from dpwilcoxon.studies.planned import PlannedTest
from dpwilcoxon.studies.rejection import Estimate
from dpwilcoxon.studies.required import required_pairs

FIELDS = {
    "procedure": "pratt", "n": None, "epsilon": 1.0, "effect": 1.0, "alternative": "two-sided",
    "alpha": 0.05, "differences": "normal", "zero_fraction": 0.0, "zeros": "fixed",
    "noise": "laplace",
}  # fmt: skip


def test_where_the_search_ends(monkeypatch):
    """Without a formula the search itself finds out that there are too few pairs."""
    monkeypatch.setattr(answers, "required_pairs", partial(required_pairs, most_pairs=60))
    found = enough_pairs(
        Case(Population(effect=0.1), PlannedTest.parse("public", 1)), Effort(seed=1)
    )
    assert found.value is None
    assert "they reach a power of 0.1" in found.reason


def test_a_search_that_ends_with_the_target_in_reach(monkeypatch):
    """The last number of pairs may or may not be enough: no answer, and an open interval."""
    monkeypatch.setattr(answers, "required_pairs", partial(required_pairs, most_pairs=33))
    monkeypatch.setattr("dpwilcoxon.studies.required.MOST_VALUES", 33 * 1000)
    found = enough_pairs(
        Case(Population(effect=1.0), PlannedTest.parse("pratt", 1)), Effort(power=0.795)
    )
    assert found.high is None


def test_power_has_to_exceed_the_level():
    """A level of power is free."""
    with pytest.raises(InvalidArgument, match="larger than `alpha`"):
        enough_effect(Case(Population(), PlannedTest.parse("pratt", 1, 0.2), 30), Effort(power=0.1))


@pytest.mark.parametrize(
    ("answer", "title"),
    [
        (Answer(50, 48, 52, Estimate(0.8, 0.01, 100), 0.8), "Pairs needed: 50 (95%: 48 to 52)"),
        (Answer(50, 48, None, Estimate(0.8, 0.01, 100), 0.8), "Pairs needed: 50 (95%: 48 or more)"),
        (Answer(50, None, 52, Estimate(0.8, 0.01, 100), 0.8), "Pairs needed: 50 (95%: 52 or less)"),
        (Answer(None, None, None, None, 0.8, reason="because"), "Pairs needed: none"),
        (Answer(None, 60, None, None, 0.8, reason="because"), "Pairs needed: none"),
    ],
)
def test_titles(answer, title):
    """A number with its interval, an open interval, nothing."""
    block = wording.solution_block(FIELDS, answer, "n")
    assert block.partition("\n")[0] == title
    assert ("why" in block) == bool(answer.reason)


def test_numbers_of_one_pair():
    """Grammar counts too."""
    case = Case(Population(), PlannedTest.parse("pratt", "0.1"), 1)
    found = enough_effect(case, Effort(power=0.9, seed=1))
    assert "by 1 pair at" in found.reason

"""Several outcomes: one charge, exact shares, and Holm's adjustment."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

import dpwilcoxon as dpw
from dpwilcoxon import release as door
from dpwilcoxon.ledger.events import Event
from dpwilcoxon.outcomes import OutcomeResults, holm, shares_of

OUTCOMES = {
    "systolic": ([130, 139, 141, 148], [142, 151, 138, 160]),
    "diastolic": ([85, 90, 90, 91], [91, 95, 88, 99]),
    "weight": [-1.0, 2.0, -3.0, 0.5],
}


def test_one_epsilon_is_split_evenly_and_exactly():
    """Three shares of 0.1 are thirds of it: together exactly 0.1, charged once."""
    with dpw.Budget.temporary("0.1") as budget:
        results = dpw.wilcoxon_together(OUTCOMES, epsilon="0.1", budget=budget)
        assert [result.design.epsilon.exact for result in results.values()] == [Fraction(1, 30)] * 3
        assert budget.remaining == 0
        assert len(budget.history()) == 2
    assert results.receipt.charged == Fraction("0.1")
    assert results.receipt.outcomes == 3


def test_or_as_given():
    """Each outcome gets what it was given, and the sum is charged."""
    epsilon = {"weight": "0.2", "systolic": 1, "diastolic": "0.3"}
    with dpw.Budget.temporary(2) as budget:
        results = dpw.wilcoxon_together(OUTCOMES, epsilon=epsilon, budget=budget)
        assert budget.spent == Fraction("1.5")
    assert {name: str(each.design.epsilon) for name, each in results.items()} == {
        "systolic": "1",
        "diastolic": "0.3",
        "weight": "0.2",
    }


def test_all_or_nothing(monkeypatch):
    """If the sum does not fit, nothing is drawn for any outcome."""
    monkeypatch.setattr(door, "release_integer", lambda *_args, **_options: pytest.fail("drawn"))
    with dpw.Budget.temporary("0.5") as budget:
        with pytest.raises(dpw.InsufficientBudget) as no:
            dpw.wilcoxon_together(OUTCOMES, epsilon="0.51", budget=budget)
        assert no.value.requested == Fraction("0.51")
        assert budget.spent == 0


def test_asking_for_the_same_outcomes_again_is_free():
    """The whole set is one request."""
    trial = dpw.Dataset("trial", version="1")
    with dpw.Budget.temporary(2) as budget:
        first, again = (
            dpw.wilcoxon_together(OUTCOMES, epsilon=1, budget=budget, dataset=trial)
            for _ in range(2)
        )
        assert again.receipt.is_repeated
        assert budget.spent == 1
    assert [each.released for each in first.values()] == [each.released for each in again.values()]


@pytest.mark.parametrize("earlier", [False, True])
@pytest.mark.parametrize("names", list(permutations(OUTCOMES)))
def test_the_order_of_outcomes_is_no_part_of_the_request(names, earlier, monkeypatch):
    """Each name gets its own answer again; also where earlier software wrote them as they came."""
    shares = {"weight": "0.2", "systolic": 1, "diastolic": "0.3"}
    paid = {"epsilon": shares, "dataset": dpw.Dataset("trial", version="1")}
    with dpw.Budget.temporary(2) as budget:
        with monkeypatch.context() as patch:
            if earlier:
                patch.setattr(Event, "order", property(lambda event: range(len(event.outcomes))))
            first = dpw.wilcoxon_together(OUTCOMES, budget=budget, **paid)
        asked = OUTCOMES if earlier else {name: OUTCOMES[name] for name in names}
        again = dpw.wilcoxon_together(asked, budget=budget, **paid)
        assert again.receipt.is_repeated
        assert budget.verify().is_sound
    assert list(again) == list(asked)
    for name, result in first.items():
        assert again[name] == replace(result, receipt=again.receipt)


def test_samples_that_were_read_are_told_apart(tmp_path):
    """The same names for other rows are another request."""
    path = tmp_path / "visits.csv"
    path.write_text("who,before,after\n1,1,3\n1,2,5\n2,9,1\n3,4,4\n")
    trial = dpw.Dataset("visits", version="1")
    with dpw.Budget.temporary(1) as budget:

        def charged(aggregate):
            sample = dpw.read_pairs(
                path, before="before", after="after", unit="who", aggregate=aggregate
            )
            outcomes = {"read": sample, "array": [1, 2, 3]}
            results = dpw.wilcoxon_together(outcomes, epsilon="0.1", budget=budget, dataset=trial)
            return results.receipt.charged

        answers = [charged(each) for each in ("mean", "mean", "max", "max")]
    assert answers == [Fraction("0.1"), 0, Fraction("0.1"), 0]


def test_at_next_to_no_noise_each_outcome_has_its_own_statistic():
    """Results belong to their names."""
    results = dpw.wilcoxon_together(OUTCOMES, epsilon=300_000)
    assert results["systolic"].statistic == dpw.signed_rank(*OUTCOMES["systolic"])
    assert results["weight"].statistic == dpw.signed_rank(OUTCOMES["weight"])


def test_results_print_and_convert():
    """A table for people, and plain values with raw and adjusted p-values for programs."""
    results = dpw.wilcoxon_together(OUTCOMES, epsilon=3)
    text = str(results)
    assert all(name in text for name in OUTCOMES)
    assert "Holm" in text
    assert "budget" not in text
    plain = json.loads(json.dumps(results.to_dict()))
    assert plain["epsilon_exact"] == "3"
    assert plain["budget"] is None
    adjusted = {each["outcome"]: each["adjusted_pvalue"] for each in plain["outcomes"]}
    assert adjusted == results.adjusted_pvalues
    assert len(results) == 3


def test_holm_is_holms_method():
    """Against the definition, on 200 seeded sets of 1 to 8 p-values with ties and ones."""
    rng = np.random.default_rng(7)
    for _ in range(200):
        p = np.round(rng.random(rng.integers(1, 9)) ** 3, 2).clip(0.01, 1)
        ours = holm({str(i): math.log(each) for i, each in enumerate(p)})
        order = np.argsort(p, kind="stable")
        steps = np.minimum(1, np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1)))
        expected = np.empty_like(p)
        expected[order] = steps
        assert np.allclose([math.exp(ours[str(i)]) for i in range(len(p))], expected)


def test_the_adjusted_pvalue_of_one_outcome_is_the_raw_one():
    """To the last bit, for 1000 seeded p-values; exponentials of two libraries would differ."""
    (result,) = dpw.wilcoxon_together({"alone": [1, 2, 3]}, epsilon=1).values()
    for log_pvalue in np.random.default_rng(3).uniform(-40, 0, 1000):
        results = OutcomeResults(
            {"alone": replace(result, log_pvalue=float(log_pvalue))}, result.design.epsilon
        )
        assert results.adjusted_pvalues["alone"] == results["alone"].pvalue


def test_adjusted_pvalues_are_never_zero():
    """Far in the tail the logarithm goes on."""
    assert holm({"a": -5000.0, "b": -1.0})["a"] == pytest.approx(-5000.0 + math.log(2))


@pytest.mark.parametrize(
    ("outcomes", "epsilon", "message"),
    [
        ({}, 1, "at least one outcome"),
        ([("systolic", [1, 2])], 1, "a mapping of names .*; got list"),
        ({1: [1, 2]}, 1, "The name of an outcome"),
        ({"": [1, 2]}, 1, "The name of an outcome"),
        ({"two\nlines": [1, 2]}, 1, "The name of an outcome"),
        (OUTCOMES, {"systolic": 1}, "for each outcome"),
        (OUTCOMES, 0, "`epsilon`"),
        (OUTCOMES, dict.fromkeys(OUTCOMES, -1), "`epsilon`"),
    ],
)
def test_impossible_outcomes_are_refused(outcomes, epsilon, message):
    """Each refusal names its parameter, and costs nothing."""
    with dpw.Budget.temporary(10) as budget:
        with pytest.raises(dpw.InvalidArgument, match=message):
            dpw.wilcoxon_together(outcomes, epsilon=epsilon, budget=budget)
        assert budget.spent == 0


def test_shares_that_do_not_add_up_are_a_bug():
    """The door itself makes sure that what is spent is what was asked."""
    request = door.Request.parse(epsilon=1)
    with pytest.raises(dpw.InternalError, match="add up"):
        door.release_together([], request, shares_of("0.9", ["a", "b"]))

"""Capped ranks: which cap, which score, and what can be asked for."""

import math

import numpy as np
import pytest

import dpwilcoxon as dpw
from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.parameters import Design
from dpwilcoxon.procedures.capped import LARGEST_FINE_N, Capped, cap_by_rule
from dpwilcoxon.procedures.registry import get_private_procedure
from dpwilcoxon.procedures.sign import FINE_SIGNS
from dpwilcoxon.statistics.scores import RANKS, capped_ranks

EPSILONS = ("1/1000000", "0.01", "0.1", "0.5", "1", "3", "1000000")


def test_the_rule_stays_among_the_ranks_and_rises():
    """The sign test at no information, nearly all ranks at much; more of it never caps lower."""
    caps = [[cap_by_rule(Design.parse(n, each)) for each in EPSILONS] for n in range(1, 200)]
    for n, of_n in enumerate(caps, start=1):
        assert of_n[0] == 1
        assert of_n[-1] == math.ceil(n / (1 + 3.5 / math.sqrt(n)))
        assert sorted(of_n) == of_n
    assert np.all(np.diff(np.array(caps), axis=0) >= 0)
    assert cap_by_rule(Design.parse(10**9, 1)) / 10**9 > 0.999
    assert cap_by_rule(Design.parse(10**9, "1e-300")) == 1
    assert cap_by_rule(Design.parse(4, "1e300")) == 2


@pytest.mark.parametrize("n", [1, 2, 7, 100])
def test_extreme_caps_are_the_other_tests(n):
    """A cap of 1 scores signs, and one that caps nothing scores ranks."""
    design = Design.parse(n, 1)
    assert Capped(1).score(design) == FINE_SIGNS
    if n > 1:
        assert Capped(n).score(design) == Capped(10 * n).score(design) == RANKS
    for cap in {2, n - 1} & set(range(2, n)):
        score = Capped(cap).score(design)
        scores = np.diff(score.cumulative(np.arange(n + 1))) / score.lattice
        assert scores.tolist() == [min(rank, cap) for rank in range(1, n + 1)]


def test_a_cap_by_hand_is_part_of_the_name():
    """It works wherever a procedure is named, and the result carries it."""
    x = np.random.default_rng(5).normal(0.4, 1.0, 60)
    result = dpw.wilcoxon(x, epsilon=1, procedure="capped:20")
    assert result.procedure == "capped:20"
    assert result.noise_scale == 40.0
    recomputed = dpw.pvalue(result.statistic, 60, 1, procedure="capped:20")
    assert result.pvalue == pytest.approx(recomputed, rel=1e-14)
    assert get_private_procedure("capped:020") == Capped(20)
    assert dpw.critical_value(60, 1, procedure="capped:1") == dpw.critical_value(
        60, 1, procedure="sign"
    )


def test_the_rule_by_its_name_and_by_hand_give_the_same_law():
    """`capped` is `capped:CAP` with the cap of the rule."""
    cap = cap_by_rule(Design.parse(150, "0.3"))
    assert 1 < cap < 150
    by_rule, by_hand = (
        dpw.critical_value(150, "0.3", [0.1, 0.01], procedure=name)
        for name in ("capped", f"capped:{cap}")
    )
    np.testing.assert_array_equal(by_rule, by_hand)


@pytest.mark.parametrize("text", ["", "0", "-3", "2.5", "ten", "1e3", "٣", "9" * 5000, "1:2"])
def test_impossible_caps(text):
    """Whatever is not a whole number from 1 on is refused with an example of what is."""
    with pytest.raises(InvalidArgument, match="cap"):
        get_private_procedure("capped:" + text)


@pytest.mark.parametrize("name", ["sign:2", "pratt:3", "cap", ":5", "capped ", 5, None, ["capped"]])
def test_only_capped_takes_a_number(name):
    """Other names with a colon are unknown, and say what is known."""
    with pytest.raises(InvalidArgument, match="must be one of"):
        get_private_procedure(name)


def test_large_samples_fit_64_bits():
    """Where the fine lattice would not fit, halves do: as many pairs as the paper's test takes."""
    largest = 3_000_000_000
    procedure = Capped(largest - 1)
    assert procedure.score(Design.parse(largest, 1)) == capped_ranks(largest - 1)
    assert procedure.noise(Design.parse(largest, 1)).scale >= 4 * (largest - 1)
    fine = Design.parse(LARGEST_FINE_N, "1e-6")
    assert Capped(LARGEST_FINE_N - 1).noise(fine).scale > 1
    assert dpw.pvalue(0, largest, 1, procedure="capped:2") == 1.0

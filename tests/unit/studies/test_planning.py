"""The public planning functions: shapes, words, frames, honest answers, and agreement."""

import json
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest

import dpwilcoxon as dpw
from dpwilcoxon.errors import InvalidArgument, MissingDependency
from dpwilcoxon.procedures.registry import PROCEDURES
from dpwilcoxon.studies.required import MOST_PAIRS

PILOT = [1.0, 2.0, -0.5, 3.0, 0.0, -1.0, 2.5, 0.3]


def test_power_of_one_design():
    """Numbers for numbers, with an interval about them."""
    result = dpw.power(34, epsilon="1", effect=1, replicates=5000, rng=1)
    assert isinstance(result.power, float)
    low, high = result.interval(0.95)
    assert low < result.power < high
    assert high - low == pytest.approx(2 * 1.96 * result.standard_error, rel=0.05)
    narrow, wide = result.interval(0.5), result.interval(0.999)
    assert wide[0] < low < narrow[0] < narrow[1] < high < wide[1]


def test_results_show_what_they_say():
    """Notebooks show a result by its repr: the text in words, and no objects of ours."""
    result = dpw.power(20, 1, 1, replicates=100, rng=1)
    assert repr(result) == f"<PowerResult\n{result}>"


def test_power_of_many_designs():
    """Arrays broadcast, and each element is what it is alone: same seed, same luck."""
    sizes, epsilons = np.array([[20], [40]]), [0.1, 1, "2"]
    table = dpw.power(sizes, epsilons, 1, replicates=2000, rng=5)
    assert table.power.shape == table.standard_error.shape == (2, 3)
    assert (np.diff(table.power, axis=0) > 0).all()
    assert (np.diff(table.power, axis=1) > 0).all()
    for i, n in enumerate((20, 40)):
        for j, epsilon in enumerate(epsilons):
            alone = dpw.power(n, epsilon, 1, replicates=2000, rng=5)
            assert alone.power == table.power[i, j]


@pytest.mark.parametrize("procedure", PROCEDURES)
def test_every_procedure_has_a_power(procedure):
    """Those that cannot be released, too, by name or as objects."""
    by_name = dpw.power(90, 1, 0.8, procedure=procedure, replicates=500, rng=1)
    by_object = dpw.power(90, 1, 0.8, procedure=PROCEDURES[procedure], replicates=500, rng=1)
    assert 0 < by_name.power == by_object.power < 1


@pytest.mark.parametrize(
    "differences", ["likert:4", PILOT, lambda rng, size: rng.normal(size=size)]
)
def test_effect_zero_gives_the_type_one_error(differences):
    """Ties make the test conservative; nothing makes it exceed its level (4 s.e. of 4,000)."""
    result = dpw.power(30, 1, 0, differences=differences, replicates=4000, rng=2)
    assert result.power < 0.05 + 4 * result.standard_error
    assert str(result).startswith("Type I error: 0.0")


def test_type_one_error_with_many_zeros():
    """90% zeros: far below the level, as the appendix of the paper says."""
    result = dpw.power(500, 1, 0, zero_fraction=0.9, replicates=2000, rng=3)
    assert result.power < 0.03


def test_sample_size_of_the_paper():
    """Two-sided at level .05 the paper's test needs 34 pairs at epsilon 1 and 237 at .1."""
    result = dpw.sample_size([1, 0.1], 1, rng=1)
    assert result.n.tolist() == [34, 237]
    assert (result.low <= result.n).all()
    assert (result.n <= result.high).all()
    assert (result.high - result.low <= [2, 2.4]).all()
    assert result.power == pytest.approx([0.8, 0.8], abs=0.015)


def test_the_three_questions_agree():
    """What one answer gives, asked back, gives what was put in."""
    n = dpw.sample_size(0.5, 0.8, rng=1).n
    assert dpw.minimum_epsilon(n, 0.8, rng=2).epsilon == pytest.approx(0.5, rel=0.03)
    assert dpw.minimum_effect(n, 0.5, rng=3).effect == pytest.approx(0.8, rel=0.03)


@pytest.mark.parametrize(
    ("ask", "reason"),
    [
        (lambda: dpw.sample_size(1, 0), "nothing to detect"),
        (lambda: dpw.sample_size(1, 1, zero_fraction=1), "no pair changes"),
        (lambda: dpw.sample_size(1, -1, alternative="greater"), "other way"),
        (lambda: dpw.sample_size(1, 1, alternative="less"), "other way"),
        (lambda: dpw.sample_size(1, 1e-3), "about 16,000,000 are needed"),
        (lambda: dpw.sample_size(1, 1e-9), "more than a billion"),
        (lambda: dpw.sample_size(1e-11, 1), "by the asymptotic formula"),
        (lambda: dpw.minimum_epsilon(50, 0), "nothing to detect"),
        (
            lambda: dpw.sample_size(1, 1, differences=[1, -1, 2, -2], rng=1),
            "as many decreases of each size as increases",
        ),
        (
            lambda: dpw.sample_size(1, 0, differences=lambda rng, size: rng.normal(size=size)),
            "if there is any",
        ),
        (lambda: dpw.minimum_epsilon(10, 0.1, rng=1), "too few"),
        (lambda: dpw.minimum_effect(5, 0.01, power=0.99), "no effect, however large"),
        (lambda: dpw.minimum_effect(50, 1, power=0.99999), "is found with probability 0.9998"),
        (lambda: dpw.minimum_effect(50, 1, zero_fraction=1), "no pair changes"),
    ],
)
def test_honest_absence(ask, reason):
    """No answer is an answer, at once, with its reason, also as JSON."""
    result = ask()
    assert result._sought() is None
    assert result.low is None
    assert result.high is None
    assert reason in result.reason
    assert "none" in str(result)
    json.dumps(result.to_dict(), allow_nan=False)


def test_absence_in_arrays_is_nan():
    """So that arrays of numbers stay arrays of numbers."""
    result = dpw.sample_size(1, [0, 1], rng=1)
    assert np.isnan(result.n[0])
    assert result.n[1] == 34
    assert result.reason[1] == ""


def test_frames_and_dictionaries():
    """One row for each answer, in the order of the arguments, with everything that was asked."""
    result = dpw.power([20, 30], 1, 1, replicates=200, rng=1)
    for frame in (result.to_pandas(), result.to_polars()):
        assert isinstance(frame, pd.DataFrame | pl.DataFrame)
        assert list(frame["n"]) == [20, 30]
        assert list(frame["power"]) == result.power.tolist()
        assert set(frame["procedure"]) == {"pratt"}
    assert result.to_dict()["results"] == result.records()
    assert dpw.power(20, 1, 1, replicates=200, rng=1).to_dict() == result.records()[0]
    empty = dpw.sample_size(1, [0, 1], rng=1)
    assert empty.to_polars()["n"].to_list() == [None, 34]


def test_frames_need_their_library(monkeypatch):
    """What is missing is named, with what to do."""
    monkeypatch.setitem(__import__("sys").modules, "polars", None)
    with pytest.raises(MissingDependency, match="pip install polars"):
        dpw.power(20, 1, 1, replicates=10, rng=1).to_polars()


def test_results_in_words():
    """One answer is a block, several are a table with what varies in its columns."""
    block = str(dpw.sample_size(1, 1, rng=1, zero_fraction=0.1))
    for part in ("Pairs needed: ", "95%", "0.8 wanted", "10% zeros", "first guess"):
        assert part in block
    table = str(dpw.minimum_effect([40, 80], 1, rng=1)).splitlines()
    assert "Power 0.8" in table[0]
    assert "epsilon 1" in table[0]
    assert table[2].split() == ["pairs", "smallest", "effect", "95%", "interval", "power"]
    assert [line.split()[0] for line in table[3:]] == ["40", "80"]
    assert "power" in str(dpw.power([20, 30], 1, 1, replicates=100, rng=1))
    assert "at epsilon" in str(dpw.minimum_epsilon(60, 1, rng=1))


def test_the_same_seed_gives_the_same_answer():
    """A generator moves on."""
    rng = np.random.default_rng(4)
    ask = lambda seed: dpw.sample_size(1, 1.5, rng=seed)  # noqa: E731
    assert ask(7).power == ask(7).power
    assert ask(rng).power != ask(rng).power


def test_progress_is_told():
    """Replicates done of those to do, over all designs."""
    seen = []
    dpw.power([10, 20], 1, 1, replicates=100, progress=lambda *each: seen.append(each))
    assert seen == [(100, 200), (200, 200)]


def test_numbers_of_any_type_come_back_as_plain_ones():
    """A power written as a Decimal, and a tolerance as a fraction, are ready for JSON."""
    result = dpw.sample_size(1, 1, power=Decimal("0.8"), tolerance=Fraction(5, 2), rng=1)
    assert json.loads(json.dumps(result.to_dict()))["wanted_power"] == 0.8


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: dpw.power(0, 1, 1), "`n`"),
        (lambda: dpw.power(10.5, 1, 1), "`n`"),
        (lambda: dpw.power(10**8, 1, 1), "`n`"),
        (lambda: dpw.power(10, 0, 1), "`epsilon`"),
        (lambda: dpw.power(10, 1, "large"), "`effect`"),
        (lambda: dpw.power(10, 1, np.inf), "`effect`"),
        (lambda: dpw.power(10, 1, 1, replicates=0), "`replicates`"),
        (lambda: dpw.power(10, 1, 1, replicates="10"), "`replicates`"),
        (lambda: dpw.power(10, 1, 1, replicates=2.5), "`replicates`"),
        (lambda: dpw.power(10, 1, 1, zero_fraction="x"), "`zero_fraction`"),
        (lambda: dpw.power(10, 1, 1, rng="x"), "`rng`"),
        (lambda: dpw.sample_size(1, 1, rng=-1), "`rng`"),
        (lambda: dpw.sample_size(1, 1, rng=2.5), "`rng`"),
        (lambda: dpw.power(10, 1, 1, jobs="2"), "`jobs`"),
        (lambda: dpw.power(10, 1, 1, jobs=2.5), "`jobs`"),
        (lambda: dpw.sample_size(1, 1, tolerance="x"), "`tolerance`"),
        (lambda: dpw.sample_size(1, 1, tolerance=0), "`tolerance`"),
        (lambda: dpw.power(10, 1, 1, procedure=7), "`procedure`"),
        (lambda: dpw.power(10, 1, 1, alpha=0), "`alpha`"),
        (lambda: dpw.power(10, 1, 1, procedure="wilcoxon"), "`procedure`"),
        (lambda: dpw.power(10, 1, 1, differences="gauss"), "`differences`"),
        (lambda: dpw.power([10, 20], [1, 2, 3], 1), "shapes"),
        (lambda: dpw.power([], 1, 1), "at least one"),
        (lambda: dpw.sample_size(1, 1, power=0.05), "larger than `alpha`"),
        (lambda: dpw.sample_size(1, 1, power=1), "`power`"),
        (lambda: dpw.sample_size(1, 1, tolerance=-1), "`tolerance`"),
        (lambda: dpw.minimum_effect(MOST_PAIRS * 10, 1), "`n`"),
        (lambda: dpw.minimum_epsilon(0, 1), "`n`"),
    ],
)
def test_what_cannot_be_asked(ask, message):
    """Each mistake is named."""
    with pytest.raises(InvalidArgument, match=message):
        ask()

"""The result block, its numbers and its promises."""

import json
import math

import pytest

import dpwilcoxon as dpw
from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.noise import DiscreteLaplace
from dpwilcoxon.parameters import Alternative, Design, Epsilon, Method
from dpwilcoxon.release import Request
from dpwilcoxon.result import PrivateTestResult, format_pvalue, largest_factor

LOG_PVALUE = math.log(0.03)


def make(released=5050, log_pvalue=LOG_PVALUE, n=100, epsilon="0.1"):
    """Build a result as the release door would."""
    return PrivateTestResult(
        released=released,
        lattice=2,
        largest=n * (n + 1),
        log_pvalue=log_pvalue,
        design=Design.parse(n, epsilon),
        alternative=Alternative.TWO_SIDED,
        procedure="pratt",
        method=Method.EXACT,
        noise=DiscreteLaplace(4 * n / float(epsilon)),
        version="0",
    )


def test_a_result_unpacks_like_scipys():
    """``statistic, pvalue = result``."""
    statistic, pvalue = make()
    assert (statistic, pvalue) == (2525.0, pytest.approx(0.03))


def test_numbers_are_on_the_scale_of_the_paper():
    """The lattice doubles w; statistic, scale, effect size and interval undo that."""
    result = make(n=1000, epsilon="1", released=100_100)
    assert result.noise_scale == 2000.0
    assert result.effect_size == pytest.approx(0.1)
    low, high = result.interval(0.95)
    assert (low + high) / 2 == result.statistic
    assert high - low == pytest.approx(2 * 2000 * math.log(20), rel=1e-3)


def test_effect_size_and_interval_stay_within_what_is_possible():
    """Noise can carry the statistic past its largest value; what is said of the data does not."""
    result = make(released=10**6)
    assert result.effect_size == 1.0
    assert result.interval(0.9) == (5050.0, 5050.0)
    assert make(released=-(10**6)).effect_size == -1.0


@pytest.mark.parametrize("confidence", [0, 1, 1.5, float("nan")])
def test_an_interval_needs_a_confidence_between_zero_and_one(confidence):
    """There is no interval of confidence 1: the noise is unbounded."""
    with pytest.raises(InvalidArgument, match="`confidence`"):
        make().interval(confidence)


def test_a_pvalue_is_never_zero():
    """Far in the tail the p-value is the smallest float and its log says the rest."""
    result = make(log_pvalue=-5000.0)
    assert result.pvalue == 5e-324
    assert result.log_pvalue == -5000.0
    assert format_pvalue(-5000.0) in str(result)


def test_the_block_says_what_matters_in_a_few_short_lines():
    """Statistic, p, n, epsilon, procedure, method, scale, effect size and the promise."""
    text = str(make())
    for part in ("0.03", "2,525.0", "100", "0.1", "pratt", "exact", "2,000", "+0.500", "1.11-fold"):
        assert part in text
    assert max(map(len, text.splitlines())) <= 100


def test_to_dict_is_plain_and_complete():
    """The dictionary survives JSON and keeps the exact epsilon as text."""
    plain = json.loads(json.dumps(make(epsilon="0.30").to_dict()))
    assert plain["epsilon"] == 0.3
    assert plain["epsilon_exact"] == "0.3"
    assert plain["alternative"] == "two-sided"
    assert plain["interval_95"] == list(make(epsilon="0.30").interval())


@pytest.mark.parametrize("procedure", ["capped", "capped:1", "capped:5", "capped:99"])
@pytest.mark.parametrize("noise", ["laplace", "canonical"])
@pytest.mark.parametrize("n", [1, 2, 7, 20, 3000])
def test_a_result_knows_the_cap_of_its_ranks(procedure, noise, n):
    """The one that the procedure chose, told from the result alone; also of recorded releases."""
    request = Request.parse(epsilon="1.5", procedure=procedure, noise=noise)
    result = request.prepare(n).draw(0)
    assert result.cap == result.to_dict()["cap"] == request.procedure.cap(result.design)
    assert make().cap is None


def test_the_block_shows_the_cap_that_was_chosen():
    """One that was set by hand stands in the name."""
    block = str(dpw.wilcoxon(range(1, 41), epsilon=1, procedure="capped"))
    assert "  procedure   capped (cap 19), p-value method exact" in block
    block = str(dpw.wilcoxon(range(1, 41), epsilon=1, procedure="capped:5"))
    assert "  procedure   capped:5, p-value method exact" in block


def test_pvalues_are_written_with_three_digits():
    """Readable from 1 down to where floats end and beyond."""
    texts = [format_pvalue(math.log(p)) for p in (1.0, 0.05, 1.234e-9)]
    assert texts == ["1", "0.05", "1.23e-09"]
    assert format_pvalue(-1000 * math.log(10.0) + math.log(2.0)) == "2.00e-1000"
    assert format_pvalue(-400 * math.log(10.0) + math.log(9.998)) == "1.00e-399"
    assert format_pvalue(-1e7) == "1.52e-4342945"


@pytest.mark.parametrize("epsilon", ["1e-9", "1e-40", "1e-300"])
def test_a_bound_never_reads_as_one(epsilon):
    """Nothing that is released is without any effect of the data."""
    assert largest_factor(Epsilon.parse(epsilon)) == "1.000001"


def test_in_a_notebook_the_answer_is_what_is_shown():
    """Statistic and p-value, not the parts they are made of."""
    assert (
        repr(make()) == "<PrivateTestResult: statistic 2,525.0, p-value 0.03, n 100, epsilon 0.1>"
    )

"""A reader can check the number and cite it."""

import pytest

import dpwilcoxon as dpw
from dpwilcoxon.reports.citation import citation, expected_answer, pvalue_call


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize(("statistic", "epsilon"), [(1613.5, "1"), (-820, "1/3"), (0, "0.25")])
def test_the_printed_call_gives_the_p_value_again(released, alternative, statistic, epsilon):
    """What the report tells people to run, run."""
    result = released(statistic, epsilon=epsilon, alternative=alternative)
    first, expression = pvalue_call(result).split("\n\n")
    assert first == "import dpwilcoxon as dpw"
    again = eval(expression, {"dpw": dpw})  # noqa: S307 - the point is that this text runs
    assert again == pytest.approx(result.pvalue, rel=1e-12)


def test_the_expected_answer_is_as_exact_as_the_method(released):
    """To the last digit, or about, or no more than a float can hold."""
    exact = released()
    assert repr(exact.pvalue) in expected_answer(exact)
    assert "about" in expected_answer(released(method="monte-carlo"))
    tiny = released(4e8, n=50_000, method="normal-laplace")
    assert "the p-value itself is" in expected_answer(tiny)


def test_the_citation_holds_all_it_takes_to_recompute_the_result(released):
    """Procedure, epsilon, noise, n, statistic, p, side, method and version."""
    text = citation(released(-820, epsilon="1/3", alternative="less"))
    for needed in ("“pratt”", "ε = 1/3", "scale 600", "n = 100", "\N{MINUS SIGN}820", "p = ",
                   "one-sided: decrease", "exact null", "dpwilcoxon 1.2.3"):  # fmt: skip
        assert needed in text

"""The p-values printed on the pages belong to the statistics printed beside them."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

import pytest

import dpwilcoxon as dpw
from dpwilcoxon.outcomes import holm

REPOSITORY = Path(__file__).parents[2]
PAGES = {
    page.name: page.read_text(encoding="utf-8")
    for page in [*REPOSITORY.glob("*.md"), *REPOSITORY.glob("docs/*.md")]
}
CHECKED = ("budgets.md", "command-line.md")
ANSWER = re.compile(r"^  (p-value  |outcome  .*p-value|\"pvalue\")", re.MULTILINE)
BLOCK = re.compile(
    r"^  p-value +(?P<pvalue>\S+)  \((?P<alternative>\S+)\)\n"
    r"  statistic +(?P<statistic>\S+) .*\n"
    r"  effect size +(?P<effect>\S+) .*\n"
    r"  pairs +(?P<n>\S+)\n"
    r"  epsilon +(?P<epsilon>\S+) ",
    re.MULTILINE,
)
OUTCOME = re.compile(
    r"^  (?P<outcome>.+?)  +(?P<pvalue>\S+) +(?P<adjusted>\S+) +(?P<statistic>\S+)"
    r" +(?P<effect>[+-]\S+) +(?P<n>\d+) +(?P<epsilon>\S+)$",
    re.MULTILINE,
)
OBJECT = re.compile(r"^\{\n.*?^\}$", re.MULTILINE | re.DOTALL)


def number(printed: str) -> float:
    """Read a number with commas between thousands."""
    return float(printed.replace(",", ""))


def check(found: re.Match[str], alternative: str) -> float:
    """The p-value and the effect size are those of the statistic; return the p-value."""
    statistic, n = number(found["statistic"]), int(number(found["n"]))
    pvalue = float(dpw.pvalue(statistic, n, found["epsilon"], alternative=alternative))
    assert found["pvalue"] == f"{pvalue:.3g}"
    assert found["effect"] == f"{statistic / (n * (n + 1) / 2):+.3f}"
    return pvalue


@pytest.mark.parametrize("page", CHECKED)
def test_printed_answers_belong_together(page: str) -> None:
    """Every answer of the paper's test on the pages: p-value, statistic and effect size."""
    found = list(BLOCK.finditer(PAGES[page]))
    assert len(found) == PAGES[page].count("\n  p-value  ") == 1
    for each in found:
        check(each, each["alternative"])


def test_printed_outcomes_belong_together() -> None:
    """The table of several outcomes, with Holm's adjusted p-values."""
    found = {each["outcome"]: each for each in OUTCOME.finditer(PAGES["budgets.md"])}
    assert len(found) == 2
    logs = {name: math.log(check(each, "two-sided")) for name, each in found.items()}
    for name, adjusted in holm(logs).items():
        assert found[name]["adjusted"] == f"{math.exp(adjusted):.3g}"


def test_printed_json_belongs_together() -> None:
    """The object that --json prints."""
    (printed,) = map(json.loads, OBJECT.findall(PAGES["command-line.md"]))
    pvalue = dpw.pvalue(printed["statistic"], printed["n"], printed["epsilon_exact"])
    assert printed["pvalue"] == pytest.approx(pvalue, rel=1e-9)
    assert math.log(printed["pvalue"]) == pytest.approx(printed["log_pvalue"])


@pytest.mark.parametrize("page", sorted(PAGES))
def test_all_printed_answers_are_checked(page: str) -> None:
    """A page that prints an answer is one of those checked above."""
    assert page in CHECKED or not ANSWER.search(PAGES[page])

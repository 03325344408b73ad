"""``dpwilcoxon demo``: the whole story, on a study in which nobody exists."""

from __future__ import annotations

import csv
import shlex
from decimal import Decimal
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from dpwilcoxon.cli import options, output

if TYPE_CHECKING:
    from dpwilcoxon.result import PrivateTestResult

BEFORE, AFTER = "systolic_before", "systolic_after"
ANSWER_NOTE = (
    "Run this again and the noise differs, and so do the numbers: that is the privacy. Each run on "
    "real data spends its epsilon again, so decide before you look."
)


class PublicResult(NamedTuple):
    """What a test without privacy says. Shown only because nobody in the data exists."""

    statistic: float
    pvalue: float


def demo(
    *, epsilon: options.Epsilon = "1", json: options.Json = False, quiet: options.Quiet = False
) -> None:
    r"""Run and explain a test on synthetic data.

    The data is a bundled blood-pressure study in which nobody exists. The private
    noise is real, so each run differs. Next to it stands what the public test would have said,
    which only a demonstration may show.

    \b
    Examples:
      dpwilcoxon demo
      dpwilcoxon demo --epsilon 0.1
    """
    from dpwilcoxon.release import Request, release
    from dpwilcoxon.sources.files import pairs_from_file

    request = Request.parse(epsilon=epsilon)
    with as_file(files("dpwilcoxon") / "data" / "blood_pressure.csv") as path:
        with output.working("Testing", quiet=quiet):
            private = release(pairs_from_file(path, before=BEFORE, after=AFTER), request)
        public = _public_test(path)
        if json:
            output.print_json(_fields(private, public))
        else:
            _tell(private, public, path)


def _public_test(path: Path) -> PublicResult:
    """The same question asked without privacy, by SciPy, in whole tenths so that ties are ties."""
    from scipy.stats import wilcoxon

    from dpwilcoxon.api import signed_rank

    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    changes = [int(10 * (Decimal(row[AFTER]) - Decimal(row[BEFORE]))) for row in rows]
    pvalue = wilcoxon(changes, zero_method="pratt", correction=False, method="asymptotic").pvalue
    return PublicResult(signed_rank(changes), float(pvalue))


def _fields(private: PrivateTestResult, public: PublicResult) -> dict[str, Any]:
    return {
        "data": "synthetic",
        "question": f"{AFTER} - {BEFORE}",
        "private": private.to_dict(),
        "public_not_private": public._asdict(),
    }


def _tell(private: PrivateTestResult, public: PublicResult, path: Path) -> None:
    console = output.console(widest=88)
    sections = {
        "The data": [_data(private)],
        "The private answer": [str(private), ANSWER_NOTE],
        "What the numbers mean": _meaning(private),
        "The public answer: NOT PRIVATE": [_public(private, public)],
        "What to do next": _commands(path),
    }
    for heading, paragraphs in sections.items():
        console.print(heading.upper(), style="bold", end="\n\n")
        for paragraph in paragraphs:
            # What is laid out in lines keeps them, whatever the width of the terminal.
            console.print(paragraph, soft_wrap="\n" in paragraph, end="\n\n")


def _data(private: PrivateTestResult) -> str:
    return (
        f"{private.n} adults with raised blood pressure took part in an eight-week programme of "
        "less salt and more walking. Their systolic pressure was measured before and after it. "
        "Did it change? (The file is synthetic: nobody in it exists.)"
    )


def _meaning(private: PrivateTestResult) -> list[str]:
    """The report's own explanations, so that both say the same."""
    from dpwilcoxon.plots.numerals import MINUS
    from dpwilcoxon.reports import answer
    from dpwilcoxon.result import largest_factor

    factor = largest_factor(private.design.epsilon)
    protection = (
        "Epsilon is the protection: had any one of these people been somebody else, nothing that "
        f"can come out would have been more than {factor} times as likely, or as unlikely. "
        "That holds whatever else anybody knows."
    )
    explanations = [
        f"{answer.surprise(private)} {answer.significance(private)}",
        answer.noise_interval(private),
        answer.effect(private),
        protection,
    ]
    return [text.replace(MINUS, "-") for text in explanations]


def _public(private: PrivateTestResult, public: PublicResult) -> str:
    return (
        f"Without noise the statistic is {public.statistic:,.1f}, so the noise moved it by "
        f"{private.statistic - public.statistic:+,.1f}, and scipy.stats.wilcoxon gives a p-value "
        f"of {public.pvalue:.3g}. With real people these numbers would never be shown: they are "
        "not private, and stand here only because the data is synthetic."
    )


def _commands(path: Path) -> list[str]:
    here = Path.cwd()
    shown = path.relative_to(here) if path.is_relative_to(here) else path
    test = f"dpwilcoxon test {shlex.quote(str(shown))} --before {BEFORE} --after {AFTER}"
    questions = {
        "Ask whether pressure fell, with stronger protection": (
            f"{test} --epsilon 0.5 --alternative less"
        ),
        "Check a file and its columns without spending anything": f"{test} --epsilon 1 --check",
        "Also write a page to print or file": f"{test} --epsilon 1 --report result.html",
        "Ask before a study what a significant statistic would have to be": (
            "dpwilcoxon critical-value --n 300 --epsilon 0.1"
        ),
        "See what a command can do": "dpwilcoxon test --help",
    }
    return [f"{question}:\n  {command}" for question, command in questions.items()]

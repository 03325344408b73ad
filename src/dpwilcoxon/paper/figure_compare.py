"""The comparison with Task and Clifton at one epsilon, and the pairs needed for 80% power."""

from __future__ import annotations

from collections.abc import Sequence
from typing import final

from dpwilcoxon.paper import printed
from dpwilcoxon.paper import tests_of_the_paper as tests
from dpwilcoxon.paper.comparison import Comparison, Printed, Reading
from dpwilcoxon.paper.curves import CurveFigure, Line, Panel, style_of
from dpwilcoxon.paper.item import Item, Outcome
from dpwilcoxon.paper.power_study import SCRIPTS, TEXT, Curve, Point, PowerStudy, study
from dpwilcoxon.paper.required import compared_pairs
from dpwilcoxon.paper.session import Session
from dpwilcoxon.parameters import Alternative, Method
from dpwilcoxon.procedures.base import Procedure
from dpwilcoxon.procedures.task_clifton import Tails
from dpwilcoxon.procedures.tc_high_privacy import HighPrivacy, Placement
from dpwilcoxon.procedures.tc_high_utility import HighUtility
from dpwilcoxon.studies.planned import PlannedTest

# The sizes of the published script.
SIZES = {
    "1": (5, *range(10, 201, 10)),
    "0.1": (5, 10, 13, 16, 20, 35, 50, 100, 250, *range(500, 5001, 500)),
}
WORDS = {
    "public": "public test",
    "new": "new test",
    "high-utility": "High Utility",
    "high-privacy": "High Privacy",
}
SPLIT = "two-sided, α/2 in each tail"
WHOLE = "|z| against the one-sided value (script)"

NOTES = (
    (
        "Left: two-sided at α = .05 for all, so that the TC tests spend α/2 = .025 in each tail. "
        "Right: as in the published script, where |z| meets TC's critical value for a one-sided α "
        "= .05, and the positive dummies of High Privacy rank above the negative ones, which adds "
        "k² = 225 to W."
    ),
    "Pairs for 80% power are searched for, not read off the curves.",
)
WHICH_EPSILON = (
    "The text announces this figure for ε = .01 and its caption says ε = .1. The numbers in the "
    "text (236, 588, 2974) are those of ε = .1: at ε = .01 the new test alone needs about ten "
    "times as many."
)


def curves(epsilon: str) -> tuple[Curve, ...]:
    """All tests in both panels."""
    exact = tests.public(method=Method.EXACT) if epsilon == "1" else tests.public()
    return (
        Curve(TEXT, tests.PUBLIC, tests.public()),
        Curve(TEXT, tests.NEW, tests.new(epsilon)),
        Curve(TEXT, tests.HIGH_UTILITY, tests.rival(tests.UTILITY, epsilon)),
        Curve(TEXT, tests.HIGH_PRIVACY, tests.rival(tests.PRIVACY, epsilon)),
        Curve(SCRIPTS, tests.PUBLIC, exact),
        Curve(SCRIPTS, tests.NEW, tests.new(epsilon)),
        Curve(SCRIPTS, tests.HIGH_UTILITY, tests.rival(tests.SCRIPT_UTILITY, epsilon)),
        Curve(SCRIPTS, tests.HIGH_PRIVACY, tests.rival(tests.SCRIPT_PRIVACY, epsilon)),
    )


def panels(measured: PowerStudy, x: Sequence[float]) -> list[Panel]:
    """One panel per convention."""
    return [
        Panel(
            title,
            [
                Line(curve.name, x, measured.line(curve), style_of(curve.name))
                for curve in measured.curves
                if curve.panel == title
            ],
        )
        for title in (TEXT, SCRIPTS)
    ]


def readings(name: str, epsilon: str) -> list[tuple[str, PlannedTest]]:
    """What a printed number of pairs could mean, the text's meaning first."""
    if name == "public":
        greater = Alternative.GREATER
        return [
            ("two-sided, normal critical value", tests.public()),
            ("two-sided, exact p-value", tests.public(method=Method.EXACT)),
            ("one-sided, normal critical value", tests.public(greater)),
            ("one-sided, exact p-value", tests.public(greater, Method.EXACT)),
        ]
    if name == "new":
        return [
            ("two-sided", tests.new(epsilon)),
            ("one-sided", tests.new(epsilon, Alternative.GREATER)),
        ]
    whole = Tails.WHOLE
    procedures: dict[str, dict[str, Procedure]] = {
        "high-utility": {
            SPLIT: tests.UTILITY,
            WHOLE: tests.SCRIPT_UTILITY,
            f"{WHOLE}, noise for m = n": HighUtility(tails=whole, noise_fraction=1.0),
        },
        "high-privacy": {
            SPLIT: tests.PRIVACY,
            WHOLE: HighPrivacy(tails=whole),
            f"{WHOLE}, positive dummies above": tests.SCRIPT_PRIVACY,
            f"{WHOLE}, no dummies in the data": HighPrivacy(
                tails=whole, placement=Placement.ABSENT
            ),
        },
    }
    return [(words, tests.rival(each, epsilon)) for words, each in procedures[name].items()]


def asides(name: str, epsilon: str) -> list[tuple[str, PlannedTest, int]]:
    """What the number would be if the paper had done something else than it says."""
    if name != "new":
        return []
    if epsilon == "1":
        return [("aside: two-sided at α = .0595", tests.new(epsilon, alpha=tests.TC_ALPHA), 32)]
    return [("aside: two-sided at ε = .01", tests.new("0.01"), 2360)]


@final
class CompareFigure(Item):
    """The figure for one epsilon."""

    def __init__(self, epsilon: str) -> None:
        self.epsilon = epsilon
        self.name = f"figure-compare-eps{epsilon}"
        self.title = f"Power compared with Task and Clifton, ε = {epsilon}"
        self.place = "section 5" if epsilon == "1" else "appendix"

    def measure(self, session: Session) -> Outcome:
        """Simulate the curves, and search for the sizes."""
        sizes = SIZES[self.epsilon]
        measured = study(session, [Point(n) for n in sizes], curves(self.epsilon), of=self.name)
        figure = CurveFigure(
            panels(measured, sizes), "pairs, n", log_x=self.epsilon != "1", legend_columns=4
        )
        return Outcome(
            measured.numbers(),
            figure.draw,
            "Power rises with the number of pairs: first for the public test, then for the new "
            "one, then for High Utility and last for High Privacy.",
            self.compared(session),
            NOTES if self.epsilon == "1" else (*NOTES, WHICH_EPSILON),
        )

    def compared(self, session: Session) -> tuple[Comparison, ...]:
        """The printed numbers of pairs beside those that are needed."""
        comparisons = [
            compared_pairs(
                session,
                f"pairs/{self.epsilon}/{name}",
                f"pairs for 80% power, {WORDS[name]}, ε = {self.epsilon}",
                size,
                readings(name, self.epsilon),
                of=self.name,
                asides=asides(name, self.epsilon),
            )
            for name, size in printed.PAIRS[self.epsilon].items()
        ]
        return (*comparisons, self._share(comparisons))

    def _share(self, comparisons: Sequence[Comparison]) -> Comparison:
        """The new test's pairs as a share of High Utility's."""
        by_key = {each.key.rpartition("/")[2]: each for each in comparisons}
        new, utility = by_key["new"].readings[0], by_key["high-utility"].readings
        return Comparison(
            f"share/{self.epsilon}",
            f"pairs of the new test as a share of High Utility's, ε = {self.epsilon}",
            Printed(printed.SHARE_OF_HIGH_UTILITY, printed.ABOUT),
            tuple(
                Reading(
                    each.convention,
                    new.measured / each.measured,
                    new.low / each.high,
                    new.high / each.low,
                )
                for each in utility
            ),
        )

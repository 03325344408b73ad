"""Verdicts: rounding, simulation error on either side, and several readings of one number."""

import json

import pytest

from dpwilcoxon.paper.comparison import Comparison, Printed, Reading, Verdict

AGREES, WITHIN, DIFFERS = Verdict


@pytest.mark.parametrize(
    ("printed", "low", "high", "verdict"),
    [
        (Printed(70, 0.5), 69.5, 69.5, AGREES),  # a tie may have been rounded up
        (Printed(70, 0.5), 69.4, 69.4, DIFFERS),
        (Printed(70, 0.5), 69.0, 69.4, DIFFERS),
        (Printed(70, 0.5), 69.0, 69.6, AGREES),
        (Printed(70, 0.5), 60.0, 80.0, AGREES),
        (Printed(70, 0.5, 1.0), 75.0, 76.0, DIFFERS),
        (Printed(70, 0.5, 1.0), 74.4, 76.0, WITHIN),
        (Printed(8, 0.0), 8.0, 8.0, AGREES),
        (Printed(8, 0.0), 8.5, 8.5, DIFFERS),
    ],
)
def test_verdict_of_one_reading(printed, low, high, verdict):
    """Half a unit beyond the interval agrees; four standard errors of the print come after."""
    assert Reading("", (low + high) / 2, low, high).verdict(printed) is verdict


def comparison(*readings):
    """A printed 10 under some readings."""
    return Comparison("some/key", "a number", Printed(10, 0.5, 0.1), readings)


def test_best_reading_decides_and_is_named_if_it_is_not_the_first():
    """The first of equally good ones wins; an aside never does."""
    text, script = Reading.exactly(20.0, "text"), Reading.exactly(10.1, "script")
    aside = Reading("aside", 10.0, 10.0, 10.0, aside=True)
    assert comparison(script, text).in_words == "agrees"
    assert comparison(text, script).in_words == "agrees, if read as: script"
    assert comparison(text, aside).verdict is DIFFERS
    close = Reading.exactly(10.6, "close")
    assert comparison(text, close, aside).best is close
    assert comparison(text, close, script).best is script


def test_files_hold_all_of_it():
    """What is written as JSON comes back equal."""
    given = comparison(Reading.exactly(1.0, "a"), Reading("b", 2.0, 1.5, 2.5, aside=True))
    assert Comparison.from_dict(json.loads(json.dumps(given.to_dict()))) == given

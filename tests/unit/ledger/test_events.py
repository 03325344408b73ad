"""Events in plain words: what is asked, known again by its fingerprint."""

import hashlib
from dataclasses import replace

import dpwilcoxon as dpw
from dpwilcoxon.ledger.events import AskedOutcome, Event, Measured, canonical
from dpwilcoxon.parameters import Epsilon, Noise

EVENT = Event(
    dataset=dpw.Dataset("trial", version="1"),
    reading=(("missing", "raise"),),
    procedure="capped",
    outcomes=(AskedOutcome(Measured(("after", "before")), Epsilon.parse("0.1")),),
    analysis=(("alternative", "less"), ("method", "auto")),
    software="dpwilcoxon 0.1.0",
)


def test_laplace_noise_goes_without_saying():
    """Events of ledgers from before there was a choice keep their words and their fingerprints."""
    plain = EVENT.to_plain()
    assert "noise" not in plain
    asked = {name: plain[name] for name in ("dataset", "reading", "procedure", "outcomes")}
    assert EVENT.request == hashlib.sha256(canonical(asked).encode()).hexdigest()
    assert Event.from_plain(plain) == EVENT


def test_other_noise_is_another_request():
    """The number drawn is another one, so the recorded one does not answer for it."""
    event = replace(EVENT, noise=Noise.CANONICAL)
    assert event.to_plain()["noise"] == "canonical"
    assert event.request != EVENT.request
    assert Event.from_plain(event.to_plain()) == event


def test_what_is_computed_afterwards_is_no_part_of_the_request():
    """Alternative and method come after the draw."""
    other = replace(EVENT, analysis=(("alternative", "greater"), ("method", "exact")))
    assert other.request == EVENT.request
    assert replace(EVENT, dataset=None).request is None

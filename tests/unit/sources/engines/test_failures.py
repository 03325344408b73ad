"""What engines fail at is told in our words, by the codes they agree on."""

import pytest

from dpwilcoxon.errors import SourceError
from dpwilcoxon.sources.engines.failures import failure_of, in_our_words


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (None, "is lost"),
        ("08006", "is lost"),
        ("57P01", "is lost"),
        ("42P01", "is not there"),
        ("42501", "may not be read"),
        ("42883", "An expression does not fit"),
        ("22012", "does not fit what is computed"),
        ("57014", "stopped the query"),
        ("40001", "changed by others"),
        ("53100", "run out of"),
        ("XX000", "with SQLSTATE XX000"),
    ],
)
def test_codes_have_meanings(state, words):
    """One line each, with the name of the table."""
    message = str(failure_of(state, "table 'study'"))
    assert words in message
    assert "table 'study'" in message
    assert "\n" not in message


def test_the_message_of_the_engine_ends_there():
    """Not even a traceback holds it; what is not of the engine goes through."""

    def fail():
        raise ValueError("120.1 is no date")

    with pytest.raises(SourceError) as refused:
        in_our_words(fail, "table 'study'", lambda _: "22007")
    assert refused.value.__context__ is None
    assert "120.1" not in str(refused.value)

    def not_ours(error):
        raise error

    with pytest.raises(ValueError, match="no date"):
        in_our_words(fail, "table 'study'", not_ours)

"""What an engine may fail at, in our own words: its messages quote the data.

Engines agree on five-letter codes for what went wrong (SQLSTATE). The code is all that is looked
at, and the exceptions of the engine end here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from dpwilcoxon.errors import SourceError

NO_TABLE, NO_COLUMN = "42P01", "42703"
_Answer = TypeVar("_Answer")

# By the beginning of the code; the first that fits counts.
_MEANINGS = {
    NO_TABLE: "{0} is not there, or not any more; check its name.",
    "3F000": "{0} is not there, or not any more; check its name.",
    "42501": "{0} may not be read by this user.",
    "22": "Some value of {0} does not fit what is computed with it: it is too large, or not what "
    "an expression or level takes it for.",
    "42": "An expression does not fit the columns it names: their types are not what its "
    "functions take, or there is no such function. Check it against {0}.",
    "0A": "An expression asks {0} for what its database does not offer.",
    "40": "{0} was changed by others at the same time; try again.",
    "53": "The database of {0} has run out of memory, disk space or connections; try again.",
    "57014": "The database of {0} stopped the query, perhaps at its time limit.",
    "55": "{0} is locked by others; try again.",
}
_LOST = (
    "The connection to the database of {0} is lost; nothing was released. Try again when the "
    "database is there."
)


def failure_of(state: str | None, label: str) -> SourceError:
    """Say what a code means; no code means that there was no answer."""
    if not state or state.startswith(("08", "57P")):
        return SourceError(_LOST.format(label))
    for beginning, meaning in _MEANINGS.items():
        if state.startswith(beginning):
            return SourceError(meaning.format(label))
    return SourceError(f"The database of {label} refused a query, with SQLSTATE {state}.")


def in_our_words(
    work: Callable[[], _Answer], label: str, state_of: Callable[[Exception], str | None]
) -> _Answer:
    """Do what an engine may fail at.

    Parameters
    ----------
    work : callable
        What is to be done.
    label : str
        How messages call the table.
    state_of : callable
        Finds the code of an exception; raises what is not of the engine.
    """
    try:
        return work()
    except Exception as error:  # noqa: BLE001 - `state_of` lets through what is not of the engine
        failure = failure_of(state_of(error), label)
    raise failure  # outside of the handler, so that not even a traceback holds the message

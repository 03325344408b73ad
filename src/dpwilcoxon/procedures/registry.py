"""Every procedure, by name. Adding a test is one file beside this one and one line here."""

from __future__ import annotations

from dpwilcoxon.errors import InvalidArgument, StudyOnlyProcedure
from dpwilcoxon.procedures.base import Procedure
from dpwilcoxon.procedures.pratt import Pratt

PROCEDURES: dict[str, Procedure] = {
    "pratt": Pratt(),
}


def get_procedure(name: str) -> Procedure:
    """Return the procedure called `name`."""
    try:
        return PROCEDURES[name]
    except (KeyError, TypeError):
        words = ", ".join(repr(each) for each in PROCEDURES)
        raise InvalidArgument(f"`procedure` must be one of {words}; got {name!r}.") from None


def get_releasable_procedure(name: str) -> Procedure:
    """Return the procedure called `name` if it is private, and refuse it otherwise."""
    procedure = get_procedure(name)
    if not procedure.releasable:
        raise StudyOnlyProcedure(name)
    return procedure

"""Every procedure, by name. Adding a test is one file beside this one and one line here."""

from __future__ import annotations

from dpwilcoxon.errors import InvalidArgument, StudyOnlyProcedure
from dpwilcoxon.procedures.base import PrivateProcedure, Procedure
from dpwilcoxon.procedures.pratt import Pratt
from dpwilcoxon.procedures.public import Public, PublicPratt
from dpwilcoxon.procedures.tc_high_privacy import HighPrivacy, HighPrivacyPlus
from dpwilcoxon.procedures.tc_high_utility import HighUtility, HighUtilityPlus

PROCEDURES: dict[str, Procedure] = {
    procedure.name: procedure
    for procedure in (
        Pratt(),
        Public(),
        PublicPratt(),
        HighPrivacy(),
        HighPrivacyPlus(),
        HighUtility(),
        HighUtilityPlus(),
    )
}


def get_procedure(name: str) -> Procedure:
    """Return the procedure called `name`."""
    try:
        return PROCEDURES[name]
    except (KeyError, TypeError):
        words = ", ".join(repr(each) for each in PROCEDURES)
        raise InvalidArgument(f"`procedure` must be one of {words}; got {name!r}.") from None


def get_private_procedure(name: str) -> PrivateProcedure:
    """Return the procedure called `name` if it is private, and refuse any other."""
    procedure = get_procedure(name)
    if not isinstance(procedure, PrivateProcedure):
        raise StudyOnlyProcedure(name)
    return procedure

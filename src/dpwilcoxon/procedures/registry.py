"""Every procedure, by name. Adding a test is one file beside this one and one line here.

A name may be followed by a colon and a public number where a test has one: "capped:20".
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Collection

from dpwilcoxon.errors import InvalidArgument, StudyOnlyProcedure
from dpwilcoxon.procedures.base import PrivateProcedure, Procedure
from dpwilcoxon.procedures.capped import Capped
from dpwilcoxon.procedures.clairvoyant import Clairvoyant
from dpwilcoxon.procedures.pratt import Pratt
from dpwilcoxon.procedures.private_t import PrivateT
from dpwilcoxon.procedures.public import Public, PublicPratt
from dpwilcoxon.procedures.sign import Sign
from dpwilcoxon.procedures.tc_high_privacy import HighPrivacy, HighPrivacyPlus
from dpwilcoxon.procedures.tc_high_utility import HighUtility, HighUtilityPlus
from dpwilcoxon.procedures.test_of_tests import TestOfTests

PROCEDURES: dict[str, Procedure] = {
    procedure.name: procedure
    for procedure in (
        Pratt(),
        Capped(),
        Sign(),
        Public(),
        PublicPratt(),
        HighPrivacy(),
        HighPrivacyPlus(),
        HighUtility(),
        HighUtilityPlus(),
        PrivateT(),
        TestOfTests(),
        Clairvoyant(),
    )
}


WITH_PARAMETER: dict[str, Callable[[str], Procedure]] = {
    "capped": Capped.with_parameter,
}


def get_procedure(name: str, among: Collection[str] = PROCEDURES.keys()) -> Procedure:
    """Return the procedure called `name`, with its parameter if there is one.

    `among` is what a caller could have meant, and is told of.
    """
    text = str(name)  # so that whatever else was given is named as wrong
    kind, colon, parameter = text.partition(":")
    if colon and kind in WITH_PARAMETER:
        return WITH_PARAMETER[kind](parameter)
    if text in PROCEDURES:
        return PROCEDURES[text]
    words = ", ".join(repr(each) for each in among)
    near = difflib.get_close_matches(text, among, n=1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    raise InvalidArgument(f"`procedure` must be one of {words}; got {name!r}.{hint}")


def get_private_procedure(name: str) -> PrivateProcedure:
    """Return the procedure called `name` if it is private, and refuse any other."""
    private = [each.name for each in PROCEDURES.values() if each.releasable]
    procedure = get_procedure(name, private)
    if not isinstance(procedure, PrivateProcedure):
        raise StudyOnlyProcedure(name)
    return procedure

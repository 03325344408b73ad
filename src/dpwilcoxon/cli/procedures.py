"""``dpwilcoxon procedures``: which tests there are."""

from __future__ import annotations

from typing import Any

from dpwilcoxon.cli import options, output


def procedures(*, json: options.Json = False) -> None:
    r"""List the tests there are.

    Says which can release a private answer, and how their p-values are computed.

    \b
    Examples:
      dpwilcoxon procedures
      dpwilcoxon procedures --json
    """
    listed = _listed()
    if json:
        output.print_json({"procedures": listed})
    else:
        _show(listed)


def _listed() -> list[dict[str, Any]]:
    from dpwilcoxon.procedures.base import PrivateProcedure
    from dpwilcoxon.procedures.registry import PROCEDURES

    return [
        {
            "name": name,
            "can_release": isinstance(procedure, PrivateProcedure),
            "methods": [str(method) for method in procedure.methods],
            "summary": procedure.summary,
        }
        for name, procedure in PROCEDURES.items()
    ]


def _show(listed: list[dict[str, Any]]) -> None:
    table = output.table_by_name("procedure", [each["name"] for each in listed])
    for heading in ("releases", "p-value methods", "what it is"):
        table.add_column(heading)
    for each in listed:
        releases = "yes" if each["can_release"] else "no: studies only"
        table.add_row(each["name"], releases, ", ".join(each["methods"]), each["summary"])
    output.console().print(table)

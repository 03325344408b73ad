"""``dpwilcoxon budget raise``: a larger total, decided by a person and recorded."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from dpwilcoxon.cli import options, output
from dpwilcoxon.cli.budgets.arguments import Name
from dpwilcoxon.errors import BudgetError, InvalidArgument


def raise_total(
    name: Name,
    *,
    to: Annotated[str, typer.Option(metavar="E", help="The new total; larger than the old one.")],
    reason: Annotated[
        str, typer.Option(metavar="TEXT", help="Why, and who decided it; recorded for good.")
    ],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False,
    ledger: options.Ledger = None,
    json: options.Json = False,
) -> None:
    r"""Raise the total of a budget.

    The people in the data are then protected less than they were promised. The new total is
    recorded with its reason, and cannot be taken back.

    \b
    Examples:
      dpwilcoxon budget raise trial-7 --to 4 --reason "Second follow-up; ethics board 2025-03"
    """
    from dpwilcoxon.ledger.budget import Budget
    from dpwilcoxon.parameters import Epsilon

    total = Epsilon.parse(to)
    with Budget.open(ledger, name) as budget:
        before = budget.account().to_dict()
        if not yes:
            _confirm(f"Raise the budget {name!r} from {before['total']} to {total}, for good?")
        budget.raise_total(total, reason=reason)
        fields = {**budget.account().to_dict(), "total_before": before["total"]}
        fields["head"] = budget.head
    if json:
        output.print_json(fields)
        return
    output.print_text(
        f"Budget {name!r} raised from {before['total']} to {fields['total']}; "
        f"{fields['remaining']} is left."
    )


def _confirm(question: str) -> None:
    if not sys.stdin.isatty():
        raise InvalidArgument(
            "`yes` is needed where nobody can be asked: raising a budget needs a confirmation."
        )
    if not typer.confirm(question, err=True):
        raise BudgetError("The budget was not raised.")

"""``dpwilcoxon budget create``: a new budget, and its ledger if there is none."""

from __future__ import annotations

from typing import Annotated

import typer

from dpwilcoxon.cli import options, output
from dpwilcoxon.cli.budgets.arguments import Name


def create(
    name: Name,
    *,
    epsilon: Annotated[
        str,
        typer.Option(
            metavar="E", help="What may be spent in total, exactly: a decimal or a fraction."
        ),
    ],
    description: Annotated[
        str,
        typer.Option(metavar="TEXT", help="Whose data it protects, and who decided on it."),
    ] = "",
    ledger: options.Ledger = None,
    json: options.Json = False,
) -> None:
    r"""Create a budget.

    One budget stands for one group of people: charge to it everything that is released about them.
    A ledger is made if there is none; only you can read it, unless you change its permissions.

    \b
    Examples:
      dpwilcoxon budget create trial-7 --epsilon 3
      dpwilcoxon budget create trial-7 --epsilon 3 --description "Ward 4; ethics board 2024-12"
    """
    from dpwilcoxon.ledger.budget import Budget

    with Budget.create(ledger, name, epsilon=epsilon, description=description) as budget:
        fields = {"created": name, **budget.account().to_dict()}
        fields |= {"ledger": str(budget.path), "head": budget.head}
    if json:
        output.print_json(fields)
        return
    output.print_text(
        f"Budget {name!r} created: epsilon {fields['total']} in total.\n"
        f"  ledger      {fields['ledger']}\n"
        f"  charge it   dpwilcoxon test ... --budget {name}"
        + (f" --ledger {ledger}" if ledger else "")
    )

"""``dpwilcoxon budget show``: what is left."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from dpwilcoxon.cli import options, output
from dpwilcoxon.cli.budgets.arguments import OptionalName

if TYPE_CHECKING:
    from dpwilcoxon.ledger.history import Account


def show(
    name: OptionalName = None, *, ledger: options.Ledger = None, json: options.Json = False
) -> None:
    r"""Show what is left of one budget, or of all.

    Also prints the head of the ledger: a hash that stands for everything recorded so far. Keep it
    elsewhere, and 'budget verify --head' can prove later that nothing was undone.

    \b
    Examples:
      dpwilcoxon budget show
      dpwilcoxon budget show trial-7 --json
    """
    from dpwilcoxon.ledger.ledger import Ledger

    with Ledger.open(ledger, writable=False) as opened, opened.snapshot() as seen:
        names = seen.journal.budgets() if name is None else [name]
        accounts = [seen.account(each) for each in names]
        place = {"ledger": str(opened.place), "head": seen.head()}
    if json:
        listed = [account.to_dict() for account in accounts]
        output.print_json({**(listed[0] if name else {"budgets": listed}), **place})
    elif name:
        output.print_text(_block(accounts[0], place))
    else:
        _table(accounts, place)


def _block(account: Account, place: dict[str, Any]) -> str:
    fields = account.to_dict()
    lines = {
        "left": f"{fields['remaining']} of {fields['total']} (epsilon)",
        "spent": fields["spent"],
        "releases": f"{account.releases:,}",
    }
    if account.interrupted:
        lines["interrupted"] = f"{account.interrupted:,}  (charged, and nothing released)"
    if account.running:
        lines["running"] = f"{account.running:,}"
    lines |= {"created": account.created_at, **place}
    heading = f"Budget {account.name!r}"
    if account.description:
        heading += f": {account.description}"
    return "\n".join([heading, *(f"  {name:<12}{text}" for name, text in lines.items())])


def _table(accounts: Sequence[Account], place: dict[str, Any]) -> None:
    table = output.table_by_name("budget", [each.name for each in accounts])
    for heading in ("left", "of", "spent", "releases", "interrupted"):
        table.add_column(heading, justify="right")
    table.add_column("description")
    for account in accounts:
        fields = account.to_dict()
        table.add_row(
            account.name,
            *(fields[each] for each in ("remaining", "total", "spent")),
            f"{account.releases:,}",
            f"{account.interrupted:,}",
            account.description,
        )
    console = output.console()
    console.print(table if accounts else "No budgets yet: 'dpwilcoxon budget create' makes one.")
    for name, text in place.items():
        console.print(f"{name:<8}{text}", soft_wrap=True)

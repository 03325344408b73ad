"""``dpwilcoxon budget verify``: whether a ledger is what was written."""

from __future__ import annotations

import re
from typing import Annotated

import typer

from dpwilcoxon.cli import options, output
from dpwilcoxon.cli.exits import FAILED
from dpwilcoxon.errors import InvalidArgument

_HEAD = re.compile(r"[0-9a-f]{64}")


def verify(
    *,
    head: Annotated[
        str | None,
        typer.Option(
            metavar="HASH",
            help="A head that was kept elsewhere: everything up to it must still be there.",
        ),
    ] = None,
    ledger: options.Ledger = None,
    json: options.Json = False,
) -> None:
    r"""Check a ledger from its first entry to its last.

    Recomputes the chain of hashes, every charge and every balance. By itself that finds damage and
    clumsy edits; whoever can write the file can also rewrite the whole chain. A head that was kept
    elsewhere finds that too: any removal, edit or rollback of what was recorded before it.

    \b
    Examples:
      dpwilcoxon budget verify
      dpwilcoxon budget verify --head 5f1c...e2 --json
    """
    from dpwilcoxon.ledger.ledger import Ledger

    if head is not None and not _HEAD.fullmatch(head):
        raise InvalidArgument(
            "`head` must be the 64 digits and letters a to f that 'budget show' prints; got "
            f"{head!r}."
        )
    with (
        Ledger.open(ledger, writable=False) as opened,
        output.working("Checking the ledger", quiet=json),
    ):
        found = opened.verify(head)
    if json:
        output.print_json(found.to_dict())
    elif found.is_sound:
        kept = f", {found.known_head:,} of them up to the head that was kept" if head else ""
        output.print_text(f"Sound: {found.entries:,} entries{kept}.\n  head  {found.head}")
    else:
        output.print_text("\n".join(["NOT SOUND:", *(f"  {each}" for each in found.problems)]))
    if not found.is_sound:
        raise typer.Exit(FAILED)

"""The commands of ``dpwilcoxon budget`` put together."""

from __future__ import annotations

from collections.abc import Callable

from dpwilcoxon.cli.budgets import create, export, history, raise_total, show, verify

ABOUT = """
Keep what is released about the same people within a total.

A test with --budget NAME is charged before its noise is drawn, and refused if too little is left.
Budgets are kept in a ledger: one file, safe against crashes and races, in which nothing is ever
changed or removed.

\b
A custodian's day:
  dpwilcoxon budget create trial-7 --epsilon 3
  dpwilcoxon test study.csv --before bp_1 --after bp_2 --epsilon 0.5 --budget trial-7
  dpwilcoxon budget show
  dpwilcoxon budget history trial-7
  dpwilcoxon budget verify
"""

COMMANDS: dict[str, Callable[..., None]] = {
    "create": create.create,
    "show": show.show,
    "history": history.history,
    "raise": raise_total.raise_total,
    "export": export.export,
    "verify": verify.verify,
}

"""``dpwilcoxon budget history``: everything that happened to a budget."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from dpwilcoxon.cli import options, output
from dpwilcoxon.cli.budgets.arguments import Name
from dpwilcoxon.ledger.events import Measured, printable
from dpwilcoxon.parameters import Missing, Noise

if TYPE_CHECKING:
    from dpwilcoxon.ledger.history import Line


def history(name: Name, *, ledger: options.Ledger = None, json: options.Json = False) -> None:
    r"""Tell everything that happened to a budget, in order.

    Each charge with what was asked, and what came of it: released, running, or interrupted (it
    was charged, and nothing was released). What is listed may be as public as the releases are.

    \b
    Examples:
      dpwilcoxon budget history trial-7
      dpwilcoxon budget history trial-7 --json
    """
    from dpwilcoxon.ledger.ledger import Ledger

    with Ledger.open(ledger, writable=False) as opened:
        lines = opened.history(name)
    if json:
        output.print_json({"name": name, "history": [line.to_dict() for line in lines]})
    else:
        _table(lines)


def _table(lines: Sequence[Line]) -> None:
    from rich.table import Table

    table = Table("entry", "when (UTC)", "what", box=None, pad_edge=False)
    for heading in ("charged", "left", "p-value"):
        table.add_column(heading, justify="right")
    for line in lines:
        fields = line.to_dict()
        table.add_row(
            str(fields["entry"]),
            fields["recorded_at"].replace("T", " ").removesuffix("Z")[:19],
            _what(fields),
            fields["charged"] if line.charged else "",
            fields["remaining"],
            _pvalues(fields["results"] or []),
        )
    output.console().print(table)


def _what(fields: dict[str, Any]) -> str:
    """One cell: the state and what was asked."""
    event = fields.get("event")
    if event is None:
        told = fields.get("reason") or fields.get("description") or ""
        change = f"{fields['state']}: {fields['total']} in total"
        return f"{change}; {told}" if told else change
    noise = Noise.parse(event.get("noise", Noise.LAPLACE)).remark
    words = [f"{event['procedure']}, {event['analysis']['alternative']}{noise}"]
    words += [Measured.words(each) for each in event["outcomes"] if each["columns"]]
    words += _reading(event)
    if event["dataset"]:
        words.append("{name} ({version})".format_map(event["dataset"]))
    state = "" if fields["state"] == "released" else f"{fields['state'].upper()}: "
    return printable(state + "; ".join(words))


def _reading(event: dict[str, Any]) -> list[str]:
    """Which pairs were tested, so far as it is not the usual; what outcomes share is said once."""
    readings = [event["reading"] | outcome.get("reading", {}) for outcome in event["outcomes"]]
    told = [
        f"{name.replace('_', ' ')} {text}"
        for reading in readings
        for name, text in reading.items()
        if name != "arrays" and (name, text) != ("missing", str(Missing.RAISE))
    ]
    return list(dict.fromkeys(told))


def _pvalues(results: Sequence[dict[str, Any]]) -> str:
    from dpwilcoxon.result import format_pvalue

    logs = [result["log_pvalue"] for result in results]
    return "\n".join("" if log is None else format_pvalue(log) for log in logs)

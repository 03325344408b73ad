"""``dpwilcoxon budget export``: the ledger for an auditor."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dpwilcoxon.cli import options, output
from dpwilcoxon.cli.budgets.arguments import OptionalName
from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.ledger.events import Measured

if TYPE_CHECKING:
    from dpwilcoxon.ledger.chain import Entry
    from dpwilcoxon.ledger.history import Line

COLUMNS = (
    *("budget", "entry", "recorded_at", "state", "charged", "remaining", "total", "text"),
    *("dataset", "dataset_version", "columns", "reading", "procedure", "alternative", "method"),
    *("epsilon", "n", "statistic", "log_pvalue", "noise", "noise_scale", "software", "hash"),
)


def export(
    name: OptionalName = None,
    *,
    as_csv: Annotated[
        bool, typer.Option("--csv", help="A table for people: one line per tested outcome.")
    ] = False,
    ledger: options.Ledger = None,
    json: options.Json = False,
) -> None:
    r"""Export a ledger for an auditor.

    JSON (the default) holds every entry as it was written, with its hash, so the whole chain can
    be checked without this software. CSV holds the same as a table. Neither holds anything of the
    data but what was released.

    \b
    Examples:
      dpwilcoxon budget export > ledger.json
      dpwilcoxon budget export trial-7 --csv > trial-7.csv
    """
    from dpwilcoxon.ledger.ledger import Ledger

    if as_csv and json:
        raise InvalidArgument("`csv` and `json` are two forms; choose one.")
    with Ledger.open(ledger, writable=False) as opened, opened.snapshot() as seen:
        names = seen.journal.budgets() if name is None else [seen.account(name).name]
        story = {each: seen.history(each) for each in names if as_csv}
        entries = [] if as_csv else list(seen.journal.entries())
    if as_csv:
        _print_table(story)
    else:
        output.print_json(_entries(entries, name))


def _entries(entries: Sequence[Entry], name: str | None) -> dict[str, Any]:
    from dpwilcoxon.ledger.chain import BEFORE_THE_FIRST

    return {
        "head": entries[-1].hash if entries else BEFORE_THE_FIRST,
        "complete": name is None,
        "entries": [_plain(each) for each in entries if name in (None, each.budget)],
    }


def _plain(entry: Entry) -> dict[str, Any]:
    return {
        "sequence": entry.sequence,
        "budget": entry.budget,
        "kind": entry.kind,
        "recorded_at": entry.recorded_at,
        "request": entry.request,
        "answers": entry.answers,
        "content": entry.plain,
        "hash": entry.hash,
    }


def _print_table(story: Mapping[str, Sequence[Line]]) -> None:
    table = csv.DictWriter(sys.stdout, COLUMNS, lineterminator="\n")
    table.writeheader()
    for name, lines in story.items():
        for line in lines:
            table.writerows(_rows(name, line))


def _rows(name: str, line: Line) -> Iterator[dict[str, Any]]:
    """The rows of one line: one for each of its outcomes, or one where there is none."""
    fields = line.to_dict()
    event = fields.get("event")
    row = {
        "budget": name,
        "text": fields.get("reason") or fields.get("description"),
        "hash": (line.answer or line.entry).hash,
        **{each: fields[each] for each in COLUMNS[1:7]},
    }
    if event is None:
        yield row
        return
    dataset = event["dataset"] or {"name": None, "version": None}
    row |= {
        "dataset": dataset["name"],
        "dataset_version": dataset["version"],
        "procedure": event["procedure"],
        "software": event["software"],
        **event["analysis"],
    }
    results = fields["results"] or [None] * len(event["outcomes"])
    for outcome, result in zip(event["outcomes"], results, strict=True):
        reading = event["reading"] | outcome.get("reading", {})
        row["reading"] = "; ".join(f"{key}={value}" for key, value in reading.items())
        yield {
            key: value
            for key, value in (row | _released(outcome, result)).items()
            if key in COLUMNS
        }
        row["charged"] = None  # once for all outcomes, so that the column adds up


def _released(outcome: dict[str, Any], result: dict[str, Any] | None) -> dict[str, Any]:
    told = {"columns": Measured.words(outcome), "epsilon": outcome["epsilon"]}
    if result is None:
        return told
    return {
        **told,
        "statistic": result["released"] / result["lattice"],
        "noise_scale": result["noise_scale"] / result["lattice"],
        **{each: result[each] for each in ("n", "log_pvalue", "noise", "method")},
    }

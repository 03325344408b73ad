"""Measure items and write them down: numbers, pictures, LaTeX, verdicts, and one page for all."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

from dpwilcoxon.errors import OutputError
from dpwilcoxon.paper.catalogue import ITEMS
from dpwilcoxon.paper.item import Item, NumberTable, Outcome
from dpwilcoxon.paper.manifest import Manifest
from dpwilcoxon.paper.page import render
from dpwilcoxon.paper.session import Session, write_whole
from dpwilcoxon.plots.backend import require_matplotlib
from dpwilcoxon.plots.render import to_png, to_svg

KEPT = ".kept"
INDEX = "index.html"


def run(items: Sequence[Item], out: Path, session: Session) -> list[Manifest]:
    """Measure items and write their files and the page into a folder.

    Parameters
    ----------
    items
        What to measure.
    out
        The folder; it is made if need be. Items that an earlier run left in it stay on its page.
    session
        How to simulate. Its kept numbers should lie in `out`, see `kept_in`.

    Returns
    -------
    list of Manifest
        One for each item.
    """
    require_matplotlib()
    make_folder(out)
    manifests = []
    for item in items:
        session.watcher.item(item.name)
        manifests.append(_write(item, item.measure(session), out, session))
        write_index(out)
    return manifests


def kept_in(out: Path) -> Path:
    """Where a run that writes to `out` keeps its simulated numbers."""
    return out / KEPT


def write_index(out: Path) -> None:
    """Write the page with every item that is in the folder."""
    found = [Manifest.read(out, name) for name in ITEMS]
    write_whole(out / INDEX, render([each for each in found if each is not None]))


def make_folder(out: Path) -> None:
    """Make sure that there is a folder to write into."""
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = error.strerror or "it cannot be made"
        raise OutputError(f"The folder {str(out)!r} cannot be used: {reason}.") from None


def _write(item: Item, outcome: Outcome, out: Path, session: Session) -> Manifest:
    contents: dict[str, str | bytes] = {}
    if outcome.numbers.columns:
        contents[f"{item.name}.csv"] = as_csv(outcome.numbers)
    if outcome.draw is not None:
        figure = outcome.draw()
        contents[f"{item.name}.svg"] = to_svg(figure)
        contents[f"{item.name}.png"] = to_png(figure)
    if outcome.latex is not None:
        contents[f"{item.name}.tex"] = outcome.latex
    if outcome.comparisons:
        contents[f"{item.name}.comparison.csv"] = as_csv(_comparison_table(outcome))
    for name, content in contents.items():
        write_whole(out / name, content)
    manifest = Manifest(
        item.name,
        item.title,
        item.place,
        outcome.description,
        outcome.notes,
        outcome.comparisons,
        outcome.missing,
        session.replicates,
        session.seed,
        tuple(contents),
    )
    manifest.write(out)
    return manifest


def as_csv(table: NumberTable) -> str:
    """Write a table as CSV; floats keep all their digits."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(table.columns)
    writer.writerows(table.rows)
    return text.getvalue()


def _comparison_table(outcome: Outcome) -> NumberTable:
    columns = (
        "key", "quantity", "printed", "half_unit", "print_standard_error", "reading", "measured",
        "low", "high", "verdict",
    )  # fmt: skip
    return NumberTable(
        columns,
        [
            (
                each.key,
                each.quantity,
                each.printed.value,
                each.printed.half_unit,
                each.printed.standard_error,
                reading.convention,
                reading.measured,
                reading.low,
                reading.high,
                str(reading.verdict(each.printed)),
            )
            for each in outcome.comparisons
            for reading in each.readings
        ],
    )

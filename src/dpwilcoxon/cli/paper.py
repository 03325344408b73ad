"""``dpwilcoxon paper``: the paper's tables and figures, measured again."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dpwilcoxon.cli import options, output
from dpwilcoxon.errors import InvalidArgument

if TYPE_CHECKING:
    from rich.progress import Progress

    from dpwilcoxon.paper.item import Item
    from dpwilcoxon.paper.manifest import Manifest
    from dpwilcoxon.paper.session import Session, Watcher

GENERATED_TRIPS = "generated_trips.csv"

ABOUT = """
Measure the paper's tables and figures again.

\b
Examples:
  dpwilcoxon paper list
  dpwilcoxon paper run figure-compare-eps1 --quick --out out
  dpwilcoxon paper run --all --quick --out out
"""


def list_items(*, json: options.Json = False) -> None:
    r"""List the tables and figures of the paper.

    \b
    Examples:
      dpwilcoxon paper list
      dpwilcoxon paper list --json
    """
    from dpwilcoxon.paper.catalogue import ITEMS

    if json:
        listed = [
            {"name": each.name, "title": each.title, "place": each.place} for each in ITEMS.values()
        ]
        output.print_json({"items": listed})
        return
    table = output.table_by_name("name", ITEMS)
    for heading in ("what it shows", "in the paper"):
        table.add_column(heading)
    for each in ITEMS.values():
        table.add_row(each.name, each.title, each.place)
    output.console().print(table)


def run_items(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME...",
            show_default=False,
            help="Tables and figures; 'dpwilcoxon paper list' names them.",
        ),
    ] = None,
    *,
    every: Annotated[bool, typer.Option("--all", help="All of them.")] = False,
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="The folder for everything that is made.")
    ] = Path("paper-reproduced"),
    quick: Annotated[
        bool, typer.Option("--quick", help="10,000 replicates: minutes instead of hours.")
    ] = False,
    replicates: Annotated[
        int | None,
        typer.Option(
            min=2,
            metavar="N",
            help="Simulated samples per point of a curve [default: 1 million, as the authors].",
        ),
    ] = None,
    seed: Annotated[
        int, typer.Option(min=0, metavar="S", help="The same seed gives the same numbers.")
    ] = 2018,
    jobs: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="J", help="Threads [default: two]. They do not change any number."
        ),
    ] = None,
    trips: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="trip_data_1.csv of the 2013 taxi trips, for figure-taxi."
        ),
    ] = None,
    generated_trips: Annotated[
        bool,
        typer.Option(
            "--generated-trips", help="Try figure-taxi on a made-up file; its powers mean nothing."
        ),
    ] = False,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    r"""Measure tables and figures of the paper and set them beside the print.

    Writes numbers (CSV), pictures (SVG and PNG), tables (LaTeX) and index.html into one folder. An
    interrupted run goes on where it stopped; use the same options.

    \b
    Examples:
      dpwilcoxon paper run --all --quick
      dpwilcoxon paper run figure-compare-eps1 --out reproduced
      dpwilcoxon paper run figure-taxi --trips trip_data_1.csv
    """
    from dpwilcoxon.paper import runner

    items = _chosen(names or [], every=every)
    _check_options(items, quick=quick, replicates=replicates, trips=trips, made_up=generated_trips)
    source = _made_up_trips(out) if generated_trips else trips
    with _watching(len(items), quiet=quiet) as watcher:
        session = _session(
            replicates, quick=quick, seed=seed, jobs=jobs, out=out, watcher=watcher, trips=source,
            made_up=generated_trips,
        )  # fmt: skip
        manifests = runner.run(items, out, session)
    index = out / runner.INDEX
    if json:
        output.print_json({"index": str(index), "items": [_fields(each) for each in manifests]})
    else:
        _tell(manifests, index)


def _chosen(names: Sequence[str], *, every: bool) -> list[Item]:
    from dpwilcoxon.paper.catalogue import ITEMS, items_called

    if names and every:
        raise InvalidArgument("Name what to run, or say --all; not both.")
    if not names and not every:
        raise InvalidArgument(
            "Name what to run, or say --all; 'dpwilcoxon paper list' shows what there is."
        )
    return items_called(list(ITEMS) if every else names)


def _check_options(
    items: Sequence[Item],
    *,
    quick: bool,
    replicates: int | None,
    trips: Path | None,
    made_up: bool,
) -> None:
    """Refuse options that contradict each other or would do nothing."""
    if quick and replicates is not None:
        raise InvalidArgument("`quick` stands for `replicates` 10000; give one of them.")
    if trips is not None and made_up:
        raise InvalidArgument("Give either a trip file or `generated-trips`.")
    if (trips is not None or made_up) and all(each.name != "figure-taxi" for each in items):
        raise InvalidArgument("A trip file belongs to figure-taxi, which is not to be run.")


def _made_up_trips(out: Path) -> Path:
    from dpwilcoxon.paper.generated_trips import write_generated_trips
    from dpwilcoxon.paper.runner import make_folder

    make_folder(out)
    path = out / GENERATED_TRIPS
    write_generated_trips(path)
    return path


def _session(
    replicates: int | None,
    *,
    quick: bool,
    seed: int,
    jobs: int | None,
    out: Path,
    watcher: Watcher,
    trips: Path | None,
    made_up: bool,
) -> Session:
    from dpwilcoxon.paper import session as settings
    from dpwilcoxon.paper.runner import kept_in

    usual = settings.QUICK_REPLICATES if quick else settings.FULL_REPLICATES
    return settings.Session(
        usual if replicates is None else replicates,
        seed,
        jobs,
        kept_in(out),
        watcher,
        trips,
        trips_are_generated=made_up,
    )


class _Bars:
    """Two bars on standard error: the items, and the simulation under way."""

    def __init__(self, bars: Progress, items: int) -> None:
        self._bars = bars
        self._items = bars.add_task("", total=items)
        self._work = bars.add_task("", total=None)
        self._begun = 0

    def item(self, name: str) -> None:
        """Move the upper bar on."""
        self._bars.update(self._items, description=name, completed=self._begun)
        self._begun += 1

    def step(self, label: str) -> None:
        """Begin the lower bar anew."""
        self._bars.reset(self._work, description=f"  {label}", total=None)

    def progress(self, done: int, total: int) -> None:
        """Move the lower bar on."""
        self._bars.update(self._work, completed=done, total=total)


@contextmanager
def _watching(items: int, *, quiet: bool) -> Iterator[Watcher]:
    from dpwilcoxon.paper.session import Nobody

    if quiet or not sys.stderr.isatty():
        yield Nobody()
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bars:
        yield _Bars(bars, items)


def _fields(manifest: Manifest) -> dict[str, Any]:
    return {
        "name": manifest.name,
        "missing": manifest.missing,
        "files": list(manifest.files),
        "comparisons": [each.to_dict() for each in manifest.comparisons],
    }


def _tell(manifests: Sequence[Manifest], index: Path) -> None:
    from dpwilcoxon.paper.comparison import Verdict

    table = output.table_by_name("item", [each.name for each in manifests])
    for heading in ("printed numbers", *map(str, Verdict)):
        table.add_column(heading)
    for each in manifests:
        verdicts = [comparison.verdict for comparison in each.comparisons]
        counts = [str(verdicts.count(verdict)) if verdicts else "" for verdict in Verdict]
        printed = "not measured" if each.missing else str(len(verdicts) or "")
        table.add_row(each.name, printed, *counts)
    console = output.console()
    console.print(table)
    for each in manifests:
        if each.missing:
            console.print(f"\n{each.name}\n{each.missing}", soft_wrap=True)
    output.print_text(f"\nEverything is shown in {index}")


COMMANDS = {"list": list_items, "run": run_items}

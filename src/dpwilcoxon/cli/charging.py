"""The options by which a test is charged to a budget, and what is said about the charge."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from dpwilcoxon.cli import output
from dpwilcoxon.errors import InvalidArgument, OutputError

if TYPE_CHECKING:
    from dpwilcoxon.cli.asked import Asked
    from dpwilcoxon.ledger.events import Dataset
    from dpwilcoxon.parameters import Epsilon
    from dpwilcoxon.release import Charge, PreparedRelease, Request
    from dpwilcoxon.result import Receipt
    from dpwilcoxon.sources.layout import Layout

BudgetName: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--budget",
        metavar="NAME",
        help="Charge the release to this budget, which refuses it if too little is left; see "
        "'dpwilcoxon budget --help'.",
    ),
]
DatasetName: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--dataset",
        metavar="NAME",
        help="What the ledger is to call the data. With --dataset-version: asking the same again "
        "gives back the recorded release at no charge.",
    ),
]
DatasetVersion: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--dataset-version",
        metavar="V",
        help="Which version of the data set this is; another one whenever a row has changed.",
    ),
]
Fresh: TypeAlias = Annotated[
    bool, typer.Option("--fresh", help="Draw, and pay, even if the answer is recorded.")
]

# Options that do not decide which pairs are tested, or that the ledger records by themselves. An
# option that is missing here becomes part of the request: at worst, a repetition is charged.
_NOT_ABOUT_THE_PAIRS = (
    {"data", "file_format", "memory_limit"}  # where they are, and how they are read
    | {"before", "after", "difference", "outcome", "missing", "resolution"}  # recorded apart
    | {"epsilon", "procedure", "noise", "alternative", "method", "draws", "seed"}  # recorded apart
    | {"budget", "ledger", "dataset", "dataset_version", "fresh"}
    | {"check", "report", "json", "quiet", "verbose"}
)


def note_weak_promise(epsilon: Epsilon, *, quiet: bool) -> None:
    """Say before the draw that so large an epsilon hardly protects anybody."""
    from dpwilcoxon.result import is_weak, largest_factor

    if is_weak(epsilon):
        output.note(
            f"epsilon {epsilon} protects individuals little: somebody's row may make an output "
            f"{largest_factor(epsilon)} times as likely",
            quiet=quiet,
        )


@contextmanager
def charged_to(
    asked: Asked,
    layouts: Sequence[Layout],
    request: Request,
    shares: Sequence[Epsilon],
) -> Iterator[Charge | None]:
    """Open the budget that the options name, and check that it allows the request."""
    from dpwilcoxon.ledger.budget import Budget
    from dpwilcoxon.ledger.events import Measured, Subject
    from dpwilcoxon.release import Charge
    from dpwilcoxon.sources.described import options_of

    note_weak_promise(request.epsilon, quiet=asked.quiet)
    subject = Subject.declared(
        [Measured(layout.columns) for layout in layouts],
        _dataset(asked.dataset, asked.dataset_version),
        missing=asked.missing,
        resolution=asked.resolution,
        options=_options_about_the_pairs(asked) | options_of(layouts[0], asked.table),
    )
    if asked.budget is None:
        if asked.ledger is not None:
            raise InvalidArgument("`ledger` keeps budgets; name the `budget` in it too.")
        yield Charge.parse(None, subject, fresh=asked.fresh)
        return
    with Budget.open(asked.ledger, asked.budget) as budget:
        charge = Charge(budget, subject, fresh=asked.fresh)
        charge.forecast(request, shares)  # refused before any data is read
        yield charge


def _dataset(name: str | None, version: str | None) -> Dataset | None:
    from dpwilcoxon.ledger.events import Dataset

    if name is None and version is None:
        return None
    if name is None or version is None:
        raise InvalidArgument(
            "`dataset` and `dataset-version` belong together: the answer recorded for one "
            "version must not be given for another."
        )
    return Dataset(name, version)


def _options_about_the_pairs(asked: Asked) -> dict[str, str]:
    """The options that were given another value than their default, as text."""
    defaults = {each.name: each.default for each in fields(asked)}
    typed = {name: getattr(asked, name) for name in defaults if name not in _NOT_ABOUT_THE_PAIRS}
    return {
        name: json.dumps(value) if isinstance(value, list | tuple) else str(value)
        for name, value in typed.items()
        if (value or None) != (defaults[name] or None)
    }


def forecast_fields(
    charge: Charge | None,
    request: Request,
    shares: Sequence[Epsilon],
    prepared: Sequence[PreparedRelease],
) -> dict[str, Any] | None:
    """What a dry run says about the budget, for programs."""
    from dpwilcoxon.parameters import exact_text
    from dpwilcoxon.release import foresee

    if charge is None:
        return None
    met = foresee(prepared, request, shares, charge)
    return {
        "name": charge.budget.name,
        "cost": exact_text(met.cost),
        "remaining": exact_text(met.balance.remaining),
        "total": exact_text(met.balance.total),
        "recorded": met.recorded is not None,
        "interrupted_before": met.interrupted.sequence if met.interrupted else None,
    }


def forecast_line(fields: Mapping[str, Any] | None) -> str:
    """The same for people: lines of a block, or nothing."""
    if fields is None:
        return ""
    left = f"{fields['remaining']} of {fields['total']} is left"
    if fields["recorded"]:
        return f"  budget      {fields['name']}: the answer is recorded, so it is free; {left}\n"
    paid = f"  budget      {fields['name']}: this costs {fields['cost']}; {left}\n"
    if fields["interrupted_before"] is None:
        return paid
    return (
        f"{paid}              an identical request (entry {fields['interrupted_before']}) was "
        "charged before, and interrupted; it is paid again\n"
    )


@contextmanager
def told_if_interrupted() -> Iterator[None]:
    """Say what was drawn and charged by the time somebody pressed Ctrl-C."""
    try:
        yield
    except KeyboardInterrupt as interruption:
        for told in getattr(interruption, "__notes__", []):
            output.note(told, quiet=False)
        raise


@contextmanager
def told_if_lost(receipt: Receipt | None) -> Iterator[None]:
    """Say what became of an answer that was released and cannot be shown."""
    try:
        yield
    except OutputError as error:
        error.add_note(
            "The test was run, and its epsilon is spent."
            if receipt is None
            else f"The test was run; its answer is entry {receipt.entry} of the budget "
            f"{receipt.budget!r}, and 'dpwilcoxon budget history' shows it."
        )
        raise


def explain(receipt: Receipt | None, *, quiet: bool) -> None:
    """Say what a person might not expect of a charge."""
    if receipt is None:
        return
    if receipt.is_repeated:
        output.note(
            "this answer was released before and is given again: nothing was drawn or charged "
            "(--fresh draws, and pays, again)",
            quiet=quiet,
        )
    if receipt.interrupted_before is not None:
        output.note(
            f"an identical request (entry {receipt.interrupted_before}) was charged before, and "
            "interrupted before anything was released; this one had to be charged again",
            quiet=quiet,
        )

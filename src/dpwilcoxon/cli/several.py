"""``dpwilcoxon test --outcome ...``: several outcomes for one epsilon, in one release."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from dpwilcoxon.cli import charging, output, reading_progress
from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.parameters import Epsilon, Noise, exact_text, pairs_text

if TYPE_CHECKING:
    from dpwilcoxon.cli.asked import Asked
    from dpwilcoxon.pairs import PairedSample
    from dpwilcoxon.release import Charge, Request
    from dpwilcoxon.sources.layout import Layout

Outcomes: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--outcome",
        metavar="BEFORE:AFTER",
        help="Instead of --before and --after, and as often as needed: the columns of an outcome. "
        "The outcomes share epsilon evenly, or as BEFORE:AFTER:EPSILON says. Write a colon in a "
        r"name as \:.",
    ),
]

_COLON = re.compile(r"(?<!\\):")
_OF_ONE_OUTCOME = ("before", "after", "difference", "condition", "levels", "value", "report")


@dataclass(frozen=True)
class Outcome:
    """One outcome as it was typed."""

    before: str
    after: str
    epsilon: str | None = None

    @classmethod
    def parse(cls, typed: str) -> Outcome:
        r"""Read before:after or before:after:epsilon.

        Examples
        --------
        >>> Outcome.parse(r"bp\:1:bp\:2:1/3")
        Outcome(before='bp:1', after='bp:2', epsilon='1/3')
        """
        parts = [part.replace(r"\:", ":") for part in _COLON.split(typed)]
        if len(parts) not in (2, 3) or not all(parts):
            raise InvalidArgument(
                f"`outcome` must be BEFORE:AFTER or BEFORE:AFTER:EPSILON; got {typed!r}."
            )
        return cls(*parts)

    @property
    def columns(self) -> tuple[str, str]:
        """The columns of the difference, after before before."""
        return self.after, self.before


def run_outcomes(asked: Asked, typed: Sequence[str]) -> None:
    """Do what ``dpwilcoxon test`` was asked to do, with several outcomes."""
    outcomes = _outcomes(asked, typed)
    with output.simulation_progress(quiet=asked.quiet) as progress:
        request = asked.request(progress)
        shares = split(request.epsilon, outcomes)
        layouts = [
            replace(asked, before=each.before, after=each.after).layout() for each in outcomes
        ]
        _check_names([layout.description for layout in layouts])
        with (
            charging.charged_to(asked, layouts, request, shares) as charge,
            reading_progress.watched(
                asked.memory_limit, verbose=asked.verbose, quiet=asked.quiet
            ) as watch,
            ExitStack() as opened,
        ):
            plan = _Plan(asked, layouts, request, shares, charge)
            samples = plan.open(opened, watch)
            if asked.check:
                _show_check(plan.check(samples), as_json=asked.json)
            else:
                plan.release(samples)


def _outcomes(asked: Asked, typed: Sequence[str]) -> list[Outcome]:
    """The outcomes that were typed; options that only one outcome can have are refused."""
    for name in _OF_ONE_OUTCOME:
        if getattr(asked, name):
            raise InvalidArgument(f"`{name}` is for one outcome; leave it out with `outcome`.")
    outcomes = [Outcome.parse(each) for each in typed]
    columns = Counter(outcome.columns for outcome in outcomes)
    for outcome in outcomes:
        if columns[outcome.columns] > 1:
            raise InvalidArgument(f"`outcome` {outcome.before}:{outcome.after} is given twice.")
    return outcomes


def _check_names(names: Sequence[str]) -> None:
    """Results are told apart by their names."""
    for name, count in Counter(names).items():
        if count > 1:
            raise InvalidArgument(f"Two of the `outcome` are called {name!r}; rename a column.")


def split(epsilon: Epsilon, outcomes: Sequence[Outcome]) -> list[Epsilon]:
    """Give each outcome the part of epsilon it was given, or an equal part of what is left."""
    given = [Epsilon.parse(each.epsilon) if each.epsilon else None for each in outcomes]
    rest = epsilon.exact - sum(share.exact for share in given if share)
    without = given.count(None)
    if rest < 0 or (rest > 0) is not (without > 0):  # what is left is for those without, all of it
        taken = exact_text(epsilon.exact - rest)
        raise InvalidArgument(
            f"`epsilon` is {epsilon}, and the outcomes were given {taken} together, which "
            f"{'leaves nothing for the others' if without else 'is not the same'}."
        )
    return [share or Epsilon(rest / without) for share in given]


@dataclass(frozen=True)
class _Plan:
    """Everything that was asked, parsed and checked."""

    asked: Asked
    layouts: Sequence[Layout]
    request: Request
    shares: Sequence[Epsilon]
    charge: Charge | None

    @property
    def names(self) -> list[str]:
        return [layout.description for layout in self.layouts]

    def open(self, opened: ExitStack, watch: reading_progress.Watch) -> list[PairedSample]:
        from dpwilcoxon.sources.outcomes import open_outcomes

        access = self.asked.access(watch.resources)
        with watch.reading():
            return opened.enter_context(open_outcomes(self.asked.data, self.layouts, access))

    def check(self, samples: Sequence[PairedSample]) -> dict[str, Any]:
        """Prepare every outcome, and say what would be done."""
        plans = [
            replace(self.request, epsilon=share).prepare(sample.n)
            for sample, share in zip(samples, self.shares, strict=True)
        ]
        return {
            "checked": True,
            "released": False,
            "outcomes": [
                {
                    "outcome": name,
                    "n": plan.design.n_pairs,
                    "epsilon": float(plan.design.epsilon),
                    "epsilon_exact": str(plan.design.epsilon),
                    "method": str(plan.method),
                }
                for name, plan in zip(self.names, plans, strict=True)
            ],
            "epsilon": float(self.request.epsilon),
            "epsilon_exact": str(self.request.epsilon),
            "alternative": str(self.request.alternative),
            "procedure": self.request.procedure.name,
            "noise": str(self.request.noise),
            "budget": charging.forecast_fields(self.charge, self.request, self.shares, plans),
        }

    def release(self, samples: Sequence[PairedSample]) -> None:
        """Test every outcome, and show the answers."""
        from dpwilcoxon.outcomes import OutcomeResults
        from dpwilcoxon.release import release_together

        with charging.told_if_interrupted():
            released = release_together(samples, self.request, self.shares, self.charge)
        results = OutcomeResults(dict(zip(self.names, released, strict=True)), self.request.epsilon)
        with charging.told_if_lost(results.receipt):
            if self.asked.json:
                output.print_json(results.to_dict())
            else:
                output.print_text(str(results))
        charging.explain(results.receipt, quiet=self.asked.quiet)


def _show_check(fields: Mapping[str, Any], *, as_json: bool) -> None:
    if as_json:
        output.print_json(fields)
        return
    outcomes = "".join(
        f"  outcome     {each['outcome']}: {pairs_text(each['n'])}, epsilon "
        f"{each['epsilon_exact']}, p-value method {each['method']}\n"
        for each in fields["outcomes"]
    )
    output.print_text(
        "Checked: the file, its columns and the parameters are fine.\n"
        + outcomes
        + f"  test        {fields['procedure']}, {fields['alternative']}, epsilon "
        f"{fields['epsilon_exact']} together{Noise.parse(fields['noise']).remark}\n"
        + charging.forecast_line(fields["budget"])
        + "Nothing was drawn, nothing released, and no privacy spent."
    )

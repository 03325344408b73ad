"""Options of the commands that plan studies, and the population they describe."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from dpwilcoxon.errors import InvalidArgument

if TYPE_CHECKING:
    from dpwilcoxon.studies.family import Family
    from dpwilcoxon.studies.planned import PlannedTest

DEFAULT_SEED = 1

Procedures: TypeAlias = Annotated[
    list[str],
    typer.Option(
        "--procedure",
        metavar="P",
        help="Which test; 'dpwilcoxon procedures' lists them. May be given several times.",
    ),
]
Alpha: TypeAlias = Annotated[float, typer.Option(metavar="A", help="The level of the test.")]
Differences: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="LAW",
        help="What differences look like: normal, laplace, logistic, uniform, student-t:3, "
        "likert:5 (answers on a scale) or log-normal:0.5 (changes by a factor) [default: normal].",
    ),
]
ZeroFraction: TypeAlias = Annotated[
    float, typer.Option(metavar="Z", help="The share of pairs that do not change at all.")
]
Zeros: TypeAlias = Annotated[
    str,
    typer.Option(
        metavar="HOW",
        help="Whether that share is fixed in every sample, or kept on average: random.",
    ),
]
PilotFile: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help="Draw differences from this PUBLIC pilot study instead; an effect is then a share of "
        "its own change, between 0 and 1. Takes --before and --after, or --difference.",
    ),
]
Before: TypeAlias = Annotated[
    str | None, typer.Option(metavar="COL", help="The pilot's column measured before.")
]
After: TypeAlias = Annotated[
    str | None, typer.Option(metavar="COL", help="The pilot's column measured after.")
]
Difference: TypeAlias = Annotated[
    str | None, typer.Option(metavar="COL", help="Or the pilot's column of differences.")
]
Seed: TypeAlias = Annotated[
    int,
    typer.Option(
        min=0, metavar="S", help="The same seed gives the same answer; others show chance."
    ),
]
Jobs: TypeAlias = Annotated[
    int | None,
    typer.Option(min=1, metavar="J", help="Threads [default: 2]. They do not change the answer."),
]
Csv: TypeAlias = Annotated[
    bool, typer.Option("--csv", help="Print a table of comma-separated values and nothing else.")
]
Plot: TypeAlias = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="Also draw the power curves: a .svg or .png picture."),
]
NoChart: TypeAlias = Annotated[bool, typer.Option("--no-chart", help="No chart under the answer.")]


def family(
    differences: str | None,
    pilot: str | None,
    *,
    before: str | None,
    after: str | None,
    difference: str | None,
) -> Family:
    """The law of differences that the options describe."""
    from dpwilcoxon.studies.families import parse_family

    if pilot is None:
        given = {"before": before, "after": after, "difference": difference}
        for name, value in given.items():
            if value is not None:
                raise InvalidArgument(f"`{name}` names a column of `pilot`, which is not given.")
        return parse_family("normal" if differences is None else differences)
    if differences is not None:
        raise InvalidArgument("Give `differences` or `pilot`, not both.")
    from dpwilcoxon.sources.files import pairs_from_file
    from dpwilcoxon.studies.pilots import pilot_of

    return pilot_of(pairs_from_file(pilot, before=before, after=after, difference=difference))


def tests(
    procedures: Sequence[str],
    epsilons: Sequence[str],
    alpha: float,
    alternative: str,
    method: str,
    *,
    noise: str,
) -> list[PlannedTest]:
    """Every procedure with every epsilon; the kind of noise is for private tests only."""
    from dpwilcoxon.parameters import Noise
    from dpwilcoxon.procedures.registry import get_procedure
    from dpwilcoxon.studies.planned import PlannedTest

    kind = Noise.parse(noise)
    kinds = {name: kind if get_procedure(name).releasable else Noise.LAPLACE for name in procedures}
    return [
        PlannedTest.parse(name, epsilon, alpha, alternative, method, noise=kinds[name])
        for name in dict.fromkeys(procedures)
        for epsilon in dict.fromkeys(part for each in epsilons for part in each.split(","))
    ]

"""``dpwilcoxon plan``: how many pairs, how much epsilon or how large an effect."""

from __future__ import annotations

from typing import Annotated

import typer

from dpwilcoxon.cli import options, output, study_options
from dpwilcoxon.cli.typed_numbers import real_numbers, whole_numbers
from dpwilcoxon.errors import InvalidArgument

ANY = "1"  # of a test whose epsilon is sought


def plan(
    *,
    n: Annotated[
        list[str] | None,
        typer.Option(
            metavar="N", show_default=False, help="Numbers of pairs, if they are known: 50,100."
        ),
    ] = None,
    epsilon: Annotated[
        list[str] | None,
        typer.Option(
            metavar="E",
            show_default=False,
            help="Privacy parameter, if it is known; may be given several times.",
        ),
    ] = None,
    effect: Annotated[
        list[str] | None,
        typer.Option(
            metavar="D",
            show_default=False,
            help="Size of the change, if it is known, in standard deviations of one measurement; "
            "several with commas.",
        ),
    ] = None,
    power: Annotated[
        float, typer.Option(metavar="B", help="The probability of detecting it that is wanted.")
    ] = 0.8,
    procedure: study_options.Procedures = ["pratt"],  # noqa: B006 - never changed
    alpha: study_options.Alpha = 0.05,
    alternative: options.Alternative = "two-sided",
    method: options.Method = "auto",
    noise: options.Noise = "laplace",
    differences: study_options.Differences = None,
    zero_fraction: study_options.ZeroFraction = 0.0,
    zeros: study_options.Zeros = "fixed",
    pilot: study_options.PilotFile = None,
    before: study_options.Before = None,
    after: study_options.After = None,
    difference: study_options.Difference = None,
    tolerance: Annotated[
        float | None,
        typer.Option(
            metavar="T",
            help="How far the ends of the answer's 95% interval may lie from its middle: in pairs "
            "(by default one, or half a percent), or as a share of an epsilon or effect (0.01).",
        ),
    ] = None,
    seed: study_options.Seed = study_options.DEFAULT_SEED,
    jobs: study_options.Jobs = None,
    plot: study_options.Plot = None,
    no_chart: study_options.NoChart = False,
    json: options.Json = False,
    csv: study_options.Csv = False,
    quiet: options.Quiet = False,
) -> None:
    r"""Find how many pairs a study needs.

    Give two of number of pairs, epsilon and effect; the smallest value of the third is found with
    which the test reaches the power. Needs no data and costs no privacy. Where there is no
    answer, that is the answer.

    \b
    Examples:
      dpwilcoxon plan --epsilon 1 --effect 1 --power 0.8
      dpwilcoxon plan --epsilon 0.1 --epsilon 1 --effect 0.5,1 --procedure pratt --procedure capped
      dpwilcoxon plan --n 100 --effect 1
      dpwilcoxon plan --n 100 --epsilon 1 --plot power.svg
    """
    from dpwilcoxon.cli import study_output
    from dpwilcoxon.studies.cases import crossed
    from dpwilcoxon.studies.effort import Effort
    from dpwilcoxon.studies.models import Population
    from dpwilcoxon.studies.planning import solution
    from dpwilcoxon.studies.results import SOLUTIONS
    from dpwilcoxon.studies.solution_curves import solution_picture

    sought = _sought(n=n, epsilon=epsilon, effect=effect)
    law = study_options.family(
        differences, pilot, before=before, after=after, difference=difference
    )
    tests = study_options.tests(
        procedure, epsilon or [ANY], alpha, alternative, method, noise=noise
    )
    populations = [
        Population.parse(law, each, zero_fraction, zeros)
        for each in real_numbers(effect or ["0"], "effect")
    ]
    cases = crossed(tests, populations, [None] if n is None else whole_numbers(n, "n"))
    shown = study_output.Output(json=json, csv=csv, plot=plot, chart=not no_chart, quiet=quiet)
    with shown.reserved() as place:
        with output.estimating(quiet=quiet) as progress:
            effort = Effort(
                power=power, tolerance=tolerance, seed=seed, jobs=jobs, progress=progress
            )
            result = solution(SOLUTIONS[sought], cases, effort)
            picture = (
                solution_picture(result, seed=seed, jobs=jobs) if shown.needs_picture else None
            )
        shown.show(result, {"seed": seed}, picture, place)


def _sought(**given: list[str] | None) -> str:
    missing = [name for name, values in given.items() if not values]
    if len(missing) != 1:
        words = ", ".join(f"`{name}`" for name in given)
        found = ", ".join(f"`{name}`" for name in given if name not in missing) or "none"
        raise InvalidArgument(f"Give two of {words}, and the third is found; got {found}.")
    return missing[0]

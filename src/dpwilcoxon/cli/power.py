"""``dpwilcoxon power``: how likely tests are to detect a change."""

from __future__ import annotations

from typing import Annotated

import typer

from dpwilcoxon.cli import options, output, study_options
from dpwilcoxon.cli.typed_numbers import real_numbers, whole_numbers

REPLICATES = 20_000


def power(
    *,
    n: Annotated[
        list[str],
        typer.Option(
            metavar="N",
            help="Numbers of pairs: 50, or 20,50,100, or the range 20:400 (some twenty numbers) or "
            "20:400:20 (every twentieth).",
        ),
    ],
    epsilon: Annotated[
        list[str],
        typer.Option(metavar="E", help="Privacy parameter; may be given several times."),
    ],
    effect: Annotated[
        list[str],
        typer.Option(
            metavar="D",
            help="Size of the change, in standard deviations of one measurement; also several or a "
            "range, as --n. With 0 the answer is the type I error.",
        ),
    ],
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
    replicates: Annotated[
        int, typer.Option(min=1, metavar="R", help="Simulated samples for each N and D.")
    ] = REPLICATES,
    seed: study_options.Seed = study_options.DEFAULT_SEED,
    jobs: study_options.Jobs = None,
    plot: study_options.Plot = None,
    no_chart: study_options.NoChart = False,
    json: options.Json = False,
    csv: study_options.Csv = False,
    quiet: options.Quiet = False,
) -> None:
    r"""Compare how likely tests are to detect a change.

    Needs no data and costs no privacy: samples are simulated, and for each the probability that
    a test rejects it is computed exactly from the law of the noise. All tests look at the same
    samples.

    \b
    Examples:
      dpwilcoxon power --n 34 --epsilon 1 --effect 1
      dpwilcoxon power --n 20:400 --epsilon 0.1 --epsilon 1 --effect 1 --plot power.svg
      dpwilcoxon power --n 10:100 --epsilon 1 --effect 1 --procedure pratt --procedure capped
      dpwilcoxon power --n 100 --epsilon 1 --effect 0:1 --differences student-t:2 --csv
      dpwilcoxon power --n 50 --epsilon 1 --effect 1 --pilot public.csv --difference change
    """
    from dpwilcoxon.cli import study_output
    from dpwilcoxon.studies.cases import crossed
    from dpwilcoxon.studies.curves import PowerPicture
    from dpwilcoxon.studies.models import Population
    from dpwilcoxon.studies.planning import power_of

    law = study_options.family(
        differences, pilot, before=before, after=after, difference=difference
    )
    tests = study_options.tests(procedure, epsilon, alpha, alternative, method, noise=noise)
    populations = [
        Population.parse(law, each, zero_fraction, zeros) for each in real_numbers(effect, "effect")
    ]
    cases = crossed(tests, populations, whole_numbers(n, "n"))
    shown = study_output.Output(json=json, csv=csv, plot=plot, chart=not no_chart, quiet=quiet)
    with shown.reserved() as place, output.simulation_progress(quiet=quiet) as progress:
        result = power_of(cases, replicates=replicates, seed=seed, jobs=jobs, progress=progress)
        shown.show(result, {"seed": seed}, PowerPicture.of(result.records()), place)

"""``dpwilcoxon test``: a private signed-rank test on a file."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dpwilcoxon.cli import charging, options, output, reading_progress, several, table_options
from dpwilcoxon.cli.report_file import ReportFile, reserved
from dpwilcoxon.cli.simulations import check_simulation_options, simulation
from dpwilcoxon.sources.inputs import STANDARD_INPUT

if TYPE_CHECKING:
    from dpwilcoxon.release import PreparedRelease
    from dpwilcoxon.result import PrivateTestResult


def run_test(
    context: typer.Context,
    data: Annotated[
        str,
        typer.Argument(
            metavar="DATA",
            show_default=False,
            help="A CSV, TSV, Parquet, JSON-lines or SQLite file, a folder of Parquet files, or a "
            "database, as postgres://user@host/name; - reads standard input. One row per person, "
            "or --unit says whom a row belongs to.",
        ),
    ],
    *,
    epsilon: options.Epsilon,
    before: Annotated[
        str | None, typer.Option(metavar="COL", help="The column measured before.")
    ] = None,
    after: Annotated[
        str | None,
        typer.Option(metavar="COL", help="The column measured after."),
    ] = None,
    difference: Annotated[
        str | None,
        typer.Option(metavar="COL", help="Instead of both: the column of the differences."),
    ] = None,
    table: table_options.Table = None,
    unit: table_options.Unit = None,
    condition: table_options.Condition = None,
    levels: table_options.Levels = None,
    value: table_options.Value = None,
    aggregate: table_options.AggregateRule = None,
    order_by: table_options.OrderBy = None,
    missing_condition: table_options.MissingConditionRule = "raise",
    where: table_options.Where = None,
    public_n: table_options.PublicN = None,
    alternative: options.Alternative = "two-sided",
    procedure: options.Procedure = "pratt",
    method: options.Method = "auto",
    noise: options.Noise = "laplace",
    missing: Annotated[
        str,
        typer.Option(
            metavar="RULE",
            help="Pairs with a missing value: raise refuses them, zero counts them as no change.",
        ),
    ] = "raise",
    resolution: Annotated[
        str | None,
        typer.Option(
            metavar="R",
            help="Round each difference to a multiple of R, so that differences which are equal "
            "but for floating-point error tie.",
        ),
    ] = None,
    file_format: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="F",
            help="csv, tsv, parquet, json or sqlite, where the name of the file does not tell.",
        ),
    ] = None,
    memory_limit: table_options.MemoryLimit = None,
    verbose: table_options.Verbose = False,
    check: Annotated[
        bool,
        typer.Option(
            "--check", help="Only check file, columns and parameters: draw and spend nothing."
        ),
    ] = False,
    report: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Also write the result as a self-contained HTML page."),
    ] = None,
    draws: options.Draws = None,
    seed: options.Seed = None,
    outcome: several.Outcomes = None,
    budget: charging.BudgetName = None,  # noqa: ARG001 - charging reads these from the context
    ledger: options.Ledger = None,  # noqa: ARG001 - same
    dataset: charging.DatasetName = None,  # noqa: ARG001 - same
    dataset_version: charging.DatasetVersion = None,  # noqa: ARG001 - same
    fresh: charging.Fresh = False,  # noqa: ARG001 - same
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    r"""Test the pairs of a file, privately.

    Did the measurements change from before to after? The difference is after - before. Releases
    a noisy signed-rank statistic and its p-value, which are epsilon-differentially private: what
    comes out hardly depends on any one person. The number of rows is public. Every run is a
    release and spends epsilon again. With --budget it is charged, and refused if too little is
    left.

    \b
    Examples:
      dpwilcoxon test study.csv --before bp_1 --after bp_2 --epsilon 1 --check
      dpwilcoxon test study.csv --before bp_1 --after bp_2 --epsilon 1
      dpwilcoxon test study.parquet --difference change --epsilon 0.5 --alternative less
      dpwilcoxon test study.csv --before bp_1 --after bp_2 --epsilon 1 --report result.html
      dpwilcoxon test study.csv --before bp_1 --after bp_2 --epsilon 0.1 --budget trial-7
      dpwilcoxon test study.csv --outcome bp_1:bp_2 --outcome hr_1:hr_2 --epsilon 0.5
      dpwilcoxon test visits.csv --unit person --condition visit --levels baseline,week8
        --value sbp --aggregate mean --epsilon 1
      dpwilcoxon test postgres://ana@db.example.org/clinic --table visits --before bp_1
        --after bp_2 --epsilon 1
      zcat study.csv.gz | dpwilcoxon test - --before bp_1 --after bp_2 --epsilon 1 --json
    """
    from dpwilcoxon.release import Request, release
    from dpwilcoxon.sources.layout import Layout
    from dpwilcoxon.sources.samples import Access, open_sample

    check_simulation_options(method, draws, seed)
    if outcome:
        several.run_outcomes(context)
        return
    layout = Layout.parse(
        before=before,
        after=after,
        difference=difference,
        unit=unit,
        condition=condition,
        levels=levels,
        value=value,
        aggregate=aggregate,
        order_by=order_by,
        where=where,
        public_n=public_n,
        missing=missing,
        missing_condition=missing_condition,
        resolution=resolution,
    )
    with (
        reserved(report, data=data) as report_file,
        output.simulation_progress(quiet=quiet) as progress,
        reading_progress.watched(memory_limit, verbose=verbose, quiet=quiet) as watch,
        ExitStack() as held,
    ):
        request = Request.parse(
            epsilon=epsilon,
            alternative=alternative,
            procedure=procedure,
            method=method,
            simulation=simulation(draws, seed, progress),
            noise=noise,
        )
        _check_report_dependencies(report_file)
        charge = held.enter_context(
            charging.charged_to(context, [layout], request, [request.epsilon])
        )
        with ExitStack() as opened:
            with watch.reading():
                access = Access(file_format, table, watch.resources)
                sample = opened.enter_context(open_sample(data, layout, access))
            if check:
                prepared = request.prepare(sample.n)
                shares = [request.epsilon]
                budgeted = charging.forecast_fields(charge, request, shares, [prepared])
                _show_check(prepared, budgeted, as_json=json)
                return
            with charging.told_if_interrupted():
                result = release(sample, request, charge)
        written = None
        try:
            if report_file is not None:
                report_file.write(_page(result, layout.description, _name_of(data, table)))
                written = report
        finally:  # the noise is drawn: whatever becomes of the report, the answer must come out
            with charging.told_if_lost(result.receipt):
                _show(result, written, as_json=json)
    charging.explain(result.receipt, quiet=quiet)
    if written is not None:
        output.note(f"report written to {written}", quiet=quiet)


def _check_report_dependencies(report_file: ReportFile | None) -> None:
    if report_file is not None:
        from dpwilcoxon.reports.html import require_report_dependencies

        require_report_dependencies()


def _name_of(data: str, table: str | None) -> str:
    """What a report may call the data: never a folder, a server, a user or a password."""
    from dpwilcoxon.sources.engines.addresses import is_address, name_in_reports

    if is_address(data):
        return name_in_reports(data, table)
    return "standard input" if data == STANDARD_INPUT else Path(data).name


def _page(result: PrivateTestResult, difference: str, source: str) -> str:
    from dpwilcoxon.reports.html import render

    return render(result, source_description=f"{difference}, from {source}")


def _show(result: PrivateTestResult, report: str | None, *, as_json: bool) -> None:
    if as_json:
        output.print_json({**result.to_dict(), "report": report})
    else:
        output.print_text(str(result))


def _show_check(prepared: PreparedRelease, budget: dict[str, Any] | None, *, as_json: bool) -> None:
    """Say that a test could be run, in public numbers alone."""
    request, design = prepared.request, prepared.design
    if as_json:
        output.print_json(
            {
                "checked": True,
                "released": False,
                "n": design.n_pairs,
                "epsilon": float(design.epsilon),
                "epsilon_exact": str(design.epsilon),
                "alternative": str(request.alternative),
                "procedure": request.procedure.name,
                "method": str(prepared.method),
                "noise": str(design.noise),
                "budget": budget,
            }
        )
        return
    output.print_text(
        "Checked: the file, its columns and the parameters are fine.\n"
        f"  pairs       {design.n_pairs:,}\n"
        f"  test        {request.procedure.name}, {request.alternative}, epsilon "
        f"{design.epsilon}, p-value method {prepared.method}{design.noise.remark}\n"
        + charging.forecast_line(budget)
        + "Nothing was drawn, nothing released, and no privacy spent."
    )

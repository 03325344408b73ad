"""``dpwilcoxon test``: a private signed-rank test on a file."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dpwilcoxon.cli import charging, output, reading_progress, several
from dpwilcoxon.cli.asked import Asked, given
from dpwilcoxon.cli.report_file import ReportFile, reserved
from dpwilcoxon.sources.inputs import STANDARD_INPUT

if TYPE_CHECKING:
    from dpwilcoxon.release import PreparedRelease
    from dpwilcoxon.result import PrivateTestResult
    from dpwilcoxon.sources.layout import Layout


@given
def run_test(asked: Asked) -> None:
    r"""Test the pairs of a file, privately.

    Did the measurements change from before to after? The difference is after - before. Releases
    a noisy signed-rank statistic and its p-value, which are epsilon-differentially private: any
    one person changes the probability of what comes out by a factor of at most e^epsilon. The
    number of rows is public. Every run is a release and spends epsilon again. With --budget it is
    charged, and refused if too little is left.

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
    from dpwilcoxon.release import release
    from dpwilcoxon.sources.samples import open_sample

    if asked.outcome:
        several.run_outcomes(asked, asked.outcome)
        return
    layout = asked.layout()
    with (
        reserved(asked.report, data=asked.data) as report_file,
        output.simulation_progress(quiet=asked.quiet) as progress,
        reading_progress.watched(
            asked.memory_limit, verbose=asked.verbose, quiet=asked.quiet
        ) as watch,
        ExitStack() as held,
    ):
        request = asked.request(progress)
        _check_report_dependencies(report_file)
        shares = [request.epsilon]
        charge = held.enter_context(charging.charged_to(asked, [layout], request, shares))
        with ExitStack() as opened:
            with watch.reading():
                access = asked.access(watch.resources)
                sample = opened.enter_context(open_sample(asked.data, layout, access))
            if asked.check:
                prepared = request.prepare(sample.n)
                budgeted = charging.forecast_fields(charge, request, shares, [prepared])
                _show_check(prepared, budgeted, as_json=asked.json)
                return
            with charging.told_if_interrupted():
                result = release(sample, request, charge)
        written = None
        try:
            if report_file is not None:
                source = _name_of(asked.data, asked.table)
                report_file.write(_page(result, layout, source))
                written = asked.report
        finally:  # the noise is drawn: whatever becomes of the report, the answer must come out
            with charging.told_if_lost(result.receipt):
                _show(result, written, as_json=asked.json)
    charging.explain(result.receipt, quiet=asked.quiet)
    if written is not None:
        output.note(f"report written to {written}", quiet=asked.quiet)


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


def _page(result: PrivateTestResult, layout: Layout, source: str) -> str:
    from dpwilcoxon.reports.html import render

    words = "; ".join([f"{layout.description}, from {source}", *layout.choices])
    return render(result, source_description=words)


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

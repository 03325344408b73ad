"""What ``dpwilcoxon test`` can be asked: its options, and what is made of them."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from functools import wraps
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dpwilcoxon.cli import charging, options, several, table_options
from dpwilcoxon.cli.simulations import check_simulation_options, simulation

if TYPE_CHECKING:
    from dpwilcoxon.release import Request
    from dpwilcoxon.sources.layout import Layout
    from dpwilcoxon.sources.memory import Resources
    from dpwilcoxon.sources.samples import Access


@dataclass(frozen=True)
class Asked:
    """The options as they were typed; typer reads from the fields what there is to type."""

    data: Annotated[
        str,
        typer.Argument(
            metavar="DATA",
            show_default=False,
            help="A CSV, TSV, Parquet, JSON-lines or SQLite file, a folder of Parquet files, or a "
            "database, as postgres://user@host/name; - reads standard input. One row per person, "
            "or --unit says whom a row belongs to.",
        ),
    ]
    _: KW_ONLY
    epsilon: options.Epsilon
    before: Annotated[
        str | None, typer.Option(metavar="COL", help="The column measured before.")
    ] = None
    after: Annotated[
        str | None,
        typer.Option(metavar="COL", help="The column measured after."),
    ] = None
    difference: Annotated[
        str | None,
        typer.Option(metavar="COL", help="Instead of both: the column of the differences."),
    ] = None
    table: table_options.Table = None
    unit: table_options.Unit = None
    condition: table_options.Condition = None
    levels: table_options.Levels = None
    value: table_options.Value = None
    aggregate: table_options.AggregateRule = None
    order_by: table_options.OrderBy = None
    missing_condition: table_options.MissingConditionRule = "raise"
    where: table_options.Where = None
    public_n: table_options.PublicN = None
    alternative: options.Alternative = "two-sided"
    procedure: options.Procedure = "pratt"
    method: options.Method = "auto"
    noise: options.Noise = "laplace"
    missing: Annotated[
        str,
        typer.Option(
            metavar="RULE",
            help="Pairs with a missing value: raise refuses them, zero counts them as no change.",
        ),
    ] = "raise"
    resolution: Annotated[
        str | None,
        typer.Option(
            metavar="R",
            help="Round each difference to a multiple of R, so that differences which are equal "
            "but for floating-point error tie.",
        ),
    ] = None
    file_format: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="F",
            help="csv, tsv, parquet, json or sqlite, where the name of the file does not tell.",
        ),
    ] = None
    memory_limit: table_options.MemoryLimit = None
    verbose: table_options.Verbose = False
    check: Annotated[
        bool,
        typer.Option(
            "--check", help="Only check file, columns and parameters: draw and spend nothing."
        ),
    ] = False
    report: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Also write the result as a self-contained HTML page."),
    ] = None
    draws: options.Draws = None
    seed: options.Seed = None
    outcome: several.Outcomes = None
    budget: charging.BudgetName = None
    ledger: options.Ledger = None
    dataset: charging.DatasetName = None
    dataset_version: charging.DatasetVersion = None
    fresh: charging.Fresh = False
    json: options.Json = False
    quiet: options.Quiet = False

    def __post_init__(self) -> None:
        check_simulation_options(self.method, self.draws, self.seed)

    def request(self, progress: Callable[[int, int], None] | None) -> Request:
        """What is asked for, whatever the data."""
        from dpwilcoxon.release import Request

        return Request.parse(
            epsilon=self.epsilon,
            alternative=self.alternative,
            procedure=self.procedure,
            method=self.method,
            simulation=simulation(self.draws, self.seed, progress),
            noise=self.noise,
        )

    def layout(self) -> Layout:
        """How the table holds its pairs."""
        from dpwilcoxon.sources.layout import Layout

        return Layout.parse(
            before=self.before,
            after=self.after,
            difference=self.difference,
            unit=self.unit,
            condition=self.condition,
            levels=self.levels,
            value=self.value,
            aggregate=self.aggregate,
            order_by=self.order_by,
            where=self.where,
            public_n=self.public_n,
            missing=self.missing,
            missing_condition=self.missing_condition,
            resolution=self.resolution,
        )

    def access(self, resources: Resources) -> Access:
        """How the table is reached."""
        from dpwilcoxon.sources.samples import Access

        return Access(self.file_format, self.table, resources)


def given(command: Callable[[Asked], None]) -> Callable[..., None]:
    """Make a command that typer can run of one that is given what was asked."""

    @wraps(command)
    def run(**typed: Any) -> None:  # noqa: ANN401 - typer has seen to their types
        command(Asked(**typed))

    parameters = inspect.signature(Asked, eval_str=True)
    run.__signature__ = parameters  # type: ignore[attr-defined]  # what typer goes by
    run.__annotations__ = {each.name: each.annotation for each in parameters.parameters.values()}
    return run

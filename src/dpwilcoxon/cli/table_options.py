"""Options that say how a table holds its pairs."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import typer

Table: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="NAME", help="Which table of a database or SQLite file, if it has several."
    ),
]
Unit: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="COL", help="The column that says whom a row belongs to: one pair for each person."
    ),
]
Condition: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="COL",
        help="In a table with a row per person and condition: the column of the condition, or an "
        "SQL expression of one row, as in day(pickup::TIMESTAMP).",
    ),
]
Levels: TypeAlias = Annotated[
    str | None,
    typer.Option(metavar="A,B", help="The two conditions: the one before, then the one after."),
]
Value: TypeAlias = Annotated[
    str | None,
    typer.Option(metavar="COL", help="The column of the values that are compared."),
]
AggregateRule: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--aggregate",
        metavar="HOW",
        help="How several values of one person become one: mean, median, min, max, first or last.",
    ),
]
OrderBy: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        metavar="COL",
        show_default=False,
        help="What first and last refer to; may be given several times.",
    ),
]
MissingConditionRule: TypeAlias = Annotated[
    str,
    typer.Option(
        "--missing-condition",
        metavar="RULE",
        help="Persons without one of the conditions: raise refuses them, zero counts them as no "
        "change, exclude leaves them out (with --public-n).",
    ),
]
Where: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="SQL", help="Only these rows, for a cohort whose size is public (with --public-n)."
    ),
]
MemoryLimit: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="SIZE",
        help="How much memory reading and ranking may take, as 4GB; more is put in order in "
        "private temporary files [default: half of the memory of the machine].",
    ),
]
Verbose: TypeAlias = Annotated[
    bool, typer.Option("--verbose", help="Say on standard error which way the rows go.")
]
PublicN: TypeAlias = Annotated[
    int | None,
    typer.Option(
        min=1,
        metavar="N",
        help="Declare the number of pairs to be public; any other number is refused.",
    ),
]

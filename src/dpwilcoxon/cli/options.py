"""Options that several commands share, with the help that goes with them."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import typer

Epsilon: TypeAlias = Annotated[
    str,
    typer.Option(
        metavar="E",
        help="Privacy parameter: smaller protects more and blurs more. Read exactly, as a decimal "
        "(0.1) or a fraction (1/3).",
    ),
]
Alternative: TypeAlias = Annotated[
    str,
    typer.Option(
        metavar="A",
        help="What is looked for: two-sided (any change), greater (after above before) or less.",
    ),
]
Procedure: TypeAlias = Annotated[
    str, typer.Option(metavar="P", help="Which private test; 'dpwilcoxon procedures' lists them.")
]
Method: TypeAlias = Annotated[
    str,
    typer.Option(
        metavar="M",
        help="How chance is computed: auto, exact, normal-laplace or monte-carlo. auto looks at "
        "the number of pairs and epsilon alone.",
    ),
]
Noise: TypeAlias = Annotated[
    str,
    typer.Option(
        metavar="KIND",
        help="What kind of noise protects: laplace, or canonical, which is lighter at epsilon up "
        "to 4.",
    ),
]
Draws: TypeAlias = Annotated[
    int | None,
    typer.Option(min=1, metavar="N", help="Draws of the monte-carlo method [default: 10 million]."),
]
Seed: TypeAlias = Annotated[
    int | None,
    typer.Option(
        min=0,
        metavar="S",
        help="Seed of the monte-carlo method. It makes a simulated p-value repeatable; the noise "
        "that protects the data cannot be seeded.",
    ),
]
Ledger: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="PATH",
        help="The file that keeps the budgets [default: the one that DPWILCOXON_LEDGER names, or "
        "else one in the place where your system keeps a person's data].",
    ),
]
Json: TypeAlias = Annotated[
    bool, typer.Option("--json", help="Print one JSON object and nothing else.")
]
Quiet: TypeAlias = Annotated[
    bool, typer.Option("--quiet", "-q", help="No notes and no progress on standard error.")
]

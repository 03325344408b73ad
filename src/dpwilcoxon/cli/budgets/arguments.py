"""Arguments that several of these commands share."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import typer

Name: TypeAlias = Annotated[
    str, typer.Argument(metavar="NAME", show_default=False, help="The name of the budget.")
]
OptionalName: TypeAlias = Annotated[
    str | None,
    typer.Argument(metavar="[NAME]", show_default=False, help="One budget [default: all]."),
]

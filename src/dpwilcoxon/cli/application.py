"""The commands put together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from inspect import cleandoc
from typing import Annotated

import typer

from dpwilcoxon.cli import critical_value, demo, paper, plan, power, procedures, test
from dpwilcoxon.cli.budgets import group as budgets
from dpwilcoxon.cli.commands import Command

_ABOUT = """
Did it change from before to after? Test paired measurements of people and release only a
differentially private answer.

\b
Examples:
  dpwilcoxon demo
  dpwilcoxon test study.csv --before bp_1 --after bp_2 --epsilon 1 --check
  dpwilcoxon test study.csv --before bp_1 --after bp_2 --epsilon 1
  dpwilcoxon critical-value --n 100 --epsilon 1
  dpwilcoxon plan --epsilon 1 --effect 1 --power 0.8
  dpwilcoxon budget create trial-7 --epsilon 3

\b
Exit codes:
  0    done
  1    it could not be done; one line on standard error says why
  2    wrong usage: an option or parameter that cannot be
  3    a bug of ours
  130  interrupted
"""

_app = typer.Typer(
    help=_ABOUT,
    rich_markup_mode=None,  # plain help is instant, and fits every terminal and pipe
    pretty_exceptions_enable=False,  # a traceback can show data
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


def _version(wanted: bool) -> None:  # noqa: FBT001 - the signature typer calls
    if wanted:
        from importlib.metadata import version

        typer.echo(f"dpwilcoxon {version('dpwilcoxon')}")
        raise typer.Exit


@_app.callback(invoke_without_command=True)
def _start(
    context: typer.Context,
    *,
    version: Annotated[  # noqa: ARG001 - its callback does the work
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


_COMMANDS: dict[str, Callable[..., None]] = {
    "test": test.run_test,
    "critical-value": critical_value.critical_value,
    "power": power.power,
    "plan": plan.plan,
    "procedures": procedures.procedures,
    "demo": demo.demo,
}


def _help_of(command: Callable[..., None]) -> str:
    """The docstring of a command, with the mark that keeps its examples from being refilled."""
    return cleandoc(command.__doc__ or "").replace(r"\b", "\b")


def _group(about: str, commands: Mapping[str, Callable[..., None]]) -> typer.Typer:
    """Commands below a command, which without one of them prints its help."""
    group = typer.Typer(help=about, rich_markup_mode=None)

    @group.callback(invoke_without_command=True)
    def start(context: typer.Context) -> None:
        if context.invoked_subcommand is None:
            typer.echo(context.get_help())

    for name, command in commands.items():
        group.command(name, cls=Command, help=_help_of(command))(command)
    return group


for _name, _command in _COMMANDS.items():
    _app.command(_name, cls=Command, help=_help_of(_command))(_command)
_app.add_typer(_group(budgets.ABOUT, budgets.COMMANDS), name="budget")
_app.add_typer(_group(paper.ABOUT, paper.COMMANDS), name="paper")


def application(arguments: Sequence[str] | None) -> object:
    """Run one command; raises what goes wrong, and returns an exit code or nothing."""
    command = typer.main.get_command(_app)
    typed = None if arguments is None else list(arguments)
    return command.main(typed, prog_name="dpwilcoxon", standalone_mode=False)

"""What every table offers, whatever file it comes from."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from typing import Protocol

from dpwilcoxon.errors import SourceError
from dpwilcoxon.sources.inputs import Source

PARAMETER = "?"  # in SQL: where the path goes, unless it is written out
TEXT = "VARCHAR"  # the DuckDB type of a column whose values are parsed by us
FEW_NAMES = 20
LONGEST_NAME = 60
_DELIMITERS = re.compile(r"[\t|;]")
_LOOKS_LIKE_DATA = re.compile(r"\s*[+-]?[\d.]*\d[\d.,eE+:/ -]*\s*|\s*[\[{].*", re.DOTALL)


class Table(Protocol):
    """Named columns that can be selected in one scan."""

    @property
    def source(self) -> Source:
        """Where the bytes come from."""

    @property
    def keeps_types(self) -> bool:
        """Whether the format has types, so that text in it is text and nothing else."""

    @property
    def gap(self) -> str:
        """What to do so that a value is missing, as in "leave the cell empty"."""

    @property
    def names(self) -> Sequence[str]:
        """The column names in the order of the table; empty when only a scan would tell."""

    def type_of(self, name: str) -> str:
        """The DuckDB type of a column."""

    def select(self, names: Sequence[str], path: str = PARAMETER) -> str:
        """SQL of the named columns as v0, v1, ..., in a form of which every digit can be read."""

    def select_typed(self, names: Sequence[str], path: str = PARAMETER) -> str:
        """SQL of the named columns as v0, v1, ..., in the types they have in the table."""

    def describe_row(self, index: int) -> str:
        """Where the data row with this index, counted from 0, is to be found."""

    def explain(self, message: str) -> SourceError:
        """Say what is wrong with the file when DuckDB fails; never repeats the message."""


class HeaderLine(tuple[str, ...]):
    """Names as the first line of a text file has them.

    Where the file has no header line, or another delimiter, they are the values of a person.
    """

    __slots__ = ()


def no_such_column(wanted: str, names: Sequence[str], label: str) -> SourceError:
    """Build the error for a missing column: the nearest names, and all if they are few.

    In a file without a header line the names would be the values of the first person, so
    of a text file only names that are much like the wanted one are shown.
    """
    message = f"{label} has no column {wanted!r}"
    parts = list(names)
    if isinstance(names, HeaderLine):  # which another delimiter would split
        parts += [part for name in names for part in _DELIMITERS.split(name)]
    if any(_LOOKS_LIKE_DATA.fullmatch(part) for part in parts):
        return SourceError(
            f"{message}; its first line looks like data, so check that it has a header line "
            "with the names of the columns."
        )
    shown = [_shortened(name) for name in names]
    if isinstance(names, HeaderLine):
        shown = [name for name in shown if not _DELIMITERS.search(name)]
    by_lower_case = {name.lower(): name for name in shown}
    near = difflib.get_close_matches(wanted.lower(), by_lower_case, n=3)
    nearest = [by_lower_case[name] for name in near]
    if nearest:
        message += f"; did you mean {' or '.join(repr(name) for name in nearest)}?"
    if isinstance(names, HeaderLine):
        return SourceError(message if nearest else f"{message}; {_about_header(names)}")
    if not nearest and len(shown) <= FEW_NAMES:
        message += "."
    if len(shown) <= FEW_NAMES:
        message += f" Its columns are {', '.join(repr(name) for name in shown)}."
    elif not nearest:
        message += f"; it has {len(shown)} other columns, none with a similar name."
    return SourceError(message)


def _about_header(names: HeaderLine) -> str:
    """How many columns a text file seems to have, and why that may be wrong: never a name."""
    found = "1 column" if len(names) == 1 else f"{len(names):,} columns"
    advice = (
        "its fields seem to be separated by tabs; say so with the format option: tsv"
        if len(names) == 1 and "\t" in names[0]
        else "check that its first line names the columns, and what separates its fields"
    )
    return f"it has {found}, and none with a similar name: {advice}."


def position_of(wanted: str, names: Sequence[str], label: str) -> int:
    """Find a column by its exact name; refuse one that is not there or there twice."""
    found = [index for index, name in enumerate(names) if name == wanted]
    if not found and wanted != wanted.strip():
        return position_of(wanted.strip(), names, label)
    if not found:
        raise no_such_column(wanted, names, label)
    if len(found) > 1:
        raise SourceError(
            f"{label} has {len(found)} columns called {wanted!r}; give each its own name."
        )
    return found[0]


def _shortened(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else name[:LONGEST_NAME] + "..."


def choose_table(names: list[str], wanted: str | None, label: str) -> str:
    """Return the table that is wanted, or the only one."""
    listed = ", ".join(repr(name) for name in names)
    if not names:
        raise SourceError(f"{label} holds no table.")
    if wanted is None and len(names) > 1:
        raise SourceError(f"{label} holds several tables; name one with `table`: {listed}.")
    if wanted is not None and wanted not in names:
        near = difflib.get_close_matches(wanted, names, n=1)
        hint = f"; did you mean {near[0]!r}?" if near else "."
        raise SourceError(f"{label} has no table {wanted!r}{hint} Its tables are {listed}.")
    return names[0] if wanted is None else wanted

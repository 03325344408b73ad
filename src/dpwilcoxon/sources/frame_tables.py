"""Data frames in memory: pandas, polars and pyarrow, handed to DuckDB without a copy on disk."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from dpwilcoxon.errors import InvalidArgument, SourceError
from dpwilcoxon.pairs import Pairs
from dpwilcoxon.sources.arrays import to_column
from dpwilcoxon.sources.duckdb_session import connected, quoted_name
from dpwilcoxon.sources.expressions import sole_name
from dpwilcoxon.sources.frame_measures import ReadMeasure, with_measures
from dpwilcoxon.sources.layout import Layout
from dpwilcoxon.sources.tables import PARAMETER, position_of

if TYPE_CHECKING:
    import duckdb

LABEL = "the data frame"
FRAME = "frame"


@dataclass(frozen=True)
class FrameInput:
    """There are no bytes to be read, and no path."""

    label: str = LABEL

    @contextmanager
    def path_for_duckdb(self) -> Iterator[str]:
        """The name under which the frame is registered."""
        yield FRAME


@dataclass(frozen=True, eq=False)
class FrameTable:
    """The columns of a data frame."""

    frame: Any = field(repr=False)
    names: Sequence[str] = ()
    types: Sequence[str] = ()
    measures: Mapping[str, ReadMeasure] = field(default_factory=dict)
    source: FrameInput = field(default_factory=FrameInput)

    @property
    def keeps_types(self) -> bool:
        """The columns have types."""
        return True

    @property
    def gap(self) -> str:
        """A missing value."""
        return "make it null"

    def type_of(self, name: str) -> str:
        """The DuckDB type of a column."""
        return self.types[position_of(name, self.names, LABEL)]

    def select(self, names: Sequence[str], path: str = PARAMETER) -> str:
        """Select columns of the registered frame."""
        del path
        columns = [quoted_name(self.names[position_of(each, self.names, LABEL)]) for each in names]
        values = ", ".join(f"{column} AS v{index}" for index, column in enumerate(columns))
        return f"SELECT {values} FROM {FRAME}"

    select_typed = select

    def attach(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Let a connection see the frame."""
        # Python objects are read through their text, so that decimals keep every digit.
        connection.execute("SET pandas_analyze_sample = 0")
        connection.register(FRAME, self.frame)

    def describe_row(self, index: int) -> str:
        """The number of the row."""
        return f"row {index + 1:,}"

    def explain(self, message: str) -> SourceError:  # noqa: ARG002 - it may hold data
        """Say that the frame cannot be read."""
        return SourceError(f"{LABEL} cannot be read; its columns must be numbers, dates or text.")


def is_frame(data: Any) -> bool:
    """Whether this is a table of one of the data frame libraries."""
    if type(data).__name__ == "LazyFrame":  # asking for its columns could take long, and warns
        raise InvalidArgument("`data` is a LazyFrame, which holds no rows yet; collect() it first.")
    return hasattr(data, "columns") and hasattr(data, "shape")


def open_frame(frame: Any, layout: Layout) -> FrameTable:
    """Read the names and types of the columns of a data frame."""
    import duckdb

    own_names = column_names(frame)
    by_name = {str(name): name for name in own_names}
    measured = [sole_name(each) for each in layout.columns if each not in by_name]
    measured += [each for each in layout.columns if each in by_name]
    own_measures = [by_name[each] for each in dict.fromkeys(measured) if each in by_name]
    frame, measures = with_measures(frame, own_measures, by_name, layout.resolution)
    table = FrameTable(frame)
    with connected() as connection:
        try:
            table.attach(connection)
            described = connection.execute(f"DESCRIBE {FRAME}").fetchall()
        except duckdb.Error:
            described = None
    if described is None:  # outside of the handler, whose message may hold data
        raise InvalidArgument(
            f"A {type(frame).__name__} cannot be read as a table; pass a data frame of pandas, "
            "polars or pyarrow."
        )
    names, types = (tuple(str(row[index]) for row in described) for index in (0, 1))
    return FrameTable(frame, names, types, measures)


def pairs_of_columns(frame: Any, layout: Layout, wanted: Sequence[str]) -> Pairs:
    """Pair two columns of a data frame, or take one of differences, one row per pair."""
    own_names = column_names(frame)
    names = [str(name) for name in own_names]
    columns = [
        to_column(frame[own_names[position_of(name, names, LABEL)]], name) for name in wanted
    ]
    return Pairs.from_columns(*columns, missing=layout.missing, resolution=layout.resolution)


def column_names(frame: Any) -> Sequence[Any]:
    """The names that a frame has for its columns, which need not be text."""
    return list(getattr(frame, "column_names", frame.columns))  # pyarrow's columns have no names

"""What is asked of which data: immutable, in public words, and apart from what it costs."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.parameters import Epsilon, Missing, Noise, exact_fraction, exact_text, shown

LONGEST_NAME = 200
_CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":"), allow_nan=False)


def canonical(value: object) -> str:
    """Write plain values as JSON in the one form that is hashed and compared."""
    return _CANONICAL.encode(value)


def printable(text: str) -> str:
    r"""Write a name that others chose as it may go to a terminal: on one line, nothing hidden.

    Examples
    --------
    >>> printable("pressure\x1b[2J")
    'pressure\\x1b[2J'
    """
    return "".join(
        each if each.isprintable() else each.encode("unicode_escape").decode() for each in text
    )


def public_name(value: object, what: str) -> str:
    """Return a name that a ledger may hold: one line of printable text."""
    if not isinstance(value, str) or not value.strip():
        raise InvalidArgument(f"{what} must be text, and not empty; got {shown(value)}.")
    if len(value) > LONGEST_NAME or not value.isprintable():
        raise InvalidArgument(
            f"{what} must be one line of at most {LONGEST_NAME} printable characters; "
            f"got {value[:LONGEST_NAME]!r}."
        )
    return value


@dataclass(frozen=True)
class Dataset:
    """The name and version under which a data set is known to its ledger.

    Declare it, and asking the same question of the same version again costs nothing: the ledger
    gives back what it released before. Whenever a row changes, is added or goes, the data is
    another version. Nothing is looked up or computed from the data itself.

    Examples
    --------
    >>> import dpwilcoxon as dpw
    >>> trial = dpw.Dataset("trial-7", version="2024-03-01")
    >>> trial.name, trial.version
    ('trial-7', '2024-03-01')
    """

    name: str
    version: str

    def __post_init__(self) -> None:
        public_name(self.name, "The name of a `dataset`")
        public_name(self.version, "The version of a `dataset`")


@dataclass(frozen=True)
class Measured:
    """What one outcome compares.

    Parameters
    ----------
    columns : tuple of str
        x before y (after before before), or the differences alone; empty if nobody named them.
    name : str, optional
        What the caller calls the outcome, where several are tested together.
    reading : tuple of pairs of str
        Options that decide which pairs the columns of this outcome become.
    """

    columns: tuple[str, ...] = ()
    name: str | None = None
    reading: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, columns: object) -> Self:
        """Check the names of columns."""
        names = (columns,) if isinstance(columns, str) else columns
        if not isinstance(names, Sequence) or not all(
            isinstance(name, str) and name for name in names
        ):
            raise InvalidArgument(f"`columns` must be names; got {shown(columns)}.")
        return cls(tuple(names))

    def to_plain(self) -> dict[str, Any]:
        """Return the outcome as values for JSON; what it does not have is left out."""
        plain: dict[str, Any] = {"columns": list(self.columns)}
        if self.name is not None:
            plain["name"] = self.name
        if self.reading:
            plain["reading"] = dict(self.reading)
        return plain

    @staticmethod
    def words(plain: dict[str, Any]) -> str:
        """Write the plain values of an outcome as a few words."""
        columns = " - ".join(plain["columns"])
        name = plain.get("name", columns)
        return columns if name == columns else f"{name}: {columns}"

    @classmethod
    def from_plain(cls, plain: dict[str, Any]) -> Self:
        """Read what :meth:`to_plain` wrote."""
        reading = tuple(plain.get("reading", {}).items())
        return cls(tuple(plain["columns"]), plain.get("name"), reading)


@dataclass(frozen=True)
class Subject:
    """Which measurements of which data a release is about, in words that may be published.

    Parameters
    ----------
    outcomes : tuple of Measured
        What is compared.
    dataset : Dataset, optional
        What the custodian calls the data.
    reading : tuple of pairs of str
        Options that decide which pairs the columns of all outcomes become: the rule for missing
        values, the resolution, a filter.
    """

    outcomes: tuple[Measured, ...] = (Measured(),)
    dataset: Dataset | None = None
    reading: tuple[tuple[str, str], ...] = ()

    @classmethod
    def declared(
        cls,
        outcomes: Iterable[Measured],
        dataset: Dataset | None,
        *,
        missing: str | Missing = Missing.RAISE,
        resolution: object = None,
        options: Mapping[str, str] | None = None,
    ) -> Self:
        """Put together what a caller declared; numbers are written in their one exact form."""
        if dataset is not None and not isinstance(dataset, Dataset):
            raise InvalidArgument(
                f"`dataset` must be a Dataset, such as Dataset('trial-7', version='2'); got "
                f"{shown(dataset)}."
            )
        measured = tuple(outcomes)
        if dataset is not None and not all(each.columns for each in measured):
            raise InvalidArgument(
                "`columns` must name what is compared in the `dataset`, such as ('after', "
                "'before'): without both, no answer could be found again."
            )
        reading = {**(options or {}), "missing": str(Missing.parse(missing))}
        if resolution is not None:
            reading["resolution"] = exact_text(exact_fraction(resolution, "resolution"))
        return cls(measured, dataset, tuple(sorted(reading.items())))


@dataclass(frozen=True)
class AskedOutcome:
    """One test of an event: what it compares, and its own epsilon."""

    measured: Measured
    epsilon: Epsilon

    def to_plain(self) -> dict[str, Any]:
        """Return the test as values for JSON."""
        return {**self.measured.to_plain(), "epsilon": str(self.epsilon)}


@dataclass(frozen=True)
class Event:
    """One request for a release: everything asked, nothing found."""

    dataset: Dataset | None
    reading: tuple[tuple[str, str], ...]
    procedure: str
    outcomes: tuple[AskedOutcome, ...]
    analysis: tuple[tuple[str, str], ...]  # what is computed from the released numbers afterwards
    software: str
    noise: Noise = Noise.LAPLACE

    @property
    def request(self) -> str | None:
        """The fingerprint of what would be drawn; none where the data was not declared.

        Two events with the same fingerprint ask for the same number. The alternative and the
        method of the p-value are no part of it: both are computed from the released number.
        """
        if self.dataset is None or not all(each.measured.columns for each in self.outcomes):
            return None
        plain = self.to_plain()
        words = ("dataset", "reading", "procedure", "noise", "outcomes")
        asked = {name: plain[name] for name in words if name in plain}
        return hashlib.sha256(canonical(asked).encode()).hexdigest()

    @property
    def order(self) -> list[int]:
        """The places of the outcomes in the one order in which a ledger writes them."""
        written = [canonical(outcome.to_plain()) for outcome in self.outcomes]
        return sorted(range(len(written)), key=written.__getitem__)

    def in_order(self) -> Self:
        """The same event, whatever order its outcomes were asked for in."""
        return replace(self, outcomes=tuple(self.outcomes[place] for place in self.order))

    def to_plain(self) -> dict[str, Any]:
        """Return the event as values for JSON.

        Laplace noise goes without saying: that is how events were written, and have their
        fingerprints, from before there was a choice.
        """
        dataset = self.dataset
        noise = {} if self.noise is Noise.LAPLACE else {"noise": str(self.noise)}
        return {
            "dataset": dataset and {"name": dataset.name, "version": dataset.version},
            "reading": dict(self.reading),
            "procedure": self.procedure,
            **noise,
            "outcomes": [outcome.to_plain() for outcome in self.outcomes],
            "analysis": dict(self.analysis),
            "software": self.software,
        }

    @classmethod
    def from_plain(cls, plain: dict[str, Any]) -> Self:
        """Read what :meth:`to_plain` wrote."""
        return cls(
            dataset=plain["dataset"] and Dataset(**plain["dataset"]),
            reading=tuple(plain["reading"].items()),
            procedure=plain["procedure"],
            outcomes=tuple(
                AskedOutcome(Measured.from_plain(each), Epsilon.parse(each["epsilon"]))
                for each in plain["outcomes"]
            ),
            analysis=tuple(plain["analysis"].items()),
            software=plain["software"],
            noise=Noise.parse(plain.get("noise", Noise.LAPLACE)),
        )

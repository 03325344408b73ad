"""How a run of the paper simulates: how finely, from which seed, and where it left off.

Every simulated number is kept in a file as soon as it is known, under a name that depends on all
that determines it. A run that was interrupted finds the numbers it had, and one with another seed
or other replicates finds none.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import secrets
import zlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, final

import numpy as np

from dpwilcoxon.errors import InvalidArgument, OutputError
from dpwilcoxon.paper.blocks import Block, blocks_of, pooled
from dpwilcoxon.procedures.base import Procedure
from dpwilcoxon.studies.effort import Effort
from dpwilcoxon.studies.models import Population
from dpwilcoxon.studies.planned import PlannedTest
from dpwilcoxon.studies.rejection import Estimate, Progress, rejection_rates
from dpwilcoxon.studies.required import RequiredPairs, required_pairs

FULL_REPLICATES = 1_000_000  # as the authors set out to use
QUICK_REPLICATES = 10_000
FULL_PRECISION = 1.0 / 500.0  # of a required number of pairs, relative
LEAST_TOLERANCE = 0.5  # pairs
FORMAT = 1  # of the kept numbers


class Watcher(Protocol):
    """Whoever wants to know how a run is getting on."""

    def item(self, name: str) -> None:
        """An item begins."""

    def step(self, label: str) -> None:
        """A simulation begins."""

    def progress(self, done: int, total: int) -> None:
        """So much of it is done."""


class Nobody:
    """Watches nothing."""

    def item(self, name: str) -> None:
        """Take no notice."""

    def step(self, label: str) -> None:
        """Take no notice."""

    def progress(self, done: int, total: int) -> None:
        """Take no notice."""


@final
@dataclass(frozen=True)
class Session:
    """The settings of a run.

    Parameters
    ----------
    replicates
        Simulated samples per point of a power curve.
    seed
        Where all randomness comes from.
    jobs
        Threads; by default two. Results do not depend on it.
    kept
        The folder in which simulated numbers are kept; nowhere by default.
    watcher
        Told about the progress.
    trips
        The taxi trip file, if there is one.
    trips_are_generated
        Whether that file was made up, so that nothing in it may be compared with the paper.
    """

    replicates: int = FULL_REPLICATES
    seed: int = 2018
    jobs: int | None = None
    kept: Path | None = None
    watcher: Watcher = field(default_factory=Nobody)
    trips: Path | None = None
    trips_are_generated: bool = False

    def __post_init__(self) -> None:
        if self.replicates < 2:  # noqa: PLR2004 - one has no standard error
            raise InvalidArgument(f"`replicates` must be at least 2; got {self.replicates}.")
        if self.seed < 0:
            raise InvalidArgument(f"`seed` must not be negative; got {self.seed}.")

    def rates(
        self,
        population: Population,
        n_pairs: int,
        tests: Sequence[PlannedTest],
        *,
        of: str,
        most_replicates: int | None = None,
    ) -> tuple[Estimate, ...]:
        """How often each test rejects samples of a population; `of` names the item."""
        replicates = min(self.replicates, most_replicates or self.replicates)
        self.watcher.step(f"{n_pairs:,} pairs")

        def told(block: Block) -> Progress:
            return lambda done, _: self.watcher.progress(block.before + done, replicates)

        estimates = [
            self._rates_of_block(block, population, n_pairs, tests, of=of, progress=told(block))
            for block in blocks_of(replicates, n_pairs)
        ]
        return tuple(pooled(each) for each in zip(*estimates, strict=True))

    def _rates_of_block(
        self,
        block: Block,
        population: Population,
        n_pairs: int,
        tests: Sequence[PlannedTest],
        *,
        of: str,
        progress: Progress,
    ) -> tuple[Estimate, ...]:
        key = {
            "rates": of,
            "population": description_of(population),
            "n": n_pairs,
            "tests": [description_of(each) for each in tests],
            "replicates": block.size,
            "block": block.number,
        }

        def simulate() -> list[dict[str, Any]]:
            estimates = rejection_rates(
                population,
                n_pairs,
                [test(n_pairs) for test in tests],
                replicates=block.size,
                seed=self._seed_of(of, block.number),
                jobs=self.jobs,
                progress=progress,
            )
            return [dataclasses.asdict(each) for each in estimates]

        return tuple(Estimate(**each) for each in self._remember(key, simulate))

    def pairs_for_power(
        self, population: Population, test: PlannedTest, *, of: str, near: int, label: str
    ) -> RequiredPairs:
        """How many pairs a test needs for a power of 80%, which is about `near`."""
        precision = FULL_PRECISION * (FULL_REPLICATES / self.replicates) ** 0.5
        tolerance = max(LEAST_TOLERANCE, near * precision)
        key = {
            "pairs": of,
            "population": description_of(population),
            "test": description_of(test),
            "tolerance": tolerance,
        }

        def simulate() -> dict[str, Any]:
            effort = Effort(
                power=0.8,
                tolerance=tolerance,
                seed=self._seed_of(of),
                jobs=self.jobs,
                progress=self.watcher.progress,
            )
            return dataclasses.asdict(required_pairs(population, test, effort, guess=near))

        self.watcher.step(f"pairs for 80% power, {label}")
        kept = dict(self._remember(key, simulate))
        return RequiredPairs(**(kept | {"power": Estimate(**kept["power"])}))

    def _seed_of(self, item: str, block: int = 0) -> np.random.SeedSequence:
        """Each block of each item has its own luck, whichever others are run."""
        return np.random.SeedSequence(self.seed, spawn_key=(zlib.crc32(item.encode()), block))

    def _remember(self, key: Mapping[str, Any], compute: Callable[[], Any]) -> Any:  # noqa: ANN401
        """What was computed under this key before, or now; JSON in either case."""
        if self.kept is None:
            return compute()
        text = json.dumps({**key, "seed": self.seed, "format": FORMAT}, sort_keys=True)
        path = self.kept / f"{hashlib.sha256(text.encode()).hexdigest()[:24]}.json"
        try:
            known = json.loads(path.read_text(encoding="utf-8"))
            if known["key"] == text:
                return known["value"]
        except (OSError, ValueError, KeyError, TypeError):
            pass  # not there, or not what it should be: compute it
        value = compute()
        write_whole(path, json.dumps({"key": text, "value": value}))
        return value


def description_of(thing: object) -> str:
    """All that determines a population or a test, as text that is the same in every run."""
    if dataclasses.is_dataclass(thing) and not isinstance(thing, type):
        values = {each.name: getattr(thing, each.name) for each in dataclasses.fields(thing)}
        inside = ", ".join(f"{name}={description_of(value)}" for name, value in values.items())
        return f"{type(thing).__name__}({inside})"
    if isinstance(thing, Procedure):
        if vars(thing):
            raise InvalidArgument(
                f"The parameters of procedure {thing.name!r} cannot be told, so its numbers cannot "
                "be kept; make it a dataclass."
            )
        return thing.name
    if isinstance(thing, np.ndarray):
        return hashlib.sha256(np.ascontiguousarray(thing).tobytes()).hexdigest()
    return str(thing)


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file so that it is there complete or not at all."""
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}.draft")  # another run has its own
    data = content.encode("utf-8") if isinstance(content, str) else content
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft.write_bytes(data)
        draft.replace(path)
    except OSError as error:
        reason = error.strerror or "writing failed"
        raise OutputError(f"{str(path)!r} cannot be written: {reason}.") from None
    finally:
        with suppress(OSError):
            draft.unlink()

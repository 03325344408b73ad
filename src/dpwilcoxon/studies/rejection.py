"""How often tests reject, by simulation with the privacy noise integrated out.

Each simulated sample contributes the probability that a test rejects it, computed exactly from the
law of the noise, rather than a yes or no. All tests look at the same samples.

The replicates are cut into chunks whose size depends on the number of pairs alone; each chunk has a
seed of its own and the chunks are added up in their order, so the result is the same to the last
bit whoever computes which chunk, and on however many threads.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeAlias, final

import numpy as np

from dpwilcoxon.arraytypes import FloatArray
from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.nulls.seeds import Seed, seed_sequence
from dpwilcoxon.parameters import probability, whole_number
from dpwilcoxon.procedures.base import RejectionRule
from dpwilcoxon.statistics.batches import SampleBatch
from dpwilcoxon.statistics.chunks import THREADS
from dpwilcoxon.statistics.compiled import load_loops_for_batches
from dpwilcoxon.studies.models import Population

CHUNK_VALUES = 1 << 17  # differences in a chunk: arrays of a megabyte stay close to the processor
LARGEST_N = 5_000_000
ONE_AT_A_TIME_FROM = 1 << 20  # pairs: two samples at once would take hundreds of megabytes
PSEUDO_REPLICATES = 4  # of a cautious interval: two that reject and two that do not
MOST_DECIMALS = 12

Progress: TypeAlias = Callable[[int, int], None]


@final
@dataclass(frozen=True)
class Estimate:
    """A probability of rejecting, and how well it is known.

    Examples
    --------
    >>> estimate = Estimate(probability=0.8, standard_error=0.001, replicates=100_000)
    >>> low, high = estimate.interval(0.95)
    >>> round(low, 3), round(high, 3)
    (0.798, 0.802)
    >>> estimate.text, Estimate(0.99981, 1e-5, 1_000_000).text
    ('0.800', '0.9998')
    """

    probability: float
    standard_error: float
    replicates: int

    @property
    def text(self) -> str:
        """The probability with three decimals, or as many as tell it from 1."""
        decimals = 3
        while decimals < MOST_DECIMALS and self.probability < 1.0 <= round(
            self.probability, decimals
        ):
            decimals += 1
        return f"{self.probability:.{decimals}f}"

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Where the probability lies.

        Four pseudo-replicates are added, two that reject and two that do not, so that the
        interval has a width even when all replicates agree (Agresti and Coull, 1998).
        """
        from scipy.special import ndtri

        quantile = float(ndtri(0.5 + probability(confidence, "confidence") / 2.0))
        count, total = self.replicates, self.replicates + PSEUDO_REPLICATES
        centre = (count * self.probability + PSEUDO_REPLICATES / 2) / total
        squares = count * (count * self.standard_error**2 + (self.probability - centre) ** 2)
        squares += PSEUDO_REPLICATES / 2 * (centre**2 + (1.0 - centre) ** 2)
        half_width = quantile * math.sqrt(squares) / total
        return max(0.0, centre - half_width), min(1.0, centre + half_width)


@dataclass(frozen=True)
class _Moments:
    """Count, mean and sum of squared deviations, for each rule."""

    count: int
    mean: FloatArray
    squares: FloatArray

    @classmethod
    def of(cls, probabilities: FloatArray) -> _Moments:
        mean = probabilities.mean(axis=1)
        squares = np.sum((probabilities - mean[:, None]) ** 2, axis=1)
        return cls(probabilities.shape[1], mean, squares)

    def __add__(self, other: _Moments) -> _Moments:
        count = self.count + other.count
        step = other.mean - self.mean
        return _Moments(
            count,
            self.mean + step * (other.count / count),
            self.squares + other.squares + step**2 * (self.count * other.count / count),
        )

    def estimates(self) -> tuple[Estimate, ...]:
        errors = np.sqrt(self.squares / max(self.count - 1, 1) / self.count)
        return tuple(
            Estimate(float(mean), float(error), self.count)
            for mean, error in zip(self.mean, errors, strict=True)
        )


def rejection_rates(
    population: Population,
    n_pairs: int,
    rules: Sequence[RejectionRule],
    *,
    replicates: int,
    seed: Seed = None,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> tuple[Estimate, ...]:
    """Estimate how often each rule rejects samples of a population.

    Parameters
    ----------
    population
        Where the samples come from; with effect 0 the result is the type I error.
    n_pairs
        The size of each sample.
    rules
        Tests as functions of a batch of samples; see `Procedure.rejection_rule`.
    replicates
        How many samples are drawn.
    seed
        An int or SeedSequence gives the same result again, whatever `jobs` is; a generator moves
        on. Populations that differ in their effect alone get the same luck from the same seed.
    jobs
        Threads; by default two. Very large samples are drawn one at a time, to save memory.
    progress
        Called with (replicates done, replicates) now and then.

    Returns
    -------
    tuple of Estimate
        One for each rule. They share their samples, so differences between them are better known
        than their standard errors say.
    """
    if not 1 <= n_pairs <= LARGEST_N:
        raise InvalidArgument(f"`n` must lie between 1 and {LARGEST_N:,} here; got {n_pairs}.")
    replicates = _at_least_one(replicates, "replicates")
    jobs = None if jobs is None else _at_least_one(jobs, "jobs")
    entropy = seed_sequence(seed)
    rows = chunk_rows(n_pairs)
    load_loops_for_batches(replicates * n_pairs)

    def simulate(chunk: int) -> _Moments:
        samples = min(rows, replicates - chunk * rows)
        rng = np.random.Generator(np.random.SFC64(_seed_of_chunk(entropy, chunk)))
        batch = SampleBatch.of_differences(population.draw(rng, samples, n_pairs))
        return _Moments.of(np.stack([rule(batch) for rule in rules]))

    total: _Moments | None = None
    threads = 1 if n_pairs >= ONE_AT_A_TIME_FROM else jobs
    for part in in_order(simulate, -(-replicates // rows), threads):
        total = part if total is None else total + part
        if progress is not None:
            progress(total.count, replicates)
    assert total is not None  # noqa: S101 - there is at least one replicate
    return total.estimates()


def chunk_rows(n_pairs: int) -> int:
    """Samples in a chunk: the same for all sizes between two powers of two.

    So the samples of 100 pairs begin with those of 90, in every chunk.
    """
    return max(1, CHUNK_VALUES >> (n_pairs - 1).bit_length())


def in_order(work: Callable[[int], _Moments], count: int, jobs: int | None) -> Iterator[_Moments]:
    """Do numbered work in threads and give the results in their order.

    Only a few pieces are under way at a time, so an interruption waits for no more than those.
    """
    threads = min(THREADS if jobs is None else jobs, count)
    if threads == 1:
        yield from map(work, range(count))
        return
    with ThreadPoolExecutor(threads) as pool:
        waiting: list[Future[_Moments]] = []
        for number in range(count):
            waiting.append(pool.submit(work, number))
            if len(waiting) > 2 * threads:
                yield waiting.pop(0).result()
        for future in waiting:
            yield future.result()


def _seed_of_chunk(entropy: np.random.SeedSequence, chunk: int) -> np.random.SeedSequence:
    return np.random.SeedSequence(entropy.entropy, spawn_key=(*entropy.spawn_key, chunk))


def _at_least_one(value: int, name: str) -> int:
    number = whole_number(value, name)
    if number < 1:
        raise InvalidArgument(f"`{name}` must be at least 1; got {number}.")
    return number

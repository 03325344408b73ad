"""The paper's Algorithm C~: compare with draws of a normal variable plus noise.

Draws come in chunks and are never all held; each pass repeats the same stream from the same seed,
so every answer of one null refers to one and the same sample. The p-value of c draws, of which m
are at least as extreme, is (m + 1) / (c + 1): never 0, and for any c not too small by simulation;
the normal approximation remains. Draws are continuous and releases are integers, so T~ >= t is
counted as draw + 1/2 >= t.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import assert_never, final

import numpy as np
from numpy.typing import ArrayLike

from dpwilcoxon.arraytypes import FloatArray, IntArray
from dpwilcoxon.noise import CanonicalNoise, DiscreteLaplace, NoiseLaw
from dpwilcoxon.nulls.base import LOG_2, SymmetricNull
from dpwilcoxon.nulls.closed_form import closed_form
from dpwilcoxon.nulls.normal_laplace import CONTINUITY_CORRECTION
from dpwilcoxon.nulls.seeds import seed_sequence
from dpwilcoxon.parameters import Alternative

CHUNK = 2**16  # draws at a time: three buffers that fit the cache
FEW = 16  # up to so many levels are counted one by one; more are looked up in sorted draws
# Order statistics: only draws in a bracket around the wanted quantile are kept.
BRACKET_ERRORS = 6.0  # half the width of the bracket, in standard errors of the quantile
BRACKET_SPARE = 10.0  # and so many draws more, for quantiles at the very edge
WIDENING = 4.0
DRAWS_KEPT = 4_000_000  # in all brackets of one pass, where more than one is open


@final
@dataclass(frozen=True)
class MonteCarloNull(SymmetricNull):
    """Monte Carlo tails of N(0, sigma^2) + noise.

    Parameters
    ----------
    sigma
        Standard deviation of the noise-free statistic, in lattice units.
    noise
        The noise that was added. Its continuous counterpart is drawn: a Laplace of its scale, or
        steps of a window plus a uniform variable as wide.
    draws
        Number of draws c.
    rng
        A seed, or a generator from which one is drawn at once; None for fresh entropy.
    progress
        Called with (draws done, draws in all) after every chunk of a pass.
    """

    sigma: float
    noise: NoiseLaw
    draws: int
    rng: np.random.Generator | int | None = None
    progress: Callable[[int, int], None] | None = None

    def __post_init__(self) -> None:
        _ = self._seed  # a generator passed by the caller moves on now, not at the first use

    def logsf(self, t: ArrayLike) -> FloatArray:
        """Log of the one-sided Monte Carlo p-value of t."""
        return self._log_tail(np.asarray(t, dtype=np.float64), folded=False)

    def upper_point(self, log_p: ArrayLike) -> FloatArray:
        """The least t of which the one-sided Monte Carlo p-value is at most exp(log_p)."""
        return self._upper_point(np.asarray(log_p, dtype=np.float64), folded=False)

    def logppf(self, log_q: ArrayLike) -> FloatArray:
        """The least t with log P(T~ <= t) >= log_q, counting mirrored draws."""
        log_q = np.asarray(log_q, dtype=np.float64)
        numerator = self._largest_numerator(log_q)
        reached = self._log_p(numerator) >= log_q
        rank = np.where(reached, numerator - 1.0, numerator)
        return -self._order_statistics(rank, folded=False)

    def log_pvalue(self, t: ArrayLike, alternative: Alternative) -> FloatArray:
        """Log p-value; the two-sided one counts the absolute values of all draws."""
        if alternative is Alternative.TWO_SIDED:
            return self._log_tail(np.abs(np.asarray(t, dtype=np.float64)), folded=True)
        return super().log_pvalue(t, alternative)

    def critical_value(self, alpha: ArrayLike, alternative: Alternative) -> FloatArray:
        """The point nearest to zero at which the Monte Carlo p-value is at most alpha."""
        if alternative is Alternative.TWO_SIDED:
            return self._upper_point(np.asarray(np.log(alpha)), folded=True)
        return super().critical_value(alpha, alternative)

    @cached_property
    def _seed(self) -> np.random.SeedSequence:
        return seed_sequence(self.rng)

    def _chunks(self, *, folded: bool) -> Iterator[FloatArray]:
        """Every draw (folded: its absolute value) plus 1/2, in chunks that are soon overwritten."""
        rng = np.random.default_rng(self._seed)
        draw, noise, other = (np.empty(min(CHUNK, self.draws)) for _ in range(3))
        done = 0
        while done < self.draws:
            size = min(CHUNK, self.draws - done)
            rng.standard_normal(out=draw[:size])
            rng.standard_exponential(out=noise[:size])
            rng.standard_exponential(out=other[:size])
            draw *= self.sigma
            _make_noise(self.noise, noise, other, rng)
            draw += noise
            if folded:
                np.abs(draw, out=draw)
            draw += CONTINUITY_CORRECTION
            yield draw[:size]
            done += size
            if self.progress is not None:
                self.progress(done, self.draws)

    def _log_p(self, numerator: FloatArray) -> FloatArray:
        with np.errstate(divide="ignore"):
            return np.log(numerator / (self.draws + 1.0))

    def _log_tail(self, t: FloatArray, *, folded: bool) -> FloatArray:
        levels, inverse = np.unique(t, return_inverse=True)
        counts = np.zeros(levels.size, dtype=np.int64)
        for chunk in self._chunks(folded=folded):
            counts += _count_at_least(chunk, levels)
        log_tail = self._log_p(np.asarray(counts[inverse].reshape(t.shape) + 1.0))
        return np.where(np.isnan(t), np.nan, log_tail)

    def _upper_point(self, log_p: FloatArray, *, folded: bool) -> FloatArray:
        # numerator - 1 draws may lie at or above t, so t lies just above the next draw
        draw = self._order_statistics(self._largest_numerator(log_p), folded=folded)
        return np.where(np.isinf(draw), draw, np.nextafter(draw, np.inf))

    def _largest_numerator(self, log_p: FloatArray) -> FloatArray:
        """The largest k with log(k / (c + 1)) <= log_p, in the arithmetic of the p-values."""
        k: FloatArray = np.floor(np.exp(np.minimum(log_p, 0.0)) * (self.draws + 1.0))
        k = np.where(self._log_p(k + 1.0) <= log_p, k + 1.0, k)
        return np.where(self._log_p(k) > log_p, k - 1.0, k)

    def _order_statistics(self, rank: FloatArray, *, folded: bool) -> FloatArray:
        """The rank-th largest of the draws plus 1/2; infinite beyond the first and the last."""
        inside = (rank >= 1.0) & (rank <= self.draws)
        value = np.full(rank.shape, np.nan)
        value[rank < 1.0] = np.inf
        value[rank > self.draws] = -np.inf
        wanted = np.unique(rank[inside])
        found = np.full(wanted.shape, np.nan)
        errors = np.full(wanted.shape, BRACKET_ERRORS)
        while (missing := np.flatnonzero(np.isnan(found))).size:
            low, high, size = self._brackets(wanted[missing], errors[missing], folded=folded)
            fitting = np.cumsum(size) <= DRAWS_KEPT
            fitting[0] = True
            now = missing[fitting]
            above, kept = self._collect(low[fitting], high[fitting], folded=folded)
            for i, count, draws in zip(now, above, kept, strict=True):
                place = int(wanted[i]) - int(count)  # among the draws kept, from the largest down
                if 1 <= place <= draws.size:
                    found[i] = np.partition(draws, draws.size - place)[draws.size - place]
                else:
                    errors[i] *= WIDENING
        value[inside] = found[np.searchsorted(wanted, rank[inside])]
        return value

    def _brackets(
        self, rank: FloatArray, errors: FloatArray, *, folded: bool
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Where the draws of these ranks lie by the closed form, and how many lie there."""
        share = rank / self.draws
        half = errors * np.sqrt(rank * (1.0 - share)) + BRACKET_SPARE
        shift = LOG_2 if folded else 0.0
        with np.errstate(divide="ignore"):
            ends = np.log(np.clip(np.stack([rank + half, rank - half]) / self.draws, 0.0, 1.0))
        low, high = closed_form(self.sigma, self.noise).upper_point(ends - shift)
        return low, high, 2.0 * half

    def _collect(
        self, low: FloatArray, high: FloatArray, *, folded: bool
    ) -> tuple[IntArray, list[FloatArray]]:
        """For each bracket low <= draw < high: how many draws lie above it, and those inside."""
        above = np.zeros(low.size, dtype=np.int64)
        pieces: list[list[FloatArray]] = [[] for _ in range(low.size)]
        for chunk in self._chunks(folded=folded):
            above += _count_at_least(chunk, high)
            for piece, inside in zip(pieces, _between(chunk, low, high), strict=True):
                if inside.size:
                    piece.append(inside)
        return above, [np.concatenate([np.empty(0), *piece]) for piece in pieces]


def _make_noise(
    law: NoiseLaw, noise: FloatArray, other: FloatArray, rng: np.random.Generator
) -> None:
    """Turn two arrays of exponential variables into noise, in the first of them."""
    if isinstance(law, CanonicalNoise):
        for exponential in (noise, other):  # rounded down, it is geometric
            np.floor(law.step_scale * exponential, out=exponential)
        noise -= other
        noise += rng.random(noise.size)
        noise -= 0.5
        noise *= law.window
    elif isinstance(law, DiscreteLaplace):
        noise -= other  # the difference of two exponentials is Laplace
        noise *= law.scale
    else:
        assert_never(law)


def _between(draws: FloatArray, low: FloatArray, high: FloatArray) -> list[FloatArray]:
    """Copies of the draws in each bracket low <= draw < high."""
    if low.size <= FEW:
        return [draws[(draws >= i) & (draws < j)] for i, j in zip(low, high, strict=True)]
    ordered = np.sort(draws)
    ends = zip(np.searchsorted(ordered, low), np.searchsorted(ordered, high), strict=True)
    return [ordered[i:j].copy() for i, j in ends]


def _count_at_least(draws: FloatArray, levels: FloatArray) -> IntArray:
    if levels.size <= FEW:
        return np.array([np.count_nonzero(draws >= level) for level in levels], dtype=np.int64)
    return np.asarray(draws.size - np.searchsorted(np.sort(draws), levels), dtype=np.int64)

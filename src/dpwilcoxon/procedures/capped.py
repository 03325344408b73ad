"""Capped ranks: as much of the ranks as their noise is worth.

The noise of a signed-rank test is as large as its largest score. With the scores min(r, cap) it is
cap / n of that of the paper's test, and what is lost is the order of the rows above the cap. The
cap interpolates between the sign test (cap 1) and the paper's (cap n); how to choose it from n and
epsilon was studied, see docs/beyond-the-paper.md.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Self, final

from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.parameters import Design
from dpwilcoxon.procedures.scored import ScoredTest
from dpwilcoxon.procedures.sign import FINE_SIGNS, LATTICE
from dpwilcoxon.statistics.scores import RANKS, Score, capped_ranks

# The rule of the cap, chosen by `python -m benchmarks.cap_rule`.
NOISE_WEIGHT = 24
SIZE_WEIGHT = Fraction(7, 2)
# A tie across the cap has a fractional score. Rounded to halves it would be up to 11% too large in
# small samples, and so would type I error be up to 5%; rounded to 1/128 it is not noticeable. With
# more pairs than this 64-bit integers get tight, and halves are fine enough.
FINENESS = LATTICE // 2
LARGEST_FINE_N = 100_000_000
LONGEST_CAP = 18  # digits


@final
@dataclass(frozen=True)
class Capped(ScoredTest):
    """Sum of sign(d) * min(rank(|d|), cap), ties averaged, plus noise of scale 2 cap / epsilon.

    Parameters
    ----------
    fixed_cap
        The rank from which on all rows count the same: a public number, never chosen by looking at
        the data. By default the rule of :func:`cap_by_rule`.
    """

    name: str = field(default="capped", init=False)
    summary = (
        "ranks capped by a rule from n and epsilon: less noise (capped:20 sets the cap by hand)"
    )
    fixed_cap: int | None = None

    def __post_init__(self) -> None:
        if self.fixed_cap is None:
            return
        if self.fixed_cap < 1:
            raise InvalidArgument(f"The cap of 'capped' must be at least 1; got {self.fixed_cap}.")
        object.__setattr__(self, "name", f"capped:{self.fixed_cap}")
        object.__setattr__(self, "summary", "ranks capped by hand: less noise")

    @classmethod
    def with_parameter(cls, text: str) -> Self:
        """Return the test whose cap is written in `text`."""
        if not (text.isascii() and text.isdigit() and len(text) <= LONGEST_CAP):
            raise InvalidArgument(
                "`procedure` 'capped' may have a cap after a colon, a whole number such as "
                f"'capped:20'; got {'capped:' + text!r}."
            )
        return cls(int(text))

    def score(self, design: Design) -> Score:
        """Ranks up to the cap; plain ranks or signs where that is what they are."""
        cap = self.cap(design)
        if cap == 1:
            return FINE_SIGNS
        if cap == design.n_pairs:
            return RANKS
        return capped_ranks(cap, FINENESS if design.n_pairs <= LARGEST_FINE_N else 1)

    def cap(self, design: Design) -> int:
        """The rank from which on all rows count the same; one of 1..n."""
        chosen = cap_by_rule(design) if self.fixed_cap is None else self.fixed_cap
        return min(chosen, design.n_pairs)


def cap_by_rule(design: Design) -> int:
    """The cap n / (1 + 3.5 / sqrt(n) + 24 / (n epsilon^2)), rounded up.

    The more noise, the lower the cap; and with few pairs, which find large changes only, the
    order of the largest differences tells little at any epsilon. Exact arithmetic on a correctly
    rounded root, so that every machine finds the same cap.

    Examples
    --------
    >>> [cap_by_rule(Design.parse(200, epsilon)) for epsilon in ("0.01", "0.1", "1", "10")]
    [1, 16, 147, 161]
    """
    n = design.n_pairs
    noise = NOISE_WEIGHT / (n * design.epsilon.exact**2)
    size = SIZE_WEIGHT / Fraction(math.sqrt(n))
    return math.ceil(n / (1 + size + noise))

"""The law that the paper simulates for its critical values, in closed form."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import final

import numpy as np

from dpwilcoxon.arraytypes import FloatArray
from dpwilcoxon.nulls.normal_laplace import log_density, upper_tail_point
from dpwilcoxon.paper import printed


@final
@dataclass(frozen=True)
class SimulatedNull:
    """w~ = Normal(0, n(n+1)(2n+1)/6) + Laplace(2n/epsilon), as in Algorithm C~."""

    n_pairs: int
    epsilon: float

    @property
    def sigma(self) -> float:
        """Standard deviation of w."""
        n = self.n_pairs
        return math.sqrt(n * (n + 1) * (2 * n + 1) / 6)

    @property
    def scale(self) -> float:
        """Scale of the noise."""
        return 2 * self.n_pairs / self.epsilon

    def upper_point(self, one_sided: FloatArray) -> FloatArray:
        """The value that w~ exceeds with this probability."""
        return upper_tail_point(np.log(one_sided), self.sigma, self.scale)

    def print_error(self, one_sided: FloatArray, *, of_absolute: bool) -> FloatArray:
        """Standard error of that value as a quantile of simulated draws of w~, or of |w~|."""
        density = np.exp(log_density(self.upper_point(one_sided), self.sigma, self.scale))
        tails = 2.0 if of_absolute else 1.0
        alpha = tails * one_sided
        error = np.sqrt(alpha * (1.0 - alpha) / printed.DRAWS) / (tails * density)
        return np.asarray(error, dtype=np.float64)

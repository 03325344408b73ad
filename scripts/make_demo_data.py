"""Write the synthetic blood-pressure study that `dpwilcoxon demo` uses.

    python scripts/make_demo_data.py [FILE]

Nobody in the file exists. The model: 300 adults with raised blood pressure take part in an
eight-week programme of less salt and more walking, and are measured before and after it.

- Age is normal(57, 11), kept within 30 to 84; half of the participants are women.
- The usual systolic pressure of a person is 149 + 0.3 (age - 57) + 10 z1, the diastolic
  89 - 0.1 (age - 57) + 6 (0.7 z1 + 0.7 z2): the two rise together, and with age they part.
- The programme lowers systolic pressure by 4.8 + 6 z3, so one person in five gets worse, and
  diastolic pressure by 1.2 + 3 (0.6 z3 + 0.8 z4).
- At each visit a reading strays from that by 8 z5 systolic and 5 (0.6 z5 + 0.8 z6) diastolic.
- A person is measured with the same cuff both times. Half of the cuffs show tenths, three in
  ten show halves and two in ten only even numbers, which makes ties and unchanged pairs.

All z are independent standard normal. They come from the raw bits of numpy's PCG64, whose stream
numpy promises never to change, through the standard library's inverse normal distribution: every
version of either makes the same file.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from decimal import Decimal
from pathlib import Path
from statistics import NormalDist

import numpy as np

N_PATIENTS = 300
SEED = 20180905
CUFF_STEPS = (*["0.1"] * 5, *["0.5"] * 3, *["2.0"] * 2)  # mmHg, ten equally frequent cuffs
COLUMNS = (
    *("patient_id", "age", "sex"),
    *("systolic_before", "systolic_after", "diastolic_before", "diastolic_after"),
)
DEFAULT_FILE = Path(__file__).parents[1] / "src/dpwilcoxon/data/blood_pressure.csv"


class Draws:
    """Uniform and standard normal numbers that no numpy release will change."""

    def __init__(self, seed: int) -> None:
        self._bits = np.random.PCG64(seed)

    def uniform(self) -> float:
        """A number strictly between 0 and 1."""
        return ((int(self._bits.random_raw()) >> 11) + 0.5) / 2**53

    def normal(self) -> float:
        """A standard normal number."""
        return NormalDist().inv_cdf(self.uniform())

    def one_of(self, choices: Sequence[str]) -> str:
        """One of the choices, each with the same probability."""
        return choices[int(len(choices) * self.uniform())]


def reading(pressure: float, step: Decimal) -> str:
    """A pressure as the cuff shows it, with one decimal."""
    return f"{round(pressure / float(step)) * step:.1f}"


def visit(systolic: float, diastolic: float, draws: Draws) -> tuple[float, float]:
    """The two pressures of one visit, which stray together from the usual ones."""
    z5, z6 = draws.normal(), draws.normal()
    return systolic + 8.0 * z5, diastolic + 5.0 * (0.6 * z5 + 0.8 * z6)


def patients(seed: int = SEED) -> Iterator[tuple[str, ...]]:
    """One row of text fields per participant, in the order of COLUMNS."""
    draws = Draws(seed)
    for number in range(1, N_PATIENTS + 1):
        age = round(min(84.0, max(30.0, 57.0 + 11.0 * draws.normal())))
        sex = draws.one_of(("female", "male"))
        z1, z2, z3, z4 = (draws.normal() for _ in range(4))
        systolic = 149.0 + 0.3 * (age - 57) + 10.0 * z1
        diastolic = 89.0 - 0.1 * (age - 57) + 6.0 * (0.7 * z1 + 0.7 * z2)
        systolic_drop = 4.8 + 6.0 * z3
        diastolic_drop = 1.2 + 3.0 * (0.6 * z3 + 0.8 * z4)
        step = Decimal(draws.one_of(CUFF_STEPS))
        before = visit(systolic, diastolic, draws)
        after = visit(systolic - systolic_drop, diastolic - diastolic_drop, draws)
        readings = (
            reading(pressure, step) for pair in zip(before, after, strict=True) for pressure in pair
        )
        yield (f"P{number:03}", str(age), sex, *readings)


def csv_text() -> str:
    """The whole file."""
    return "".join(",".join(fields) + "\n" for fields in (COLUMNS, *patients()))


def main() -> None:
    """Write the file named on the command line, or the bundled one."""
    target = Path(sys.argv[1]) if sys.argv[1:] else DEFAULT_FILE
    target.write_text(csv_text(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()

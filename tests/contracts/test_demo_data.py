"""The bundled blood-pressure study is what its script writes, and tells the story it should."""

from __future__ import annotations

import csv
import math
import re
import runpy
from collections import Counter
from decimal import Decimal
from pathlib import Path

import pytest
from scipy.stats import rankdata

import dpwilcoxon as dpw

REPOSITORY = Path(__file__).parents[2]
BUNDLED = REPOSITORY / "src/dpwilcoxon/data/blood_pressure.csv"
ROWS = list(csv.DictReader(BUNDLED.read_text().splitlines()))
N_PATIENTS = 300


def differences(pressure: str) -> list[int]:
    """After minus before, in tenths, without rounding."""
    return [
        int(10 * (Decimal(row[f"{pressure}_after"]) - Decimal(row[f"{pressure}_before"])))
        for row in ROWS
    ]


def signed_rank_sum(pressure: str) -> float:
    """The paper's statistic, by SciPy's ranks."""
    change = differences(pressure)
    ranks = rankdata([abs(each) for each in change])
    return float(sum(math.copysign(r, d) for r, d in zip(ranks, change, strict=True) if d))


def test_the_script_writes_the_bundled_file() -> None:
    """Running the generator again gives the bundled file, byte for byte."""
    script = runpy.run_path(str(REPOSITORY / "scripts/make_demo_data.py"))
    assert script["csv_text"]().encode() == BUNDLED.read_bytes()


def test_columns_are_complete_and_well_formed() -> None:
    """One row per patient, no field missing, readings with exactly one decimal."""
    assert len({row["patient_id"] for row in ROWS}) == len(ROWS) == N_PATIENTS
    assert {row["sex"] for row in ROWS} == {"female", "male"}
    assert all(30 <= int(row["age"]) <= 84 for row in ROWS)
    for column in ROWS[0]:
        if column.endswith(("_before", "_after")):
            assert all(re.fullmatch(r"\d{2,3}\.\d", row[column]) for row in ROWS)


def test_systolic_stays_above_diastolic() -> None:
    """The study is plausible: every pulse pressure is at least 20 mmHg."""
    for visit in ("before", "after"):
        pulse = [
            Decimal(row[f"systolic_{visit}"]) - Decimal(row[f"diastolic_{visit}"]) for row in ROWS
        ]
        assert min(pulse) >= 20


@pytest.mark.parametrize("pressure", ["systolic", "diastolic"])
def test_there_are_ties_and_unchanged_pairs(pressure: str) -> None:
    """The demonstration meets what real data has: zero differences and tied ones."""
    sizes = Counter(abs(each) for each in differences(pressure))
    assert 3 <= sizes[0] <= 30
    assert sum(count > 1 for size, count in sizes.items() if size) >= 20


def test_systolic_drop_is_clear_at_epsilon_one() -> None:
    """At epsilon 1 the p-value is under 0.001 unless noise beyond its 1-in-10,000 size falls."""
    worst = signed_rank_sum("systolic") + 2 * N_PATIENTS * math.log(10_000)
    assert dpw.pvalue(worst, n=N_PATIENTS, epsilon=1) < 0.001


def test_systolic_drop_is_uncertain_at_a_tenth() -> None:
    """At epsilon 0.1 the draw of the noise decides: 20% to 80% of releases have p < 0.05."""
    distance = -dpw.critical_value(N_PATIENTS, 0.1) - signed_rank_sum("systolic")
    tail = 0.5 * math.exp(-abs(distance) / (2 * N_PATIENTS / 0.1))
    assert 0.2 < (tail if distance < 0 else 1 - tail) < 0.8


def test_diastolic_drop_is_small() -> None:
    """Diastolic pressure falls less, by an effect between a tenth and half of the systolic one."""
    assert 0.1 < signed_rank_sum("diastolic") / signed_rank_sum("systolic") < 0.5

"""Every number that the paper prints, and nowhere else: tables, and sample sizes in the text."""

from __future__ import annotations

from typing import Final

import numpy as np

from dpwilcoxon.arraytypes import FloatArray

DRAWS: Final = 10_000_000  # behind every simulated critical value
CURVE_REPLICATES: Final = 5_000  # powers in the data files of the comparisons are k / 5,000

# Table "Initial Table": i, u, v, d, s; row 3 has no sign.
EXAMPLE_ROWS: Final = (
    (9, 18, 9, "1"),
    (2, 11, 9, "1"),
    (3, 3, 0, "-"),
    (8, 10, 2, "1"),
    (9, 8, 1, "-1"),
)

# Tables "Final Table" and "Final Table (Pratt)": i, d, s, r.
FINAL_TABLE: Final = ((5, 1, -1, 1.0), (4, 2, 1, 2.0), (1, 9, 1, 3.5), (2, 9, 1, 3.5))
FINAL_TABLE_PRATT: Final = (
    (3, 0, 0, 1.0),
    (5, 1, -1, 2.0),
    (4, 2, 1, 3.0),
    (1, 9, 1, 4.5),
    (2, 9, 1, 4.5),
)
W: Final = 8
W_PRATT: Final = 10

# Appendix "Critical Value Tables": w~ itself, two-sided alpha.
TWO_SIDED_ALPHAS: Final = np.array([0.05, 0.025, 0.01, 0.005])
SIZES: Final = (10, 20, 30, 40, 50, 75, 100, 200, 300, 400, 500, 1000)
_BY_EPSILON = {
    "1": """
        70 83 102 116
        155 183 220 248
        256 299 355 397
        369 429 506 562
        494 572 670 742
        854 984 1143 1257
        1271 1460 1690 1853
        3402 3895 4486 4900
        6127 7012 8069 8798
        9335 10679 12276 13382
        12978 14845 17061 18592
        36235 41443 47637 51906""",
    "0.1": """
        600 739 922 1061
        1202 1479 1846 2123
        1806 2220 2770 3185
        2413 2968 3704 4261
        3018 3713 4628 5324
        4541 5577 6954 7989
        6073 7461 9294 10677
        12328 15098 18767 21531
        18733 22892 28391 32519
        25296 30837 38193 43736
        32054 38979 48128 55083
        68258 82120 100408 114230""",
    "0.01": """
        5992 7377 9209 10596
        11971 14742 18416 21196
        17976 22137 27644 31774
        23974 29516 36877 42425
        29964 36905 46081 53034
        44933 55371 69105 79513
        59921 73792 92066 106005
        119902 147619 184222 212010
        179942 221477 276678 317895
        239695 295106 368374 423528
        299627 368763 460256 529522
        600096 738071 921529 1061150""",
}

# Tables "Critical Value Comparison": w~ / sigma; columns Public, New, TC.
COMPARISON_ALPHAS: Final = np.array([0.1, 0.05, 0.025])
COMPARISON_COLUMNS: Final = ("Public", "New", "TC")
_COMPARISON = {
    (100, "1"): "1.282 1.417 2.680  1.645 1.826 3.091  1.960 2.186 3.511",
    (100, "0.1"): "1.282 5.684 14.786  1.645 8.063 15.197  1.960 10.438 15.617",
    (100, "0.01"): "1.282 55.350 135.843  1.645 79.233 136.254  1.960 103.116 136.674",
    (1000, "1"): "1.282 1.296 1.763  1.645 1.665 2.174  1.960 1.984 2.594",
    (1000, "0.1"): "1.282 2.203 5.617  1.645 2.975 6.028  1.960 3.740 6.448",
    (1000, "0.01"): "1.282 17.681 44.157  1.645 25.234 44.568  1.960 32.844 44.988",
}

# Section "Comparison to Previous Work": pairs for 80% power, by epsilon and then test.
PAIRS: Final = {
    "1": {"public": 14, "new": 32, "high-utility": 80, "high-privacy": 122},
    "0.1": {"new": 236, "high-utility": 588, "high-privacy": 2974},
}
SHARE_OF_HIGH_UTILITY: Final = 0.4  # "about 40% as much data as the TC high utility variant"

ABOUT: Final = 0.05  # what "about" may round away

DRIVERS: Final = 17_066  # rows of the taxi data sets
TAXI_SETS, TAXI_SIZE = 100_000, 400


def critical_values(epsilon: str) -> FloatArray:
    """The table for epsilon "1", "0.1" or "0.01": sizes by levels."""
    return _numbers(_BY_EPSILON[epsilon]).reshape(len(SIZES), TWO_SIDED_ALPHAS.size)


def comparison(n: int, epsilon: str) -> FloatArray:
    """The part of a comparison table for one epsilon: levels by columns."""
    shape = COMPARISON_ALPHAS.size, len(COMPARISON_COLUMNS)
    return _numbers(_COMPARISON[n, epsilon]).reshape(shape)


def _numbers(text: str) -> FloatArray:
    """The numbers of a table, in reading order."""
    return np.array([float(word) for word in text.split()])

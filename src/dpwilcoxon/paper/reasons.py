"""Why printed and measured numbers stand as they do, in words, by the keys of comparisons."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatch

from dpwilcoxon.paper.comparison import Comparison

REASONS: dict[str, str] = {
    "pairs/1/public": (
        "14 is a one-sided number. Two-sided at .05, as the new test it is compared with, the "
        "public test needs about five pairs more; the script for this figure tests two-sided, and "
        "so does the curve it draws. The comparison in the text therefore flatters the public test."
    ),
    "pairs/1/new": (
        "No reading with α = .05 that we know of gives 32: two-sided the test needs two pairs "
        "more, one-sided several fewer, and simulating 5,000 samples per point does not blur the "
        "answer by two pairs. A conjecture that fits: at α = .0595, a level of Task and Clifton's "
        "own table which the scripts mention (β = .05 and γ = .01), the two-sided test needs 32 or "
        "33. The difference is harmless to the paper's conclusion."
    ),
    "pairs/1/high-utility": (
        "80 belongs to |z| compared with the critical value of a one-sided test at .05, which is "
        "what the published script does. With α/2 = .025 in each tail, as for the new test, High "
        "Utility needs about ten pairs more, so the advantage of the new test is understated here."
    ),
    "pairs/1/high-privacy": (
        "122 needs two things besides: |z| against the one-sided critical value, as for High "
        "Utility, and dummies that do not cancel. The text puts them at plus and minus infinity, "
        "where they tie. The script puts the positive ones at the largest |d| plus one and the "
        "negative ones at minus (the largest |d| minus one), so that all positive dummies rank "
        "above all negative ones and add k² = 225 to W, on the side of the effect. As the text "
        "describes it the test needs more pairs, so again the new test's advantage is understated."
    ),
    "pairs/0.1/new": (
        "236 holds at ε = .1, as the caption of the figure says, and not at the .01 of the text, "
        "where about ten times as many pairs are needed."
    ),
    "pairs/0.1/high-utility": (
        "588 is, like 80 at ε = 1, |z| against the critical value of a one-sided test; with α/2 in "
        "each tail about twenty pairs more are needed."
    ),
    "pairs/0.1/high-privacy": (
        "2974 lies between the two conventions, within the error of a simulation with 5,000 "
        "samples per point, whose curve is nearly flat here: a percentage point is some 50 pairs."
    ),
    "share/*": "The claim holds at both epsilons and under every convention.",
    "compare/*/tc": (
        "TC: the bound z + g with m = n, the number of all rows. Neither variant of "
        "the test uses it: High Utility takes m = 0.3 n, as the script's own comment intends, and "
        "High Privacy m = 30. Their values are larger, so the table understates the difference."
    ),
    "compare/*/new": (
        "New: one-sided quantiles of w~. The text says that the test takes the quantile "
        "of the absolute value, which is what the tables by ε in the appendix hold; at the same α "
        "the two kinds of tables differ."
    ),
    "compare/*/public": "Public: one-sided quantiles of the standard normal.",
    "critical/*": (
        "Two-sided: quantiles of |w~|. Every value lies within half a unit and the simulation "
        "error of 10 million draws of the closed form."
    ),
    "taxi/drivers": (
        "The authors count 17,066 drivers, and quote Task and Clifton with 17,069. Exact copies of "
        "rides do not change the number of drivers."
    ),
}


def reason_for(key: str) -> str:
    """The words for a comparison, or none."""
    return next((words for pattern, words in REASONS.items() if fnmatch(key, pattern)), "")


def reasons_for(comparisons: Sequence[Comparison]) -> list[str]:
    """The words for several comparisons, each once, in their order."""
    words = (reason_for(each.key) for each in comparisons)
    return list(dict.fromkeys(each for each in words if each))

"""The paper's tests, as its text describes them and as its published scripts compute them.

The scripts are those that the paper's footnote names. Where they and the text go separate ways,
both are measured.
"""

from __future__ import annotations

from dpwilcoxon.parameters import Alternative, Method
from dpwilcoxon.procedures.base import Procedure
from dpwilcoxon.procedures.task_clifton import Sigma, Tails
from dpwilcoxon.procedures.tc_high_privacy import HighPrivacy, HighPrivacyPlus, Placement
from dpwilcoxon.procedures.tc_high_utility import HighUtility, HighUtilityPlus
from dpwilcoxon.studies.planned import PlannedTest

ALPHA = 0.05
# Task and Clifton tabulate alpha = beta + gamma - beta gamma for beta = .05, gamma = .01; the
# published scripts name it as a level that may be asked for.
TC_ALPHA = 0.0595
NEW, PUBLIC = "New", "Public"
HIGH_PRIVACY, HIGH_UTILITY = "High Privacy", "High Utility"
HIGH_PRIVACY_PLUS, HIGH_UTILITY_PLUS = "High Privacy +", "High Utility +"


def new(
    epsilon: str, alternative: Alternative = Alternative.TWO_SIDED, alpha: float = ALPHA
) -> PlannedTest:
    """The paper's test with the critical value of the law that the paper simulates."""
    return PlannedTest.parse("pratt", epsilon, alpha, alternative, method=Method.NORMAL_LAPLACE)


def public(
    alternative: Alternative = Alternative.TWO_SIDED,
    method: Method = Method.NORMAL_LAPLACE,
    alpha: float = ALPHA,
) -> PlannedTest:
    """The test without privacy, which takes no notice of epsilon."""
    return PlannedTest.parse("public", 1, alpha, alternative, method)


def rival(
    procedure: Procedure, epsilon: str, alternative: Alternative = Alternative.TWO_SIDED
) -> PlannedTest:
    """One of the TC tests."""
    return PlannedTest.parse(procedure, epsilon, ALPHA, alternative)


# As the text describes them.
UTILITY, UTILITY_PLUS = HighUtility(), HighUtilityPlus()
PRIVACY, PRIVACY_PLUS = HighPrivacy(), HighPrivacyPlus()

# Scripts for the comparisons without zeros: |z| against a one-sided critical value, and dummies
# of which the positive ones are larger than the negative ones.
SCRIPT_UTILITY = HighUtility(tails=Tails.WHOLE)
SCRIPT_PRIVACY = HighPrivacy(tails=Tails.WHOLE, placement=Placement.POSITIVE_ABOVE)

# Script for the "+" variants: High Utility's noise is set for all rows.
SCRIPT_UTILITY_ISOLATED = HighUtility(tails=Tails.WHOLE, noise_fraction=1.0)
SCRIPT_UTILITY_PLUS = HighUtilityPlus(noise_fraction=1.0)
SCRIPT_PRIVACY_PLUS = HighPrivacyPlus(placement=Placement.POSITIVE_ABOVE)

# Scripts for the figures with zeros: one-sided throughout, and sigma of all rows.
SCRIPT_UTILITY_ZEROS = HighUtility(sigma=Sigma.ALL)
SCRIPT_PRIVACY_ZEROS = HighPrivacy(sigma=Sigma.ALL, placement=Placement.POSITIVE_ABOVE)

# Script for the taxi data: alpha / 2 in each tail, sigma of all rows, High Utility's noise set for
# all rows, and High Privacy's dummies in noise and critical value only.
SCRIPT_UTILITY_TAXI = HighUtility(sigma=Sigma.ALL, noise_fraction=1.0)
SCRIPT_PRIVACY_TAXI = HighPrivacy(sigma=Sigma.ALL, placement=Placement.ABSENT)

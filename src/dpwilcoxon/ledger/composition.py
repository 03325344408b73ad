"""What releases cost together: the rule by which charges add up, and the balance they leave.

What happened is told by an :class:`~dpwilcoxon.ledger.events.Event`; what it costs is decided
here, by the rule of its budget. Basic composition is the only rule so far: epsilons add up. A
rule with other units (rho, in zero-concentrated differential privacy) is one class and one line
in the table, and the events that were recorded can be priced anew.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar, Protocol, Self

from dpwilcoxon.errors import BudgetError, InsufficientBudget, InternalError, LedgerDamaged
from dpwilcoxon.ledger.events import Event
from dpwilcoxon.parameters import exact_text, has_too_many_digits


class CompositionRule(Protocol):
    """How the costs of releases about the same people are put together."""

    name: ClassVar[str]

    def cost(self, event: Event) -> Fraction:
        """What one event takes from a budget, in the units of this rule."""
        ...


class BasicComposition:
    """Epsilons add up, whatever was asked and in whatever order."""

    name: ClassVar[str] = "basic"

    def cost(self, event: Event) -> Fraction:
        """The sum of the epsilons of the outcomes."""
        return sum((outcome.epsilon.exact for outcome in event.outcomes), Fraction(0))


_RULES: dict[str, CompositionRule] = {rule.name: rule for rule in (BasicComposition(),)}


@dataclass(frozen=True)
class Balance:
    """What a budget allows in total, and what was spent of it by its rule; exact."""

    total: Fraction
    spent: Fraction = Fraction(0)
    rule: str = BasicComposition.name

    @property
    def remaining(self) -> Fraction:
        """What is left."""
        return self.total - self.spent

    def cost(self, event: Event) -> Fraction:
        """What an event takes from this budget."""
        return _RULES[self.rule].cost(event)

    def charged(self, budget: str, cost: Fraction) -> Self:
        """Return the balance after a charge, or refuse it.

        Examples
        --------
        >>> balance = Balance(Fraction(1))
        >>> for _ in range(10):
        ...     balance = balance.charged("study", Fraction("0.1"))
        >>> balance.remaining
        Fraction(0, 1)
        """
        if cost <= 0 or not 0 <= self.spent <= self.total:
            raise InternalError("A charge must be positive, and a balance within its total.")
        if cost > self.remaining:
            raise InsufficientBudget(
                budget,
                cost,
                self.remaining,
                self.total,
                f"The budget {budget!r} does not allow this: epsilon {exact_text(cost)} was "
                f"requested, and {exact_text(self.remaining)} of {exact_text(self.total)} is "
                "left. Nothing was charged and nothing was drawn.",
            )
        after = replace(self, spent=self.spent + cost)
        if has_too_many_digits(after.spent):
            raise BudgetError(
                f"The sum of what the budget {budget!r} has spent would need too many digits to be "
                "kept exactly; choose an epsilon with fewer digits, such as a decimal. Nothing was "
                "charged and nothing was drawn."
            )
        return after

    def to_plain(self) -> dict[str, str]:
        """Return the balance as exact text."""
        return {
            "rule": self.rule,
            "total": exact_text(self.total),
            "spent": exact_text(self.spent),
        }

    @classmethod
    def from_plain(cls, plain: dict[str, str]) -> Self:
        """Read what :meth:`to_plain` wrote."""
        if plain["rule"] not in _RULES:
            raise LedgerDamaged(f"No composition rule is called {plain['rule']!r}.")
        return cls(Fraction(plain["total"]), Fraction(plain["spent"]), plain["rule"])

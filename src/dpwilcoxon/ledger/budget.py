"""The public face of the ledger: one budget, to be spent, looked at and raised."""

from __future__ import annotations

import os
from fractions import Fraction
from pathlib import Path
from types import TracebackType
from typing import Self

from dpwilcoxon.ledger.database import PATIENCE
from dpwilcoxon.ledger.events import Event
from dpwilcoxon.ledger.history import Account, Line
from dpwilcoxon.ledger.ledger import Ledger, check_budget_words
from dpwilcoxon.ledger.reservations import Forecast, Recorded, Reservation
from dpwilcoxon.ledger.verification import Verification
from dpwilcoxon.parameters import Epsilon, EpsilonLike, exact_text


class Budget:
    """A privacy budget: what may be released, all in all, about one group of people.

    Pass it to :func:`dpwilcoxon.wilcoxon` as ``budget=``. Each release is then charged before
    its noise is drawn, and recorded before anybody sees it; what would cost more than is left
    is refused. Budgets live in a ledger, a file that processes and threads may share.

    Get one with :meth:`open`, :meth:`create` or :meth:`temporary`, not by calling the class.

    Privacy
    -------
    Everything charged to one budget is, taken together, private at level `total`, whatever was
    asked and in whatever order. That is a promise about the people in the data as long as all
    that is released about them is charged to this budget.

    Examples
    --------
    >>> import dpwilcoxon as dpw
    >>> with dpw.Budget.temporary("0.3") as budget:
    ...     for _ in range(3):
    ...         result = dpw.wilcoxon([5, 4, 6], [4, 3, 9], epsilon="0.1", budget=budget)
    ...     print(budget.remaining)
    ...     dpw.wilcoxon([5, 4, 6], [4, 3, 9], epsilon="0.1", budget=budget)
    Traceback (most recent call last):
        ...
    dpwilcoxon.errors.InsufficientBudget: The budget 'temporary' does not allow this: ...
    """

    def __init__(self, ledger: Ledger, name: str) -> None:
        self._ledger = ledger
        self._name = name

    @classmethod
    def open(
        cls,
        path: str | os.PathLike[str] | None,
        name: str,
        *,
        timeout: float = PATIENCE,
    ) -> Self:
        """Open a budget of a ledger.

        Parameters
        ----------
        path : path or None
            The file of the ledger. None stands for the file named by the environment variable
            ``DPWILCOXON_LEDGER``, or else the platform's place for such files.
        name : str
            The name of the budget.
        timeout : float
            How many seconds to wait while other programs are writing.
        """
        ledger = Ledger.open(path, patience=timeout)
        try:
            ledger.balance(name)
        except BaseException:
            ledger.close()
            raise
        return cls(ledger, name)

    @classmethod
    def create(
        cls,
        path: str | os.PathLike[str] | None,
        name: str,
        *,
        epsilon: EpsilonLike,
        description: str = "",
        timeout: float = PATIENCE,
    ) -> Self:
        """Create a budget, and its ledger if there is none yet; then open it.

        Examples
        --------
        >>> import dpwilcoxon as dpw, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     with dpw.Budget.create(f"{folder}/ledger.db", "trial-7", epsilon=3) as budget:
        ...         print(budget)
        trial-7: 3 of 3 left
        """
        total = Epsilon.parse(epsilon)
        check_budget_words(name, description)  # before a ledger is made for it
        ledger = Ledger.open(path, create=True, patience=timeout)
        try:
            ledger.create_budget(name, total, description)
        except BaseException:
            ledger.close()
            raise
        return cls(ledger, name)

    @classmethod
    def temporary(cls, epsilon: EpsilonLike, name: str = "temporary") -> Self:
        """Make a budget in memory that ends with its context, or its process.

        Examples
        --------
        >>> import dpwilcoxon as dpw
        >>> with dpw.Budget.temporary(1) as budget:
        ...     print(budget.total, budget.spent, budget.remaining)
        1 0 1
        """
        total = Epsilon.parse(epsilon)
        ledger = Ledger.in_memory()
        ledger.create_budget(name, total)
        return cls(ledger, name)

    @property
    def name(self) -> str:
        """The name of the budget."""
        return self._name

    @property
    def path(self) -> Path | None:
        """Where its ledger is; None in memory."""
        return self._ledger.place

    @property
    def total(self) -> Fraction:
        """The whole budget, exactly."""
        return self._ledger.balance(self._name).total

    @property
    def spent(self) -> Fraction:
        """What was charged so far, exactly; interrupted releases count."""
        return self._ledger.balance(self._name).spent

    @property
    def remaining(self) -> Fraction:
        """What is left, exactly."""
        return self._ledger.balance(self._name).remaining

    @property
    def head(self) -> str:
        """The hash of the last entry of the ledger, for :meth:`verify` at a later day."""
        return self._ledger.head()

    def account(self) -> Account:
        """How the budget stands: its balance, and how many releases it has paid for.

        Examples
        --------
        >>> import dpwilcoxon as dpw
        >>> with dpw.Budget.temporary(1) as budget:
        ...     budget.account().to_dict()["remaining"]
        '1'
        """
        return self._ledger.account(self._name)

    def history(self) -> list[Line]:
        """Everything that happened to this budget, in order.

        Examples
        --------
        >>> import dpwilcoxon as dpw
        >>> with dpw.Budget.temporary(1) as budget:
        ...     result = dpw.wilcoxon([5, 4, 6], [4, 3, 9], epsilon="0.1", budget=budget)
        ...     [(line.state.value, str(line.charged)) for line in budget.history()]
        [('created', '0'), ('released', '1/10')]
        """
        return self._ledger.history(self._name)

    def raise_total(self, epsilon: EpsilonLike, *, reason: str) -> None:
        """Raise the whole budget to `epsilon`, and record why.

        Examples
        --------
        >>> import dpwilcoxon as dpw
        >>> with dpw.Budget.temporary(1) as budget:
        ...     budget.raise_total("1.5", reason="the ethics board agreed to a second round")
        ...     print(budget)
        temporary: 1.5 of 1.5 left
        """
        self._ledger.raise_budget(self._name, Epsilon.parse(epsilon), reason)

    def verify(self, head: str | None = None) -> Verification:
        """Check the whole ledger, and that it still contains everything up to `head`.

        Examples
        --------
        >>> import dpwilcoxon as dpw
        >>> with dpw.Budget.temporary(1) as budget:
        ...     kept = budget.head
        ...     result = dpw.wilcoxon([5, 4, 6], [4, 3, 9], epsilon="0.1", budget=budget)
        ...     budget.verify(kept).is_sound, budget.verify("0123").is_sound
        (True, False)
        """
        return self._ledger.verify(head)

    def forecast(self, event: Event, *, fresh: bool = False) -> Forecast:
        """Say what a request would cost, or refuse it; nothing is charged. Used by the door."""
        return self._ledger.forecast(self._name, event, fresh=fresh)

    def reserve(self, event: Event, *, fresh: bool = False) -> Reservation | Recorded:
        """Charge a request, or find the release that answers it. Used by the door."""
        return self._ledger.reserve(self._name, event, fresh=fresh)

    def close(self) -> None:
        """Close the ledger; nothing is lost if that is forgotten."""
        self._ledger.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __str__(self) -> str:
        balance = self._ledger.balance(self._name)
        left, total = exact_text(balance.remaining), exact_text(balance.total)
        return f"{self._name}: {left} of {total} left"

    def __repr__(self) -> str:
        return f"<Budget {self._name!r} in {str(self.path or 'memory')!r}>"

"""Privacy budgets that survive crashes and races: one SQLite file, written from end to end.

Invariants, which later editors must keep:

- Entries are only ever added, each in one durable transaction; every number a decision needs
  stands in the last entry of a budget, as in a passbook, and nowhere else.
- A reservation is committed before noise is drawn for it, and is never taken back.
- Amounts are exact fractions, as text. No float enters a sum or a comparison.
- What is stored was declared or released: nothing is derived from the data.
- Order is that of the sequence numbers. The clock is written down for people only.
"""

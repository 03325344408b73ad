"""Typeset tables: every cell is in the source and in the picture."""

from dpwilcoxon.paper.typeset import TypesetTable, latex
from dpwilcoxon.plots.render import to_svg

TABLE = TypesetTable(
    "Values for ε = 1", ("ε", "α", "x"), [("1", ".05", "12"), ("", ".1", "7")], (1,)
)


def test_latex_has_every_row_and_rule():
    """Rows in their order, a rule after each group, and symbols as commands."""
    lines = TABLE.to_latex().splitlines()
    assert r"\caption{Values for $\epsilon$ = 1}" in lines
    assert lines[5:10] == [
        r"$\epsilon$ & $\alpha$ & x \\",
        r"\midrule",
        r"1 & .05 & 12 \\",
        r"\midrule",
        r" & .1 & 7 \\",
    ]


def test_latex_escapes_what_it_must():
    """A percent sign or underscore would change the source around it."""
    assert latex(r"50% of a_b & {c} \ $") == r"50\% of a\_b \& \{c\} \textbackslash{} \$"


def test_picture_has_every_cell():
    """Texts stay texts in the SVG."""
    svg = to_svg(TABLE.draw())
    for text in ("Values for ε = 1", ".05", "12", "7"):
        assert f">{text}</text>" in svg

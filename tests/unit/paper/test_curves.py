"""How curves are told apart in the figures of the paper."""

from dpwilcoxon.paper.curves import ADDED, STYLES, style_of


def test_a_curve_that_the_paper_does_not_have_can_be_drawn():
    """Whoever adds a rival names it as they like."""
    assert style_of("Public sign") == ADDED
    assert style_of("New") == STYLES["New"]
    assert all(style["color"] != ADDED["color"] for style in STYLES.values())

"""The page: complete in itself, well formed, and deaf to markup in what it is told."""

import re
import sys
from html.parser import HTMLParser

import matplotlib as mpl
import pytest

import dpwilcoxon as dpw
from dpwilcoxon.errors import MissingDependency
from dpwilcoxon.reports import html

VOID = {"meta"}


class Page(HTMLParser):
    """The elements of a page in order, refusing tags that do not nest."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.words, self._open = [], [], []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag, attrs):
        """Note and open an element."""
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag, attrs):
        """Note an element that closes itself, as in SVG."""
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        """Close the element that was opened last, and no other."""
        assert self._open.pop() == tag

    def handle_data(self, data):
        """Collect words."""
        self.words.append(data)

    def named(self, tag):
        """Return the attributes of every such element."""
        return [attributes for name, attributes in self.elements if name == tag]


@pytest.fixture
def text(released):
    """Render an ordinary report."""
    return html.render(released(), source_description="a file")


@pytest.fixture
def page(text):
    """Parse an ordinary report."""
    return Page(text)


def test_nothing_is_loaded_and_nothing_runs(text, page):
    """No script, no address outside the page, and a policy that forbids both."""
    tags = {tag for tag, _ in page.elements}
    assert tags.isdisjoint({"script", "link", "img", "iframe", "object", "base", "form", "a"})
    attributes = {key for _, each in page.elements for key in each}
    assert "src" not in attributes
    assert not any(key.startswith("on") for key in attributes)
    references = re.findall(r'href="([^"]*)"|url\(([^)]*)\)', text)
    assert references
    assert all("".join(each).startswith("#") for each in references)
    assert "@import" not in text
    policies = [each.get("content", "") for each in page.named("meta")]
    assert "default-src 'none'; style-src 'unsafe-inline'" in policies


def test_the_page_has_one_outline(page):
    """A language, one title, headings without gaps, tables with headers, ids used once."""
    assert page.named("html") == [{"lang": "en"}]
    headings = [tag for tag, _ in page.elements if re.fullmatch(r"h\d", tag)]
    assert headings[0] == "h1"
    assert set(headings[1:]) == {"h2"}
    assert {each["scope"] for each in page.named("th")} == {"row", "col"}
    ids = [each["id"] for _, each in page.elements if "id" in each]
    assert len(ids) == len(set(ids))
    labels = " ".join(each.get("aria-labelledby", "") for _, each in page.elements).split()
    assert set(labels) <= set(ids)


def test_the_answer_comes_first(text):
    """p-value, statistic with its interval and effect size stand before picture and parameters."""
    figures = text.index("0.0134"), text.index("1,613.5"), text.index("+0.32")
    assert max(figures) < text.index("<svg") < text.index("<table")


def test_the_picture_is_there_twice_for_wide_and_narrow_windows(page):
    """Each is named and described for readers who cannot see it."""
    assert [each["class"] for each in page.named("svg")] == ["wide", "narrow"]
    assert all(each["role"] == "img" for each in page.named("svg"))


@pytest.mark.parametrize(
    "words", ["<script>alert(1)</script>", '"><img src=x onerror="x">', "$title ${style} $", "&lt;"]
)
def test_what_the_caller_says_is_shown_and_never_obeyed(released, words):
    """Markup and template marks in a title or a description stay words."""
    plain = html.render(released(), title="t", source_description="s")
    page = Page(html.render(released(), title=words, source_description=words))
    assert [tag for tag, _ in page.elements] == [tag for tag, _ in Page(plain).elements]
    assert words in page.words
    assert f"Data: {words}" in page.words


def test_the_same_result_gives_the_same_page(released, text):
    """No date, no random id, nothing of the caller's matplotlib settings."""
    with mpl.rc_context({"axes.facecolor": "black", "svg.hashsalt": "other", "font.size": 20}):
        assert html.render(released(), source_description="a file") == text


def test_without_a_description_no_empty_line_is_left(released):
    """Where the data came from is the caller's to tell, or not."""
    assert 'class="source"' not in html.render(released())


@pytest.mark.parametrize(
    "case",
    [
        {"statistic": 4.5, "n": 3},
        {"statistic": -1, "n": 1, "epsilon": 2, "alternative": "less"},
        {"statistic": 17, "n": 8, "epsilon": 30},
        {"statistic": 61, "n": 10, "epsilon": "0.3", "alternative": "greater"},
        {"statistic": -4e8, "n": 50_000, "method": "normal-laplace"},
        {"statistic": 1271, "method": "monte-carlo", "epsilon": "1/3"},
    ],
)
def test_every_kind_of_result_makes_a_whole_page(released, case):
    """Tiny samples, no noise to speak of, all noise, far tails: no gap, no nan."""
    page = Page(html.render(released(**case)))
    words = " ".join(page.words)
    assert not re.search(r"\b(nan|inf)\b|\$", words)


def test_a_caution_is_set_apart(released):
    """A large epsilon on few pairs is told before anything else about the p-value."""
    risky = html.render(released(17, n=8, epsilon=30))
    assert '<p class="caution">Caution: ε = 30' in risky
    assert 'class="caution"' not in html.render(released())


@pytest.mark.parametrize(
    ("procedure", "words"),
    [("capped", "capped: ranks capped by a rule"), ("capped:5", "capped:5: ranks capped by hand")],
)
def test_the_cap_of_the_ranks_is_told(procedure, words):
    """Whoever chose it, beside how it was chosen."""
    result = dpw.wilcoxon(range(1, 41), epsilon=1, procedure=procedure)
    found = Page(html.render(result)).words
    assert any(each.startswith(words) for each in found)
    assert found[found.index("Ranks capped at") + 1] == str(result.cap)


def test_a_missing_dependency_is_found_before_any_draw(monkeypatch):
    """The command line asks this first, so that no release is lost for want of a picture."""
    html.require_report_dependencies()
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingDependency, match="plots"):
        html.require_report_dependencies()


def test_a_release_that_was_charged_says_what_is_left_and_where_it_is_recorded():
    """The budget, the entry and its hash; without a budget there is no word of one."""
    with dpw.Budget.temporary(3, name="<b>trial</b>") as budget:
        result = dpw.wilcoxon([1, 2, 3, -4], epsilon="0.5", budget=budget)
    words = " ".join(Page(html.render(result)).words)
    for part in ("charged 0.5, 2.5 of 3 left", "entry 2,", result.receipt.hash, "ε = 3 in total"):
        assert part in words
    assert "<b>trial</b>" in words  # as text: the page has no such element
    assert not Page(html.render(result)).named("b")


def test_without_a_budget_there_is_no_word_of_one(page):
    """Nothing is said of what was not done."""
    assert "budget" not in " ".join(page.words)

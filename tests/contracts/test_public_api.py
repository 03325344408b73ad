"""Every public name explains itself, and every example in the documentation runs."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil
import re
from pathlib import Path

import pytest

import dpwilcoxon
from dpwilcoxon import errors

REPOSITORY = Path(__file__).parents[2]
PAGES = sorted([*REPOSITORY.glob("*.md"), *REPOSITORY.glob("docs/**/*.md")])
EXAMPLE_OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]+)(?:#[^)]*)?\)")

ERRORS = [name for name in dpwilcoxon.__all__ if hasattr(errors, name)]
TOOLS = [name for name in dpwilcoxon.__all__ if name not in ERRORS]
FUNCTIONS = [name for name in TOOLS if name.islower()]
MODULES = ["dpwilcoxon"] + [
    each.name
    for each in pkgutil.walk_packages(dpwilcoxon.__path__, "dpwilcoxon.")
    if each.name != "dpwilcoxon.__main__"  # to import it is to run the command line
]


def section(public: object, title: str) -> str:
    """The text under a numpy-style heading of a docstring, empty if there is none."""
    found = re.search(
        rf"^{title}\n-{{{len(title)}}}\n(.*?)(?=^\w[\w ]*\n-+$|\Z)",
        inspect.getdoc(public) or "",
        re.DOTALL | re.MULTILINE,
    )
    return found.group(1) if found else ""


def test_public_names_are_listed() -> None:
    """`__all__` is sorted, without repetition, and is part of what dir() shows."""
    assert FUNCTIONS
    assert sorted(set(dpwilcoxon.__all__)) == dpwilcoxon.__all__
    assert set(dpwilcoxon.__all__) <= set(dir(dpwilcoxon))


def test_an_unknown_name_is_an_attribute_error() -> None:
    """Loading names when first used does not turn a misspelling into something else."""
    with pytest.raises(AttributeError, match="wilcoxen"):
        _ = dpwilcoxon.wilcoxen


@pytest.mark.parametrize("name", TOOLS)
def test_public_names_have_an_example(name: str) -> None:
    """Every public function and class opens with one line and shows an example."""
    public = getattr(dpwilcoxon, name)
    summary = (inspect.getdoc(public) or "").partition("\n\n")[0]
    assert re.fullmatch(r"[A-Z].*\.", summary), summary
    assert ">>> " in section(public, "Examples")


@pytest.mark.parametrize("name", FUNCTIONS)
def test_public_functions_describe_every_parameter(name: str) -> None:
    """A function's docstring has a Parameters section naming each parameter, and Returns."""
    function = getattr(dpwilcoxon, name)
    entries = " ".join(re.findall(r"^\w.*", section(function, "Parameters"), re.MULTILINE))
    parameters = inspect.signature(function).parameters
    assert [each for each in parameters if not re.search(rf"\b{each}\b", entries)] == []
    assert section(function, "Returns").strip()


@pytest.mark.parametrize("name", ERRORS)
def test_public_errors_are_explained(name: str) -> None:
    """Every public error belongs to the family, says when it comes and stands in the tree."""
    error = getattr(dpwilcoxon, name)
    assert issubclass(error, dpwilcoxon.DPWilcoxonError)
    assert vars(error)["__doc__"]
    assert re.search(rf"\b{name}\b", errors.__doc__ or "")


@pytest.mark.parametrize("module", MODULES)
def test_docstring_examples_run(module: str) -> None:
    """Every example in a docstring of the package gives what it shows."""
    outcome = doctest.testmod(importlib.import_module(module), optionflags=EXAMPLE_OPTIONS)
    assert outcome.failed == 0


@pytest.mark.parametrize("name", TOOLS)
def test_public_examples_are_among_those_run(name: str) -> None:
    """The search for examples finds those of every public name, so passing means something."""
    module = getattr(dpwilcoxon, name).__module__
    found = doctest.DocTestFinder().find(importlib.import_module(module))
    examples = {each.name: each.examples for each in found}
    assert examples[f"{module}.{name}"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_examples_on_pages_run(page: Path) -> None:
    """Every Python example (>>>) on a documentation page gives what it shows."""
    outcome = doctest.testfile(str(page), module_relative=False, optionflags=EXAMPLE_OPTIONS)
    assert outcome.failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    """Every relative link on a documentation page names a file of the repository."""
    targets = [link for link in LINK.findall(page.read_text()) if "://" not in link]
    assert [link for link in targets if not (page.parent / link).exists()] == []

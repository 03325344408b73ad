"""The house stays the house: import contracts that bite, a light front door, small files."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
SOURCE = REPOSITORY / "src"
PACKAGE = SOURCE / "dpwilcoxon"
MODULES = sorted(PACKAGE.rglob("*.py"))
CONTRACTS = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["tool"]["importlinter"]
LARGEST_FILE = 400


every_module = pytest.mark.parametrize(
    "module", MODULES, ids=[path.relative_to(PACKAGE).as_posix() for path in MODULES]
)


def check_imports(source: Path) -> subprocess.CompletedProcess[str]:
    """Run the project's contracts over the package found in the folder `source`."""
    command = [
        *(sys.executable, "-c", "from importlinter.cli import lint_imports_command as run; run()"),
        *("--config", str(REPOSITORY / "pyproject.toml"), "--no-cache", "--no-logo"),
    ]
    environment = {**os.environ, "PYTHONPATH": str(source), "COLUMNS": "200"}
    return subprocess.run(  # our own command
        command, cwd=source, env=environment, capture_output=True, text=True, check=False
    )


@pytest.fixture
def copy_with(tmp_path: Path) -> Callable[[str, str], Path]:
    """Give a copy of the source in which a line has been added to a file, new or old."""

    def copy(file: str, line: str) -> Path:
        target = tmp_path / "src"
        shutil.copytree(SOURCE, target, ignore=shutil.ignore_patterns("__pycache__"))
        changed = target / "dpwilcoxon" / file
        changed.parent.mkdir(exist_ok=True)
        (changed.parent / "__init__.py").touch()
        with changed.open("a") as stream:
            stream.write(f"\n{line}\n")
        return target

    return copy


def test_imports_keep_every_contract() -> None:
    """The source as it stands breaks no import contract."""
    check = check_imports(SOURCE)
    assert check.returncode == 0, check.stdout + check.stderr


def test_a_copy_breaks_no_contract(copy_with: Callable[[str, str], Path]) -> None:
    """The copies below are clean before they are spoiled."""
    check = check_imports(copy_with("studies/__init__.py", ""))
    assert check.returncode == 0, check.stdout + check.stderr


WAYS_ROUND = [
    ("statistics/scores.py", "from dpwilcoxon.mechanisms import discrete_laplace"),
    ("nulls/base.py", "def f():\n    import dpwilcoxon.release"),
    ("noise.py", "import dpwilcoxon"),
    ("procedures/rogue.py", "from dpwilcoxon.mechanisms import discrete_laplace"),
    ("ledger/__init__.py", "import dpwilcoxon.mechanisms"),
    *(
        (f"{room}/rogue.py", f"from dpwilcoxon import {forbidden}")
        for room in ("studies", "paper")
        for forbidden in ("api", "ledger", "mechanisms", "release")
    ),
    ("paper/rogue.py", "import dpwilcoxon"),
]


@pytest.mark.parametrize(("file", "line"), WAYS_ROUND)
def test_a_step_back_is_found(file: str, line: str, copy_with: Callable[[str, str], Path]) -> None:
    """An import against the one way through the house fails the check and names the culprit."""
    check = check_imports(copy_with(file, line))
    assert check.returncode == 1
    assert "One way through the house BROKEN" in check.stdout
    culprit = "dpwilcoxon." + file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    assert re.search(rf"{re.escape(culprit)} -> dpwilcoxon", check.stdout)


@pytest.mark.parametrize(
    ("file", "line", "contract"),
    [
        ("release.py", "import opendp.prelude as dp", "Only mechanisms import OpenDP"),
        ("studies/__init__.py", "def f():\n    import opendp", "Only mechanisms import OpenDP"),
        ("api.py", "import dpwilcoxon.mechanisms", "Only the door draws private noise"),
        ("cli/rogue.py", "from dpwilcoxon import mechanisms", "Only the door draws private noise"),
        ("statistics/rogue.py", "import duckdb", "Statistics and nulls are pure"),
        ("nulls/rogue.py", "from rich.progress import track", "Statistics and nulls are pure"),
        ("result.py", "from rich.table import Table", "Only the command line talks to a terminal"),
        ("mechanisms/rogue.py", "import dpwilcoxon.procedures", "Mechanisms know noise laws"),
        ("mechanisms/rogue.py", "import dpwilcoxon.studies", "Mechanisms know noise laws"),
        ("api.py", "def f():\n    import ibis", "Only sources reach databases"),
        ("cli/rogue.py", "import psycopg", "Only sources reach databases"),
        ("release.py", "import dpwilcoxon.studies", "The door reaches only what a release needs"),
    ],
)
def test_a_forbidden_library_or_room_is_found(
    file: str, line: str, contract: str, copy_with: Callable[[str, str], Path]
) -> None:
    """Each contract fails, even for an import inside a function, when its rule is broken."""
    check = check_imports(copy_with(file, line))
    assert check.returncode == 1
    assert re.search(rf"{contract}.* BROKEN", check.stdout)


def test_a_new_room_needs_a_floor(copy_with: Callable[[str, str], Path]) -> None:
    """A module that no layer lists fails the check, so no new room escapes the contracts."""
    check = check_imports(copy_with("attic/__init__.py", '"""A room nobody listed."""'))
    assert check.returncode == 1
    assert "dpwilcoxon.attic" in check.stdout


def test_layers_list_every_room_and_no_other() -> None:
    """Every room in the package has a floor, and every required floor has a room."""
    (contract,) = (each for each in CONTRACTS["contracts"] if each["type"] == "layers")
    floors = [room.strip() for layer in contract["layers"] for room in layer.split("|")]
    required = {room for room in floors if not room.startswith("(")}
    rooms = {path.stem for path in PACKAGE.glob("*.py") if path.stem != "__init__"}
    rooms |= {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert required <= rooms <= {room.strip("()") for room in floors}


STATE = """
import locale, logging, os, random, signal, sys, threading, warnings, decimal
import numpy

def state():
    return [
        dict(os.environ), os.getcwd(), list(sys.path), list(sys.meta_path), list(sys.path_hooks),
        [thread.name for thread in threading.enumerate()], list(warnings.filters),
        [signal.getsignal(each) for each in signal.valid_signals()], sys.excepthook,
        list(logging.root.handlers), logging.root.level, locale.setlocale(locale.LC_ALL),
        repr(decimal.getcontext()), numpy.geterr(), numpy.get_printoptions(), random.getstate(),
        repr(numpy.random.get_state()), sys.getrecursionlimit(),
    ]

before, loaded = state(), set(sys.modules)
import dpwilcoxon
assert state() == before, [pair for pair in zip(before, state()) if pair[0] != pair[1]]
print(*sorted({name.partition(".")[0] for name in set(sys.modules) - loaded}))
"""


@pytest.fixture(scope="module")
def import_probe(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[str], str, list[Path]]:
    """Import the package in a fresh process and folder: what it loads, prints and leaves."""
    folder = tmp_path_factory.mktemp("fresh")
    run = subprocess.run(  # our own command
        [sys.executable, "-W", "error", "-B", "-c", STATE],
        cwd=folder,
        env={**os.environ, "HOME": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    first_line, *rest = run.stdout.splitlines()
    return first_line.split(), "".join(rest) + run.stderr, list(folder.iterdir())


def test_import_has_no_side_effects(import_probe: tuple[list[str], str, list[Path]]) -> None:
    """Importing changes no global state, prints nothing, warns of nothing and writes no file."""
    _, printed, files = import_probe
    assert printed == ""
    assert files == []


@pytest.mark.parametrize(
    "library",
    ["duckdb", "matplotlib", "numba", "opendp", "pandas", "polars", "rich", "scipy", "typer"],
)
def test_import_loads_no_heavy_library(
    library: str, import_probe: tuple[list[str], str, list[Path]]
) -> None:
    """Heavy libraries wait until they are needed (what numpy itself loads does not count)."""
    loaded, _, _ = import_probe
    assert "dpwilcoxon" in loaded
    assert library not in loaded


@every_module
def test_every_module_says_what_it_is(module: Path) -> None:
    """Every module opens with a docstring."""
    assert ast.get_docstring(ast.parse(module.read_text()))


@every_module
def test_files_are_small(module: Path) -> None:
    """No source file is longer than 400 lines."""
    assert len(module.read_text().splitlines()) <= LARGEST_FILE


MACHINE_PATH = re.compile(r"(?<![\w.<~-])/(?:home|mnt|opt|root|Users|work)\b")


def test_no_machine_paths() -> None:
    """No tracked text file mentions a folder of the machine it was written on."""
    listing = subprocess.run(
        ["git", "ls-files", "-z"],  # noqa: S607  # whichever git there is
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=True,
    )
    tracked = [REPOSITORY / name for name in listing.stdout.split("\0") if name]
    assert PACKAGE / "__init__.py" in tracked
    found = [
        f"{path.relative_to(REPOSITORY)}:{number}"
        for path in tracked
        if path.is_file()
        for number, line in enumerate(path.read_text(errors="ignore").splitlines(), start=1)
        if MACHINE_PATH.search(line)
    ]
    assert found == []


@pytest.mark.parametrize("text", ["cd /" + "work/main", "'/" + "root'", "=/" + "home/ann/x.csv"])
def test_machine_paths_are_recognised(text: str) -> None:
    """The search above finds machine paths wherever they stand in a line."""
    assert MACHINE_PATH.search(text)


@pytest.mark.parametrize(
    "text", ["https://example.org/work/main", "src/work", "</root>", "~/work", "/workers"]
)
def test_other_paths_are_not_mistaken(text: str) -> None:
    """The search above leaves addresses, relative paths and markup alone."""
    assert not MACHINE_PATH.search(text)

"""The shape of the repository: what lies where, what is locked, what no file may hold or import."""

import ast
import json
import re
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_bridge import VERSION
from tests.places import ROOT

TOP_LEVEL = {
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "LICENSE",
    "README.md",
    "deploy",
    "drivers",
    "firmware_bridge",
    "gamecore",
    "hal_sim",
    "pyproject.toml",
    "requirements.lock",
    "tests",
}
RUNTIME_LOCK = ROOT / "requirements.lock"
DEV_LOCK = ROOT / "tests" / "requirements-dev.lock"
BENCH_LOCK = ROOT / "tests" / "requirements-bench.lock"
LOCKS = [RUNTIME_LOCK, DEV_LOCK, BENCH_LOCK]
PAGE_LOCK = ROOT / "tests" / "package-lock.json"

MOST_LINES = 400
MOST_MODULES = 13
NOT_MIRRORED = {
    "tests/drivers/vendor": "a package of another maker, installed",
    "tests/gamecore/clauses": "what the documents claim, and what shows it",
    "tests/gamecore/pairs": "two irregularities at once",
    "tests/gamecore/play": "whole rounds, dealt by chance",
    "tests/gamecore/properties": "laws that every position keeps",
    "tests/gamecore/properties/laws": "the same",
}
"""Folders of tests that no folder of the product has, and what they look at."""
# Put together here, so that this file does not hold what it looks for.
MACHINE_PATHS = [f"/{name}/" for name in ("work", "home", "root")]


def tracked_files() -> list[Path]:
    """Return the files of the repository: those git knows or would add, or all there are where git cannot tell."""
    git = shutil.which("git")
    if git is not None and (ROOT / ".git").exists():
        # The exception for this folder lets a user read a tree that belongs to another.
        command = [git, "-c", f"safe.directory={ROOT}", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        listing = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        if listing.returncode == 0:
            paths = [ROOT / name for name in listing.stdout.split("\0") if name]
            return [path for path in paths if path.is_file()]
    return [path for path in ROOT.rglob("*") if path.is_file() and not is_left_behind(path.relative_to(ROOT))]


def is_left_behind(path: Path) -> bool:
    """Return whether tools leave this behind: hidden folders, caches, builds."""
    return any(part.startswith(".") or part in {"__pycache__", "build", "dist"} for part in path.parts[:-1]) or any(
        part.endswith((".egg-info", ".pyc")) for part in path.parts
    )


def requirements(lock: Path) -> dict[str, str]:
    """Return the requirements of a lock by name, each with its version, marker and hashes on one line."""
    text = re.sub(r"\\\n\s*", "", lock.read_text(encoding="utf-8"))
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    found: dict[str, str] = {}
    for line in lines:
        name = re.split(r"[=<>~!;@\s\[]", line, maxsplit=1)[0]
        found[name] = found.get(name, "") + line
    return found


def _without_marker(line: str) -> str:
    """Return a requirement without the condition under which it is installed."""
    return re.sub(r" ;.*?(?= --hash)", "", line)


def names_of(dependencies: list[str]) -> set[str]:
    """Return the names in a list of dependencies as pyproject.toml writes them."""
    return {re.split(r"[=<>~!;@\s\[]", dependency, maxsplit=1)[0] for dependency in dependencies}


def imported_packages(path: Path) -> Iterator[str]:
    """Yield the top-level name of every absolute import of a Python file."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Import(names=names):
                yield from (alias.name.partition(".")[0] for alias in names)
            case ast.ImportFrom(module=str(module), level=0):
                yield module.partition(".")[0]


def test_the_version_is_one() -> None:
    """What the software says of itself is what the package is called, and what the changelog released last."""
    assert tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"] == VERSION
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert VERSION == re.findall(r"^## \[(\d[\d.]*)\] - \d{4}-\d{2}-\d{2}$", changes, re.MULTILINE)[0]


def test_the_top_level_holds_only_what_is_named() -> None:
    """Nothing lies at the top of the repository but the named files and folders and dotfiles."""
    top = {path.relative_to(ROOT).parts[0] for path in tracked_files()}
    assert set() == {name for name in top if not name.startswith(".")} - TOP_LEVEL


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_every_locked_requirement_is_pinned_and_has_a_hash(lock: Path) -> None:
    """Every requirement of a lock names one version and at least one hash."""
    locked = requirements(lock)
    assert locked
    assert [] == [name for name, line in locked.items() if "==" not in line or "--hash=sha256:" not in line]


def test_every_locked_tool_for_the_page_is_pinned_and_has_a_hash() -> None:
    """What tests/package.json asks for is in its lock in exactly that version, and everything there has a hash."""
    packages = json.loads(PAGE_LOCK.read_text(encoding="utf-8"))["packages"]
    asked = json.loads(PAGE_LOCK.with_name("package.json").read_text(encoding="utf-8"))["devDependencies"]
    assert asked == {name: packages[f"node_modules/{name}"]["version"] for name in asked}
    assert [] == [name for name, one in packages.items() if name and not one.get("integrity", "").startswith("sha512-")]


@pytest.mark.parametrize("lock", [*LOCKS, PAGE_LOCK], ids=lambda lock: lock.name)
def test_no_lock_names_a_place_to_fetch_from(lock: Path) -> None:
    """A lock says what to install, never from where."""
    assert [] == re.findall(r"https?://|file:|--(?:extra-)?index-url|--find-links", lock.read_text(encoding="utf-8"))


def test_the_locks_hold_what_the_project_asks_for() -> None:
    """Each dependency that pyproject.toml names is in the lock of its purpose."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert set() == names_of(project["dependencies"]) - requirements(RUNTIME_LOCK).keys()
    assert set() == names_of(project["optional-dependencies"]["test"]) - requirements(DEV_LOCK).keys()
    assert set() == names_of(project["optional-dependencies"]["bench"]) - requirements(BENCH_LOCK).keys()


@pytest.mark.parametrize("lock", [DEV_LOCK, BENCH_LOCK], ids=lambda lock: lock.name)
def test_the_locks_agree_on_the_runtime(lock: Path) -> None:
    """Tests and benchmarks run on exactly the packages that run at the table, on whichever Python needs them."""
    locked = requirements(lock)
    runtime = requirements(RUNTIME_LOCK)
    pinned = {name: _without_marker(line) for name, line in runtime.items()}
    assert pinned == {name: _without_marker(locked.get(name, "")) for name in runtime}


def test_no_file_is_too_long() -> None:
    """A module or sheet has one subject, so it stays within 400 lines."""
    lengths = {
        str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines())
        for path in tracked_files()
        if path.suffix in {".py", ".js", ".css"}
    }
    assert {} == {name: length for name, length in lengths.items() if length > MOST_LINES}


def test_no_folder_is_a_heap() -> None:
    """A folder shows what belongs together: it has at most thirteen modules, of Python or of the page, or sheets."""
    counts = Counter(
        str(path.parent.relative_to(ROOT))
        for path in tracked_files()
        if path.suffix in {".py", ".js", ".css"} and path.name not in {"__init__.py", "__main__.py", "conftest.py"}
    )
    assert {} == {folder: count for folder, count in counts.items() if count > MOST_MODULES}


def test_tests_mirror_the_packages() -> None:
    """The tests of a room are in the room of its name."""
    rooms = {
        str(path.parent.relative_to(ROOT))
        for path in tracked_files()
        if path.suffix == ".py" and path.relative_to(ROOT).parts[0] == "tests"
    }
    packages = ("tests/drivers/", "tests/firmware_bridge/", "tests/gamecore/", "tests/hal_sim/")
    alone = {room for room in rooms if room.startswith(packages) and not (ROOT / room.removeprefix("tests/")).is_dir()}
    assert NOT_MIRRORED.keys() == alone


def test_no_file_holds_the_path_of_a_machine() -> None:
    """No file of the repository names a folder of the machine it was written on."""
    found = [
        f"{path.relative_to(ROOT)}: {part}"
        for path in tracked_files()
        for part in MACHINE_PATHS
        if part in path.read_text(encoding="utf-8", errors="replace")
    ]
    assert [] == found


def test_the_rules_import_no_third_party_but_transitions() -> None:
    """Package gamecore imports itself, the standard library and transitions."""
    allowed = {"gamecore", "transitions"} | sys.stdlib_module_names
    foreign = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in (ROOT / "gamecore").rglob("*.py")
        for name in imported_packages(path)
        if name not in allowed
    }
    assert set() == foreign


#: Of the rules, what the daemon, the simulator and the notation may import: the table, its view, frozen values.
WAYS_OUT = tuple(
    f"gamecore.{way}"
    for way in (
        *("table", "view", "rules", "notation", "model.cards", "model.commands", "model.config", "model.events"),
        *("model.money", "model.outputs", "model.physical", "model.places", "model.states"),
    )
)


def test_nobody_outside_imports_the_live_state() -> None:
    """The contract forbids the modules of today; this also forbids those of tomorrow."""
    outside = [ROOT / "firmware_bridge", ROOT / "hal_sim", ROOT / "gamecore" / "notation"]
    found = {
        f"{path.relative_to(ROOT)}: {name}"
        for folder in outside
        for path in folder.rglob("*.py")
        for name in imported_names(path)
        if name.startswith("gamecore.") and not any(f"{name}.".startswith(f"{way}.") for way in WAYS_OUT)
    }
    assert set() == found


def imported_names(path: Path) -> Iterator[str]:
    """Each module, or name of a module, that a file imports, with its whole path."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)

"""`--quick` leaves out what starts a process or takes long, and nothing else."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from tests.longest import LONG, function_of, put_longest_first, recorded
from tests.places import ROOT
from tests.quick import long_ones

SAMPLE = """
import contextlib, os, shutil, subprocess, sys, threading
import pytest

PROGRAM = [sys.executable, "-c", "raise SystemExit"]

@pytest.fixture(scope="session")
def served():
    with subprocess.Popen(PROGRAM):
        yield

def test_plain(): pass
def test_served(served): pass
def test_served_again(served): pass
def test_direct(): subprocess.run(PROGRAM, check=True)
def test_forked(): os.fork()
def test_in_a_thread():
    failed = []
    def start():
        try:
            subprocess.run(PROGRAM, check=True)
        except BaseException as problem:
            failed.append(problem)
    thread = threading.Thread(target=start)
    thread.start()
    thread.join()
    assert not failed
def test_suppressed():
    with contextlib.suppress(BaseException):
        os.fork()
    assert False
@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_git(): subprocess.run(["git", "--version"], check=True)
def test_after(): pass
"""


def outcomes(folder: Path, *options: str) -> dict[str, str]:
    """Return what became of each test of the sample."""
    (folder / "test_sample.py").write_text(SAMPLE, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-p", "tests.quick", "--rootdir", str(folder), "-c", "/dev/null"]
    done = subprocess.run(
        [*command, "-v", "-p", "no:cacheprovider", *options, str(folder / "test_sample.py")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    lines = [line.split() for line in done.stdout.splitlines() if "::" in line and "%]" in line]
    return {words[0].rpartition("::")[2]: words[1] for words in lines}


def test_what_starts_a_process_is_skipped_and_nothing_else(tmp_path: Path) -> None:
    """In the test, in what it sets up, in a thread, and whatever becomes of the refusal; git only looks at the tree."""
    found = outcomes(tmp_path, "--quick")
    assert {"test_plain", "test_git", "test_after"} == {name for name, outcome in found.items() if outcome == "PASSED"}
    skipped = {"test_served", "test_served_again", "test_direct", "test_forked", "test_in_a_thread", "test_suppressed"}
    assert skipped == {name for name, outcome in found.items() if outcome == "SKIPPED"}


def test_only_what_took_long_is_left_out(request: pytest.FixtureRequest) -> None:
    """By the record: a test that took long with any parameter, and no other."""
    items, own = list(request.session.items), function_of(request.node.nodeid)
    record = {function_of(item.nodeid): LONG / 2 for item in items} | {own: LONG}
    assert [item for item in items if function_of(item.nodeid) == own] == long_ones(items, record)


def test_long_tests_come_first_and_files_stay_together(request: pytest.FixtureRequest) -> None:
    """The file of the longest test leads, whole."""
    items = list(request.session.items)
    last = items[-1].nodeid.partition("::")[0]
    put_longest_first(items, {items[-1].nodeid: 9.0})
    files = [item.nodeid.partition("::")[0] for item in items]
    assert last == files[0]
    changes = [file for file, before in zip(files, [None, *files], strict=False) if file != before]
    assert len(set(files)) == len(changes)


def test_the_record_names_tests_that_exist() -> None:
    """A test that was renamed or removed is recorded again, or its line taken out."""
    assert [] == [name for name in recorded() if not _exists(name)]


def _exists(name: str) -> bool:
    file, _, function = name.partition("::")
    path = ROOT / file
    if not path.is_file():
        return False
    tree = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return function.split("::")[-1] in {node.name for node in tree if isinstance(node, ast.FunctionDef)}

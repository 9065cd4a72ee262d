"""The JavaScript of consoles, harness and training: its types and its lint.

1. The type checker reads what the comments of the page say (JSDoc) and the declarations in its `types` folders. What
   comes from the table is declared by the program itself (`firmware_bridge.shown.typedefs`).
2. It is as strict as it can be: every name has a known type.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.places import ROOT

PAGES = [
    "firmware_bridge/console/static",
    "firmware_bridge/floor/pit/static",
    "hal_sim/harness/static",
    "hal_sim/training/static",
]
PROJECT = ["--project", "tests/tsconfig.json", "--pretty", "false"]
LOCK = ROOT / "tests" / "package-lock.json"


def _tools() -> Path:
    """Return where `sh tests/run.sh` has installed the tools of this lock."""
    digest = hashlib.sha256(LOCK.read_bytes()).hexdigest()[:16]
    usual = ROOT / ".cache" / str(os.getuid()) / "page-tools" / digest
    return Path(os.environ.get("TRUEDEAL_PAGE_TOOLS", usual)) / "node_modules"


TOOLS = _tools()
NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(
    NODE is None or not TOOLS.is_dir(), reason="needs node and what `sh tests/run.sh` installs with npm"
)


def run(script: str, *arguments: str) -> list[str]:
    """Run a tool at the top of the repository; return what it says, by line."""
    done = subprocess.run(
        [str(NODE), str(TOOLS / script), *arguments],
        cwd=ROOT,
        env=os.environ | {"NODE_PATH": str(TOOLS)},
        capture_output=True,
        text=True,
        check=False,
    )
    return [*done.stdout.splitlines(), *done.stderr.splitlines()]


def test_every_file_of_the_page_is_checked() -> None:
    """The type checker reads each module of consoles and harness."""
    read = {Path(line) for line in run("typescript/bin/tsc", *PROJECT, "--listFilesOnly")}
    files = {path for page in PAGES for path in (ROOT / page).rglob("*.js")}
    assert files
    assert set() == files - read


def test_the_page_has_no_type_errors() -> None:
    """Each name has a type, and is used as what it is."""
    found = run("typescript/bin/tsc", *PROJECT)
    assert not found, "\n".join(found)


def test_the_page_has_no_lint() -> None:
    """The linter finds nothing, and nobody has silenced it without need."""
    found = run("eslint/bin/eslint.js", "--config", "tests/eslint.config.cjs", *PAGES)
    assert not found, "\n".join(found)

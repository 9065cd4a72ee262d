"""Each recipe of `.github/CONTRIBUTING.md` is followed in a copy of the repository, and leads where it says.

1. The copy has only the scenarios of the recipe: the others are tested elsewhere.
2. Commands run with the Python that runs the tests, and with the code of the copy.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.documents import follow, section
from tests.places import ROOT
from tests.test_page_code import TOOLS

TEXT = (ROOT / ".github" / "CONTRIBUTING.md").read_text(encoding="utf-8")
LEFT_OUT = shutil.ignore_patterns("__pycache__", "scenarios", "incidents", "pictures")


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Return a copy of the repository."""
    folder = tmp_path / "copy"
    folder.mkdir()
    for name in ("deploy", "drivers", "firmware_bridge", "gamecore", "hal_sim", "tests"):
        shutil.copytree(ROOT / name, folder / name, ignore=LEFT_OUT)
    for file in ("README.md", "pyproject.toml"):
        shutil.copy(ROOT / file, folder)
    return folder


def environment(folder: Path) -> dict[str, str]:
    """Return the environment of a command: this Python first, and the code of the copy."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    ours = {"PATH": path, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    return os.environ | ours | {"TRUEDEAL_PAGE_TOOLS": str(TOOLS.parent)}


def followed(title: str, folder: Path) -> str:
    """Follow a recipe; return what its commands printed."""
    return follow(section(TEXT, title), folder, environment(folder))


def test_a_clause_is_added(copy: Path) -> None:
    """The scenario plays, and the trail from the clause leads to the code and to it."""
    said = followed("Add a clause", copy)
    assert "3.25.2-no-surrender-against-a-three.deal" in said
    assert "gamecore/phases/offers.py" in said


def test_a_game_is_added(copy: Path) -> None:
    """Its scenario plays to the new pay-out, and it stands beside the others."""
    said = followed("Add a game", copy)
    assert "ok  tests/scenarios/mbs-blackjack-v7/4.1-blackjack-pays-6-to-5.deal" in said
    assert "win     +120.00" in said
    assert "mbs-blackjack-v7" in (copy / "gamecore" / "rules" / "FINDINGS.md").read_text(encoding="utf-8")


def test_a_message_of_a_device_is_added(copy: Path) -> None:
    """It is translated, and the page of messages has it."""
    followed("Add a device", copy)
    assert "| 0x35 | `Pushed` | 2 | The table was pushed." in (copy / "drivers" / "README.md").read_text(
        encoding="utf-8"
    )


def test_a_procedure_is_added(copy: Path) -> None:
    """The irregularity is carried out in process and on hardware, and the matrix prints it."""
    assert "show-camera" in followed("Add a procedure for an irregularity", copy)


SERVED = """
import asyncio, httpx
from pathlib import Path
from firmware_bridge.console.settings import Settings
from firmware_bridge.console.web.app import make

async def main():
    transport = httpx.ASGITransport(make(Settings(Path("control.sock"))))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        for path in ("pages/afar.js", "style/afar.css", "router.js", "texts/shell.json"):
            answer = await client.get(f"/static/{path}")
            assert answer.status_code == 200, path
            assert "afar" in answer.text, path

asyncio.run(main())
"""


def test_a_screen_is_added(copy: Path) -> None:
    """Its texts are whole, and the console serves it."""
    followed("Add a screen", copy)
    subprocess.run([sys.executable, "-c", SERVED], cwd=copy, env=environment(copy), check=True)

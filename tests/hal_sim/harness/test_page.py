"""The files of the harness page: texts complete in both languages, nothing unsafe, nothing from elsewhere."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from drivers.panel.messages import BUTTONS
from gamecore.model.config import SENSORS
from gamecore.notation.words import DEVICES, SHUFFLINGS
from hal_sim.dealer.error_plan import KINDS
from hal_sim.harness.routes import SCRIPT, STATIC
from tests.places import ROOT

CONSOLE = ROOT / "firmware_bridge" / "console" / "static"
SCRIPTS = sorted(STATIC.rglob("*.js"))
STYLES = sorted(STATIC.rglob("*.css"))
TEXTS: dict[str, dict[str, str]] = json.loads((STATIC / "texts" / "harness.json").read_text(encoding="utf-8"))
MOST_LINES = 400
_VALUE = re.compile(r"\{(\w+)\}")


def other_texts() -> dict[str, dict[str, str]]:
    """The texts of the console itself."""
    found: dict[str, dict[str, str]] = {}
    for file in (CONSOLE / "texts").glob("*.json"):
        found |= json.loads(file.read_text(encoding="utf-8"))
    return found


def test_every_text_is_there_in_both_languages() -> None:
    """With the same values to be filled in."""
    for key, text in TEXTS.items():
        assert (key, {"en", "zh"}) == (key, set(text))
        assert (key, sorted(_VALUE.findall(text["en"]))) == (key, sorted(_VALUE.findall(text["zh"])))
        assert "" not in text.values()


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_every_text_that_is_asked_for_exists(script: Path) -> None:
    """In the harness' own catalogue, or in that of the console."""
    known = {**other_texts(), **TEXTS}
    asked = re.findall(r'\bt\(\s*"([^"]+)"', script.read_text(encoding="utf-8"))
    assert [] == [key for key in asked if key not in known]


def test_every_word_has_its_text() -> None:
    """Whatever the server may name: errors, devices, sensors, ways to shuffle, buttons."""
    known = {**other_texts(), **TEXTS}
    wanted = [f"harness.short.{name}" for name in DEVICES] + [f"device.{name}" for name in DEVICES]
    wanted += [f"harness.sensor.{name}" for name in SENSORS] + [f"harness.shuffling.{name}" for name in SHUFFLINGS]
    wanted += [f"button.{name}" for name in BUTTONS]
    assert [] == [key for key in wanted if key not in known]
    assert [] == [one.name for one in KINDS if not {f"harness.error.{one.name}", f"code.{one.code}"} & set(known)]


def test_no_text_is_left_over() -> None:
    """Each is asked for by its name, or by the beginning of it."""
    code = "".join(script.read_text(encoding="utf-8") for script in SCRIPTS)
    begins = tuple(re.findall(r"`(harness\.[\w.-]+?)\$\{", code))
    unused = [key for key in TEXTS if f'"{key}"' not in code and not key.startswith(begins)]
    assert [] == unused


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_nothing_is_read_as_html(script: Path) -> None:
    """What comes from the table becomes text always, and no script is made of words."""
    text = script.read_text(encoding="utf-8")
    unsafe = (
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|setTimeout\(\s*[\"']|DOMParser"
    )
    assert [] == re.findall(unsafe, text)


@pytest.mark.parametrize("file", [*SCRIPTS, *STYLES], ids=lambda path: path.name)
def test_files_are_short_and_say_what_they_are(file: Path) -> None:
    """Each opens with a comment, has one subject, and asks for nothing outside this machine."""
    text = file.read_text(encoding="utf-8")
    assert text.startswith("/* ")
    assert len(text.splitlines()) < MOST_LINES
    assert [] == re.findall(r"https?:|//[a-z]+\.[a-z]", text)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_every_module_that_is_imported_exists(script: Path) -> None:
    """Beside it, or among the console's own."""
    for name in re.findall(r'from "([^"]+)"', script.read_text(encoding="utf-8")):
        found = CONSOLE / name.removeprefix("/static/") if name.startswith("/static/") else script.parent / name
        assert (name, True) == (name, found.is_file())


def test_every_style_that_is_imported_exists() -> None:
    """The one address that the page loads brings all of them."""
    names = re.findall(r'url\("([^"]+)"\)', (STATIC / "harness.css").read_text(encoding="utf-8"))
    assert sorted(STYLES) == sorted([STATIC / "harness.css", *(STATIC / name for name in names)])
    assert (STATIC / SCRIPT).is_file()

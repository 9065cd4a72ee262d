"""Names: the glossary has one meaning for a word, and the name of what acts has a verb and its object.

1. No banned word is the whole name of a module, class, function or method, in Python or on the page: `take` alone could
   be any of eleven acts. Tests are no exception.
2. `settle` means wagers, so functions of the rules may have that name, and those of their tests.
3. Nothing in the product is called by a participle alone, such as `told`: that says neither who acts nor what is
   returned. The small helpers of one test may be. What listens to the page's stream has the name of what it hears.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.places import ROOT

GLOSSARY = json.loads((ROOT / "firmware_bridge" / "texts" / "glossary.json").read_text(encoding="utf-8"))
PACKAGES = ("deploy", "drivers", "firmware_bridge", "gamecore", "hal_sim", "tests")
RULES = ("gamecore", "tests/gamecore")
STREAM_KINDS = {"seen"}
"""What the page's stream calls one of its news, and so every listener of it."""
PAGE_NAME = re.compile(
    r"^\s*(?:export )?(?:default )?(?:async )?(?:"
    r"(?:function\*?|class) (\w+)"
    r"|(?:const|let) (\w+) = (?:async )?(?:\([^)]*\)|\w+) =>"
    r"|(?:static |get |set )?(?:async )?(\w+)\([^)]*\) \{$"
    r"|(\w+): (?:async )?(?:\([^)]*\)|\w+) =>)",
    re.MULTILINE,
)
"""A function, class, method or named arrow of JavaScript, as the page's code is laid out."""


def defined_in_python(text: str) -> Iterator[str]:
    """The functions, methods and classes of a module."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name


def defined_on_page(text: str) -> Iterator[str]:
    """The functions, methods and classes of a module of JavaScript."""
    for found in PAGE_NAME.finditer(text):
        yield next(name for name in found.groups() if name)


def files() -> Iterator[Path]:
    """The modules of the product and of its tests, in both languages."""
    for package in PACKAGES:
        for ending in ("py", "js"):
            yield from sorted(path for path in (ROOT / package).rglob(f"*.{ending}") if "vendor" not in path.parts)


def bare_names(path: Path, text: str) -> list[str]:
    """Each name in a module whose whole is a banned word, with its file."""
    where = path.relative_to(ROOT).as_posix()
    banned = {*GLOSSARY["banned"], *(() if where.startswith(RULES) else GLOSSARY["banned outside the rules"])}
    if not where.startswith("tests/"):
        banned |= set(GLOSSARY["banned participles"]) - (STREAM_KINDS if path.suffix == ".js" else set())
    defined = defined_in_python(text) if path.suffix == ".py" else defined_on_page(text)
    return [f"{where}: {name}" for name in (path.stem, *defined) if name.strip("_#").lower() in banned]


def test_nothing_is_called_by_a_bare_verb() -> None:
    """What acts has a verb with its object."""
    assert [] == [name for path in files() for name in bare_names(path, path.read_text(encoding="utf-8"))]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("drivers/link/it.py", "class Channel:\n    def _take(self) -> None: ...\n"),
        ("tests/drivers/it.py", "async def wait() -> None: ...\n"),
        ("hal_sim/it.py", "class Desk: ...\n"),
        ("hal_sim/world.py", ""),
        ("drivers/it.py", "def _told() -> str: ...\n"),
        ("firmware_bridge/pump/it.py", "class Books: ...\n"),
        ("gamecore/phases/it.py", "def believe() -> None: ...\n"),
        ("gamecore/phases/told.py", ""),
        ("firmware_bridge/pump/it.py", "def settle() -> None: ...\n"),
        ("hal_sim/harness/static/it.js", "export class Desk {\n"),
        ("hal_sim/harness/static/it.js", "  tell(state) {\n"),
        ("firmware_bridge/console/static/it.js", "export async function take(name) {\n"),
        ("firmware_bridge/console/static/it.js", "    const tell = (place) => async () => {\n"),
        ("firmware_bridge/console/static/it.js", "    wait: () => 1,\n"),
        ("firmware_bridge/console/static/it.js", "function told(item) {\n"),
        ("hal_sim/harness/static/it.js", "  look() {\n"),
    ],
)
def test_a_bare_name_is_found(name: str, text: str) -> None:
    """In both languages, in the product and in tests, however it is defined."""
    assert 1 == len(bare_names(ROOT / name, text))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("gamecore/settlement/settle.py", "def settle() -> None: ...\n"),
        ("firmware_bridge/it.py", "def take_back() -> None: ...\n"),
        ("firmware_bridge/it.py", "def news_told_to(session: object) -> None: ...\n"),
        ("firmware_bridge/console/static/it.js", "  takeBack(card) {\n"),
        ("firmware_bridge/console/static/it.js", "    async seen({ event }) {\n"),
        ("tests/gamecore/it.py", "def told() -> str: ...\n"),
    ],
)
def test_a_name_with_its_object_is_not(name: str, text: str) -> None:
    """A verb with its object, or the word in the one place where it has its meaning."""
    assert [] == bare_names(ROOT / name, text)


def test_a_word_has_one_meaning() -> None:
    """A word stands once in the glossary, with a meaning, and no banned name is explained."""
    words = [*GLOSSARY["rules"], *GLOSSARY["code"]]
    assert sorted(set(words)) == sorted(words)
    assert all(meaning for part in ("rules", "code") for meaning in GLOSSARY[part].values())
    assert set() == set(words) & set(GLOSSARY["banned"])

"""What a person reads here, by the file in which it stands: documents, docstrings, catalogues, the help of commands.

1. Of a document the prose counts: blocks of code and what stands between backquotes do not.
2. Of a module every docstring counts, without the lines that name an exception under ``Raises:``.
3. Of a catalogue the English counts. The texts of refusals, which stand in the code, are in a catalogue too.
4. The help of all commands counts as one text, under `HELP`.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
from collections.abc import Iterator

from firmware_bridge.cli import build_parser
from tests.places import ROOT

HELP = "truedeal --help"
CATALOGUES = (
    *("firmware_bridge/console/static/texts", "firmware_bridge/floor/pit/static/texts", "firmware_bridge/texts"),
    *("hal_sim/harness/static/texts", "hal_sim/training/static/texts"),
)
PACKAGES = ("deploy", "drivers", "firmware_bridge", "gamecore", "hal_sim", "tests")
_BLOCK = re.compile(r"^( *)```.*?^\1```$", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"``[^`]+``|`[^`\n]+`")
_RAISES = re.compile(r"\n\s*Raises:\n.*", re.DOTALL)


def documents() -> dict[str, str]:
    """Return every document in Markdown, by its path in the repository."""
    found = [*ROOT.glob("*.md"), *(ROOT / ".github").rglob("*.md")]
    found += [path for package in PACKAGES for path in (ROOT / package).rglob("*.md")]
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in sorted(found)}


def prose(markdown: str) -> str:
    """Return the prose of a document; what is code is a word."""
    return _CODE.sub("code", _BLOCK.sub("", markdown))


def modules() -> Iterator[tuple[str, str]]:
    """Return the docstrings of every module of the product and its tests, by its path in the repository."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            yield path.relative_to(ROOT).as_posix(), docstrings(path.read_text(encoding="utf-8"))


def docstrings(source: str) -> str:
    """Return the docstrings of a module, one below the other."""
    found = [
        ast.get_docstring(node) or ""
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    return "\n\n".join(_CODE.sub("code", _RAISES.sub("", text)) for text in found if text)


def catalogues() -> Iterator[tuple[str, str]]:
    """Return the English of every catalogue, by its path in the repository."""
    for folder in CATALOGUES:
        for path in sorted((ROOT / folder).glob("*.json")):
            said = json.loads(path.read_text(encoding="utf-8"))
            yield path.relative_to(ROOT).as_posix(), "\n\n".join(english(said))


def english(said: object) -> Iterator[str]:
    """Return every text of a catalogue: what stands under ``en``, or the only text that there is."""
    match said:
        case {"en": str(text)}:
            yield text
        case dict():
            for value in said.values():
                yield from english(value)
        case str():
            yield said


def help_text() -> str:
    """Return the help of all commands: descriptions, options and ends, without what is typed."""
    return "\n\n".join(_said(build_parser()))


def _said(parser: argparse.ArgumentParser) -> Iterator[str]:
    yield parser.description or ""
    yield from (line for line in (parser.epilog or "").splitlines() if not line.startswith("  truedeal "))
    for action in parser._actions:
        yield action.help or ""
        if isinstance(action, argparse._SubParsersAction):
            yield from (one.help or "" for one in action._choices_actions)
            for part in dict(action.choices).values():
                yield from _said(part)


def all_texts() -> dict[str, str]:
    """Return everything that a person reads, by where it stands."""
    found = {name: prose(text) for name, text in documents().items()}
    return found | dict(modules()) | dict(catalogues()) | {HELP: help_text()}


def sentences(text: str) -> list[str]:
    """Return the sentences of a text; a row of a table and a point of a list are sentences of their own."""
    lines = re.sub(r"^\s*(?:[-*|#>]|\d+\.)\s?", "\n\n", text, flags=re.MULTILINE)
    found = re.split(r"(?<=[.!?:;])\s+|\n\s*\n|\s\|\s", lines)
    return [" ".join(one.split()) for one in found if one and one.strip()]

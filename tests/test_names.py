"""Names: the glossary has one meaning for a word, and functions say what they do with what."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator

from tests.places import ROOT

GLOSSARY = json.loads((ROOT / "firmware_bridge" / "texts" / "glossary.json").read_text(encoding="utf-8"))
PACKAGES = ("deploy", "drivers", "firmware_bridge", "gamecore", "hal_sim")


def bare_names() -> Iterator[str]:
    """Each function, method and module of the product whose whole name is a banned word, with its file."""
    banned = frozenset(GLOSSARY["banned"])
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            defined = (node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
            for name in (path.stem, *defined):
                if name.strip("_") in banned:
                    yield f"{path.relative_to(ROOT)}: {name}"


def test_no_function_is_called_by_a_bare_verb() -> None:
    """What acts has a verb with its object: `take` alone could be any of eleven acts."""
    assert [] == list(bare_names())


def test_a_word_has_one_meaning() -> None:
    """A word stands once in the glossary, with a meaning, and no banned name is explained."""
    words = [*GLOSSARY["rules"], *GLOSSARY["code"]]
    assert sorted(set(words)) == sorted(words)
    assert all(meaning for part in ("rules", "code") for meaning in GLOSSARY[part].values())
    assert set() == set(words) & set(GLOSSARY["banned"])

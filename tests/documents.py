"""Code blocks of a document, for tests that do what it says.

1. The first word after the fence is the language. A second is the name of a file: the block is its content, or with the
   language `diff` a change of it.
2. A block in a list is indented; its indentation is removed.
"""

from __future__ import annotations

import re
import subprocess
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

_BLOCK = re.compile(r"^( *)```(\w+)(?: +(\S+))?\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Block:
    """A block: its language, the name of its file or an empty text, and its text."""

    language: str
    file: str
    text: str


def blocks(markdown: str) -> list[Block]:
    """Return all blocks with a language, in their order."""
    found = _BLOCK.finditer(markdown)
    return [Block(one[2], one[3] or "", textwrap.dedent(one[4])) for one in found]


def section(markdown: str, title: str) -> str:
    """Return what stands under a heading, with what stands under those below it."""
    found = re.search(rf"^(#+) {re.escape(title)}\n", markdown, re.MULTILINE)
    assert found is not None, f"there is no heading {title!r}"
    rest = markdown[found.end() :]
    following = re.search(rf"^#{{1,{len(found[1])}}} ", rest, re.MULTILINE)
    return rest if following is None else rest[: following.start()]


def write_files(markdown: str, folder: Path) -> list[Path]:
    """Write every block that is a file below a folder; return the files."""
    written = []
    for block in blocks(markdown):
        if block.file:
            path = folder / block.file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
            written.append(path)
    return written


def follow(markdown: str, folder: Path, environment: Mapping[str, str]) -> str:
    """Do what a recipe says in a copy of the repository: write files, change them, run commands; return their output.

    Raises:
        AssertionError: a change does not fit, or a command fails.
    """
    said = []
    for block in blocks(markdown):
        path = folder / block.file
        if block.language == "diff":
            change(path, block.text)
        elif block.file:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
        elif block.language == "sh":
            command = ["sh", "-e", "-c", block.text]
            done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
            assert done.returncode == 0, f"{block.text}{done.stdout[-2000:]}{done.stderr[-2000:]}"
            said.append(done.stdout)
    return "".join(said)


def change(path: Path, diff: str) -> None:
    """Change a file as a diff without line numbers says: its old lines stand there once."""
    lines = diff.splitlines(keepends=True)
    old = "".join(line[1:] for line in lines if line[0] in " -")
    new = "".join(line[1:] for line in lines if line[0] in " +")
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{path}: stands there {text.count(old)} times:\n{old}"
    path.write_text(text.replace(old, new), encoding="utf-8")

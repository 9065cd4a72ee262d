"""Writes what a shell and ``man`` need to know of the command line, when its package is built.

1. ``python deploy/command_line.py TREE --program NAME`` writes the manual page and the completion for bash and zsh
   under ``TREE/usr/share``, where Debian looks for them. They come from the parsers of the program that is imported, so
   that each package tells of the commands that it has.
2. shtab makes the completion. It is a tool of the build, and no process of the table imports it.
3. Files and folders are completed as such; so are the names of games and findings.
"""

from __future__ import annotations

import argparse
import gzip
import os
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import shtab

from deploy.man_page import man_page, parts_of
from firmware_bridge import VERSION
from firmware_bridge.cli import build_parser
from gamecore.rules.codes import CODES
from gamecore.rules.games import GAMES

PLACES = {
    "man": "usr/share/man/man1/{program}.1.gz",
    "bash": "usr/share/bash-completion/completions/{program}",
    "zsh": "usr/share/zsh/vendor-completions/_{program}",
}
_NAMES = {"game": tuple(GAMES), "finding": tuple(CODES)}
_FOLDER, _FILE = re.compile(r"FOLDER|DIR|STATE"), re.compile(r"FILE|PATH")


def parser_for(program: str) -> argparse.ArgumentParser:
    """The parser of the whole command line, with what can be completed of each argument."""
    parser = build_parser()
    parser.prog = program
    for one in _every(parser):
        for action in one._actions:  # noqa: SLF001  argparse has no public way
            _complete(action)
    return parser


def _every(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    yield parser
    for part in parts_of(parser).values():
        yield from _every(part)


def _complete(action: argparse.Action) -> None:
    """Say what completes an argument."""
    metavar = str(action.metavar or "")
    if action.dest in _NAMES:
        action.choices = _NAMES[action.dest]
    elif _FILE.search(metavar):
        action.complete = shtab.FILE  # type: ignore[attr-defined]  # shtab looks for it there
    elif _FOLDER.search(metavar):
        action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]  # as above


def files(program: str, time: int) -> dict[str, bytes]:
    """Each file by its path under the root."""
    parser = build_parser()
    parser.prog = program
    page = man_page(parser, VERSION, time)
    made = {"man": gzip.compress(page.encode(), 9, mtime=0)}
    made |= {shell: shtab.complete(parser_for(program), shell).encode() for shell in ("bash", "zsh")}
    return {PLACES[kind].format(program=program): data for kind, data in made.items()}


def main(argv: Sequence[str] | None = None) -> int:
    """Write the files; return the exit status."""
    parser = argparse.ArgumentParser(description="Writes manual page and completion of the command line.")
    parser.add_argument("tree", type=Path, metavar="TREE", help="the root of the package")
    parser.add_argument("--program", default="truedeal", help="what the program is called")
    args = parser.parse_args(argv)
    for name, data in files(args.program, int(os.environ.get("SOURCE_DATE_EPOCH", "0"))).items():
        path = args.tree / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""What the help of a command looks like: paragraphs, examples that can be typed, and for whom a command is.

1. `READERS` says in which order ``truedeal --help`` names the commands, and for whom each is. Every command of ours
   stands there once; one that joins from another maker's package stands under `OTHERS`.
2. The help of every command ends with examples (`examples`): a line that can be typed as it stands, and below it what
   it does. A test lets the parser of that very command read each of them.
3. Paragraphs are folded to the width of the terminal; a line that begins with blanks is left as it is.
"""

from __future__ import annotations

import argparse
import textwrap

READERS = {
    "Dealer and pit": (
        *("status", "watch", "rounds", "round", "say", "clear", "table", "people", "document", "train"),
    ),
    "Surveillance": (
        *("dispute", "verify", "replay", "export", "affected", "games", "clauses", "rulings", "readings"),
    ),
    "Engineer": (
        *("check", "doctor", "shuffler", "bundle", "pair", "registers", "accept", "accept-key", "sniff", "play", "sim"),
    ),
    "Operations": ("run", "console", "archive", "anchor", "identity", "help"),
    "Floor": ("floor", "enrol", "ship", "ingest"),
}
OTHERS = "Others"
MARGIN = "  "


class HelpText(argparse.HelpFormatter):
    """Folds the paragraphs of a text and leaves its indented lines alone."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        def folded(paragraph: str) -> str:
            lines = paragraph.splitlines()
            if any(line.startswith(MARGIN) for line in lines):
                return "\n".join(indent + line for line in lines)
            return textwrap.fill(
                paragraph, width, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False
            )

        return "\n\n".join(folded(paragraph) for paragraph in text.split("\n\n"))


def examples(*typed: tuple[str, str], status: str = "") -> str:
    """The end of a command's help: its exit status, and what can be typed, each line with what it does."""
    lines = [f"{MARGIN}{line}\n{MARGIN * 3}{does}" for line, does in typed]
    return "\n\n".join([*([status] if status else []), "\n".join(["Examples:", *lines])])


def add_part(
    parts: argparse._SubParsersAction[argparse.ArgumentParser], name: str, short: str, *typed: tuple[str, str]
) -> argparse.ArgumentParser:
    """Add a part of a command, such as ``list``; its line in the command's help is its description too."""
    return parts.add_parser(name, help=short, description=f"{short[0].upper()}{short[1:]}.", epilog=examples(*typed))


def titles(names: list[str]) -> dict[str, list[str]]:
    """The names of commands under the title of those who use them, without titles that have none."""
    known = {name for listed in READERS.values() for name in listed}
    groups = {title: [name for name in listed if name in names] for title, listed in READERS.items()}
    groups[OTHERS] = [name for name in names if name not in known]
    return {title: listed for title, listed in groups.items() if listed}

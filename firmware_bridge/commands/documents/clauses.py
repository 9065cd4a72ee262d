"""``truedeal clauses``: how this product stands to each clause, by which code, and which scenarios show it.

1. Without a clause it prints the matrix of a game, or of all, one line for each clause, and the totals. A clause that
   is named is printed as a block, and with it every clause below it: ``5.23`` also means 5.23.1 and 5.23.4.6, but not
   5.230.
2. The scenarios and tests that hold a clause are looked for in the folder `tests` beside the product or in the one that
   is named; if none are found, the output says so.
3. Files are named so that they can be opened from where the command runs: from the working directory if they lie
   below it, else by their whole path. A test is named as pytest takes it, ``file::name``.
4. Nothing is left out. In a pipe nothing is folded; on a terminal prose is folded between words, a file name never.
5. A clause or game that is not known is an error that names what is near it; nothing else is printed.
"""

from __future__ import annotations

import argparse
import difflib
import json
import shutil
import sys
import textwrap
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from firmware_bridge.commands.documents.reference import chosen_games
from firmware_bridge.commands.help_text import examples

if TYPE_CHECKING:
    from firmware_bridge.commands.documents.clause_rows import ClauseRow

_LABEL_WIDTH = 13
_EXAMPLES = examples(
    ("truedeal clauses mbs-blackjack-v6", "every clause of the game, one line each"),
    ("truedeal clauses mbs-blackjack-v6 3.34", "one clause: standing, note, code with line, scenarios"),
    ("truedeal clauses mbs-pontoon-v5 3.24 5.23", "several clauses, each with those below it"),
    ("truedeal clauses rws-free-bet-2025 5 --json", "section 5, one JSON object a clause"),
)
_MEANS = {
    "enforced": "code decides it",
    "detected": "a departure from it is found",
    "asked": "a person decides, the table asks",
    "recorded": "the table keeps what was done",
    "outside": "not a matter of the table",
}


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the command."""
    clauses = commands.add_parser(
        "clauses",
        help="every clause: how the product stands to it, by which code, shown by which scenarios",
        description="Prints how the product stands to each clause, the code that carries it out, and its scenarios.",
        epilog=_EXAMPLES,
    )
    clauses.add_argument("game", nargs="?", help="only this game")
    clauses.add_argument("clause", nargs="*", help="only these clauses and those below them, such as 3.34 or 5.23")
    clauses.add_argument(
        "--tests", metavar="DIR", help="where the scenarios and tests lie (default: beside the product)"
    )
    clauses.add_argument("--json", action="store_true", help="print one JSON object a clause")
    clauses.set_defaults(run=run_clauses)


def run_clauses(args: argparse.Namespace) -> int:
    """Print the matrix of clauses, or the clauses that are named."""
    from firmware_bridge.commands.documents.clause_rows import beside_product, clauses  # noqa: PLC0415
    from firmware_bridge.commands.documents.clause_tests import find_holders  # noqa: PLC0415  only when the command runs

    chosen = chosen_games(args.game)
    if chosen is None:
        return 2
    folder = Path(args.tests) if args.tests else beside_product()
    if args.tests and not folder.is_dir():
        sys.stderr.write(f"truedeal: {args.tests}: there is no such folder\n")
        return 2
    holders = find_holders(folder) if folder.is_dir() else {}
    rows = {game: [_openable(row) for row in clauses(game, holders)] for game in chosen}
    if args.clause:
        unknown = _unknown(chosen[0], rows[chosen[0]], args.clause)
        if unknown:
            sys.stderr.writelines(f"truedeal: {line}\n" for line in unknown)
            return 2
        rows = {chosen[0]: [row for row in rows[chosen[0]] if _is_wanted(row["clause"], args.clause)]}
    _print(rows, blocks=bool(args.clause), as_json=args.json)
    if not holders and not args.json:
        sys.stdout.write("no scenarios here: name their folder with --tests to see what tests each clause\n")
    return 0


def _is_wanted(clause: str, wanted: list[str]) -> bool:
    """Whether a clause is one of those that are wanted, or lies below one."""
    return any(clause == one or clause.startswith(f"{one}.") for one in wanted)


def _unknown(game: str, rows: list[ClauseRow], wanted: list[str]) -> list[str]:
    """What is wrong with the clauses that are wanted, each with what is near to it."""
    known = [row["clause"] for row in rows]
    found = []
    for one in wanted:
        if not any(_is_wanted(clause, [one]) for clause in known):
            near = difflib.get_close_matches(one, known, 3, 0.5)
            hint = f"near it are {', '.join(near)}" if near else f"`truedeal clauses {game}` lists them"
            found.append(f"{game} has no clause '{one}': {hint}")
    return found


def _openable(row: ClauseRow) -> ClauseRow:
    """The row with its files named from where the command runs."""
    return {
        **row,
        "code": [{**one, "file": _from_here(one["file"])} for one in row["code"]],
        "held_by": [{**one, "file": _from_here(one["file"])} for one in row["held_by"]],
    }


def _from_here(file: str) -> str:
    from firmware_bridge.commands.documents.clause_rows import beside_product  # noqa: PLC0415  only when the command runs

    whole, here = beside_product().parent / file, Path.cwd()
    return str(whole.relative_to(here) if whole.is_relative_to(here) else whole)


# --- print -----------------------------------------------------------------------------------------------------------


def _print(games: dict[str, list[ClauseRow]], *, blocks: bool, as_json: bool) -> None:
    for game, rows in games.items():
        if as_json:
            sys.stdout.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        elif blocks:
            sys.stdout.write("\n".join(_block(row) for row in rows))
        else:
            sys.stdout.write(f"{game}\n")
            sys.stdout.writelines(_line(row) for row in rows)
            totals = Counter(row["standing"] for row in rows)
            counted = ", ".join(f"{count} {standing}" for standing, count in sorted(totals.items()))
            sys.stdout.write(f"  {len(rows)} clauses: {counted}\n\n")


def _line(row: ClauseRow) -> str:
    """A clause as one line: standing, note, code, and everything that tests it."""
    parts = [_sentence(row["note"]), *_code(row), *_holders(row)]
    return _folded(" · ".join(parts), f"  {row['clause']:10}{row['standing']:10}", 22)


def _block(row: ClauseRow) -> str:
    """A clause as a block, a line for each file."""
    scenarios = [one["file"] for one in row["held_by"] if "test" not in one]
    tests = [f"{one['file']}::{one['test']}" for one in row["held_by"] if "test" in one]
    text = f"{row['game']} {row['clause']}\n"
    text += _folded(f"{row['standing']}: {_MEANS[row['standing']]}", _label("standing"), _LABEL_WIDTH)
    text += _folded(_sentence(row["note"]), _label("note"), _LABEL_WIDTH)
    for label, lines in (("code", _code(row)), ("scenarios", scenarios), ("tests", tests)):
        for number, line in enumerate(lines):
            text += f"{_label('' if number else label)}{line}\n"
    return text


def _label(text: str) -> str:
    return f"  {text}".ljust(_LABEL_WIDTH)


def _code(row: ClauseRow) -> list[str]:
    return [f"{one['file']}:{one['line']} {one['name']}" for one in row["code"]]


def _holders(row: ClauseRow) -> list[str]:
    return [f"{one['file']}::{one['test']}" if "test" in one else one["file"] for one in row["held_by"]]


def _sentence(note: str) -> str:
    """A note as a sentence, with its capital letter and full stop."""
    return f"{note[:1].upper()}{note[1:]}" + ("" if note.endswith(".") else ".")


def _folded(text: str, head: str, indent: int) -> str:
    """A line of prose: as it is in a pipe, folded between words on a terminal."""
    if not sys.stdout.isatty():
        return f"{head}{text}\n"
    width = max(60, shutil.get_terminal_size().columns)
    folded = textwrap.fill(
        text,
        width,
        initial_indent=head,
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return f"{folded}\n"

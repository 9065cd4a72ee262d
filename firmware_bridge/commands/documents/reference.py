"""``truedeal games``, ``readings`` and ``rulings``: what this product knows of the approved documents.

1. All of them print what the core states; nothing is decided here.
2. A text that is longer than its column is folded, never cut. Only the columns of ``games`` depend on the terminal.
"""

from __future__ import annotations

import argparse
import difflib
import json
import shutil
import sys
import textwrap

from firmware_bridge.commands.help_text import examples

_NAME_WIDTH = 26
_LEAST_CELL = 14


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the commands."""
    games = commands.add_parser(
        "games",
        help="the five games side by side",
        description="Shows where the five approved games differ: each parameter with its clause.",
        epilog=examples(
            ("truedeal games", "the parameters in which the games differ"),
            ("truedeal games --all", "every parameter"),
        ),
    )
    games.add_argument("--all", action="store_true", help="also the rows in which all games agree")
    games.add_argument("--json", action="store_true", help="print one JSON object a row")
    games.set_defaults(run=run_games)
    readings = commands.add_parser(
        "readings",
        help="where a document can be read in two ways, and how it is read here",
        description="Lists the open questions of the approved documents, the reading taken and the reason.",
        epilog=examples(
            ("truedeal readings", "those of every document"),
            ("truedeal readings mbs-pontoon-v5", "those of one game"),
        ),
    )
    readings.add_argument("game", nargs="?", help="only the readings of this game")
    readings.set_defaults(run=run_readings)
    rulings = commands.add_parser(
        "rulings",
        help="what follows from each irregularity, by how far the round has come",
        description="Prints the rulings matrix: finding and stage of the round to ruling, clause and procedure.",
        epilog=examples(
            ("truedeal rulings mbs-blackjack-v6", "the matrix of one game"),
            ("truedeal rulings --json", "every cell of every game, one a line"),
        ),
    )
    rulings.add_argument("game", nargs="?", help="only this game")
    rulings.add_argument("--json", action="store_true", help="print one JSON object a cell")
    rulings.set_defaults(run=run_rulings)


def chosen_games(name: str | None) -> tuple[str, ...] | None:
    """The game of this name, or all without a name; None after saying that there is no such game."""
    from gamecore.rules.games import GAMES  # noqa: PLC0415  only when a command needs it

    if name is None:
        return tuple(GAMES)
    if name in GAMES:
        return (name,)
    near = difflib.get_close_matches(name, GAMES, 1)
    meant = f" (did you mean {near[0]}?)" if near else ""
    sys.stderr.write(f"truedeal: there is no game '{name}'{meant}: expected one of {', '.join(GAMES)}\n")
    return None


# --- games ---------------------------------------------------------------------------------------------------------


def run_games(args: argparse.Namespace) -> int:
    """Print the comparison."""
    from firmware_bridge.commands.documents.clause_rows import comparison  # noqa: PLC0415
    from gamecore.rules.games import GAMES  # noqa: PLC0415

    rows = [row for row in comparison() if args.all or row["differs"]]
    if args.json:
        for row in rows:
            said = {"name": row["name"], "games": row["games"]}
            sys.stdout.write(json.dumps(said, ensure_ascii=False) + "\n")
        return 0
    width = _cell_width(len(GAMES))
    _print_row("", list(GAMES), width)
    _print_row("", ["-" * min(width - 2, 20)] * len(GAMES), width)
    for row in rows:
        cells = row["games"].values()
        _print_row(row["name"], [f"{c['value']} ({c['clause']})" if c["clause"] else c["value"] for c in cells], width)
    return 0


def _cell_width(columns: int) -> int:
    screen = shutil.get_terminal_size((150, 40)).columns
    return max(_LEAST_CELL, (max(screen, 120) - _NAME_WIDTH) // columns)


def _print_row(name: str, cells: list[str], width: int) -> None:
    columns = [textwrap.wrap(name, _NAME_WIDTH - 2) or [""]]
    columns += [textwrap.wrap(cell, width - 2) or [""] for cell in cells]
    for index in range(max(len(column) for column in columns)):
        parts = [column[index] if index < len(column) else "" for column in columns]
        line = parts[0].ljust(_NAME_WIDTH) + "".join(part.ljust(width) for part in parts[1:])
        sys.stdout.write(line.rstrip() + "\n")


# --- readings ------------------------------------------------------------------------------------------------------


def run_readings(args: argparse.Namespace) -> int:
    """Print the list of readings."""
    from firmware_bridge.commands.documents.clause_rows import readings  # noqa: PLC0415

    chosen = chosen_games(args.game)
    if chosen is None:
        return 2
    for reading in readings(chosen):
        sys.stdout.write(f"{reading['name']}  ({', '.join(reading['games'])}; {reading['clauses']})\n")
        for label, text in (
            ("asked", reading["question"]),
            ("taken", reading["taken"]),
            ("other", reading["other"]),
            ("why", reading["why"]),
            ("held by", reading["held_by"]),
        ):
            folded = textwrap.fill(
                text, 110, initial_indent=f"  {label:8}", subsequent_indent=" " * 10, break_on_hyphens=False
            )
            sys.stdout.write(f"{folded}\n")
        sys.stdout.write("\n")
    return 0


# --- rulings -------------------------------------------------------------------------------------------------------


def run_rulings(args: argparse.Namespace) -> int:
    """Print the rulings matrix, the precedence of simultaneous findings, and who stands behind each ruling."""
    from firmware_bridge.commands.documents.clause_rows import rulings  # noqa: PLC0415
    from firmware_bridge.people.authority import AUTHORITY  # noqa: PLC0415
    from gamecore.rules.matrix import PRECEDENCE  # noqa: PLC0415

    chosen = chosen_games(args.game)
    if chosen is None:
        return 2
    for game in chosen:
        if args.json:
            sys.stdout.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rulings(game))
            continue
        sys.stdout.write(f"{game}\n")
        for row in rulings(game):
            ruling = f"{row['ruling']} {row['clause']}".strip()
            _print_ruling(row["code"], row["case"], row["stages"], ruling, row["note"])
        sys.stdout.write("\n")
    if not args.json:
        sys.stdout.write("where one event shows several, the first of these governs:\n")
        for code, why in PRECEDENCE:
            sys.stdout.write(f"  {code:26}{why}\n")
        sys.stdout.write("who stands behind a ruling and clears its alarm (a pit-supervisor at least):\n")
        for ruling, role in AUTHORITY.items():
            sys.stdout.write(f"  {ruling:26}{role}\n")
    return 0


def _print_ruling(code: str, case: str, stages: list[str], ruling: str, note: str) -> None:
    name = f"{code}, {case}" if case else code
    text = ruling or "cannot occur"
    if note:
        text += f": {note}"
    folded = textwrap.wrap(text, 50)
    listed = textwrap.wrap("; ".join(stages), 52)
    for index in range(max(len(folded), len(listed))):
        left = name if index == 0 else ""
        middle = folded[index] if index < len(folded) else ""
        right = listed[index] if index < len(listed) else ""
        sys.stdout.write(f"  {left:44}{middle:52}{right}".rstrip() + "\n")

"""``truedeal document add``: put the approved document of a game on the box, so that its words are one tap away.

1. It is read by clause number, and refused if it lacks a clause that the rules of its game cite
   (`setup.house_documents`). The product itself ships no document.
2. The file goes into the state folder, so root or the daemon's user runs this. The daemon then puts it in force, if a
   shift manager has logged in with ``--name`` or the table is open. The journal has its digest.
3. Exit status: 0 it is in force, 1 it was refused, 2 no daemon answers, or something cannot be read or written.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

from firmware_bridge.commands.help_text import add_part, examples
from firmware_bridge.commands.table.login_prompt import answered
from firmware_bridge.commands.table.observe import add_control, asking, failed

if TYPE_CHECKING:
    from firmware_bridge.control.client import ControlClient


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "document",
        help="put the house's approved document on the box",
        description="Puts the approved document of a game on the box: on alarm, history and print the words of a "
        "clause are one tap away.",
        epilog=examples(("truedeal document add rules.md --name 4711", "put the document of the table's game there")),
    )
    parts = parser.add_subparsers(title="commands", metavar="COMMAND", dest="part", required=True)
    more = add_part(
        parts,
        "add",
        "add a document, or put another in its place",
        ("truedeal document add rules.md --name 4711", "the document of the table's game"),
        ("truedeal document add pontoon.md --game mbs-pontoon-v5 --name 4711", "that of another game"),
    )
    more.add_argument("file", type=Path, metavar="FILE", help="UTF-8 text or Markdown, each clause under its number")
    more.add_argument("--game", metavar="GAME", help="the game; that of the table unless given")
    more.add_argument("--name", help="who you are: your staff number, or your name; none at an open table")
    add_control(more)
    more.set_defaults(run=lambda args: asking("document", args, _add, commands=True))


def _add(client: ControlClient, args: argparse.Namespace) -> int:
    from firmware_bridge.setup import house_documents  # noqa: PLC0415

    data = args.file.read_bytes()
    if args.name:
        # Whoever is not known is told nothing, not even where the journal lies.
        from firmware_bridge.commands.table.login_prompt import log_in  # noqa: PLC0415

        wrong = log_in(client, args.name)
        if wrong is not None:
            return failed("document", wrong)
        args.name = None
    told = client.ask(do="health").get("health") or {}
    game, digest = args.game or told["table"]["game"], house_documents.digest(data)
    try:
        clauses = house_documents.read(data, game)
    except house_documents.DocumentError as error:
        return failed("document", f"{args.file}: {error}")
    path = house_documents.path(Path(told["journal"]["state"]), game, digest)
    path.parent.mkdir(mode=0o755, exist_ok=True)
    path.write_bytes(data)
    owner = path.parent.parent.stat().st_uid
    if os.geteuid() == 0:
        os.chown(path, owner, -1)
    said = f"{len(clauses)} clauses of {game} are in force, digest {digest}\n"
    return answered("document", client, args, {"do": "document", "game": game, "digest": digest}, lambda _: said)

"""``truedeal registers``: how far the devices know the journal.

1. ``list`` shows what the register of each device says of this journal.
2. ``aside DEVICE`` proposes, as a shift manager, not to judge a register that is too high; ``confirm DEVICE NUMBER``
   confirms it, as another person of pit manager or above. Do it only if a broken box has set the register: it is also
   above the journal when the journal was put back.
3. Exit status: 0 it is done, 1 it was refused, 2 no daemon answers.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from firmware_bridge.commands.help_text import add_part, examples
from firmware_bridge.commands.table.login_prompt import answered
from firmware_bridge.commands.table.observe import add_control, asking, print_json

if TYPE_CHECKING:
    from firmware_bridge.control.client import ControlClient


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the commands."""
    parser = commands.add_parser(
        "registers",
        help="how far the devices know the journal",
        description="Shows what the devices' registers say of the journal, and sets one aside that is too high.",
        epilog=examples(
            ("truedeal registers list", "what each register says"),
            ("truedeal registers aside shoe --name 4711", "propose to set one aside"),
        ),
    )
    parts = parser.add_subparsers(title="commands", metavar="COMMAND", dest="part", required=True)
    listed = add_part(
        parts,
        "list",
        "what each register says of this journal",
        ("truedeal registers list", "one line for each device that keeps registers"),
    )
    listed.set_defaults(run=lambda args: asking("registers", args, _list))
    aside = add_part(
        parts,
        "aside",
        "propose to set a register aside that is too high",
        ("truedeal registers aside shoe --name 4711", "prints what another person must type"),
    )
    aside.set_defaults(run=lambda args: asking("registers", args, _aside, commands=True))
    confirm = add_part(
        parts,
        "confirm",
        "confirm what another person has proposed",
        ("truedeal registers confirm shoe 512 --name 4712", "with the head number that was printed"),
    )
    confirm.set_defaults(run=lambda args: asking("registers", args, _confirm, commands=True))
    for part in (aside, confirm):
        part.add_argument("device", help="what the configuration calls it, such as shoe")
    confirm.add_argument("number", type=int, metavar="N", help="the head number of the register")
    for part in (listed, aside, confirm):
        add_control(part)
    for part in (aside, confirm):
        part.add_argument("--name", help="who you are: your staff number, or your name; not needed at an open table")


def _aside(client: ControlClient, args: argparse.Namespace) -> int:
    request = {"do": "set-register-aside", "device": args.device}
    how = f"another person says 'truedeal registers confirm {args.device} {{number}} --name THEIRS'\n"
    return answered("registers", client, args, request, lambda said: how.format(number=said["number"]))


def _confirm(client: ControlClient, args: argparse.Namespace) -> int:
    request = {"do": "confirm-register-aside", "device": args.device, "number": args.number}
    said = f"the register of the {args.device} is not judged up to head {args.number}\n"
    return answered("registers", client, args, request, lambda _: said)


def _list(client: ControlClient, args: argparse.Namespace) -> int:
    """What each register says."""
    links = client.ask(do="health")["health"]["links"]
    found = {name: link["register"] for name, link in links.items() if "register" in link}
    if args.json:
        print_json(found)
        return 0
    for name, one in found.items():
        sys.stdout.write(f"{name}: {one['verdict']}, head {one['number']}, event {one['n']}\n")
    if not found:
        sys.stdout.write("no device that is there keeps registers\n")
    return 0

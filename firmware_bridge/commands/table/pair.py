"""``truedeal pair``: lets a device and its table learn each other's keys.

1. Turn the switch inside the device's cover first; it counts for a minute. Then ``begin DEVICE`` prints what the device
   must show: the code on its display, where you confirm by a press that it is the same, or its label.
2. ``confirm N SHOWN`` is for another person, who types what the *device* shows; the daemon compares. Then the device is
   heard.
3. ``list`` shows each device with the edition of its link and the fingerprint of its key.
4. Exit status: 0 it is done, 1 it was refused, 2 no daemon answers.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from firmware_bridge.commands.help_text import add_part, examples
from firmware_bridge.commands.table.login_prompt import answered
from firmware_bridge.commands.table.observe import add_control, asking, print_json

if TYPE_CHECKING:
    from firmware_bridge.control.client import ControlClient

PATIENCE = 90.0
"""Seconds to wait for a device whose switch somebody turns."""


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the commands."""
    parser = commands.add_parser(
        "pair",
        help="pair a device with its table",
        description="Pairs a device: an engineer, or a pit manager or above, begins; another person, pit supervisor or "
        "above, confirms what the device shows. To change the keys pair it again.",
        epilog=examples(
            ("truedeal pair begin shoe --name 9001", "prints a number, and the device shows a code"),
            ("truedeal pair confirm 1 482913 --name 4711", "another person types what the device shows"),
        ),
    )
    parts = parser.add_subparsers(title="commands", metavar="COMMAND", dest="part", required=True)
    begin = add_part(
        parts,
        "begin",
        "begin to pair a device, whose switch was turned",
        ("truedeal pair begin shoe --name 9001", "the device that the configuration calls shoe"),
    )
    begin.add_argument("device", help="what the configuration calls it, such as shoe")
    begin.set_defaults(run=lambda args: asking("pair", args, _begin, commands=True, patience=PATIENCE))
    confirm = add_part(
        parts,
        "confirm",
        "confirm what another person has begun",
        ("truedeal pair confirm 1 482913 --name 4711", "the number of the pairing, and what the device shows"),
    )
    confirm.add_argument("pairing", type=int, metavar="N", help="its number, as 'begin' printed it")
    confirm.add_argument("shows", metavar="SHOWN", help="what the device shows: six digits, or its label")
    confirm.set_defaults(run=lambda args: asking("pair", args, _confirm, commands=True))
    listed = add_part(
        parts,
        "list",
        "the devices, their editions and keys",
        ("truedeal pair list", "every device of the table"),
    )
    listed.set_defaults(run=lambda args: asking("pair", args, _list))
    for part in (begin, confirm, listed):
        add_control(part)
    for part in (begin, confirm):
        part.add_argument("--name", help="who you are: your staff number, or your name; not needed at an open table")


def _begin(client: ControlClient, args: argparse.Namespace) -> int:
    return answered("pair", client, args, {"do": "pair", "device": args.device}, _shown)


def _confirm(client: ControlClient, args: argparse.Namespace) -> int:
    request = {"do": "confirm-pairing", "pairing": args.pairing, "shows": args.shows}
    return answered(
        "pair", client, args, request, lambda said: f"paired: {said['fingerprint']}, table {said['table']}\n"
    )


def _shown(answer: dict[str, Any]) -> str:
    """What somebody compares."""
    if answer["display"]:
        shows = f"the display of the {answer['device']} must show {answer['shows']}: press there if it does, or stop"
    else:
        shows = f"the label of the {answer['device']} must say {answer['shows']}: if it does not, stop"
    return f"{shows}\nanother person says 'truedeal pair confirm {answer['pairing']} SHOWN --name THEIRS'\n"


def _list(client: ControlClient, args: argparse.Namespace) -> int:
    """Every device with its edition and key."""
    links = client.ask(do="health")["health"]["links"]
    if args.json:
        print_json(links)
        return 0
    for name, link in links.items():
        key = link.get("fingerprint") or ("must be paired" if "fingerprint" in link else "no key of its own")
        by = f", by {link['paired']}" if link.get("paired") else ""
        sys.stdout.write(f"{name}: edition {link['edition']}, {key}{by}\n")
    return 0

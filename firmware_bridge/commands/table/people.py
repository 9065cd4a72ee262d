"""``truedeal people``: who may log in at a table.

1. ``list`` shows the list and what waits; ``add``, ``change`` and ``expire`` propose, as a shift manager; ``confirm``
   confirms, as another person of pit manager or above. The daemon does it, without a restart.
2. ``first`` names the first people of a table that has no list yet, before the daemon is started. Only root, or the
   user that the configuration belongs to, may do so. To change the list later takes a shift manager and another person
   of pit manager or above.
3. ``pin`` is for everyone: the old PIN, then a new one twice. Anyone who was given a PIN chooses their own at the first
   login.
4. PINs are typed (`login_prompt`). Exit status: 0 it is done, 1 it was refused, 2 no daemon answers or the usage is
   wrong.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from firmware_bridge.commands.help_text import add_part, examples
from firmware_bridge.commands.table.login_prompt import ask_pin, log_in, shown
from firmware_bridge.commands.table.observe import add_control, asking, failed, problem

if TYPE_CHECKING:
    from firmware_bridge.control.client import ControlClient

CONFIG = Path("/etc/truedeal/table.toml")
ROLE = "dealer, pit-supervisor, pit-manager, shift-manager, surveillance or engineer"
NEW_PIN = "PIN of {number}: "


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the commands."""
    parser = commands.add_parser(
        "people",
        help="who may log in: list, add, change, expire",
        description="Shows and changes the people of a table. A shift manager proposes a change, another person of pit "
        "manager or above confirms it; it counts at once and stands in the journal.",
        epilog=examples(
            ("truedeal people list --name 4711", "who may log in"),
            ("truedeal people add 4830 'ANN LEE' dealer --name 4711", "propose a new person"),
            ("truedeal people confirm 3 --name 4712", "confirm what another person has proposed"),
        ),
    )
    parts = parser.add_subparsers(title="commands", metavar="COMMAND", dest="part", required=True)
    listed = add_part(
        parts,
        "list",
        "the people, and what waits to be confirmed",
        ("truedeal people list --name 4711", "with the proposals and their numbers"),
    )
    more = add_part(
        parts,
        "add",
        "propose a new person; asks for a PIN that they exchange at the first login",
        ("truedeal people add 4830 'ANN LEE' dealer --name 4711", "a Dealer"),
        ("truedeal people add 9001 'BEN TAN' engineer --until 2027-01-31 --name 4711", "for some weeks"),
    )
    more.add_argument("number", help="the staff number")
    more.add_argument("person", metavar="NAME", help="the name")
    more.add_argument("role", help=ROLE)
    more.add_argument("--until", metavar="DAY", help="the last day on which they may log in, such as 2027-01-31")
    change = add_part(
        parts,
        "change",
        "propose another name, role, last day or PIN of somebody",
        ("truedeal people change 4830 --role pit-supervisor --name 4711", "another role"),
        ("truedeal people change 4830 --pin --name 4711", "a new PIN, which is asked for"),
    )
    change.add_argument("number", help="the staff number")
    change.add_argument("--person", metavar="NAME", help="another name")
    change.add_argument("--role", help=ROLE)
    change.add_argument("--until", metavar="DAY", help="the last day on which they may log in; '' for none")
    change.add_argument("--pin", action="store_true", help="ask for a PIN that they exchange at the next login")
    expire = add_part(
        parts,
        "expire",
        "propose that somebody may not log in any more, from now on",
        ("truedeal people expire 4830 --name 4711", "once another person has confirmed it"),
    )
    expire.add_argument("number", help="the staff number")
    confirm = add_part(
        parts,
        "confirm",
        "confirm what another person has proposed",
        ("truedeal people confirm 3 --name 4712", "the proposal that 'list' shows as 3"),
    )
    confirm.add_argument("proposal", type=int, metavar="N", help="its number, as 'list' shows it")
    pin = add_part(
        parts,
        "pin",
        "exchange your PIN: six digits or more, typed and never an argument",
        ("truedeal people pin --name 4830", "asks for the old one and twice for the new one"),
    )
    for part, ask in ((listed, _list), (more, _add), (change, _change), (expire, _expire), (confirm, _confirm)):
        part.set_defaults(run=lambda args, ask=ask: asking("people", args, _known(ask), commands=True))
    pin.set_defaults(run=lambda args: asking("people", args, _pin, commands=True))
    for part in (listed, more, change, expire, confirm, pin):
        part.add_argument("--name", required=True, help="who you are: your staff number, or your name")
        add_control(part)
    first = add_part(
        parts,
        "first",
        "name the first people of a table, as root, before it is started",
        ("truedeal people first 4711 'EVE LIM' shift-manager", "asks for their first PIN"),
    )
    first.add_argument("number", help="the staff number")
    first.add_argument("person", metavar="NAME", help="the name")
    first.add_argument("role", help=ROLE)
    first.add_argument("--config", type=Path, default=CONFIG, metavar="FILE", help=f"the configuration ({CONFIG})")
    first.set_defaults(run=run_first)


def _known(ask: Any) -> Any:
    """A command for somebody who logs in first."""

    def known(client: ControlClient, args: argparse.Namespace) -> int:
        from firmware_bridge.people.accounts.roles import PinError  # noqa: PLC0415

        wrong = log_in(client, args.name)
        if wrong is not None:
            return failed("people", wrong)
        try:
            answer = ask(client, args)
        except PinError as error:
            return failed("people", str(error))
        return shown("people", args, answer, _text)

    return known


def _list(client: ControlClient, _: argparse.Namespace) -> dict[str, Any]:
    return client.ask(do="people")


def _add(client: ControlClient, args: argparse.Namespace) -> dict[str, Any]:
    pin = ask_pin(NEW_PIN.format(number=args.number), again=True)
    said = {"number": args.number, "name": args.person, "role": args.role, "until": args.until, "pin": pin}
    return client.ask(do="propose-person", kind="add", **said)


def _change(client: ControlClient, args: argparse.Namespace) -> dict[str, Any]:
    pin = ask_pin(NEW_PIN.format(number=args.number), again=True) if args.pin else None
    said = {"number": args.number, "name": args.person, "role": args.role, "until": args.until, "pin": pin}
    return client.ask(do="propose-person", kind="change", **said)


def _expire(client: ControlClient, args: argparse.Namespace) -> dict[str, Any]:
    return client.ask(do="propose-person", kind="expire", number=args.number)


def _confirm(client: ControlClient, args: argparse.Namespace) -> dict[str, Any]:
    return client.ask(do="confirm-person", proposal=args.proposal)


def _pin(client: ControlClient, args: argparse.Namespace) -> int:
    from firmware_bridge.people.accounts.roles import PinError  # noqa: PLC0415

    old = ask_pin()
    try:
        new = ask_pin("new PIN: ", again=True)
    except PinError as error:
        return failed("people", str(error))
    wrong = problem(client.ask(do="login", name=args.name, pin=old, new=new))
    if wrong is not None:
        return failed("people", wrong)
    sys.stdout.write("the new PIN counts from now on\n")
    return 0


def _text(answer: dict[str, Any]) -> str:
    """An answer as a person reads it."""
    if "proposal" in answer:
        return f"proposed: another person says 'truedeal people confirm {answer['proposal']} --name THEIRS'\n"
    if "person" in answer:
        return f"done: {_line(answer['person'])}\n"
    lines = [_line(one) + _remarks(one) for one in answer["people"]]
    for one in answer["proposals"]:
        pin = ", another PIN" if one["pin"] else ""
        lines.append(f"proposal {one['proposal']}: {one['kind']} {_line(one)}{pin}, by {one['by']}")
    return "".join(f"{line}\n" for line in lines)


def _line(person: dict[str, Any]) -> str:
    until = f", until {person['until']}" if person["until"] else ""
    return f"{person['number']}  {person['name']}, {person['role']}{until}"


def _remarks(person: dict[str, Any]) -> str:
    if not person["valid"]:
        return " (may not log in)"
    return f" ({person['pin_due']})" if person["pin_due"] else ""


# --- the first people ------------------------------------------------------------------------------------------------


def run_first(args: argparse.Namespace) -> int:
    """Write somebody down for the daemon's next start; returns the exit status."""
    from firmware_bridge.people.accounts import people_file  # noqa: PLC0415
    from firmware_bridge.people.accounts.proposals import ADD, ProposalError, Wanted, check, check_number  # noqa: PLC0415
    from firmware_bridge.people.accounts.roles import Person, PinError, make_pin  # noqa: PLC0415
    from firmware_bridge.setup.config import load  # noqa: PLC0415
    from firmware_bridge.setup.problems import ConfigError  # noqa: PLC0415

    try:
        config = load(args.config)
    except ConfigError as error:
        return failed("people", str(error))
    owner = args.config.stat().st_uid
    if os.geteuid() not in {0, owner}:
        return failed("people", "the first people are named by root")
    if config.open or (config.state / people_file.FILE).exists():
        why = "the table is open" if config.open else "the table has people: a shift manager proposes more of them"
        return failed("people", why)
    left = people_file.load(config.state / people_file.FIRST)
    others = left.people if left is not None else ()
    try:
        check_number(args.number)
        pin = ask_pin(NEW_PIN.format(number=args.number), again=True)
        check(Wanted(ADD, args.number, args.person, args.role, None, pin))
        if any(one.id == args.number for one in others):
            return failed("people", f"{args.number} is there already")
    except (ProposalError, PinError) as error:
        return failed("people", str(error))
    today = people_file.today().isoformat()
    one = Person(args.person, args.role, make_pin(pin), args.number, "", today, given=True)
    if not config.state.exists():
        config.state.mkdir(mode=0o750, parents=True)
        os.chown(config.state, owner, -1)
    people_file.write(config.state / people_file.FIRST, people_file.written((*others, one)))
    os.chown(config.state / people_file.FIRST, owner, -1)
    sys.stdout.write(
        f"{one.known_as} is on the list from the next start on, and chooses another PIN at the first login\n"
    )
    if not people_file.Register(config.state).changeable((*others, one)):
        sys.stdout.write("name a shift manager and another of pit manager or above: the two can add everyone else\n")
    return 0

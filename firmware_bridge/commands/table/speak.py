"""``truedeal say``, ``clear``, ``dispute``, ``table``, ``accept``, ``accept-key``: what people tell a table.

1. On a table with roles ``--name`` logs in first; the PIN is typed (`login_prompt`).
2. Exit status: 0 it is done, 1 the daemon refused it or could not understand it, 2 no daemon answers.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from firmware_bridge.commands.help_text import examples
from firmware_bridge.commands.table.login_prompt import answered
from firmware_bridge.commands.table.observe import add_control, asking

if TYPE_CHECKING:
    from firmware_bridge.control.client import ControlClient


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the commands."""
    say = commands.add_parser(
        "say",
        help="say something to the table, as at the console",
        description="Says a statement of deal notation to the table: an answer, an approval, a report.",
        epilog=examples(
            ("truedeal say call uncovered --name 4711", "report an irregularity"),
            ("truedeal say approve shift-manager --name 4711", "approve what the table asks about"),
        ),
    )
    say.add_argument("words", nargs="+", metavar="WORD", help="the statement, such as: approve shift-manager")
    say.set_defaults(run=lambda args: asking("say", args, _say, commands=True))
    clear = commands.add_parser(
        "clear",
        help="clear the alarm, with a reason",
        description="Clears every alarm, or one, and says why.",
        epilog=examples(
            ("truedeal clear --name 4711 sensor cleaned", "every alarm"),
            ("truedeal clear --alarm 88 --name 4711 card found under the shoe", "one, by the number of its event"),
        ),
    )
    clear.add_argument("reason", nargs="+", metavar="REASON", help="why it is cleared; stands in the journal")
    clear.add_argument("--alarm", type=int, metavar="N", help="only the alarm with this number")
    clear.set_defaults(run=lambda args: asking("clear", args, _clear, commands=True))
    dispute = commands.add_parser(
        "dispute",
        help="mark a round as disputed",
        description="Surveillance marks the last round, or an earlier one. The mark stays; play goes on.",
        epilog=examples(
            ("truedeal dispute --name 5201 box 3 says it stood", "the last round"),
            ("truedeal dispute --round 1204 --name 5201 count of the chips", "an earlier one"),
        ),
    )
    dispute.add_argument("reason", nargs="+", metavar="REASON", help="why; stands in the journal")
    dispute.add_argument("--round", type=int, metavar="NUMBER", help="an earlier round")
    dispute.set_defaults(run=lambda args: asking("dispute", args, _dispute, commands=True))
    table = commands.add_parser(
        "table",
        help="propose another table that is configured, or confirm it",
        description="Names a table of [[tables]]: one person proposes it, a shift manager who is another confirms it.",
        epilog=examples(
            ("truedeal table --name 4711", "the tables that are configured"),
            ("truedeal table pontoon --name 4711", "propose one of them, or confirm it"),
        ),
    )
    table.add_argument("table", nargs="?", metavar="TABLE", help="its name; without it they are listed")
    table.set_defaults(run=lambda args: asking("table", args, _table, commands=True))
    accept = commands.add_parser(
        "accept",
        help="accept a new program of the table",
        description="Accepts the program that now runs. No round begins until an engineer and a shift manager have.",
        epilog=examples(("truedeal accept 3f2b8c61d09e4a75 --name 4711", "the digest as the maker has told it")),
    )
    accept.add_argument("program", metavar="DIGEST", help="its digest as the maker has told it, 16 characters or more")
    accept.set_defaults(run=lambda args: asking("accept", args, _accept, commands=True))
    key = commands.add_parser(
        "accept-key",
        help="accept a segment of the journal after a lost key",
        description="Accepts a segment whose key nothing certifies. Two people may: pit-manager or above, one of "
        "them a shift manager.",
        epilog=examples(("truedeal accept-key 12 --name 4711", "the segment that the alarm key-lost names")),
    )
    key.add_argument("segment", type=int, metavar="SEGMENT", help="its number, which the alarm key-lost names")
    key.set_defaults(run=lambda args: asking("accept-key", args, _accept_key, commands=True))
    for parser in (say, clear, dispute, table, accept, key):
        parser.add_argument("--name", help="log in under this name")
        add_control(parser)


def _say(client: ControlClient, args: argparse.Namespace) -> int:
    return _send_request("say", client, args, {"do": "say", "statement": " ".join(args.words)})


def _clear(client: ControlClient, args: argparse.Namespace) -> int:
    more = {} if args.alarm is None else {"n": args.alarm}
    return _send_request("clear", client, args, {"do": "clear", "reason": " ".join(args.reason), **more})


def _dispute(client: ControlClient, args: argparse.Namespace) -> int:
    more = {} if args.round is None else {"number": args.round}
    return _send_request("dispute", client, args, {"do": "dispute", "reason": " ".join(args.reason), **more})


def _table(client: ControlClient, args: argparse.Namespace) -> int:
    more = {} if args.table is None else {"name": args.table}
    return _send_request("table", client, args, {"do": "table", **more})


def _accept(client: ControlClient, args: argparse.Namespace) -> int:
    return _send_request("accept", client, args, {"do": "accept", "program": args.program})


def _accept_key(client: ControlClient, args: argparse.Namespace) -> int:
    return _send_request("accept-key", client, args, {"do": "accept-key", "segment": args.segment})


def _send_request(name: str, client: ControlClient, args: argparse.Namespace, request: dict[str, object]) -> int:
    return answered(name, client, args, request, _text)


def _text(answer: dict[str, Any]) -> str:
    if "tables" in answer:
        waits = f"; proposed by {answer['by']}: {answer['proposed']}" if "proposed" in answer else ""
        return f"{', '.join(answer['tables']) or 'no other table is configured'}{waits}\n"
    cleared = [one["code"] for one in answer.get("cleared", ())]
    return f"cleared: {', '.join(cleared)}\n" if cleared else f"{answer.get('waits') or 'ok'}\n"

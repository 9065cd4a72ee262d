"""``truedeal status``, ``watch``, ``rounds``, ``round``: what a table does and did, asked of its daemon.

1. All of them only read, over the reading socket. It lies beside the control socket: ``--control``, else
   TRUEDEAL_CONTROL, else where the service has it.
2. ``--json`` prints what the daemon answered, one object a line.
3. The daemon knows the rounds that are at hand. Older ones are in the archive of its folder: this process looks for
   them there, if it may read it.
4. ``rounds ADDRESS`` asks the archive of a floor instead, about all of its tables or one
   (`commands.floor.archived_rounds`).
5. Exit status: 0 all is well, 1 the daemon refused or does not have it, 2 no daemon answers, or no archive.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from typing import TYPE_CHECKING, Any

from firmware_bridge.commands.audit import add_choice, chosen_by
from firmware_bridge.commands.help_text import examples
from firmware_bridge.commands.numbers import whole_number

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path
    from types import ModuleType

    from firmware_bridge.audit.round_filter import Chosen
    from firmware_bridge.control.client import ControlClient

CONTROL = "/run/truedeal/control.sock"
VARIABLE = "TRUEDEAL_CONTROL"
_STATUS = "Exit status: 0 all is well, 1 the daemon refused or does not have it, 2 no daemon answers."
MOST = 1000
"""How many of the last rounds are searched at most."""


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the commands."""
    status = commands.add_parser(
        "status",
        help="how the table stands",
        description="Says how the table stands.",
        epilog=examples(
            ("truedeal status", "the table of this computer"),
            ("truedeal status --control /run/truedeal/control.sock --json", "a table by its socket, as JSON"),
            status=_STATUS,
        ),
    )
    status.set_defaults(run=lambda args: asking("status", args, show_status))
    watch = commands.add_parser(
        "watch",
        help="what happens at the table, as it happens",
        description="Prints what happens until interrupted.",
        epilog=examples(
            ("truedeal watch", "until Ctrl-C"),
            ("truedeal watch --count 10 --json", "the next ten, one JSON object a line"),
            status=_STATUS,
        ),
    )
    watch.add_argument("--count", type=whole_number(1, 1_000_000), metavar="N", help="end after N lines")
    watch.set_defaults(run=lambda args: asking("watch", args, watch_table))
    rounds = commands.add_parser(
        "rounds",
        help="the last rounds",
        description="Lists the last rounds, newest first, also the one that is on and those that were given up.",
        epilog=examples(
            ("truedeal rounds --count 5", "the last five"),
            ("truedeal rounds --outcome void --from 2026-11-17T20:00", "the void ones since yesterday evening"),
            status=_STATUS,
        ),
    )
    rounds.add_argument("--count", type=whole_number(1, MOST), default=20, metavar="N", help="how many (20)")
    add_choice(rounds)
    where_else = "an archive instead of the daemon: sqlite:FILE, postgresql://…"
    rounds.add_argument("archive", nargs="?", metavar="ADDRESS", help=where_else)
    rounds.add_argument("--table", metavar="CASINO/TABLE", help="of an archive: only the rounds of this table")
    rounds.set_defaults(run=lambda args: asking("rounds", args, show_rounds) if args.archive is None else _of_all(args))
    one = commands.add_parser(
        "round",
        help="one round, drawn as it lay",
        description="Draws a round: hands, wagers, findings, rulings.",
        epilog=examples(
            ("truedeal round", "the round that is on, or the last"),
            ("truedeal round 1204", "an earlier one by its number"),
            status=_STATUS,
        ),
    )
    one.add_argument("number", nargs="?", type=int, help="its number; the round that is on, or the last, without one")
    one.add_argument("--first", type=int, metavar="EVENT", help="the round that began with this event of the journal")
    one.set_defaults(run=lambda args: asking("round", args, show_round))
    for parser in (status, watch, rounds, one):
        add_control(parser)


def add_control(parser: argparse.ArgumentParser) -> None:
    """Add the options that say where the daemon is, and how its answer is printed."""
    parser.add_argument("--control", metavar="PATH", help=f"the daemon's control socket (${VARIABLE}, else {CONTROL})")
    parser.add_argument("--json", action="store_true", help="print JSON")


def where(args: argparse.Namespace) -> str:
    """The path of the control socket."""
    return str(args.control or os.environ.get(VARIABLE) or CONTROL)


def asking(
    name: str,
    args: argparse.Namespace,
    show: Callable[[ControlClient, argparse.Namespace], int],
    *,
    commands: bool = False,
    patience: float | None = None,
) -> int:
    """Connect to the daemon and let `show` ask, at the reading socket unless it commands; returns the exit status."""
    from firmware_bridge.control.client import TIMEOUT, ControlClient, read_path  # noqa: PLC0415

    path = where(args) if commands else read_path(where(args))
    try:
        with ControlClient(path, patience or TIMEOUT) as client:
            return show(client, args)
    except (ConnectionError, TimeoutError) as error:
        said = str(error) or "the daemon does not answer"
        return failed(name, f"{said}. Is it running? 'systemctl status truedeal' tells", 2)


def failed(name: str, message: str, status: int = 1) -> int:
    """Print what is wrong; returns the exit status."""
    sys.stdout.flush()
    sys.stderr.write(f"truedeal {name}: {message}\n")
    return status


def problem(answer: dict[str, Any]) -> str | None:
    """Why the daemon did not do what it was asked; None if it did."""
    found = answer.get("error") or answer.get("refused")
    return None if found is None else str(found)


def print_json(answer: object) -> None:
    """Print an answer on one line."""
    sys.stdout.write(json.dumps(answer, ensure_ascii=False, separators=(",", ":")) + "\n")


# --- the commands ----------------------------------------------------------------------------------------------------


def show_status(client: ControlClient, args: argparse.Namespace) -> int:
    """Print how the table stands; returns the exit status."""
    status, health = client.ask(do="status"), client.ask(do="health").get("health", {})
    status.pop("id")
    if args.json:
        print_json(status | {"health": health})
        return 0
    table, journal = health.get("table", {}), health.get("journal", {})
    lines = [
        f"{status['game']}, round {table.get('round', '?')}: {status['state']}",
        f"next card: {status['next'] or '-'}",
        "devices: " + (", ".join(f"{name} {'up' if up else 'AWAY'}" for name, up in status["links"].items()) or "none"),
    ]
    lines += [f"open: {one['code']} ({one['clause']})" for one in table.get("open", ())]
    lines += [f"asked: {who}" for who in table.get("asked", ())]
    lines += [f"ALARM {one['n']}: {_alarm(one)}" for one in status.get("alarms", ())]
    if journal:
        lines.append(f"journal: event {journal['n']}, signed up to {journal['signed'] or '-'}, {journal['segment']}")
        if journal["stalled"]:
            lines.append(f"JOURNAL CANNOT BE WRITTEN: {journal['stalled']}")
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    return 0


def _alarm(alarm: dict[str, Any]) -> str:
    at = f" at {alarm['places']}" if alarm["places"] else ""
    times = f", {alarm['times']} times" if alarm["times"] > 1 else ""
    return f"{alarm['code']}{at}: {alarm['ruling']} ({alarm['clause']}), since {alarm['at'][:19]}{times}"


def watch_table(client: ControlClient, args: argparse.Namespace) -> int:
    """Print what happens, as it happens."""
    client.ask(do="watch")
    left = args.count
    while left is None or left > 0:
        try:
            news = client.news.popleft() if client.news else client.read()
        except TimeoutError:
            continue  # nothing happens at a table that nobody plays at
        if args.json:
            print_json(news)
        else:
            sys.stdout.write(f"{_news(news)}\n")
        sys.stdout.flush()
        left = None if left is None else left - 1
    return 0


def _news(news: dict[str, Any]) -> str:
    """One thing that happened, in one line."""
    match news:
        case {"seen": seen}:
            found = "".join(f"  ! {one['code']}: {one['ruling']} ({one['clause']})" for one in seen.get("findings", ()))
            refused = f"  REFUSED: {seen['refused']}" if seen["refused"] else ""
            return f"{seen['n']:>8}  {seen['device']:<8}  {seen['event']}{refused}{found}"
        case {"link": {"device": device, "up": up, "fault": fault, **more}}:
            said = "is back" if up else f"AWAY ({fault}). {more.get('remedy', '')}"
            return f"{'':>8}  {device:<8}  {said}".rstrip()
        case {"fault": {"device": device, "code": code, "detail": detail, "remedy": remedy}}:
            return f"{'':>8}  {device:<8}  {code}: {detail}. {remedy}"
        case {"journal": {"stalled": reason}}:
            said = f"CANNOT BE WRITTEN: {reason}" if reason else "is written again"
            return f"{'':>8}  {'journal':<8}  {said}"
        case {"cleared": {"alarms": alarms, "by": name}}:
            return f"{'':>8}  {'console':<8}  alarm of event {', '.join(map(str, alarms))} cleared by {name}"
        case {"program": {"bars": reason}}:
            return f"{'':>8}  {'program':<8}  {f'NO ROUND BEGINS: {reason}' if reason else 'may begin rounds'}"
        case {"key": {"on": on}}:
            return f"{'':>8}  {'panel':<8}  key switch {'on' if on else 'off'}"
        case _:
            return json.dumps(news, ensure_ascii=False)


def show_rounds(client: ControlClient, args: argparse.Namespace) -> int:
    """List the last rounds."""
    try:
        chosen = chosen_by(args)
    except ValueError as error:
        return failed("rounds", str(error))
    count = MOST if chosen else args.count
    answer = _last_rounds(client, count)
    if (wrong := problem(answer)) is not None:
        return failed("rounds", wrong)
    listed = answer["rounds"]
    try:
        listed = _archived(answer, lambda past, state: past.last_rounds(state, count, archived=True)) or listed
    except OSError as error:
        sys.stderr.write(f"truedeal rounds: older ones are archived and cannot be read: {error}\n")
    if chosen and len(listed) >= MOST:
        sys.stderr.write(f"truedeal rounds: of the last {MOST} rounds; 'truedeal export' looks at all of them\n")
    listed = [one for one in (*([answer["on"]] if "on" in answer else []), *listed) if _is_wanted(one, chosen)]
    listed = listed[: args.count]
    if args.json:
        for one in listed:
            print_json(one)
        return 0
    rows = [("Round", "Ended (UTC)", "Outcome", "Boxes", "Events", "Findings")]
    for one in listed:
        ended, events = one["ended"][:19].replace("T", " ") or "-", f"{one['first']}-{one['last']}"
        rows.append((str(one["number"]), ended, one["outcome"], one["boxes"] or "-", events, one["findings"] or "-"))
    sys.stdout.write(aligned(rows))
    return 0


def _of_all(args: argparse.Namespace) -> int:
    """List the last rounds of an archive."""
    from firmware_bridge.audit.journal_reader import UnreadableError  # noqa: PLC0415
    from firmware_bridge.commands.floor.archived import opened  # noqa: PLC0415
    from firmware_bridge.commands.floor.archived_rounds import archived_rounds  # noqa: PLC0415
    from firmware_bridge.floor.archive.dialects import ArchiveError  # noqa: PLC0415

    if not 1 <= args.count <= MOST:
        return failed("rounds", f"--count: expected 1 to {MOST}, got {args.count}")
    try:
        with opened(args.archive) as archive:
            listed = archived_rounds(archive, args.table, chosen_by(args), args.count)
    except (ArchiveError, UnreadableError, ValueError) as error:
        return failed("rounds", str(error).strip(), 2)
    if args.json:
        for one in listed:
            print_json(one)
        return 0
    rows = [("Table", "Round", "Ended (UTC)", "Outcome", "Boxes", "Dealer", "Events", "Findings")]
    for one in listed:
        ended, events = one["ended"][:19].replace("T", " ") or "-", f"{one['first']}-{one['last']}"
        what = (one["outcome"], one["boxes"] or "-", one["dealer"] or "-", events, one["findings"] or "-")
        rows.append((one["table"], str(one["number"]), ended, *what))
    sys.stdout.write(aligned(rows))
    return 0


def _last_rounds(client: ControlClient, count: int) -> dict[str, Any]:
    """What the daemon says of the last rounds, which it tells page by page."""
    from firmware_bridge.journal.rounds.round_reader import PAGE  # noqa: PLC0415

    found: dict[int, dict[str, Any]] = {}  # by the first event: while one asks, others end
    asked = 0
    while True:
        page = min(PAGE, count - asked)
        answer = client.ask(do="rounds", count=page, skip=asked)
        if problem(answer) is not None:
            return answer
        asked += page
        found |= {one["first"]: one for one in answer["rounds"]}
        if len(answer["rounds"]) < page or asked >= count:
            return answer | {"rounds": list(found.values())}


def _is_wanted(one: dict[str, Any], chosen: Chosen) -> bool:
    from firmware_bridge.audit.round_filter import About  # noqa: PLC0415

    findings = list(zip((one["findings"] or "").split(), one["clauses"], strict=True))
    told = (one["number"], one["began"], one["ended"], one["outcome"], one["boxes"])
    return chosen.takes(About(*told, findings, one["people"]))


def _archived(answer: dict[str, Any], read: Callable[[ModuleType, Path], Any]) -> Any:
    """What the archive of the daemon's folder holds, where the daemon says that something is there; else nothing."""
    if "archived" not in answer:
        return None
    from pathlib import Path  # noqa: PLC0415

    from firmware_bridge.journal.rounds import round_reader  # noqa: PLC0415

    state = Path(answer["archived"]["state"])
    for folder in (state, state / "archive"):
        next(folder.iterdir(), None)  # what may not be read is told, and not passed over
    return read(round_reader, state)


def aligned(rows: Sequence[Sequence[str]]) -> str:
    """Rows of texts as lines, each column as wide as its widest text."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ("  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)) for row in rows)
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _say_which(client: ControlClient, one: dict[str, Any]) -> None:
    """Numbers begin anew with every table: say which other rounds at hand have the same."""
    listed = _last_rounds(client, MOST).get("rounds", ())
    same = [other for other in listed if other["number"] == one["number"]]
    others = [f"--first {other['first']} ({other['ended'][:19]})" for other in same if other["first"] != one["first"]]
    if others:
        told = f"the newest round {one['number']} is meant. Others: {', '.join(others)}"
        sys.stderr.write(f"truedeal round: {told}\n")


def show_round(client: ControlClient, args: argparse.Namespace) -> int:
    """Draw one round as it lay."""
    wanted = {key: value for key, value in (("number", args.number), ("first", args.first)) if value is not None}
    answer = client.ask(do="round", **wanted)
    if (wrong := problem(answer)) is not None:
        try:
            found = _archived(answer, lambda past, state: past.one_round(state, args.number, args.first, archived=True))
        except OSError as error:
            return failed("round", f"{wrong}; older ones are archived and cannot be read: {error}")
        if found is None:
            more = ", nor in the archive" if "archived" in answer else ""
            return failed("round", f"{wrong}{more}")
        answer["round"] = found
    one = answer["round"]
    if args.number is not None and args.first is None:
        _say_which(client, one)
    if args.json:
        print_json(one)
        return 0
    from firmware_bridge.commands.table.report_text import colour_wanted, render  # noqa: PLC0415
    from gamecore.rules.games import GAMES  # noqa: PLC0415

    name = f"events {one['first']} to {one['last']}" if "first" in one else "now"
    drawn = {"file": name, "game": one["game"], "rounds": [one["report"]]}
    rules = GAMES.get(one["game"])
    title = rules.title if rules is not None else ""
    whole = drawn | {"asks": [], "state": None, "failures": []}
    sys.stdout.write(render(whole, title, colour=colour_wanted(sys.stdout)))
    for ruling in one.get("rulings", ()):
        who = ", ".join(filter(None, (ruling["who"], ruling["person"])))
        sys.stdout.write(f"  event {ruling['n']}, {ruling['at'][:19]}: {ruling['what']} ({who})\n")
    if "ended" in one:
        sys.stdout.write(f"  began {one['began'][:19]}, ended {one['ended'][:19]} UTC\n")
    return 0

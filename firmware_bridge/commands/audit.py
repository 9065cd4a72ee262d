"""``truedeal verify``, ``export``, ``replay``, ``affected``: the audit of a state folder, or of an archive.

1. Nothing is written into the folder, and the daemon may run meanwhile. What is written elsewhere appears under its
   name when it is complete. A folder of training is refused (`journal.domain`).
2. Exit status: 0 all is well; 1 the journal is not whole, the records are not what the events make, an export does not
   play again, or events are left out because their table has no beginning here; 2 something cannot be read or written;
   3 the journal is whole, but nothing that was kept elsewhere proves it up to the end of its last round.
3. A report goes to the standard output; notes, errors and, for long work at a terminal, a bar to the standard error.
4. With the address of an archive a command runs for each journal (`commands.floor.archived`).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from firmware_bridge.commands.floor.archived import each_journal, state_or_address
from firmware_bridge.commands.help_text import examples
from firmware_bridge.commands.new_file import new_file
from firmware_bridge.commands.progress import Progress
from firmware_bridge.commands.service.low_priority import LeftAloneError, Pause

if TYPE_CHECKING:
    from firmware_bridge.audit.exports.export import Session
    from firmware_bridge.audit.journal_reader import Where
    from firmware_bridge.audit.replay import Replayed
    from firmware_bridge.audit.round_filter import Chosen
    from firmware_bridge.audit.verify import Verdict

TURN = 256
"""Events between two pauses of a process that gives way."""
LONG = 20_000
"""With more events than this a bar is shown."""
OUTCOMES = ("settled", "concluded", "void", "open", "abandoned")
"""How a round ended, or that it did not."""

_Run = Callable[[argparse.Namespace, Callable[[], None]], int]


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the commands."""
    verify = add_audit(
        commands,
        "verify",
        "say whether a journal is as it was written",
        "Goes through the chain and the signatures of a whole journal, rebuilds every round from its events, and names "
        "every event that was changed, removed, reordered or cut, and every record that is not what the events make.",
        examples(
            ("truedeal verify /var/lib/truedeal", "the journal of this table"),
            ("truedeal verify /var/lib/truedeal --anchors heads.jsonl", "with the heads that were kept elsewhere"),
            ("truedeal verify postgresql:///floor --table mbs/bj-12", "the journals of a table in the archive"),
            status="Exit status: 0 whole, and a head that was kept elsewhere reaches the end of the last round; "
            "3 whole but not anchored: no such head is given, or only older ones; 1 not whole, or a head that was kept "
            "elsewhere is not of this journal; 2 cannot be read.",
        ),
        _verify,
    )
    verify.add_argument(
        "--head",
        metavar="FILE-OR-JSON",
        action="append",
        default=[],
        help="a signed head that was kept elsewhere; may be repeated",
    )
    verify.add_argument(
        "--anchors",
        metavar="FILE",
        type=Path,
        action="append",
        default=[],
        help="a file with a signed head a line, kept elsewhere; may be repeated",
    )
    verify.add_argument("--no-replay", action="store_true", help="look at the chain alone, rebuild no round")
    verify.add_argument("--tied", action="store_true", help="give way, and end when the standard input ends")
    verify.add_argument("--key", metavar="HEX", help="the table's public key as it was kept elsewhere")
    export = add_audit(
        commands,
        "export",
        "write a journal as JSON lines, CSV or deal notation",
        "Writes what a journal holds.",
        examples(
            (
                "truedeal export /var/lib/truedeal --format rounds-csv --out rounds.csv",
                "every round, for a spreadsheet",
            ),
            ("truedeal export /var/lib/truedeal --format deal --rounds 1204-1210", "some rounds, to play again"),
            status="Exit status: 0 written, 1 deal notation that leaves out events or does not play again, 2 cannot be "
            "read or written.",
        ),
        _export,
    )
    formats = ("jsonl", "rounds-csv", "findings-csv", "wagers-csv", "deal")
    export.add_argument("--format", choices=formats, required=True, help="what to write")
    export.add_argument("--rounds", metavar="A-B", help="only the rounds with these numbers")
    add_choice(export)
    export.add_argument("--out", metavar="FILE", type=Path, help="where to write; several tables get a number each")
    add_audit(
        commands,
        "replay",
        "prove the records of rounds from the events",
        "Rebuilds every round from the events and holds it against the tables of rounds, findings and rulings.",
        examples(
            ("truedeal replay /var/lib/truedeal", "every round of this table"),
            status="Exit status: 0 equal, 1 a difference, 2 cannot be read.",
        ),
        _replay,
    )
    affected = add_audit(
        commands,
        "affected",
        "list the rounds that a missing, extra, foreign or unshuffled card concerns",
        "Lists the rounds since the last proof that the set of cards was complete, for the shift manager.",
        examples(
            ("truedeal affected /var/lib/truedeal", "every case, as text"),
            ("truedeal affected /var/lib/truedeal --format html --out affected.html", "a page to print and sign"),
            status="Exit status: 0 the report is made, 1 it leaves out events whose table has no beginning here, 2 "
            "cannot be read or written.",
        ),
        _affected,
    )
    affected.add_argument("--format", choices=("text", "csv", "html"), default="text", help="text unless given")
    affected.add_argument("--rounds", metavar="A-B", help="only cases with such a round")
    add_choice(affected)
    affected.add_argument("--out", metavar="FILE", type=Path, help="where to write")


def add_choice(parser: argparse.ArgumentParser) -> None:
    """Add the options that say which rounds are wanted."""
    parser.add_argument("--finding", metavar="CODE", help="only rounds with this finding")
    parser.add_argument("--clause", metavar="CLAUSE", help="only rounds with a finding by this clause or one under it")
    parser.add_argument("--outcome", choices=OUTCOMES, help="only rounds that ended so")
    parser.add_argument("--person", metavar="NAME", help="only rounds in which this person said something")
    parser.add_argument("--from", dest="since", metavar="TIME", help="only rounds that were on at this time or later")
    parser.add_argument("--to", dest="until", metavar="TIME", help="only rounds that were on at this time or earlier")
    parser.add_argument("--box", metavar="N", type=int, help="only rounds with a wager on this box")


def chosen_by(args: argparse.Namespace) -> Chosen:
    """Which rounds the options want.

    Raises:
        ValueError: an option cannot be understood; the message names it.
    """
    from firmware_bridge.audit import round_filter  # noqa: PLC0415

    readers = {
        "rounds": ("--rounds", round_filter.chosen_rounds),
        "since": ("--from", round_filter.chosen_time),
        "until": ("--to", round_filter.chosen_time),
        "finding": ("--finding", round_filter.chosen_finding),
    }
    read: dict[str, Any] = {}
    for name, (option, reader) in readers.items():
        told = getattr(args, name, None)
        try:
            read[name] = None if told is None else reader(told)
        except ValueError as error:
            message = f"{option}: {error}"
            raise ValueError(message) from None
    same = {name: getattr(args, name) for name in ("box", "outcome", "clause", "person")}
    return round_filter.Chosen(read["rounds"], read["since"], read["until"], finding=read["finding"], **same)


def _chosen(args: argparse.Namespace) -> Chosen:
    """Which rounds are wanted; an option that cannot be understood is an `UnreadableError`."""
    from firmware_bridge.audit.journal_reader import UnreadableError  # noqa: PLC0415

    try:
        return chosen_by(args)
    except ValueError as error:
        raise UnreadableError(str(error)) from None


def add_audit(
    commands: argparse._SubParsersAction[argparse.ArgumentParser],
    name: str,
    short: str,
    description: str,
    epilog: str,
    run: _Run,
) -> argparse.ArgumentParser:
    """Describe a command that reads a journal."""
    parser = commands.add_parser(name, help=short, description=description, epilog=epilog)
    where = "the state folder of a table, or an archive: sqlite:FILE, postgresql://…"
    parser.add_argument("state", metavar="STATE", type=state_or_address, help=where)
    parser.add_argument("--table", metavar="CASINO/TABLE", help="of an archive: only the journals of this table")
    parser.set_defaults(run=lambda args: _guarded(name, run, args))
    return parser


def _guarded(name: str, run: _Run, args: argparse.Namespace) -> int:
    """Run a command with its bar; an error is one line."""
    from firmware_bridge.audit.journal_reader import UnreadableError, counted, parts  # noqa: PLC0415  only when it is wanted
    from firmware_bridge.journal.domain import refusal  # noqa: PLC0415

    progress: Progress | None = None
    try:
        if isinstance(args.state, str):
            return each_journal(args, lambda one: _guarded(name, run, one))
        if isinstance(args.state, Path) and (wrong := refusal(args.state)):
            raise UnreadableError(wrong)
        total = counted(parts(args.state)) if sys.stderr.isatty() else 0
        progress = Progress(total, sys.stderr, LONG)
        return run(args, progress.step)
    except UnreadableError as error:
        problem = str(error)
    except LeftAloneError:
        return 2
    finally:
        if progress is not None:
            progress.clear()
    sys.stdout.flush()
    sys.stderr.write(f"truedeal {name}: {problem}\n")
    return 2


# --- verify and replay ------------------------------------------------------------------------------------------------


def _verify(args: argparse.Namespace, step: Callable[[], None]) -> int:
    from firmware_bridge.audit import outside_heads  # noqa: PLC0415
    from firmware_bridge.audit.journal_reader import UnreadableError  # noqa: PLC0415
    from firmware_bridge.audit.verify import verify  # noqa: PLC0415

    try:
        key = None if args.key is None else bytes.fromhex(args.key)
    except ValueError:
        raise UnreadableError("--key: expected hexadecimal digits") from None
    given = [outside_heads.read_head(text, args.state) for text in args.head]
    given += [outside_heads.read_anchors(path, args.state) for path in args.anchors]
    heads = [head for one in given for head in one.heads]
    step = give_way(step) if args.tied else step
    verdict = verify(args.state, key=key, given=heads, step=step)
    replayed = None if args.no_replay else _rebuilt(args.state, verdict, step)
    for note in [*verdict.notes, *([] if replayed is None else replayed.notes)]:
        sys.stderr.write(f"note: {note}\n")
    wrong = [(problem.n, f"NOT WHOLE: {problem}") for problem in verdict.problems]
    wrong += [] if replayed is None else [(one.n, f"DIFFERENT: {one}") for one in replayed.differences]
    sys.stdout.writelines(f"{line}\n" for _, line in sorted(wrong, key=lambda told: told[0]))
    ended = max(verdict.ended, 0 if replayed is None else replayed.last)
    anchored = outside_heads.reach(given, verdict.anchors)
    for one in given:
        reached = one.reaches(verdict.anchors)
        sys.stdout.write(f"anchor {one.name}: {'proves nothing' if reached is None else f'reaches event {reached}'}\n")
    status = outside_heads.status(wrong=bool(wrong), anchored=anchored, ended=ended)
    sys.stdout.write(_summary(verdict, replayed, status, anchored, ended))
    return status


def give_way(step: Callable[[], None]) -> Callable[[], None]:
    """The same step, now and then with a pause for others."""
    pause, steps = Pause(), 0

    def gently() -> None:
        nonlocal steps
        step()
        steps += 1
        if steps % TURN == 0:
            pause()

    return gently


def _rebuilt(state: Where, verdict: Verdict, step: Callable[[], None]) -> Replayed | None:
    """Every round again; None where the journal is not whole and its events cannot be read."""
    from firmware_bridge.audit.journal_reader import UnreadableError  # noqa: PLC0415
    from firmware_bridge.audit.replay import replay  # noqa: PLC0415

    try:
        return replay(state, step)
    except UnreadableError as error:
        if verdict.whole:
            raise
        verdict.notes.append(f"no round was rebuilt: {error}")
        return None


def _summary(verdict: Verdict, replayed: Replayed | None, status: int, anchored: int | None, ended: int) -> str:
    """The last line: what the journal proves, and up to where."""
    from firmware_bridge.audit import outside_heads  # noqa: PLC0415

    counts = f"{verdict.events} events in {verdict.segments} segments, {verdict.heads} signed heads"
    counts += f", the last event is {verdict.last}, signed up to {verdict.signed}"
    counts += "" if replayed is None else f", {replayed.rounds} rounds rebuilt"
    counts += "" if anchored is None else f", heads kept elsewhere reach event {anchored}"
    match status:
        case outside_heads.WHOLE:
            return f"whole: {counts}\n"
        case outside_heads.NOT_ANCHORED:
            why = "no head that was kept elsewhere is given, see --head and --anchors"
            if anchored is not None:
                why = f"the last round ended with event {ended}"
            return f"whole but not anchored: {counts}; {why}\n"
        case _:
            return f"{counts}\n"


def _replay(args: argparse.Namespace, step: Callable[[], None]) -> int:
    from firmware_bridge.audit.replay import replay  # noqa: PLC0415

    replayed = replay(args.state, step)
    for note in replayed.notes:
        sys.stderr.write(f"note: {note}\n")
    if not replayed.differences:
        sys.stdout.write(f"equal: {replayed.rounds} rounds are what the events make\n")
        return 0
    for difference in replayed.sorted:
        sys.stdout.write(f"DIFFERENT: {difference}\n")
    return 1


# --- export and affected ----------------------------------------------------------------------------------------------


def _export(args: argparse.Namespace, step: Callable[[], None]) -> int:
    from firmware_bridge.audit.exports import csv_tables, export  # noqa: PLC0415

    chosen = _chosen(args)
    if args.format == "deal":
        return _deal(args, *export.sessions(args.state, chosen, step))
    made = {
        "jsonl": export.json_lines,
        "rounds-csv": csv_tables.rounds_csv,
        "findings-csv": csv_tables.findings_csv,
        "wagers-csv": csv_tables.wagers_csv,
    }
    _write(args, args.out, made[args.format](args.state, chosen, step))
    return 0


def _deal(args: argparse.Namespace, sessions: list[Session], passed_over: int) -> int:
    """Write each table as a file, and compare it with the journal."""
    from firmware_bridge.audit.journal_reader import UnreadableError  # noqa: PLC0415

    if not sessions:
        raise UnreadableError(f"{args.state}: there are no such rounds")
    if args.out is None and len(sessions) > 1:
        raise UnreadableError(f"{args.state}: {len(sessions)} tables were set up, --out FILE writes one file for each")
    status = say_passed_over("export", passed_over)
    for number, session in enumerate(sessions, start=1):
        name = args.out
        if name is not None and len(sessions) > 1:
            name = name.with_name(f"{name.stem}-{number}{name.suffix}")
        text = session.text()
        _write(args, name, [text])
        if not session.plays_again(text):
            why = _why_not(session)
            sys.stderr.write(f"truedeal export: {name or 'the text'} does not play again: {why}\n")
            status = 1
    return status


def _why_not(session: Session) -> str:
    """Why a session does not play again."""
    from firmware_bridge.journal.schema import EDITION  # noqa: PLC0415

    if session.edition != EDITION:
        return f"edition {session.edition} has kept it, and it is not judged again"
    return "it does not give the report of the journal"


def say_passed_over(name: str, events: int) -> int:
    """Say that some events are left out; returns the exit status."""
    if events:
        sys.stderr.write(f"truedeal {name}: {events} events are left out: the beginning of their table is not here\n")
    return 1 if events else 0


def _affected(args: argparse.Namespace, step: Callable[[], None]) -> int:
    from firmware_bridge.audit.affected import affected  # noqa: PLC0415
    from firmware_bridge.audit.exports import affected_report  # noqa: PLC0415
    from firmware_bridge.journal.last_named import named  # noqa: PLC0415
    from firmware_bridge.journal.schema import NAMED  # noqa: PLC0415

    chosen = _chosen(args)
    found = affected(args.state, step)
    made = {"text": affected_report.as_text, "csv": affected_report.as_csv, "html": affected_report.as_html}
    cases = [case for case in found.cases if case.is_wanted(chosen)]
    name = named(args.state, NAMED) if isinstance(args.state, Path) else None  # an archive names its tables itself
    _write(args, args.out, [made[args.format](cases, str(name or ""))])
    return say_passed_over("affected", found.passed_over)


def _write(args: argparse.Namespace, path: Path | None, texts: Iterable[str]) -> None:
    from firmware_bridge.audit.journal_reader import UnreadableError  # noqa: PLC0415

    if path is None:
        for text in texts:
            sys.stdout.write(text)
        return
    if isinstance(args.state, Path) and path.resolve().is_relative_to(args.state.resolve()):
        raise UnreadableError(f"--out: {path} lies in the state folder, where nothing is written")
    try:
        with new_file(path) as file:
            file.writelines(texts)
    except OSError as error:
        raise UnreadableError(f"{error.filename or path}: {error.strerror or error}") from error

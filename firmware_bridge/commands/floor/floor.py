"""``truedeal floor``: serves the floor to browsers; its parts make the archive, enrol tables, and look after both."""

from __future__ import annotations

import argparse
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from firmware_bridge.commands.floor import pit
from firmware_bridge.commands.floor.named import casino_and_table
from firmware_bridge.commands.help_text import add_part, examples

if TYPE_CHECKING:
    from firmware_bridge.floor.archive.archive import Archive


_PEOPLE = "--archive sqlite:floor.db --casino mbs --people people.json --key floor.key"
_CERTIFICATES = "--certificate door.pem --key door.key --ca ca.pem"


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "floor",
        help="serve many tables to browsers, and look after their archive",
        description="Serves the tables of a floor to browsers, until it is told to end. Its parts make the archive, "
        "enrol tables and show how far their journals have come.",
        epilog=examples(
            ("truedeal floor --demo 4", "a whole floor with simulated tables on this computer"),
            (
                "truedeal floor --casino mbs --archive postgresql:///floor --nats tls://broker:4222 --key console.key",
                "the tables of a casino, for a browser on this computer",
            ),
            ("truedeal floor migrate --archive sqlite:floor.db", "make an archive"),
            ("truedeal floor journals --archive sqlite:floor.db", "how far the journals have come"),
            status="Exit status: 0 done, 1 a journal is quarantined, 2 something cannot be read or written.",
        ),
    )
    pit.describe(parser)
    parts = parser.add_subparsers(title="parts", metavar="PART")
    migrate = _part(
        parts,
        "migrate",
        "make an archive, or bring it to the newest schema",
        _migrate,
        ("truedeal floor migrate --archive sqlite:floor.db", "an archive in one file"),
    )
    migrate.add_argument("--demo", action="store_true", help="an archive for tables that run without people")
    table = _part(
        parts,
        "add-table",
        "enrol a table",
        _add_table,
        ("truedeal floor add-table --archive sqlite:floor.db mbs/bj-12", "a table that ships without a token"),
    )
    table.add_argument("table", metavar="CASINO/TABLE", type=casino_and_table, help="the table")
    table.add_argument(
        "--nkey", default="", metavar="NKEY", help="the public key of its shipper, as 'ship --key' prints it"
    )
    table.add_argument(
        "--root", type=bytes.fromhex, metavar="HEX", help="the first public key of its journal, signing.pub"
    )
    release = _part(
        parts,
        "release",
        "let a quarantined journal go on from its mark, or end it there",
        _release,
        (
            "truedeal floor release --archive sqlite:floor.db 9f3c --by 'EVE LIM' 'ANN LEE'",
            "two people have looked at what was quarantined",
        ),
    )
    release.add_argument("journal", metavar="JOURNAL", type=bytes.fromhex, help="the id of the journal")
    release.add_argument("--by", nargs=2, required=True, metavar="NAME", help="the two people who decide")
    release.add_argument("--end", action="store_true", help="it ends here, and another one follows")
    nats = _part(
        parts,
        "nats-config",
        "print the users of the broker: one for each table, and the ingesters",
        _nats,
        ("truedeal floor nats-config --archive sqlite:floor.db --casino mbs", "the users that the broker must know"),
    )
    nats.add_argument("--casino", required=True, metavar="CASINO", help="whose tables")
    nats.add_argument("--ingester", action="append", default=[], metavar="NKEY", help="the public key of an ingester")
    nats.add_argument("--console", action="append", default=[], metavar="NKEY", help="the public key of a console")
    token = _part(
        parts,
        "token",
        "issue a token that enrols one table, once, within a day",
        _token,
        (
            "truedeal floor token --archive sqlite:floor.db mbs/bj-12 --by EVE ANN --door centre:8443 --ca ca.pem",
            "for one table, within a day",
        ),
    )
    token.add_argument("table", metavar="CASINO/TABLE", type=casino_and_table, help="the table")
    token.add_argument("--by", nargs=2, required=True, metavar="NAME", help="the two people who issue it")
    token.add_argument("--door", required=True, metavar="HOST:PORT", help="where 'floor door' listens")
    token.add_argument("--ca", required=True, metavar="FILE", type=Path, help="the CA of the floor")
    door = _part(
        parts,
        "door",
        "enrol tables that bring a token, until it is told to end",
        _door,
        (
            f"truedeal floor door --archive sqlite:floor.db --listen 0.0.0.0:8443 {_CERTIFICATES} --nats tls://broker:4222",
            "as the service does",
        ),
    )
    door.add_argument("--listen", required=True, metavar="HOST:PORT", help="where to listen")
    for option, what in (("--certificate", "its certificate"), ("--key", "the key of that"), ("--ca", "the CA's")):
        door.add_argument(option, required=True, metavar="FILE", type=Path, help=what)
    door.add_argument("--nats", required=True, action="append", metavar="ADDRESS", help="a server of the broker")
    door.add_argument("--users", metavar="FILE", type=Path, help="where the users of the broker are written")
    door.add_argument("--ingester", action="append", default=[], metavar="NKEY", help="the public key of an ingester")
    door.add_argument("--console", action="append", default=[], metavar="NKEY", help="the public key of a console")
    door.add_argument(
        "--floor-key", metavar="FILE", type=Path, help="the key of the floor, as 'floor keys' has made it"
    )
    door.add_argument("--broker-pid", metavar="FILE", type=Path, help="the broker's process, to be told of new users")
    keys = _part(
        parts,
        "keys",
        "sign the list of the ingesters whose receipts count",
        _keys,
        ("truedeal floor keys --archive sqlite:floor.db --key floor.key", "after an ingester has joined"),
    )
    keys.add_argument("--key", required=True, metavar="FILE", type=Path, help="the key of the floor; made if missing")
    keys.add_argument("--strike", action="append", default=[], metavar="KEY", type=bytes.fromhex, help="strike one off")
    roster = _part(
        parts,
        "roster",
        "sign the people of a casino, for its consoles",
        _roster,
        (
            f"truedeal floor roster {_PEOPLE} --by 'EVE LIM' 'ANN LEE'",
            "after people came or left",
        ),
    )
    roster.add_argument("--casino", required=True, metavar="CASINO", help="whose people")
    roster.add_argument("--people", required=True, metavar="FILE", type=Path, help="as a table's people.json has them")
    roster.add_argument("--by", nargs=2, required=True, metavar="NAME", help="the two people who make it")
    roster.add_argument("--key", required=True, metavar="FILE", type=Path, help="the key of the floor; made if missing")
    _part(
        parts,
        "backup-begin",
        "write how far every journal is, before a backup; prints a token",
        _backup_begin,
        ("truedeal floor backup-begin --archive sqlite:floor.db", "prints the token for backup-done"),
    )
    done = _part(
        parts,
        "backup-done",
        "say that a backup was restored elsewhere and read there",
        _backup_done,
        (
            "truedeal floor backup-done --archive sqlite:floor.db TOKEN --copy sqlite:restored.db",
            "after the backup was restored and read elsewhere",
        ),
    )
    done.add_argument("token", metavar="TOKEN", help="the token of 'backup-begin'")
    done.add_argument("--copy", required=True, metavar="ADDRESS", help="the archive that was restored from the backup")
    _part(
        parts,
        "restored",
        "say that this archive was restored from a backup",
        _restored,
        ("truedeal floor restored --archive sqlite:floor.db", "before the tables ship again"),
    )
    _part(
        parts,
        "journals",
        "show the journals, how far they have come and which are quarantined",
        _journals,
        ("truedeal floor journals --archive sqlite:floor.db", "one line for each journal"),
    )


def _part(
    parts: argparse._SubParsersAction[argparse.ArgumentParser],
    name: str,
    short: str,
    run: Callable[[argparse.Namespace], int],
    example: tuple[str, str],
) -> argparse.ArgumentParser:
    parser = add_part(parts, name, short, example)
    parser.add_argument("--archive", required=True, metavar="ADDRESS", help="sqlite:FILE or postgresql://…")
    parser.set_defaults(run=lambda args: _guarded(run, args))
    return parser


def _guarded(run: Callable[[argparse.Namespace], int], args: argparse.Namespace) -> int:
    from firmware_bridge.floor.archive.dialects import ArchiveError  # noqa: PLC0415  only when it is wanted

    try:
        return run(args)
    except (ArchiveError, OSError, ValueError) as error:
        sys.stderr.write(f"truedeal floor: {str(error).strip()}\n")
        return 2


def _opened(args: argparse.Namespace) -> Archive:
    from firmware_bridge.floor.archive.archive import Archive  # noqa: PLC0415

    return Archive.open(args.archive)


def _migrate(args: argparse.Namespace) -> int:
    from firmware_bridge.floor.archive import migrations  # noqa: PLC0415
    from firmware_bridge.floor.archive.dialects import connect  # noqa: PLC0415

    dialect = connect(args.archive)
    try:
        done = migrations.migrate(dialect, migrations.DEMO if args.demo else migrations.HOUSE)
    finally:
        dialect.close()
    sys.stdout.write(f"{len(done)} files of the schema were run\n")
    return 0


def _add_table(args: argparse.Namespace) -> int:
    from firmware_bridge.floor.archive.archive import Enrolled  # noqa: PLC0415

    casino, name = args.table
    with _opened(args) as archive:
        archive.add_table(Enrolled(casino, name, args.nkey))
        if args.root is not None:
            archive.add_journal(casino, name, args.root)
    return 0


def _release(args: argparse.Namespace) -> int:
    with _opened(args) as archive:
        archive.release(args.journal, *args.by, ends=args.end)
    return 0


def _nats(args: argparse.Namespace) -> int:
    from firmware_bridge.floor.centre.nats_config import users  # noqa: PLC0415

    with _opened(args) as archive:
        tables = [table for table in archive.tables() if table.casino == args.casino and table.nkey]
    sys.stdout.write(users(args.casino, tables, args.ingester, args.console))
    return 0


def _token(args: argparse.Namespace) -> int:
    from firmware_bridge.floor.archive.tokens import add_token  # noqa: PLC0415
    from firmware_bridge.floor.wire.tokens import Token, digest_of  # noqa: PLC0415

    token = Token.make(args.door, digest_of(args.ca.read_text(encoding="ascii")))
    with _opened(args) as archive:
        add_token(archive, token, args.table, tuple(args.by))
    sys.stdout.write(f"{token}\n")
    return 0


def _door(args: argparse.Namespace) -> int:
    from firmware_bridge.floor.centre.door import Door, DoorServer  # noqa: PLC0415
    from firmware_bridge.floor.centre.ingester_key import make_key  # noqa: PLC0415

    host, _, port = args.listen.rpartition(":")
    told = (args.archive, host, int(port), args.certificate, args.key, args.ca, args.nats, args.users)
    floor_key = "" if args.floor_key is None else bytes(make_key(args.floor_key).verify_key).hex()
    door = Door(*told, tuple(args.ingester), tuple(args.console), args.broker_pid, floor_key)
    with DoorServer(door) as server:
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: threading.Thread(target=server.shutdown).start())
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        server.serve_forever(poll_interval=0.2)
    return 0


def _keys(args: argparse.Namespace) -> int:
    from firmware_bridge.floor.archive.receipts import sign_keys, strike_off  # noqa: PLC0415
    from firmware_bridge.floor.centre.ingester_key import make_key  # noqa: PLC0415

    with _opened(args) as archive:
        for public in args.strike:
            if not strike_off(archive, public):
                raise ValueError(f"{public.hex()} is no ingester's key")
        made = sign_keys(archive, make_key(args.key))
    sys.stdout.write(f"list {made.version}\n" + "".join(f"{key.hex()}\n" for key in made.keys))
    return 0


def _roster(args: argparse.Namespace) -> int:
    from firmware_bridge.floor.archive.rosters import add_roster  # noqa: PLC0415
    from firmware_bridge.floor.centre.ingester_key import make_key  # noqa: PLC0415
    from firmware_bridge.people.accounts.people_file import load  # noqa: PLC0415

    found = load(args.people)
    if found is None:
        raise ValueError(f"{args.people}: it cannot be read as a list of people")
    key = make_key(args.key)
    with _opened(args) as archive:
        version = add_roster(archive, args.casino, found.people, tuple(args.by), key)
    sys.stdout.write(f"roster {version}: {len(found.people)} people, signed by {bytes(key.verify_key).hex()}\n")
    return 0


def _backup_begin(args: argparse.Namespace) -> int:
    from firmware_bridge.floor.archive.backups import begin_backup  # noqa: PLC0415

    with _opened(args) as archive:
        sys.stdout.write(f"{begin_backup(archive)}\n")
    return 0


def _backup_done(args: argparse.Namespace) -> int:
    from firmware_bridge.floor.archive.archive import Archive  # noqa: PLC0415
    from firmware_bridge.floor.archive.backups import end_backup  # noqa: PLC0415

    with _opened(args) as archive, Archive.open(args.copy) as copy:
        sys.stdout.write(f"{end_backup(archive, copy, args.token)} journals are backed up\n")
    return 0


def _restored(args: argparse.Namespace) -> int:
    from firmware_bridge.floor.archive.backups import begin_epoch  # noqa: PLC0415

    with _opened(args) as archive:
        begin_epoch(archive)
    return 0


def _journals(args: argparse.Namespace) -> int:
    from firmware_bridge.floor.archive.sightings import last_version, said_place  # noqa: PLC0415

    with _opened(args) as archive:
        keys = {(table.casino, table.name): table.nkey for table in archive.tables()}
        wrong = {place.journal: reason for place, reason in archive.quarantined()}
        for place in archive.places():
            known = archive.known(*place)
            if known is not None:
                said = f"{place.casino}/{place.name} {place.journal.hex()}: event {known.mark.n}, sealed {known.seal.n}"
                bad = f", QUARANTINED {wrong[place.journal]}" if place.journal in wrong else ""
                here = (f"{place.casino}/{place.name}", keys.get((place.casino, place.name), ""))
                itself = said_place(archive.dialect, place.journal)
                proved = "confirmed by itself" if itself == here else "NOT confirmed by itself"
                wanted = f", it says {itself[0]}" if itself is not None and itself[0] != here[0] else ""
                backed = f"backed up {archive.backed(place.journal)}"
                version = f"version {last_version(archive.dialect, place.journal) or 'unknown'}"
                sys.stdout.write(f"{said}, {backed}, {version}, {proved}{wanted}{bad}\n")
    return 1 if wrong else 0

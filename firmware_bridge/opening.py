"""Opens the books at the start of the daemon, whatever it finds.

1. The newest segment is opened and the table rebuilt from it. A file that is damaged, rows that are not as they were
   written, or fewer of them than the published head says, are set aside; the journal goes on in a new segment.
2. The daemon never refuses to start because its journal is damaged, and never deletes anything. Damage is put before
   the shift manager. A journal that cannot be opened now, because the disk is full or another process holds it, is no
   damage: the error goes to the caller.
3. The start itself is in the journal: boot id, software version, the program's digest, configuration without secrets,
   a digest of all of it, who may log in, with the digest of their list (`people.register`), and the devices' public
   keys (`links.pairings`).
4. A table that is configured otherwise than at the last start is a new table, unless a round is on: then the round is
   played to its end first, the next start brings the new one, and a note says so. Until the new table is in the journal
   it counts as not yet configured, so that a daemon that is killed in between brings it at the next start.
5. A journal that an earlier edition has written goes on in a new segment, which begins with the table as it stands. If
   something of the round in play cannot be applied, that is put before the shift manager as damage is: the round is
   held.
6. On a disk that is full the journal is opened with what was kept in reserve (`holding`), so that the table can say so.
"""

from __future__ import annotations

import json
import sqlite3
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from firmware_bridge import VERSION
from firmware_bridge.books import Books
from firmware_bridge.config import Config
from firmware_bridge.items import DAEMON, Item, NewTable, Note
from firmware_bridge.journal import holding, schema, segments, signing
from firmware_bridge.journal.recovery import DamagedError, Recovered, recover, set_up
from firmware_bridge.journal.store import UPGRADE, Journal
from firmware_bridge.links import pairings
from firmware_bridge.links.pairings import PAIRINGS, Paired
from firmware_bridge.people.masking import scrubbed
from firmware_bridge.people.register import Register, enter
from firmware_bridge.people.told import DIGEST
from firmware_bridge.program.running import DEVELOPMENT
from gamecore.model import events as ev
from gamecore.notation.writer import write_header


class Opened(NamedTuple):
    """The table as the journal tells it, its books, what must happen first, its people and its devices' keys.

    An open table has no people.
    """

    recovered: Recovered
    books: Books
    first: list[Item]
    register: Register | None
    pairings: dict[str, Paired]


def open_books(config: Config, at: str, program: str = DEVELOPMENT) -> Opened:
    """Open the journal of a table, and say what its start means to the game; `program` is the digest of what runs."""
    config.state.mkdir(parents=True, exist_ok=True)
    journal, damage = _journal_with_room(config.state, at)
    try:
        recovered = recover(journal, config.header)
    except DamagedError as error:
        damage = f"{error}; set aside as {journal.quarantine(at, None)}"
        recovered = set_up(config.header)
    if damage:
        recovered.numbers.clear()  # what the devices have kept is taken as it comes
    if journal.edition != schema.EDITION:
        _upgrade(journal, recovered, at)
    damage = damage or recovered.damage
    boot = config.boot.read_text(encoding="ascii").strip()
    before, configured = recovered.configured, write_header(config.header)
    changed = before not in {"", configured}
    recovered.configured = before if changed and recovered.table.round_is_on else configured
    register, notes = (None, []) if config.open else enter(config.state, config.roles)
    paired, changed_keys = pairings.enter(config)
    in_force = _start(config, boot, recovered.configured, program, register) | {PAIRINGS: pairings.told(paired)}
    first = [Item(DAEMON, Note(json.dumps(in_force, ensure_ascii=False), schema.START))]
    notes += changed_keys
    first += [Item(DAEMON, Note(json.dumps(one, ensure_ascii=False), alarm=str(one.get("alarm", "")))) for one in notes]
    first += _what_happened(recovered, boot)
    if changed and recovered.configured == configured:
        first.append(Item(DAEMON, NewTable(config.header, configured)))
    elif changed:
        first.append(Item(DAEMON, Note(json.dumps({"configured-from-the-next-start-between-rounds": configured}))))
    if damage:
        first.append(Item(DAEMON, Note(f"the journal was damaged: {damage}")))
    if recovered.doubt:
        first.append(Item(DAEMON, Note(f"the round in play began under an earlier edition: {recovered.doubt}")))
    if damage or recovered.doubt:
        first.append(Item(DAEMON, ev.Call("uncovered")))
    recovered.boot = boot
    recovered.programs = recovered.programs.started(VERSION, program)
    holding.keep_reserve(config.state)
    return Opened(recovered, Books(journal, recovered), first, register, paired)


def _journal_with_room(state: Path, at: str) -> tuple[Journal, str]:
    """The journal and what is wrong with it; on a full disk with what was kept in reserve for that."""
    try:
        return _journal(state, at)
    except (sqlite3.OperationalError, OSError):
        if not holding.give_up_reserve(state):
            raise
        return _journal(state, at)


def _journal(state: Path, at: str) -> tuple[Journal, str]:
    """The journal, and what is wrong with it: it was cut, or its newest segment cannot be opened."""
    newest, head = segments.segment_path(state, segments.latest(state)), signing.published(state / signing.HEAD)
    if segments.latest(state) and not newest.exists():
        return Journal.after(state, at, head), f"{newest.name} is not there any more"
    try:
        journal = Journal(state, at)
    except sqlite3.DatabaseError as error:
        if not segments.is_damage(error, newest):
            raise
        journal = Journal.after(state, at, head)
        return journal, f"{error}; set aside as {segments.set_aside(newest)}"
    if head is not None and head.n > journal.n:
        cut = f"it ends with event {journal.n}, but its published head is {head.n}"
        journal.close()
        journal = Journal.after(state, at, head)
        return journal, f"{cut}; set aside as {segments.set_aside(newest)}"
    return journal, ""


def _upgrade(journal: Journal, recovered: Recovered, at: str) -> None:
    """Go on in a new segment, which holds the table that the rows of the earlier edition have made."""
    kept = Books(journal, recovered).kept(recovered.header, recovered.table, recovered.translator)
    try:
        journal.rotate(at, kept, UPGRADE, recovered.doubt)
    except (sqlite3.OperationalError, OSError):
        if not holding.give_up_reserve(journal.state):
            raise
        journal.rotate(at, kept, UPGRADE, recovered.doubt)


def _what_happened(recovered: Recovered, boot: str) -> list[Item]:
    """The software came back, or the power did."""
    if recovered.boot is None:
        return []
    if recovered.boot == boot:
        return [Item(DAEMON, ev.Restarted())]
    return [Item(DAEMON, ev.PowerCut()), Item(DAEMON, ev.PowerOn())]


def _start(config: Config, boot: str, table: str, program: str, register: Register | None) -> dict[str, object]:
    """What is in force from now on. Keys and PINs are left out; that one was changed shows in the digest."""
    devices = {
        device.name: {
            "driver": device.driver,
            "port": device.port,
            "serial": device.serial,
            "authenticated": device.authenticated,
            "edition": device.edition,
            "options": scrubbed(dict(device.options)),
        }
        for device in config.devices
    }
    people, digest = (register.people, register.digest) if register is not None else ((), "")
    roles = {person.called: person.role for person in people}
    said: dict[str, object] = {
        "boot": boot,
        "version": VERSION,
        "program": program,
        "table": table,
        "devices": devices,
        "roles": roles,
    }
    said |= {DIGEST: digest} if digest else {}
    return said | {"open": config.open, "retention": config.retention._asdict(), "digest": _digest(config)}


def _digest(config: Config) -> str:
    """A digest of the whole configuration, secrets included: of them it tells nothing but that they are the same."""
    whole = [write_header(config.header), str(config.state), str(config.control), str(config.boot), str(config.open)]
    whole += [str(value) for value in config.retention]
    for device in config.devices:
        whole += [device.name, device.driver, device.port, str(device.serial), (device.key or b"").hex()]
        whole += [str(device.edition), (device.public or b"").hex()]
        whole += [str(device.authenticated), str(device.usb_backend), json.dumps(dict(device.options), sort_keys=True)]
    whole.append((config.secret or b"").hex())
    for person in config.roles:
        whole += [person.name, person.role, person.pin.text]
    return blake2b(json.dumps(whole).encode(), digest_size=8).hexdigest()

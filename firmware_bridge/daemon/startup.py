"""Opens the books at the start of the daemon, whatever it finds.

1. The newest segment is opened and the table rebuilt from it. A file that is damaged, tables that are not ours, rows
   that are not as they were written, or fewer or other ones than the published head says, are set aside; the journal
   goes on in a new segment. The table is then as the segments before tell it or, where a row cannot be applied again,
   as it is before its first round. A published head counts if this table has signed it: with a key that lies here, that
   the newest segment names, or that has certified it. Any other is set aside itself. That, and a head that is gone, is
   put before the shift manager.
   A segment of edition 1 that follows this edition is set aside too.
   Then the newest segment is checked whole (`start_check`), before anything is signed. What is wrong there is set aside
   in the same way; the table goes on as the rows since its last good snapshot have made it.
2. The daemon never refuses to start because its journal is damaged, and never deletes anything. Damage is put before
   the shift manager. A journal that cannot be opened now, because the disk is full or another process holds it, is no
   damage: the error goes to the caller.
3. The start itself is in the journal: boot id, software version, the program's digest, the name of the table, its
   configuration without secrets, a digest of all of it, who may log in, with the digest of their list
   (`people.accounts.people_file`), the devices' public keys and the registers that are set aside (`links`), and the
   documents of the house.
4. A table that is configured otherwise than at the last start is a new table, and where people log in so is one that
   was put in place of the configured one since (`people.table_changes`), unless a round is on: then the round is played
   to its end first, the next start brings the new one, and a note says so. Until the new table is in the journal it
   counts as not yet configured, so that a daemon that is killed in between brings it at the next start.
   If the configured table asks for confirmation and the round in play began without it, because nobody logged in then
   or the software did not know it, the rest of the round asks for it all the same: the event `Restarted` says so.
5. A journal that an earlier edition has written goes on in a new segment, which begins with the table as it stands. If
   something of the round in play cannot be applied, that is put before the shift manager as damage is: the round is
   held.
6. Where the key of the newest segment is gone or is another's, a new segment begins with a new key that nothing
   certifies. That is put before the shift manager too and is an alarm; `verify` says so until two people have accepted
   it (`journal.signed.lost_keys`).
7. Rows that no head covers are recovered without a note if at most one round began in them: only the head of a round
   that has ended is promised. If more rounds began, that is an alarm with a row of its own, before anything is signed.
8. The clock is compared with that of the last row: under the same boot id as `clock` says, else it may not go back.
9. On a full disk the journal is opened with what was kept in reserve (`folder_lock`), so that the table can say so.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing, suppress
from hashlib import blake2b
from pathlib import Path
from time import time_ns
from typing import NamedTuple

from firmware_bridge import VERSION
from firmware_bridge.journal import folder_lock, schema, segments
from firmware_bridge.journal.clock import JUMP, Watch, note, read
from firmware_bridge.journal.last_named import named
from firmware_bridge.journal.recovery import DamagedError, Recovered, past_reports, recover, set_up
from firmware_bridge.journal.schema import ENROLLED, NAMED, ROSTER
from firmware_bridge.journal.signed import signing, start_check
from firmware_bridge.journal.signed.keys import Keys
from firmware_bridge.journal.signed.signing import AnyHead, Head
from firmware_bridge.journal.writer import KEY_LOST, UPGRADE, Journal
from firmware_bridge.links import pairings, registers
from firmware_bridge.links.pairings import PAIRINGS, Paired
from firmware_bridge.links.registers import Aside
from firmware_bridge.people import permissions
from firmware_bridge.people.accounts.journal_digest import DIGEST
from firmware_bridge.people.accounts.people_file import Register, enter
from firmware_bridge.people.alarms import Alarm
from firmware_bridge.people.alarms_from_records import uncleared
from firmware_bridge.people.masking import scrubbed
from firmware_bridge.people.permissions import RECOVERED
from firmware_bridge.program.running import DEVELOPMENT
from firmware_bridge.pump.items import DAEMON, Item, NewTable, Note
from firmware_bridge.pump.record_writer import RecordWriter
from firmware_bridge.setup import house_documents
from firmware_bridge.setup.config import Config
from gamecore.model.events import events as ev
from gamecore.notation.writer import write_header

_CLOCK_SET = (
    "SELECT 1 FROM events WHERE kind = 'note' AND instr(body, '\"clock\": \"set\"') AND n >"
    " coalesce((SELECT max(n) FROM events WHERE kind = 'start' AND instr(body, ?) = 0), 0)"
)
"""Whether the clock was set since the computer began."""


class Opened(NamedTuple):
    """The table as the journal tells it, its books, what must happen first, how the clock stands, the devices' keys.

    `register` has its people; an open table has none. `aside` are registers that are not judged. `past`: the daemon
    has run here before.
    """

    recovered: Recovered
    books: RecordWriter
    first: list[Item]
    watch: Watch
    register: Register | None
    pairings: dict[str, Paired]
    aside: dict[str, Aside]
    past: bool


def open_books(config: Config, at: str, program: str = DEVELOPMENT) -> Opened:
    """Open the journal of a table, and say what its start means to the game; `program` is the digest of what runs."""
    config.state.mkdir(parents=True, exist_ok=True)
    journal, damage, wrong = _journal_with_room(config.state, at)
    try:
        recovered = recover(journal, config.header)
        damage = damage or _checked(journal, recovered, at)
    except DamagedError as error:
        damage = f"{error}; set aside as {journal.quarantine(at, None)}"
        recovered = set_up(config.header)
    recovered.alarms.roles = not config.open
    boot = config.boot.read_text(encoding="ascii").strip()
    watch, clock = _clock(journal.connection, boot, same=recovered.boot == boot)
    if damage:
        recovered.numbers.clear()  # what the devices have kept is taken as it comes
        _take_up_alarms(recovered, config.state)
    if journal.signer is not None and journal.edition != schema.EDITION:
        _begin_anew(journal, recovered, at, UPGRADE)
    elif journal.signer is None:
        wrong.append(f"the key of {journal.path.name} is gone, or is another's: a new one signs from here on")
        _begin_anew(journal, recovered, at, KEY_LOST)
        recovered.lost = True
    damage = damage or recovered.damage
    before, configured = recovered.configured, write_header(config.header)
    changed = before not in {"", configured}
    if not config.open:  # another was put in place at run time
        changed = changed or (bool(before) and write_header(recovered.header) != configured)
    waits = changed and recovered.table.round_is_on
    recovered.configured = before if waits else configured
    register, notes = (None, []) if config.open else enter(config.state, config.roles)
    paired, changed_keys = pairings.enter(config)
    in_force = _start(config, boot, recovered.configured, program, register) | {PAIRINGS: pairings.key_rows(paired)}
    aside = registers.load(config.state)
    in_force[registers.ASIDE] = registers.aside_rows(aside)
    documents = _documents(config)
    in_force |= documents
    first = [Item(DAEMON, Note(json.dumps(in_force, ensure_ascii=False), schema.START))]
    notes += changed_keys
    first += [Item(DAEMON, Note(json.dumps(one, ensure_ascii=False), alarm=str(one.get("alarm", "")))) for one in notes]
    first += _what_happened(recovered, boot, confirm=config.header.confirm)
    if changed and not waits:
        first.append(Item(DAEMON, NewTable(config.header, configured)))
    elif waits:
        first.append(Item(DAEMON, Note(json.dumps({"configured-from-the-next-start-between-rounds": configured}))))
    first += _lost(journal) if recovered.lost else []
    first += _to_tell(recovered, journal.n, damage, wrong, clock)
    past, recovered.boot = recovered.boot is not None, boot
    recovered.programs = recovered.programs.started(VERSION, program)
    folder_lock.keep_reserve(config.state)
    books = RecordWriter(journal, recovered)
    books.documents |= documents
    return Opened(recovered, books, first, watch, register, paired, aside, past)


def _documents(config: Config) -> dict[str, object]:
    """What the journal names as in force: the documents of the house, and the roster of the floor at a table of one."""
    roster = named(config.state, ROSTER) if config.centre is not None else None
    return {**house_documents.all_named(config.state)} | ({ROSTER: roster} if roster else {})


def _checked(journal: Journal, recovered: Recovered, at: str) -> str:
    """What is wrong with the newest segment, which is set aside then; the table goes on as its rows have made it.

    Where nothing is, its records tell the rounds before.
    """
    wrong = "" if journal.edition == 1 else start_check.wrong_with(journal.state, journal.path, journal.connection)
    if not wrong:
        recovered.past = past_reports(journal, recovered.table)
        return ""
    kept = RecordWriter(journal, recovered).kept(recovered.header, recovered.table, recovered.translator)
    return f"{wrong}; set aside as {journal.quarantine(at, kept)}"


def _lost(journal: Journal) -> list[Item]:
    """The alarm of a segment whose key nothing certifies."""
    said = {"alarm": permissions.KEY_LOST, "segment": segments.number_of(journal.path)}
    return [Item(DAEMON, Note(json.dumps(said)))]


def _to_tell(recovered: Recovered, n: int, damage: str, wrong: list[str], clock: str) -> list[Item]:
    """What somebody must know, and be asked about where the journal or the round is in doubt."""
    said = [clock] if clock else []
    if recovered.unsigned > 1:
        rows = {"from": recovered.signed + 1, "to": n}
        said.append(json.dumps({"alarm": RECOVERED, "recovered": rows, "rounds": recovered.unsigned}))
    if damage:
        said.append(f"the journal was damaged: {damage}")
    if recovered.doubt:
        wrong = [*wrong, f"the round in play began under an earlier edition: {recovered.doubt}"]
    told = [Item(DAEMON, Note(text)) for text in (*said, *wrong)]
    return [*told, Item.to_the_house()] if damage or wrong else told


def _take_up_alarms(recovered: Recovered, state: Path) -> None:
    """What was set aside may have had alarms that nothing else tells of."""
    known = {(alarm.n, alarm.code) for alarm in recovered.alarms.open}
    for one in uncleared(state):
        if (one.n, one.code) not in known:
            recovered.alarms.add(Alarm(*one))


def _clock(connection: sqlite3.Connection, boot: str, *, same: bool) -> tuple[Watch, str]:
    """How the clock stands after the last row, under the same boot id or another; the note of one that went back."""
    chosen = "SELECT at, mono FROM events WHERE mono IS NOT NULL AND kind <> 'segment' ORDER BY n DESC LIMIT 1"
    last = None if segments.edition(connection) == 1 else connection.execute(chosen).fetchone()
    if last is None:
        return Watch(), ""
    at, mono = read(last[0]), int(last[1])
    if same:
        was_set = connection.execute(_CLOCK_SET, (boot,)).fetchone()
        return Watch(at - mono, was_set=was_set is not None), ""
    back = time_ns() - at
    return Watch(), note(back, at + back, alarm=True) if back < -JUMP else ""


def _journal_with_room(state: Path, at: str) -> tuple[Journal, str, list[str]]:
    """The journal and what is wrong with it; on a full disk with what was kept in reserve for that."""
    try:
        return _journal(state, at)
    except (sqlite3.OperationalError, OSError):
        if not folder_lock.give_up_reserve(state):
            raise
        return _journal(state, at)


def _journal(state: Path, at: str) -> tuple[Journal, str, list[str]]:
    """The journal, and what is wrong with it: it was cut, or its newest segment cannot be opened; and with its head."""
    newest = segments.segment_path(state, segments.latest(state))
    head, foreign = _published(state, newest)
    if segments.latest(state) and not newest.exists():
        return Journal.after(state, at, head), f"{newest.name} is not there any more", foreign
    try:
        journal = Journal(state, at)
    except sqlite3.DatabaseError as error:
        if not segments.is_damage(error, newest):
            raise
        journal = Journal.after(state, at, head)
        return journal, f"{error}; set aside as {segments.set_aside(newest)}", foreign
    wrong = _went_back(journal, head) or ("" if head is None else _beside(journal, head))
    if wrong:
        journal.close()
        journal = Journal.after(state, at, head)
        return journal, f"{wrong}; set aside as {segments.set_aside(newest)}", foreign
    return journal, "", foreign


def _published(state: Path, newest: Path) -> tuple[AnyHead | None, list[str]]:
    """The published head, if it is this table's own; else why it is not, and it is set aside."""
    path = state / signing.HEAD
    if not path.exists():
        gone = f"{path.name} is gone: whether the journal was cut cannot be told"
        return None, [gone] if _has_published(newest) else []
    head = signing.published(path)
    if head is not None and signing.verify(head) and _is_own(head, state, newest):
        return head, []
    aside = path.with_name(f"{path.name}.foreign")
    path.replace(aside)
    return None, [f"{path.name} is not signed by this table, set aside as {aside.name}"]


def _has_published(newest: Path) -> bool:
    """Whether a head must have been published; edition 1 did not promise it, and the first row may be all there is."""
    with suppress(sqlite3.Error, OSError), closing(segments.open_for_reading(newest)) as connection:
        return segments.edition(connection) > 1 and segments.end(connection)[0] > 1
    return False


def _is_own(head: AnyHead, state: Path, newest: Path) -> bool:
    """Whether a key of this table has signed a head."""
    if head.key in Keys(state).present():
        return True
    with suppress(sqlite3.Error, OSError), closing(segments.open_for_reading(newest)) as connection:
        said = segments.beginning(connection)
        if segments.edition(connection) == 1:
            return head.key == Keys(state).root()
        return said.get("key") == head.key.hex() or signing.certified(said, head.key)
    return False


def _went_back(journal: Journal, head: AnyHead | None) -> str:
    """Why a segment of edition 1 is none that an upgrade could find: this edition has written here already.

    Edition 1 promised less: nobody may turn what was written since into it.
    """
    if journal.edition != 1:
        return ""
    number, before = segments.number_of(journal.path), journal.before()[-1:]
    known = isinstance(head, Head) or any(seed <= number for seed in Keys(journal.state).numbers())
    for path in before:
        with suppress(sqlite3.Error, OSError), closing(segments.open_for_reading(path)) as connection:
            known = known or segments.edition(connection) != 1
    return "its rows are of an earlier edition than those before it" if known else ""


def _beside(journal: Journal, head: AnyHead) -> str:
    """Why the newest segment is not the one that was published: it is shorter, or another."""
    if head.n > journal.n:
        return f"it ends with event {journal.n}, but its published head is {head.n}"
    found = journal.connection.execute("SELECT chain FROM events WHERE n = ?", (head.n,)).fetchone()
    if head.n >= journal.first and found != (head.chain,):
        return f"its event {head.n} is not the one that its published head covers"
    return ""


def _begin_anew(journal: Journal, recovered: Recovered, at: str, reason: str) -> None:
    """Go on in a new segment, which holds the table that the rows of the one before have made."""
    kept = RecordWriter(journal, recovered).kept(recovered.header, recovered.table, recovered.translator)
    try:
        journal.rotate(at, kept, reason, recovered.doubt)
    except (sqlite3.OperationalError, OSError):
        if not folder_lock.give_up_reserve(journal.state):
            raise
        journal.rotate(at, kept, reason, recovered.doubt)


def _what_happened(recovered: Recovered, boot: str, *, confirm: bool) -> list[Item]:
    """The software came back, or the power did; a round in play that did not ask for confirmation may have to."""
    if recovered.boot is None:
        return []
    asks = confirm and recovered.table.round_is_on and not recovered.header.confirm
    came_back = [Item(DAEMON, ev.Restarted(confirm=asks))]
    if recovered.boot == boot:
        return came_back
    return [Item(DAEMON, ev.PowerCut()), Item(DAEMON, ev.PowerOn()), *(came_back if asks else ())]


def _start(config: Config, boot: str, table: str, program: str, register: Register | None) -> dict[str, object]:
    """What is in force from now on. Keys and PINs are left out; that one was changed shows in the digest."""
    devices = {
        device.name: {
            "driver": device.driver,
            "port": device.port,
            "serial": device.serial,
            "authenticated": device.authenticated,
            "edition": device.edition,
            "patience": device.patience,
            "options": scrubbed(dict(device.options)),
        }
        for device in config.devices
    }
    people, digest = (register.people, register.digest) if register is not None else ((), "")
    roles = {person.known_as: person.role for person in people}
    said: dict[str, object] = {
        "boot": boot,
        "version": VERSION,
        "program": program,
        "table": table,
        NAMED: config.name,
        "devices": devices,
        "roles": roles,
    }
    said |= {DIGEST: digest} if digest else {}
    said |= {"open": config.open, "two_persons": config.two_persons}
    if config.centre is not None:
        said[ENROLLED] = {"table": config.centre.table, "nkey": config.centre.nkey}
    said |= {"tables": {name: write_header(header) for name, header in config.tables.items()}} if config.tables else {}
    return said | {"retention": config.retention._asdict(), "digest": _digest(config)}


def _digest(config: Config) -> str:
    """A digest of the whole configuration, secrets included: of them it tells nothing but that they are the same."""
    whole = [write_header(config.header), str(config.state), str(config.control), str(config.boot)]
    whole += [str(config.open), str(config.two_persons), config.name]
    whole += [text for name, header in config.tables.items() for text in (name, write_header(header))]
    whole += [str(value) for value in config.retention]
    for device in config.devices:
        whole += [device.name, device.driver, device.port, str(device.serial), (device.key or b"").hex()]
        whole += [str(device.edition), str(device.patience), (device.public or b"").hex()]
        whole += [str(device.authenticated), str(device.usb_backend), json.dumps(dict(device.options), sort_keys=True)]
    whole.append((config.secret or b"").hex())
    for person in config.roles:
        whole += [person.name, person.role, person.pin.text]
    return blake2b(json.dumps(whole).encode(), digest_size=8).hexdigest()

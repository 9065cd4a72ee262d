"""Whether a journal is as it was written, and if not, which event is the first that is not.

1. Every row is compared with the digest of the row before it, over all segments, archived and set aside too.
   **Changed**: a row, its digest, a head or a key is not what was written. **Removed**: numbers are left out.
   **Reordered**: a row stands where another was. **Cut**: the journal ends before a signed head, or lacks a head.
   **Unreadable**: the file does not give the row. **Damaged**: the file is, outside its events.
2. Every signed head is compared with its row and its signature, and with the records and snapshots that it covers; the
   keys with their certificates (`signatures`). A forger who remakes all later digests lacks the key: the first
   head that no longer fits shows where. A record of a round without a head shows that the head was removed.
3. The published head is read before the journal, which can only have grown since. What was written after the last head
   and then cut off leaves no trace: the head is as new as the last round that ended.
4. The key that signs is the one that is given; else the one that lies in the folder, which proves less: anyone who can
   change the folder can change it too. The same holds of the published head, so that only heads that were kept
   elsewhere anchor a journal. Each of them must lie on the chain, which it proves up to its event (`outside_heads`).
5. The tables of every segment are those of its edition, to the letter. A segment that is done has exactly the bytes
   whose digest the first row of the next one names, and nothing lies beside it.
6. A segment that was set aside is named; if all that it holds fits, nothing is lost. A time that goes back is noted.
7. Nothing here raises because of what a file holds: what is wrong is in the verdict as it was met, up to `MOST` of it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from firmware_bridge.audit.journal_reader import Part, Reader, UnreadableError, Where, file_digest, opened, parts
from firmware_bridge.audit.rows import Times, is_row, said_to_follow
from firmware_bridge.audit.signatures import KeyChain, head_beside, own_key, uncovered
from firmware_bridge.journal import schema, segments
from firmware_bridge.journal.chain import GENESIS, Link, Row, link
from firmware_bridge.journal.signed import covered, signing
from firmware_bridge.journal.signed.signing import AnyHead

MOST = 100
"""The most problems that a verdict lists."""


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong, at which event, in which file; `at` is the time of that event, or of the last one before it."""

    what: str
    n: int
    segment: str
    at: str
    detail: str

    def __str__(self) -> str:
        """One line for a person."""
        return f"event {self.n} {self.what} in {self.segment}, {self.at or 'at no known time'}: {self.detail}"


@dataclass(slots=True)
class Verdict:
    """What was looked at, and what is wrong."""

    problems: list[Problem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    events: int = 0
    segments: int = 0
    heads: int = 0
    last: int = 0  # the number of the last event
    signed: int = 0  # the number of the last event that a head covers
    ended: int = 0  # the last event of the last round that is recorded
    anchors: set[AnyHead] = field(default_factory=set)  # the heads that were given and lie on the chain

    @property
    def whole(self) -> bool:
        """Whether the journal is as it was written."""
        return not self.problems

    @property
    def first(self) -> Problem | None:
        """The problem at the first event; of several there, the one that was seen first."""
        return min(self.problems, key=lambda problem: problem.n, default=None)


def verify(
    state: Where, *, key: bytes | None = None, given: Sequence[AnyHead] = (), step: Callable[[], None] = lambda: None
) -> Verdict:
    """Look through a whole journal; every head that is given must lie on its chain.

    Raises:
        UnreadableError: there is no journal.
    """
    published = head_beside(state)
    found = parts(state)
    checking = _Verifier(state, key, step)
    checking.want(published, *given)
    for part in found:
        checking.part(part)
    checking.published(published)
    for head in given:
        checking.compare_with(head)
    checking.rounds()
    checking.lost_keys()
    return checking.verdict


class _Verifier:
    """Goes through the parts of a journal in order."""

    def __init__(self, state: Where, key: bytes | None, step: Callable[[], None]) -> None:
        """Nothing is read yet."""
        self.verdict = Verdict()
        own = key or own_key(state, self.verdict.notes)
        self._keys = KeyChain(own or b"")
        self._step = step
        self._n = 0
        self._at, self._times = "", Times()
        self._digest: bytes | None = GENESIS
        self._other: bytes | None = None  # the digest of the last row if the one that is stored is wrong
        self._part = Part(0, Path())
        self._link: Link = link  # of the segment
        self._wanted: dict[int, bytes | None] = {}
        self._begun = 0  # the first row of the segment, whose head is signed before anything can be published
        self._starts: dict[int, tuple[int, str]] = {}  # the first row of each segment, and its time
        self._published = False  # a head was signed that must have been published
        self._aside: dict[int, bytes] = {}  # digests of the segment that was set aside last
        self._unsigned: list[tuple[Part, int, int]] = []  # segments with a round that ended after their last head
        if own is None:
            self._wrong("changed", 1, "what lies there is no key", segment=signing.PUBLIC)

    def want(self, *heads: AnyHead | None) -> None:
        """Remember the digests of these rows when they pass."""
        self._wanted.update({head.n: None for head in heads if head is not None})

    def _wrong(self, what: str, n: int, detail: str, at: str | None = None, segment: str | None = None) -> None:
        if len(self.verdict.problems) < MOST:
            where = segment if segment is not None else self._part.name
            self.verdict.problems.append(Problem(what, n, where, self._at if at is None else at, detail))

    def _known_since(self, n: int) -> bool:
        """Whether something after an event is known to be wrong."""
        return any(problem.n > n for problem in self.verdict.problems)

    # --- one segment -------------------------------------------------------------------------------------------------

    def part(self, part: Part) -> None:
        """Go through one segment."""
        before, self._part = self._part, part
        self.verdict.segments += 1
        if part.aside:
            self.verdict.notes.append(f"{part.name} was set aside as damaged")
            self._aside = {}
        known = len(self.verdict.problems)
        try:
            with opened(part) as reader:
                self._opens(reader, before)
                heads, problem = self._heads(reader)
                at = self._at
                self._rows(reader, before)
                self._check_file_before(segments.beginning(reader.connection).get("file"), before, at)
                self._check_heads(heads)
                if problem:
                    self._wrong("damaged", self._n, f"the heads of this segment cannot be read: {problem}")
                else:
                    self._read_rounds(reader, heads)
                if known == len(self.verdict.problems):
                    self._check_file(reader, heads)
        except (sqlite3.Error, UnicodeDecodeError, UnreadableError) as error:
            self._wrong("unreadable", self._n + 1, str(error))
            self._digest = self._other = None
            self._keys.lose()

    def _opens(self, reader: Reader, before: Part) -> None:
        """The tables of a segment, and its key."""
        if wrong := segments.foreign_tables(reader.connection):
            self._wrong("damaged", self._n + 1, wrong)
        said, edition = segments.beginning(reader.connection), segments.edition(reader.connection)
        if before.number + 1 < self._part.number or not said:
            self._keys.lose()  # a segment is not there, or its first row is none, which the events say
        if said and (wrong := self._keys.begins(self._part.number, said, edition=edition, after_aside=before.aside)):
            self._wrong("changed", self._n + 1, wrong)

    def _check_file_before(self, digest: object, before: Part, at: str) -> None:
        """The bytes of the file before a segment, if its first row, which has their digest, is as it was written."""
        doubted = any(problem.n == self._begun for problem in self.verdict.problems) or self._ended_wrong(before)
        apart = before.aside or before.rebuilt or before.number + 1 != self._part.number
        if digest is None or apart or doubted:
            return
        if segments.is_beside(before.path):
            self._wrong("damaged", self._begun - 1, "something lies beside a segment that is done", at, before.name)
        elif file_digest(before) != digest:
            detail = "all events can be read, the bytes of the file are not those that were written"
            self._wrong("damaged", self._begun - 1, detail, at, before.name)

    def _rows(self, reader: Reader, before: Part) -> None:
        first, self._link = True, segments.linked_by(reader.connection)
        for row, chain in reader.rows():
            self._step()
            self.verdict.events += 1
            if not is_row(row.n, chain):
                self._wrong("changed", self._n + 1, "its number or its digest is none")
                self._digest = self._other = None
                continue
            if first:
                self._begun, self._starts[self._part.number] = row.n, (row.n, str(row.at))
            if not first or not self._begins(row, chain, before):
                self._check(reader, row, chain)
            first = False
            self.verdict.notes += [] if self._part.aside else self._times.went_back(row, self._at)
            self._n, self._at = row.n, str(row.at)
            if row.kind == schema.NOTE:
                self._keys.noted(row.body)
            if self._part.aside:
                self._aside[row.n] = chain
            if row.n in self._wanted and not (self._part.aside and self._wanted[row.n]):
                self._wanted[row.n] = chain
        self.verdict.last = self._n

    def _begins(self, row: Row, chain: bytes, before: Part) -> bool:
        """The first row of a segment says what it follows; True if that is not what was read last, and was dealt with.

        After a segment that was set aside this is no news: what it held up to there may be whole.
        """
        told = said_to_follow(row)
        if told is None or row.n != told[0] + 1 or told == (self._n, self._digest):
            return False
        follows, digest = told
        if self._linked(digest, row) != chain:
            return False
        if before.aside and self._aside.get(follows) == digest:
            again = f"events {follows + 1} to {self._n} of {before.name} were not taken over, their numbers given again"
            self.verdict.notes.append(again)
        elif follows > self._n:
            lost = f"events {self._n + 1} to {follows} are not there, {row.n} follows in {self._part.name}"
            missing = before.number + 1 < self._part.number and not before.aside
            where = f"journal-{before.number + 1:06d}.db" if missing else before.name
            self._wrong("removed", self._n + 1, lost, segment=where)
        elif follows < self._n:
            self._wrong("reordered", row.n, f"{self._part.name} begins again after event {follows}", at=str(row.at))
        elif self._digest is not None and not self._ended_wrong(before):
            detail = f"{self._part.name} does not follow it as it stands"
            self._wrong("changed", self._n, detail, segment=before.name)
        self._digest, self._other = chain, None
        return True

    def _ended_wrong(self, part: Part) -> bool:
        return any(problem.segment == part.name for problem in self.verdict.problems)

    def _check(self, reader: Reader, row: Row, chain: bytes) -> None:
        """Compare a row with the one before it."""
        expected = self._n + 1
        if row.n > expected:
            gone = f"event {expected} is" if row.n == expected + 1 else f"events {expected} to {row.n - 1} are"
            self._wrong("removed", expected, f"{gone} not there")
            self._digest = self._other = None
        elif row.n < expected:
            self._wrong("reordered", row.n, f"it stands after event {self._n}", at=str(row.at))
            self._digest = self._other = None
        computed = None if self._digest is None else self._linked(self._digest, row)
        fits = self._digest is None or chain == computed
        if not fits and self._other is not None:
            other = self._linked(self._other, row)
            fits, computed = chain == other, other
        if not fits:
            self._name(reader, row, chain)
        self._digest, self._other = chain, None if fits else computed

    def _linked(self, digest: bytes, row: Row) -> bytes | None:
        """The digest of a row, or None if a column holds what no row can."""
        try:
            return self._link(digest, row)
        except TypeError:
            return None

    def _name(self, reader: Reader, row: Row, chain: bytes) -> None:
        """Say what became of a row whose digest does not fit."""
        before = [digest for digest in (self._digest, self._other) if digest is not None]
        following: tuple[Row, bytes] | None = None
        for other, digest in self._after(reader, row.n):
            following = following or (other, digest)
            moved = other._replace(n=row.n)
            if any(self._linked(base, moved) in {digest, chain} for base in before):
                self._wrong("reordered", row.n, f"what was written here stands at event {other.n}", at=str(row.at))
                return
        if following is not None and self._linked(chain, following[0]._replace(n=row.n + 2)) == following[1]:
            self._wrong("removed", row.n, "what follows was numbered again", at=str(row.at))
            return
        self._wrong("changed", row.n, "it is not as it was written", at=str(row.at))

    def _after(self, reader: Reader, n: int) -> list[tuple[Row, bytes]]:
        """The rows after one, up to where they can be read."""
        rows: list[tuple[Row, bytes]] = []
        with suppress(sqlite3.Error):
            rows.extend(reader.rows(n))
        return rows

    def _check_file(self, reader: Reader, heads: list[AnyHead]) -> None:
        """Nothing is wrong with the events: the file itself may be damaged all the same."""
        (said,) = reader.connection.execute("PRAGMA integrity_check(1)").fetchone()
        damage = reader.damage or ("" if said == "ok" else str(said).splitlines()[-1])
        if damage:
            self._wrong("damaged", self._n, f"all events can be read, the file is damaged: {damage}")
        elif not any(part is self._part for part, _, _ in self._unsigned):
            for n, wrong in uncovered(reader.connection, heads, rebuilt=self._part.rebuilt):
                self._wrong("changed", n, f"all events can be read, {wrong}")

    # --- heads -------------------------------------------------------------------------------------------------------

    def _heads(self, reader: Reader) -> tuple[list[AnyHead], str]:
        """The heads of a segment, whose rows are wanted, and why they cannot be read."""
        try:
            heads = list(covered.any_heads(reader.connection))
            if len(heads) != len(reader.records("heads", "n")) and segments.beginning(reader.connection):
                self._wrong("changed", self._n + 1, "the signed head of an event is none")
        except (sqlite3.Error, UnicodeDecodeError) as error:
            return [], str(error)
        self.verdict.heads += len(heads)
        self.want(*heads)
        return heads, ""

    def _check_heads(self, heads: list[AnyHead]) -> None:
        if wrong := self._keys.numbered(heads):
            self._wrong("changed", self._n, wrong)
        for head in heads:
            self._published = self._published or head.n != self._begun
            if self._signature(head, "signed"):
                self._covers(head, "signed")

    def _read_rounds(self, reader: Reader, heads: list[AnyHead]) -> None:
        """Remember the first round of this segment whose record has no head."""
        signed = max((head.n for head in heads), default=0)
        try:
            ended = [last for (last,) in reader.records("rounds", "last") if isinstance(last, int)]
        except sqlite3.Error as error:
            self._wrong("damaged", self._n, f"the rounds of this segment cannot be read: {error}")
            return
        self.verdict.ended = max(self.verdict.ended, *ended, 0)
        unsigned = [last for last in ended if last > signed]
        if unsigned:
            self._unsigned.append((self._part, signed, min(unsigned)))

    def rounds(self) -> None:
        """A round that is recorded without a head, if nothing else says that something was done after it."""
        for part, signed, ended in self._unsigned:
            if self._known_since(signed):
                continue
            if ended > self._n:
                detail = f"the journal ends after event {self._n}, but a round is recorded that ended with {ended}"
                self._wrong("cut", self._n + 1, detail, segment=part.name)
            else:
                detail = f"the head that was signed after event {ended} is gone: what follows {signed} may be changed"
                self._wrong("changed", signed + 1, detail, segment=part.name)

    def lost_keys(self) -> None:
        """A key that nothing certifies, unless two people have accepted it."""
        for number, people in self._keys.lost():
            n, at = self._starts.get(number, (0, ""))
            if people:
                self.verdict.notes.append(f"the key of segment {number} was lost; accepted by {' and '.join(people)}")
            else:
                detail = "key lost: nothing certifies the key of this segment"
                self._wrong("changed", n, detail, at, f"journal-{number:06d}.db")

    def _signature(self, head: AnyHead, which: str) -> bool:
        if wrong := self._keys.refuses(head, which):
            self._wrong("changed", head.n, wrong)
        return not wrong

    def _covers(self, head: AnyHead, which: str) -> None:
        """Compare the journal with a head that was signed."""
        since = self.verdict.signed
        chain = self._wanted.get(head.n)
        if chain == head.chain:
            self.verdict.signed = max(since, head.n)
        elif head.n > self._n:
            gone = f"the journal ends after event {self._n}, but the {which} head covers {head.n}"
            self._wrong("cut", self._n + 1, gone)
        elif not self._known_since(since):
            first = min(since, head.n - 1) + 1
            detail = f"the {which} head does not fit: something from event {first} to {head.n} was changed"
            self._wrong("changed", first, detail)

    def _lies_on_it(self, head: AnyHead, which: str) -> bool:
        """Whether a head that does not stand in the journal is of this journal, which it must be."""
        known = len(self.verdict.problems)
        if self._signature(head, which):
            self._covers(head, which)
        if known == len(self.verdict.problems) and self._keys.misses(head):
            self._wrong("cut", head.n, f"the {which} head is gone from the journal")
        return known == len(self.verdict.problems)

    def compare_with(self, head: AnyHead) -> None:
        """Compare the journal with a head that was kept elsewhere."""
        if self._lies_on_it(head, "given") and self._wanted.get(head.n) == head.chain:
            self.verdict.anchors.add(head)

    def published(self, head: AnyHead | None) -> None:
        """Compare the journal with the head that lies beside it."""
        if head is not None:
            self._lies_on_it(head, "published")
        elif self._published:
            self._wrong("cut", self._n + 1, "the published head is gone or cannot be read: whether more was there")
        else:
            self.verdict.notes.append("no head was published yet")

"""What is asked of rounds that are over: read beside the loop, from the journal's files.

1. A month of segments may be at hand, and a round may lie in any of them. A thread looks for it
   (`daemon.worker_thread`), with database connections of its own; the loop only answers. The round that is on is read
   from the table, at once.
2. ``rounds`` lists the last rounds in short, which names no card: at most a page of them, and the one that is on.
   ``round`` gives one round with its report. `shown.discretion` says what of it is told to anyone who may not see every
   card; the role at the time of the answer counts.
3. What is not at hand may be archived: the answer then says where, and nothing is unpacked here.
4. While a user asks for too much at once, further requests of theirs are refused.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from firmware_bridge.control.request_values import Asked, RequestError, of
from firmware_bridge.daemon.worker_thread import Worker
from firmware_bridge.journal.rounds import round_reader
from firmware_bridge.journal.rounds.round_records import OPEN
from firmware_bridge.people.guard import Session
from firmware_bridge.pump.pump import Pump
from firmware_bridge.shown import discretion
from firmware_bridge.texts.denials import Ground, deny

ROUNDS = 20
"""How many past rounds are listed unless a number is asked for."""
_FURTHEST = 1000 - round_reader.PAGE
"""The most newer rounds that `skip` can pass over."""
_T = TypeVar("_T")


class PastRounds:
    """Reads the past of one table."""

    def __init__(self, pump: Pump, sees_cards: Callable[[Session], bool]) -> None:
        """Read the journal of this pump; `sees_cards` says who is told every card."""
        self.pump = pump
        self._sees_cards = sees_cards
        self._worker = Worker("rounds")

    def close(self) -> None:
        """Read nothing more."""
        self._worker.close()

    def tell_rounds(self, asked: Asked) -> None:
        """Answer with the last rounds in short."""
        count = of(asked.request, "count", int) if "count" in asked.request else ROUNDS
        if not 1 <= count <= round_reader.PAGE:
            raise RequestError(f"count: expected 1 to {round_reader.PAGE}, got {count}")
        skip = of(asked.request, "skip", int) if "skip" in asked.request else 0
        if not 0 <= skip <= _FURTHEST:
            raise RequestError(f"skip: expected 0 to {_FURTHEST}, got {skip}")
        state = self.pump.books.journal.state

        def read() -> dict[str, object]:
            rounds = round_reader.last_rounds(state, count, skip)
            return {"rounds": rounds, **({} if len(rounds) == count else round_reader.elsewhere(state))}

        def answer_found(found: dict[str, object]) -> None:
            table, recorder = self.pump.table, self.pump.books.recorder
            asked.answer(found | ({"on": recorder.in_short(table, OPEN)} if table.round_is_on else {}))

        self._read(asked, read, answer_found)

    def tell_round(self, asked: Asked) -> None:
        """Answer with one round: by its number, by its first event, or else the one that is on, or the last."""
        wanted = {key: of(asked.request, key, int) for key in ("number", "first") if asked.request.get(key) is not None}
        if not wanted and self.pump.table.round_is_on:
            table = self.pump.table
            report = table.round_report() if self._sees_cards(asked.session) else discretion.round_report(table)
            asked.answer({"round": {"game": self.pump.header.game, "report": report}})
            return
        state = self.pump.books.journal.state

        def read() -> tuple[dict[str, object] | None, dict[str, object]]:
            found = round_reader.one_round(state, wanted.get("number"), wanted.get("first"))
            return found, {} if found is not None else round_reader.elsewhere(state)

        def answer_found(read: tuple[dict[str, object] | None, dict[str, object]]) -> None:
            found, elsewhere = read
            if found is not None and not self._sees_cards(asked.session):
                found = discretion.past_round(found)
            asked.answer(
                {"error": str(deny(Ground.NO_SUCH_PAST_ROUND)), **elsewhere} if found is None else {"round": found}
            )

        self._read(asked, read, answer_found)

    def find_first(self, asked: Asked, number: int, then: Callable[[int], None]) -> None:
        """Find the first event of a round that is over; the loop calls `then` with it, or with 0 if there is none."""
        state = self.pump.books.journal.state
        self._read(asked, lambda: round_reader.first_event(state, number), then)

    def find_round(self, asked: Asked, first: int, then: Callable[[bool], None]) -> None:
        """Find out whether a past round began with an event, or may have in the archive; the loop calls `then`."""
        state = self.pump.books.journal.state
        self._read(asked, lambda: round_reader.may_have_round(state, first), then)

    def _read(self, asked: Asked, work: Callable[[], _T], then: Callable[[_T], None]) -> None:
        uid = asked.session.origin.uid
        if self._worker.busy(uid):
            asked.deny(Ground.ROUNDS_BUSY)
        else:
            self._worker.run_in_thread(uid, work, then)

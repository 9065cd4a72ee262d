"""A past for the archive, written into the tables for questions as the ingester would."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from firmware_bridge.floor.archive.archive import Archive
from tests.firmware_bridge.floor.conftest import CASINO

GAME = "mbs-blackjack-v6"


def write_past(archive: Archive, tables: Iterable[str], hours: int) -> None:
    """Rounds of the last hours at some tables, every third with a finding, every ninth void."""
    now = datetime.now(UTC)
    rounds, findings = [], []
    codes = ("double-draw", "late-wager", "missing-card")
    for place, table in enumerate(tables):
        journal = table.encode().ljust(16, b"\0")
        for number in range(1, hours + 1):
            began = now - timedelta(hours=number, minutes=place)
            at, ended = (moment.isoformat(timespec="microseconds") for moment in (began, began + timedelta(minutes=1)))
            first, dealer, shuffler = number * 100, str(1001 + place % 3), f"SH-{place % 2}"
            outcome = "void" if number % 9 == 0 else "settled"
            rounds.append(
                (journal, CASINO, table, 1, 1, number, number, GAME, first, first + 50, at, ended, outcome, "1 2",
                 dealer, shuffler, now.date().isoformat())
            )  # fmt: skip
            if number % 3 == 0:
                code = codes[number // 3 % 3]
                findings.append(
                    (journal, CASINO, table, 1, 1, number, first, first + 9, code, "5.23.1", "correct", "1.1", "",
                     "dealer", ended, dealer, shuffler)
                )  # fmt: skip
    round_ = ("journal", "casino", "name", "line", "segment", "id", "number", "game", "first", "last", "began", "ended")
    archive.dialect.insert("rounds", (*round_, "outcome", "boxes", "dealer", "shuffler", "arrived"), rounds)
    finding = ("journal", "casino", "name", "line", "segment", "id", "first", "n", "code", "clause", "ruling", "places")
    archive.dialect.insert("findings", (*finding, "cards", "whose", "at", "dealer", "shuffler"), findings)

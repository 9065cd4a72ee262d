"""One round step by step: the steps lead to the record, the notation plays to it, and no hidden card is named."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.audit.journal_reader import opened, parts
from firmware_bridge.audit.round_walk import Listener, walk
from firmware_bridge.console.history import steps
from firmware_bridge.console.history.retrace import Checkpoints, Follower, Span, retrace
from firmware_bridge.console.history.steps import Rounds
from firmware_bridge.journal import event_codec, schema, segments, writer
from firmware_bridge.journal.archive import compressed_segments
from firmware_bridge.journal.chain import Row
from firmware_bridge.journal.rounds.round_records import Done
from firmware_bridge.pump.items import words
from gamecore.model.events import events as ev
from gamecore.model.events.events import Event
from gamecore.model.events.outputs import Output
from gamecore.model.places import Place
from gamecore.notation.playing.player import play_text
from gamecore.rules.games import GAMES
from gamecore.table import Table
from gamecore.view.pictures import HandView
from tests.firmware_bridge.audit.journals import CARDS, HEAD, LOAD, ROUND, House, copied, long_journal, made, rounds
from tests.firmware_bridge.console.journals import (
    INCIDENTS,
    contents,
    each_kind,
    note,
    play_files,
    records,
    says,
    with_squeezing,
)

EVERY = 40
"""Of the scenarios that expect nothing new, one in this many is played."""
CARD = re.compile(r"(?<![A-Za-z0-9])(?:[A2-9TJQK][SHDC])(?![A-Za-z0-9])")


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a state folder with ten rounds in five segments, the oldest archived."""
    state = tmp_path_factory.mktemp("steps") / "state"
    long_journal(state)
    return state


@pytest.fixture(scope="module")
def troubled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a journal of rounds of every game with findings of every kind, in several segments."""
    state = tmp_path_factory.mktemp("troubled") / "state"
    usual, writer.LONG = writer.LONG, 1000
    try:
        made(state, lambda house: play_files(house, [*INCIDENTS, *each_kind(EVERY), *with_squeezing()]))
    finally:
        writer.LONG = usual
    return state


def told(looking: Rounds, first: int) -> dict[str, Any]:
    """One round as it is sent to somebody who sees every card."""
    found = looking.one(first)
    assert found is not None
    sent: dict[str, Any] = json.loads(found.sent(sees_cards=True))
    return sent


Retraced = list[tuple[dict[str, Any], dict[str, Any]]]


@pytest.fixture(scope="module")
def retraced(troubled: Path) -> Retraced:
    """Return each record of that journal, with its round step by step: every round is retraced once."""
    looking = Rounds(troubled)
    return [(record, told(looking, record["first"])) for record in records(troubled)]


def lay(scene: dict[str, Any]) -> dict[str, Any]:
    """What a scene shows of a round, in the words of its report."""
    hands = [
        {"box": box["number"], **{name: hand[name] for name in ("hand", "cards", "total", "soft", "result")}}
        for box in scene["boxes"]
        for hand in box["hands"]
        if hand["cards"]
    ]
    return {"outcome": scene["outcome"], "hands": hands, "wagers": scene["wagers"], "dealer": scene["dealer"]["cards"]}


def test_the_last_step_is_the_round_as_its_record_has_it(retraced: Retraced) -> None:
    """Hands, totals, results, wagers, outcome: in every game, whatever went wrong."""
    for record, sent in retraced:
        report = record["report"]
        expected = {name: report[name] for name in ("outcome", "hands", "wagers")}
        shown = lay(sent["steps"][-1]["scene"])
        assert (True, expected | {"dealer": report["dealer"]["cards"]}) == (sent["true"], shown)
        assert [one["code"] for one in report["findings"]] == [one["code"] for one in sent["round"]["findings"]]


def test_every_event_of_a_round_is_a_step(journal: Path) -> None:
    """From its first row to its last, in their order, with its time and who reported it."""
    record = records(journal)[-1]
    with opened(parts(journal)[-1]) as reader:
        rows = [row for row, _ in reader.rows() if record["first"] <= row.n <= record["last"]]
    found = told(Rounds(journal), record["first"])["steps"]
    assert [(row.n, row.at, row.device) for row in rows if row.kind == schema.EVENT] == [
        (step["n"], step["at"], step["device"]) for step in found
    ]
    assert ("place-bets", "bet 1/1 main 100", "settle") == tuple(found[at]["event"] for at in (0, 1, -1))
    assert [{"is": "entered", "state": "betting"}] == found[0]["brought"]
    assert [{"is": "entered", "state": "complete"}, {"is": "settled", "wagers": 2}] == found[-1]["brought"]


def test_the_notation_plays_to_the_report(retraced: Retraced) -> None:
    """Copied into a file, the text ends with the round as its record has it, but for its number."""
    begins: Counter[str] = Counter()
    for record, sent in retraced:
        played = play_text(sent["notation"], "copied", GAMES)
        played_rounds = played.report["rounds"]
        assert isinstance(played_rounds, list)
        last = {**played_rounds[-1], "number": record["number"]}
        found = last["findings"]
        assert (None, {**record["report"], "findings": found}) == (played.error, last)
        assert found == record["report"]["findings"][: len(found)]
        assert sent["about"]["plays"] is True
        begins[sent["about"]["begins"]] += 1
    assert begins["round"] > begins["table"] + begins["shoe"]


def test_notation_begins_further_back_where_it_must(tmp_path: Path) -> None:
    """An extra card is proved by the cards of the round before: the text begins where the shoe was loaded."""
    state = tmp_path / "state"
    deck = f"game: mbs-blackjack-v6\ndecks: 1\nburn: no\nfresh: no\nshoe: {CARDS}\n\n"
    loaded = f"shuffle machine\nload 52 {CARDS} {CARDS}\n"
    extra = "place-bets\nbet 1 main 100\nno-more-bets\ndraw 1\nexpect finding extra-card ruling void\n"
    made(state, lambda house: house.plays(deck + ROUND + loaded + ROUND + extra), deck)
    looking = Rounds(state)
    about = [told(looking, record["first"])["about"] for record in records(state)]
    assert [("round", True), ("round", True), ("shoe", True)] == [(one["begins"], one["plays"]) for one in about]


class Hidden(Listener):
    """Notes after each event which cards lie face down, and which others can be seen."""

    def __init__(self) -> None:
        """Nothing is noted."""
        self.after_row: dict[int, set[str]] = {}

    def after(self, row: Row, event: Event, table: Table, outputs: tuple[Output, ...], done: Done | None) -> None:
        """Note what is hidden."""
        del event, outputs, done
        hands = [hand for box in table.view().round.boxes.values() for hand in box.hands]
        seen = {str(card) for hand in [table.view().round.dealer, *hands] for card in open_cards(hand)}
        down = {str(card) for hand in hands for card in hand.face_down}
        waiting = {str(card) for card in (*table.view().in_transit, *table.view().next_cards)}
        self.after_row[row.n] = (down | waiting) - seen


def open_cards(hand: HandView) -> list[object]:
    """The cards of a hand that lie face up."""
    return list((Counter(hand.cards) - Counter(hand.face_down)).elements())


def test_a_card_that_lies_face_down_is_in_no_step(troubled: Path, retraced: Retraced) -> None:
    """Neither in the scene nor in what happened, at any step of any round, squeezed or drawn and not yet laid."""
    hidden = Hidden()
    walk(troubled, hidden)
    many = 0
    for _, sent in retraced:
        for step in sent["steps"]:
            disclosed = {card for one in step["scene"]["elsewhere"] for card in one["cards"]}
            moves = [move for one in step["scene"]["findings"] for move in one["moves"]]
            disclosed |= {move["card"] for move in moves}  # it lay open where it is taken from
            asked = [*step["brought"], *step["scene"]["asks"]]
            disclosed |= {word for one in asked for word in one.get("options", ())}  # which of them a place has counted
            secret = hidden.after_row[step["n"]] - disclosed
            many += len(secret)
            assert set() == secret & set(CARD.findall(json.dumps(step)))
    assert many > 500


def test_a_step_offers_no_command(retraced: Retraced) -> None:
    """It is the past: nothing in it can be said."""
    for _, sent in retraced:
        found = sent["steps"]
        assert [([], [])] * len(found) == [(step["scene"]["can"], step["scene"]["duties"]) for step in found]


def test_notation_is_kept_from_who_may_not_know_every_card(journal: Path) -> None:
    """It is said that there is one; the rest is the same."""
    found = Rounds(journal).one(records(journal)[0]["first"])
    assert found is not None
    for_pit, for_dealer = (json.loads(found.sent(sees_cards=sees)) for sees in (True, False))
    assert ({"kept": True}, None) == (for_dealer["about"], for_dealer["notation"])
    assert for_pit["steps"] == for_dealer["steps"]
    assert for_pit["notation"].startswith("# round ")


def test_a_refused_command_is_a_step_with_its_reason(tmp_path: Path) -> None:
    """It changed nothing, and is in no notation."""
    state = tmp_path / "state"

    def scene(house: House) -> None:
        house.plays(HEAD + ROUND.replace("settle", ""))
        assert house.happens(ev.Hit(Place(1))) is not None
        house.happens(ev.Settle())

    made(state, scene)
    sent = told(Rounds(state), records(state)[0]["first"])
    refused = [step for step in sent["steps"] if step["refused"]]
    assert (["hit 1"], False) == ([step["event"] for step in refused], "hit 1" in sent["notation"])


def test_who_said_what_is_told_by_name(tmp_path: Path) -> None:
    """A command of the console names who gave it; what devices report nobody has said."""
    state = tmp_path / "state"

    def scene(house: House) -> None:
        house.plays(HEAD + ROUND.replace("settle", ""))
        says(house, ev.Call("uncovered"), "ann", "pit-manager")
        says(house, ev.Answer("house", ("continue",)), "bea", "shift-manager")
        house.happens(ev.Settle())

    made(state, scene)
    sent = told(Rounds(state), records(state)[0]["first"])
    by_name = {step["event"]: step["by"] for step in sent["steps"]}
    assert {"name": "ann", "role": "pit-manager"} == by_name["call uncovered"]
    assert ({"name": "bea", "role": "shift-manager"}, None) == (by_name["answer house continue"], by_name["settle"])
    answered = [ruling for ruling in sent["round"]["rulings"] if ruling["who"] == "house"]
    assert [("answer house continue", "bea")] == [(one["what"], one["by"]["name"]) for one in answered]


def test_the_clearing_of_an_alarm_is_told_with_its_reason(tmp_path: Path) -> None:
    """With the round of its finding, though the round was over by then."""
    state = tmp_path / "state"

    def scene(house: House) -> None:
        house.plays(HEAD + ROUND.replace("settle", "call foreign-card"))
        (n,) = (finding["n"] for finding in found(state))
        note(house, cleared=[{"n": n, "code": "foreign-card"}], by="ann", role="pit-manager", reason="cards checked")
        note(house, cleared=[{"n": n + 999, "code": "link-lost"}], by="ann", role="pit-manager", reason="another")

    def found(state: Path) -> list[dict[str, Any]]:
        sent = told(Rounds(state), records(state)[0]["first"])["round"]
        findings: list[dict[str, Any]] = sent["findings"]
        return findings

    made(state, scene)
    (cleared,) = told(Rounds(state), records(state)[0]["first"])["round"]["cleared"]
    assert (["foreign-card"], "ann", "pit-manager", "cards checked") == tuple(
        cleared[name] for name in ("codes", "by", "role", "reason")
    )


def test_the_rounds_beside_a_round_are_told(journal: Path) -> None:
    """Across the ends of segments; the first and the last have one neighbour."""
    looking = Rounds(journal)
    firsts = [record["first"] for record in records(journal)]
    ways = [told(looking, first)["round"] for first in firsts]
    keys = [way["key"] for way in ways]
    assert [*keys[1:], None] == [way["newer"] for way in ways]
    assert keys[:-1] == [way["older"] for way in ways[1:]]
    assert ways[0]["older"] is not None  # in the archive
    archived = int(ways[0]["older"].rpartition("-E")[2])
    assert told(looking, archived)["round"]["segment"] == "journal-000001.db.gz"


def test_looking_changes_nothing(journal: Path) -> None:
    """Not a byte in the state folder."""
    before = contents(journal)
    for record in records(journal):
        told(Rounds(journal), record["first"])
    assert before == contents(journal)


def test_a_round_of_an_archived_segment_is_rebuilt(journal: Path, tmp_path: Path) -> None:
    """As it is at hand, step by step."""
    state = copied(journal, tmp_path / "state")
    chosen = records(state)[2]
    at_hand = told(Rounds(state), chosen["first"])
    compressed_segments.pack(state, segments.segment_path(state, segments.number_of(Path(chosen["segment"]))))
    packed = told(Rounds(state), chosen["first"])
    assert f"{chosen['segment']}.gz" == packed["round"]["segment"]
    assert (at_hand["steps"], at_hand["notation"]) == (packed["steps"], packed["notation"])


def test_a_round_without_the_beginning_of_its_table_has_its_record_alone(journal: Path, tmp_path: Path) -> None:
    """Nothing but events is believed: what came before is not there, so there is no step and no notation."""
    state = copied(journal, tmp_path / "state")
    (state / "archive" / "journal-000001.db.gz").unlink()
    for path in segments.segments(state)[:-1]:
        path.unlink()
    for record in records(state):
        sent = told(Rounds(state), record["first"])
        assert (False, [], None) == (sent["true"], sent["steps"], sent["notation"])
        assert record["report"]["wagers"] == sent["round"]["report"]["wagers"]


def test_a_record_that_the_events_do_not_make_is_said_to_be_none(journal: Path, tmp_path: Path) -> None:
    """The steps are shown all the same; there is no notation of it."""
    state = copied(journal, tmp_path / "state")
    newest = segments.segments(state)[-1]
    with writer.connect(newest) as connection:
        connection.execute("UPDATE rounds SET report = replace(report, '100.00', '900.00')")
    connection.close()
    sent = told(Rounds(state), records(state)[-1]["first"])
    assert (False, None, {"kept": False}) == (sent["true"], sent["notation"], sent["about"])
    assert "settle" == sent["steps"][-1]["event"]


def test_a_round_that_is_not_there_is_none(journal: Path) -> None:
    """Nor is one of another segment than is named."""
    chosen = records(journal)[-1]
    looking = Rounds(journal)
    assert (None, None) == (looking.one(1_000_000), looking.one(chosen["first"], "journal-000002.db"))
    assert looking.one(chosen["first"], chosen["segment"]) is not None


def test_a_round_is_rebuilt_once(journal: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Asking again gives what was made before; only the last few are kept."""
    walked: list[Span] = []

    def counted(state: Path, span: Span, *others: Any) -> Any:
        walked.append(span)
        return retrace(state, span, *others)

    monkeypatch.setattr(steps, "retrace", counted)
    monkeypatch.setattr(steps, "MOST", 2)
    looking, firsts = Rounds(journal), [record["first"] for record in records(journal)][:3]
    for first in (*firsts[:2], *firsts[:2], firsts[2], firsts[0]):
        looking.one(first)
    assert [*firsts, firsts[0]] == [span.first for span in walked]


class Counting(Follower):
    """Counts the events that a walk applies."""

    def __init__(self) -> None:
        """None so far."""
        self.events = 0

    def event(self, row: Row, event: Event, table: Table, outputs: tuple[Output, ...]) -> None:
        """One more."""
        del row, event, table, outputs
        self.events += 1


def test_a_walk_begins_near_the_round_once_the_segment_was_walked(tmp_path: Path) -> None:
    """Checkpoints of earlier walks save going through the whole segment."""
    state, checkpoints = tmp_path / "state", Checkpoints()
    made(state, rounds(40))
    spans = [Span(parts(state)[0], one["first"], one["last"], one["report"]) for one in records(state)]
    far, _ = retrace(state, spans[35], Counting, checkpoints)
    near, true = retrace(state, spans[34], Counting, checkpoints)
    assert (True, True, True) == (true, far.events > 500, near.events < 250)


def test_what_the_journal_holds_is_decoded_as_it_was_written(journal: Path) -> None:
    """A step's event is the row's, in words."""
    record = records(journal)[0]
    with opened(parts(journal)[1]) as reader:
        bodies = {row.n: row.body for row, _ in reader.rows() if row.kind == schema.EVENT}
    for step in told(Rounds(journal), record["first"])["steps"]:
        event = event_codec.decode(bodies[step["n"]] or "")
        hidden = isinstance(event, ev.CardDrawn)
        assert ("draw = ??" if hidden else words(event)) == step["event"]


def test_a_shoe_is_loaded_between_rounds(tmp_path: Path) -> None:
    """What lies between two rounds is in the notation of the second."""
    state = tmp_path / "state"
    made(state, lambda house: house.plays(HEAD + LOAD + ROUND + LOAD + ROUND))
    second = told(Rounds(state), records(state)[1]["first"])
    assert ("round", True) == (second["about"]["begins"], "\nload " in second["notation"])

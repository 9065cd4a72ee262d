"""S03, S24: at a table that wants words confirmed nobody gives a stake back alone, whatever is said and answered.

1. In every game and fitting a round is brought to each of its stages. There every report is made that is accepted, at
   every place it could speak of, and whatever is asked then is answered in every way, up to three words deep.
2. Without an approval no wager is returned and the round is neither void nor concluded. With the approvals that are
   asked for, and nothing between, the table stands as it would have without confirmation.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from gamecore.model.events import events
from gamecore.model.events.events import Command
from gamecore.model.places import DEALER, Place
from gamecore.notation.playing.player import play_text
from gamecore.notation.playing.venue import InProcess
from gamecore.rules.codes import CODES
from gamecore.rules.games import GAMES
from gamecore.standing.who import wagers
from gamecore.table import Table
from tests.security.alone.kept_table import Kept

FITTINGS = {
    "positions": "shoe positions bets discard panel",
    "counted": "shoe positions-count bets discard panel",
    "told": "shoe bets panel",
    "nothing": "none",
}
STAGES = {
    "betting": "place-bets\nbet 1 main 5000; bet 3 main 50",
    "closed": "no-more-bets",
    "first cards": "draw 1; draw 3; draw dealer",
    "dealt": "draw 1; draw 3",
    "interim": "interim",
    "turns": "hit 1; draw 1",
    "settlement": "stand 1; stand 3\ndraw dealer; draw dealer",
}
DEEP = 3
PLACES = (None, Place(1), Place(5), DEALER)


def stages(game: str, sensors: str, confirm: str = "yes") -> Iterator[tuple[str, Table]]:
    """A table of the game at each stage of a round that box 1 loses."""
    text = f"game: {game}\nfresh: no\nconfirm: {confirm}\nsensors: {sensors}\nshoe: 9H 7D 6S 5C 5D 2C KC 4C\n\n"
    for name, said in STAGES.items():
        text += f"{said}\n"
        venues: list[InProcess] = []

        def venue(header: object, rules: object, made: list[InProcess] = venues) -> InProcess:
            made.append(InProcess(header, rules))  # type: ignore[arg-type]
            return made[0]

        assert play_text(text, name, GAMES, venue).error is None
        yield name, venues[0].table


def words(table: Table) -> Iterator[Command]:
    """What may be said about what is open, by anybody, but no approval."""
    for answers in table.allowed().answers:
        yield from (events.Answer(answers.ask.who, (option,)) for option in answers.options)
        if "CARD" in answers.ask.options:
            yield events.Answer(answers.ask.who, ("KD",))
    if any("withdraw" in ask.options for ask in table.view().asks):
        yield events.Answer("all", ("withdraw",))
    yield from (word for word in (events.CannotReconstruct(), events.Reconstructed()) if table.can(word))


def reports(table: Table) -> Iterator[Command]:
    """Every report that is accepted."""
    calls = [events.Call(code, place) for code in CODES for place in PLACES]
    yield from (call for call in calls if table.can(call))


def look(table: Table, said: list[Command]) -> None:
    """Nothing has gone back."""
    assert table.round_report()["outcome"] == "open", said
    game_round = table._state.round
    assert all(wager.stands for wager in wagers(game_round)), said
    assert not any(main.returned_by for box in game_round.boxes.values() for main in box.mains.values()), said


def try_all(table: Table, said: list[Command], deep: int) -> int:
    """Say everything that may be said, and look; how much was said."""
    look(table, said)
    if not deep:
        return 1
    tried, kept = 1, Kept(table)
    for word in list(words(table)):
        other = kept.again(word)
        other.apply(word)
        tried += try_all(other, [*said, word], deep - 1)
    return tried


@pytest.mark.parametrize("fitting", FITTINGS)
@pytest.mark.parametrize("game", GAMES)
def test_a_word_alone_gives_nothing_back(game: str, fitting: str) -> None:
    """Whatever is reported at any stage, and however it is answered."""
    tried = 0
    for _, table in stages(game, FITTINGS[fitting]):
        kept = Kept(table)
        for call in list(reports(table)):
            other = kept.again(call)
            other.apply(call)
            tried += try_all(other, [call], DEEP - 1)
    assert tried > 150


def approved(table: Table) -> Table:
    """The table when all that began with a word has been approved, the oldest first."""
    while pending := [one for one in table.view().pending if one.words]:
        table.apply(events.Approve(pending[0].role, pending[0].code))
    return table


def stands(table: Table) -> tuple[object, ...]:
    """How a table stands for anybody who sees it."""
    return table.report(), table.next_place, table.allowed()


@pytest.mark.parametrize("fitting", ["positions", "told"])
@pytest.mark.parametrize("game", GAMES)
def test_approved_at_once_it_is_as_without_confirmation(game: str, fitting: str) -> None:
    """A report, and one answer to it, in every way."""
    differ: list[tuple[object, ...]] = []
    sensors = FITTINGS[fitting]
    for (stage, table), (_, plain) in zip(stages(game, sensors), stages(game, sensors, "no"), strict=True):
        asking, free = Kept(table), Kept(plain)
        for call in list(reports(plain)):
            one, other = asking.again(call), free.again(call)
            one.apply(call)
            other.apply(call)
            if stands(approved(one)) != stands(other):
                differ.append((stage, call))
                continue
            said_once, said_freely = Kept(one), Kept(other)
            for word in list(words(other)):
                here, there = said_once.again(word), said_freely.again(word)
                here.apply(word)
                there.apply(word)
                waits = any("withdraw" in ask.options for ask in there.view().asks)
                if not waits and stands(approved(here)) != stands(there):
                    differ.append((stage, call, word))
    assert [] == differ


@pytest.mark.parametrize("game", GAMES)
def test_the_lone_dealer_keeps_no_lost_stake(game: str) -> None:
    """The outcome is known, $5,000 are lost, and a foreign card is reported: settling waits, and so does the stake."""
    *_, (_, table) = stages(game, FITTINGS["positions"])
    table.apply(events.Call("foreign-card"))
    assert not table.can(events.Settle())
    assert not table.can(events.Approve("pit-supervisor"))
    look(table, [])
    table.apply(events.Approve("pit-manager"))
    assert table.round_report()["outcome"] == "void"

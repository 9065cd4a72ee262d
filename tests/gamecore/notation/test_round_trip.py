"""Writing what was read, and playing again what was played."""

from dataclasses import fields, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamecore.model.cards import RANKS, SUITS, card
from gamecore.model.events import events as ev
from gamecore.model.places import BURN, DEALER, DISCARD, Place
from gamecore.notation import words
from gamecore.notation.export import scenario_of
from gamecore.notation.parser import parse
from gamecore.notation.playing.player import Player, play, play_text
from gamecore.notation.playing.venue import InProcess
from gamecore.notation.syntax import (
    AskIs,
    Draw,
    FindingIs,
    Header,
    Load,
    MoveIs,
    NextIs,
    NoFindings,
    Noise,
    NotationError,
    Pull,
    RefusedIs,
    Scenario,
    StateIs,
    Statement,
    TotalIs,
    VoidIs,
    WagerIs,
    What,
)
from gamecore.notation.writer import write
from gamecore.rules.games import GAMES
from tests.gamecore.play import candidates

ADDED = {"file", "game", "failures", "error"}

ASKED = ("all", "dealer", "pit", "house", "ann")
GAME = "mbs-free-bet-v3"
RULES = GAMES[GAME]
BOXES = RULES.boxes.value[1]

faces = st.builds(lambda rank, suit: card(rank + suit), st.sampled_from(RANKS), st.sampled_from(SUITS))
coded = st.builds(lambda face, code: card(f"{face}#{code}"), faces, st.integers(0, 999))
cards = st.one_of(faces, faces, coded, st.sampled_from([card("??"), card("JOKER")]))
boxes = st.integers(1, BOXES)
box_hands = st.builds(Place, boxes, st.integers(0, 4), st.just(0))
hands = st.one_of(box_hands, st.sampled_from([DEALER, BURN, DISCARD]))
spots = st.builds(Place, boxes, st.integers(0, 4), st.integers(0, 3))
chips = st.builds(Place, boxes, st.integers(0, 4), st.integers(1, 3))
amounts = st.integers(1, 10_000_000)
names = st.none() | st.from_regex(r"\A[A-Za-zÀ-ÿ=.'-]{1,8}\Z")
kinds = st.sampled_from(RULES.wager_kinds())
counts = st.integers(0, 999)

at_spot = [ev.Collect, ev.Pay, ev.EvenMoney, ev.Surrender, ev.Hit, ev.Stand, ev.FreeDouble, ev.Split, ev.FreeSplit]
alone = [ev.PlaceBets, ev.NoMoreBets, ev.Interim, ev.Settle, ev.Reconstructed, ev.CannotReconstruct]
commands = st.one_of(
    *(st.builds(make) for make in alone),
    *(st.builds(make, spots) for make in (*at_spot, ev.Rescue, ev.Absent)),
    st.builds(ev.Seat, chips, names),
    st.builds(ev.StandUp, chips),
    st.builds(ev.Squeeze, boxes),
    st.builds(ev.Offer, st.sampled_from(words.OFFERS)),
    st.builds(ev.Close, st.sampled_from(words.OFFERS)),
    st.builds(ev.Insure, spots, amounts, names),
    st.builds(ev.Agree, spots, kinds | st.just("insurance"), names.filter(bool)),
    st.builds(ev.Double, spots, st.none() | amounts),
    st.builds(ev.Jackpot, chips, st.integers(1, 500)),
    st.builds(ev.Call, st.sampled_from(words.CODES), st.none() | spots | hands, st.none() | st.integers(1, 99)),
    st.builds(
        ev.Answer,
        st.sampled_from(ASKED) | spots.map(str),
        st.lists(st.sampled_from(["accept", "refuse", "first"]) | cards.map(str), min_size=1, max_size=3).map(tuple),
    ),
    st.builds(ev.Approve, st.sampled_from(words.ROLES), st.sampled_from(("", *words.CODES))),
    st.builds(ev.TakeBack),
    st.builds(ev.Retract, st.sampled_from(words.CODES)),
    st.builds(ev.SensorWrong, hands),
)
shown = st.lists(cards, max_size=3).map(tuple)
physical = st.one_of(
    *(st.builds(make) for make in (ev.CuttingCardOut, ev.ShoeOpened, ev.PowerCut, ev.PowerOn, ev.Restarted)),
    st.builds(Draw, st.none() | hands, st.none() | cards, st.booleans(), st.booleans()),
    st.builds(Draw, st.none(), st.none() | cards, st.booleans(), laid=st.just(value=False)),
    st.builds(Pull, st.integers(3, 9), st.integers(0, 3), ordered=st.booleans()),
    st.builds(Pull, st.integers(3, 9), st.just(0), shown, st.booleans()),
    st.builds(Load, shown, st.none() | st.integers(3, 999)),
    st.builds(Noise, st.sampled_from(words.DEVICES), st.sampled_from(["0", "1", "0.01", ".5"])),
    st.builds(ev.CardLaid, cards, hands, st.booleans()),
    st.builds(ev.CardLifted, cards, hands),
    st.builds(ev.CardMoved, cards, hands, hands),
    st.builds(ev.CardPushedBack, cards),
    st.builds(ev.CardsDisclosed, st.lists(cards, min_size=1, max_size=3).map(tuple)),
    st.builds(ev.CardsTurned, boxes),
    st.builds(ev.ShoeCounted, counts),
    st.builds(ev.DiscardCounted, counts),
    st.just(ev.Shuffled("machine")) | st.builds(ev.Shuffled, st.just("riffle"), st.integers(1, 9)),
    st.builds(ev.WagerPlaced, chips, kinds, amounts, names),
    st.builds(ev.WagerRemoved, chips, kinds, st.none() | amounts, names),
    st.builds(ev.LinkLost, st.sampled_from(words.DEVICES)),
    st.builds(ev.LinkBack, st.sampled_from(words.DEVICES)),
)
clauses = st.none() | st.sampled_from(["5.1", "5.23.4.3"])
claims = st.one_of(
    st.builds(StateIs, st.sampled_from(words.STATES)),
    st.builds(NextIs, st.none() | hands),
    st.builds(TotalIs, hands, counts, st.none() | st.booleans()),
    st.builds(
        FindingIs,
        st.sampled_from(words.CODES),
        clauses,
        st.none() | st.sampled_from(words.RULINGS),
        st.none() | spots,
    ),
    st.builds(NoFindings),
    st.builds(
        AskIs,
        st.sampled_from(ASKED) | spots.map(str),
        st.lists(st.sampled_from(["accept", "KD", "5C#1"]), min_size=1, max_size=3).map(tuple),
    ),
    st.builds(MoveIs, cards, hands, hands),
    st.builds(
        WagerIs,
        st.builds(Place, boxes, st.integers(1, 4), st.integers(1, 3)),
        kinds | st.sampled_from(words.ROW_KINDS),
        st.sampled_from(words.RESULTS),
        st.integers(-10_000, 10_000),
        names,
        st.none() | st.sampled_from(["3.16", "3.27.4.2"]),
    ),
    st.builds(VoidIs),
    st.builds(RefusedIs, commands),
)
whats: st.SearchStrategy[What] = st.one_of(commands, physical, claims)
sensors = st.frozensets(st.sampled_from(sorted(words.ALL_FITTED - {"positions"}))).flatmap(
    lambda some: st.sampled_from([some, some | {"positions"}, some | {"positions-count"}])
)
headers = st.builds(
    Header,
    game=st.just(GAME),
    decks=st.integers(*RULES.decks.value),
    boxes=st.just(BOXES),
    limits=st.lists(
        st.tuples(kinds, st.integers(1, 5000), st.integers(5000, 9_000_000)), unique_by=lambda limit: limit[0]
    ).map(tuple),
    shoe=st.lists(cards, max_size=9).map(tuple),
    seed=st.integers(0, 10**18 - 1),
    left=st.none() | st.integers(9, 52),
    fresh=st.booleans(),
    burn=st.booleans(),
    shuffling=st.sampled_from(["machine", "manual"]),
    sensors=sensors,
    confirm=st.booleans(),
)


@given(headers, st.lists(whats, max_size=12))
def test_what_is_written_is_read_as_the_same(header: Header, said: list[What]) -> None:
    """Reading what was written gives the same scenario."""
    scenario = Scenario(header, tuple(Statement(what) for what in said))
    assert scenario == parse(write(scenario), GAMES)


def test_every_event_of_a_table_can_be_written() -> None:
    """No event is missing in the strategies above, and so none in the writer."""
    drawn = {type(what) for what in _sample()} | {ev.CardDrawn, ev.CardsPulled, ev.Loaded, ev.ShoeEmpty}
    assert set() == set(ev.Event.__args__) - drawn


def _sample() -> list[What]:
    found: list[What] = []

    @settings(max_examples=1500, database=None, derandomize=True)
    @given(commands | physical)
    def collect(what: What) -> None:
        found.append(what)

    collect()
    return found


def test_draws_in_a_row_share_lines_and_rounds_are_parted() -> None:
    """Draws stand together, an empty line stands before each further round."""
    text = "game: mbs-blackjack-v6\n\nplace-bets\nbet 1 main 5\ndraw 1\ndraw dealer\nsettle\nplace-bets\n"
    expected = "place-bets\nbet 1/1 main 5\ndraw 1; draw dealer\nsettle\n\nplace-bets\n"
    assert expected == write(parse(text, GAMES)).partition("\n\n")[2]


def test_a_name_that_is_no_word_is_written_as_one() -> None:
    """A space in a name is written as an underscore, so that the file can be read again."""
    header = parse("game: mbs-blackjack-v6\n\n", GAMES).header
    written = write(Scenario(header, (Statement(ev.Seat(Place(1, 0, 1), "Mrs Lim")),)))
    assert written.endswith("seat 1/1 Mrs_Lim\n")


# --- playing again ---------------------------------------------------------------------------------------------------


def dealt(game: str, header: str, data: st.DataObject) -> tuple[Header, InProcess]:
    """Play a table by chance: allowed commands, chips, draws at the proper place and now and then elsewhere."""
    start = parse(f"game: {game}\n{header}\n\n", GAMES).header
    venue = InProcess(start, GAMES[game])
    player, table = Player(start, GAMES[game], venue), venue.table
    for _ in range(data.draw(st.integers(0, 60), label="steps")):
        choices: list[What] = list(candidates.commands(table)) or [ev.PlaceBets()]
        if table.next_place is not None:
            choices += [Draw(table.next_place), Draw()] * 4
        choices += [Draw(DEALER), Draw(laid=False)] if data.draw(st.integers(0, 9)) == 0 else []
        choices += [ev.WagerPlaced(Place(box, 0, 1), "main", 5000) for box in (1, 3)]
        try:
            player.play(Statement(data.draw(st.sampled_from(choices))))
        except NotationError:
            break
    return start, venue


@pytest.mark.parametrize("game", sorted(GAMES))
@pytest.mark.parametrize("header", ["seed: 5", "sensors: shoe panel"])
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_what_was_played_plays_again_to_an_equal_report(game: str, header: str, data: st.DataObject) -> None:
    """The events of a table, written down and played again, give the same events and the same report."""
    start, venue = dealt(game, header, data)
    text = write(scenario_of(start, venue.events))
    again = play_text(text, "again.deal", GAMES)
    assert venue.events == again.events
    assert venue.report() == {key: again.report[key] for key in again.report if key not in ADDED}


def test_an_export_lists_the_drawn_cards_as_the_shoe() -> None:
    """The cards that came out before the first load stand in the header, so that no draw names its card."""
    text = "game: mbs-blackjack-v6\nseed: 3\n\nplace-bets\nbet 1 main 5\nno-more-bets\ndraw; draw 1 = JOKER\n"
    played = play_text(text, "a.deal", GAMES)
    assert played.header is not None
    scenario = scenario_of(played.header, played.events)
    assert (2, card("JOKER")) == (len(scenario.header.shoe), scenario.header.shoe[1])
    assert [Draw(BURN), Draw(Place(1))] == [s.what for s in scenario.statements if isinstance(s.what, Draw)]
    assert played.events == play(scenario, "b.deal", GAMES).events


def test_an_export_keeps_the_number_of_cards_of_a_load() -> None:
    """A load of 416 cards is a load of 416 again, whatever came out of it."""
    header = replace(parse("game: mbs-blackjack-v6\n\n", GAMES).header, sensors=frozenset({"shoe"}))
    scenario = scenario_of(header, [ev.Loaded(416), ev.CardDrawn(card("JOKER")), ev.Loaded(415)])
    assert [Load((card("JOKER"),), 416), Draw(), Load((), 415)] == [s.what for s in scenario.statements]


def test_statements_differ_in_what_they_say_alone() -> None:
    """Line and text of a statement do not count when two are compared."""
    assert ["what"] == [field.name for field in fields(Statement) if field.compare]

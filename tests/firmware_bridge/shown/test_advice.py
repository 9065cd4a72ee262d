"""The next thing to do: in words that fit, in order, and never a wrong one."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.panel.messages import BUTTONS, LINE_LENGTH
from firmware_bridge.people.accounts.roles import ENGINEER, LADDER
from firmware_bridge.shown.advice import Advice, Around, advise, beside, texts, worded
from firmware_bridge.shown.scene import scene
from firmware_bridge.texts.languages import LANGUAGES
from gamecore.model.events import events as ev
from gamecore.model.places import BURN, DEALER, DISCARD, Place
from gamecore.model.states import State
from gamecore.notation.syntax import What
from gamecore.rules.games import GAMES
from gamecore.table import Table
from hal_sim.dealer.error_plan import KINDS, PLAYING, Kind
from hal_sim.dealer.robot_table import Shadow
from tests.firmware_bridge.positions import table_after, table_of_chance
from tests.firmware_bridge.shown.advice_follower import Follower
from tests.firmware_bridge.shown.guarded_follower import GuardedFollower

ROUNDS, AT_A_TABLE = 500, 50
TRIES = 30
FEWER = 3
"""Seeds of one irregularity at one game."""
BLACKJACK, RWS, PONTOON, FREE = "mbs-blackjack-v6", "rws-free-bet-2025", "mbs-pontoon-v5", "mbs-free-bet-v3"
BETS = "place-bets\nbet 1 main 100\nbet 2 main 100\nno-more-bets\n"
DEALT = f"fresh: no\nshoe: 9H 7D AS KC TD 2C 8H 3S JD 4C\n\n{BETS}draw 1; draw 2; draw dealer; draw 1; draw 2\n"
INSURED = f"{DEALT}offer insurance; close insurance\n"
_NAMED = re.compile(r"\{(\w+)\}")

tables = st.builds(table_of_chance, st.sampled_from(sorted(GAMES)), st.integers(0, 2**32), st.integers(0, 120))

#: What fills a text at its longest, by the name of what fills it.
LONGEST: Mapping[str, tuple[object, ...]] = {
    "place": (Place(7, 4), DEALER, BURN, DISCARD),
    "from": (Place(7, 4), DEALER, DISCARD),
    "to": (Place(7, 4), DEALER, DISCARD),
    "asked": ("7/3", "somebody with a long name"),
    "who": (*LADDER, ENGINEER),
    "device": ("shoe", "hub", "shuffler", "meter"),
    "wager": tuple({kind for rules in GAMES.values() for kind in rules.settled_first.value}),
    "card": ("TD", ""),
    "clause": ("3.27.4.2",),
    "boxes": ("1, 2, 3, 4, 5, 6, 7",),
    "points": ("21",),
    "total": ("soft 21",),
    "at": ("7.4",),
}


def columns(text: str) -> int:
    """How many columns a text takes on a display: two for a Chinese character."""
    return sum(2 if character > "\u2e80" else 1 for character in text)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("key", sorted(key for key in texts() if "." not in key))
def test_every_line_fits_the_panel_whatever_fills_it(key: str, lang: str) -> None:
    """Forty columns, with the longest place, role, device and name."""
    names = _NAMED.findall(texts()[key][lang])
    widest = {name: _widest(key, name, lang) for name in names}
    assert columns(worded(Advice(key, widest), lang)) <= LINE_LENGTH, worded(Advice(key, widest), lang)


def _widest(key: str, name: str, lang: str) -> object:
    """What takes the most room in a line."""
    return max(LONGEST[name], key=lambda value: columns(said(key, name, value, lang)))


def said(key: str, name: str, value: object, lang: str) -> str:
    """A line with one thing filled in, and the others empty."""
    others = {
        other: "" for other in _NAMED.findall(texts()[key][lang]) if other not in {name, "who", "device", "wager"}
    }
    named = {other: LONGEST[other][0] for other in ("who", "device", "wager")}
    return worded(Advice(key, others | named | {name: value}), lang)


@pytest.mark.parametrize("key", sorted(texts()))
def test_every_text_is_there_in_every_language_with_the_same_arguments(key: str) -> None:
    """Nothing is told in one language that is not told in the other."""
    both = texts()[key]
    assert sorted(LANGUAGES) == sorted(both)
    assert sorted(_NAMED.findall(both["en"])) == sorted(_NAMED.findall(both["zh"]))


@settings(max_examples=200)
@given(tables)
def test_there_is_always_something_to_do(table: Table) -> None:
    """Whatever has happened: while a round is on nobody is told to wait, and the button is one of the panel's."""
    advice = advise(table.view())
    assert advice.key in texts()
    assert not table.round_is_on or "wait" != advice.key
    assert not advice.press or advice.press in BUTTONS
    assert advice == advise(table.copied().view())


@pytest.mark.parametrize(
    ("text", "game", "expected"),
    [
        ("\n", BLACKJACK, "Open bets"),
        ("\nplace-bets\n", BLACKJACK, "Bets open: no wager yet"),
        ("\nplace-bets\nbet 1 main 100\n", BLACKJACK, "Call no more bets"),
        (f"\n{BETS}", BLACKJACK, "Burn one card"),
        (f"fresh: no\n\n{BETS}", BLACKJACK, "Next card to Box 1"),
        (f"fresh: no\n\n{BETS}draw 1; draw 2\n", BLACKJACK, "Next card to the Dealer"),
        (DEALT, BLACKJACK, "Offer insurance"),
        (f"{DEALT}offer insurance\n", BLACKJACK, "Insurance: close when answered"),
        (INSURED, BLACKJACK, "Box 1: Player to decide (19)"),
        (f"{INSURED}hit 1\n", BLACKJACK, "Next card to Box 1"),
        (f"{INSURED}stand 1; stand 2\n", BLACKJACK, "Next card to the Dealer"),
        (f"{INSURED}stand 1; stand 2; draw dealer; draw dealer\n", BLACKJACK, "Pay and take, then press Settle"),
        (DEALT.replace("AS", "6S"), BLACKJACK, "Offer surrender"),
        (DEALT.replace("AS", "6S"), RWS, "Box 1: Player to decide (19)"),
        (DEALT.replace("no-more", "bet 2 rws-pairs 10\nno-more"), RWS, "Settle RWS Pairs, then press Interim"),
        (f"{DEALT}draw 1\n", BLACKJACK, "Shift Manager: go on or void?"),
        (f"{DEALT}draw 1\n", FREE, "Pit Supervisor to approve insurance"),
        (f"fresh: no\n\n{BETS}draw 2\n", BLACKJACK, "Move "),
        (f"{INSURED}pull 2 show 2\n", BLACKJACK, "Box 1: which card, or none?"),
        (f"{INSURED}pull 2 show 2\nanswer 1 2C\n", BLACKJACK, "Box 2: take the card?"),
        (f"{INSURED}hit 1; pull 3 show 3\nanswer 1 2C\n", BLACKJACK, "Box 2: which card, or none?"),
        (f"{INSURED}hit 1; pull 2\nanswer 1 first\n", BLACKJACK, "Take the card set aside to Box 1"),
        (f"{INSURED}hit 1; pull 2\nanswer 1 first\nlay 2C 1\n", BLACKJACK, "Box 2: Player to decide (17)"),
        (f"{INSURED}hit 1; pull 2\nanswer 1 first\nlay 2C 1\nhit 2\n", BLACKJACK, "Take the card set aside to Box 2"),
        (
            f"{INSURED}hit 1; pull 2 show 2\nanswer 1 2C; answer 2 refuse; lay 2C 1\n",
            BLACKJACK,
            "Burn the card set aside",
        ),
        (f"{INSURED}hit 1; pull 2\n", BLACKJACK, "Box 1: which card?"),
        (f"{INSURED}unplug shoe\n", BLACKJACK, "Shoe does not answer: plug it in"),
        (f"{INSURED}power-cut; power-on\n", BLACKJACK, "Box 1: continue or take wager back?"),
        (f"{INSURED}stand 1; stand 2; draw dealer; draw dealer; settle; load\n", BLACKJACK, "Shuffle and load first"),
    ],
)
def test_the_line_says(text: str, game: str, expected: str) -> None:
    """The states of a round, and what stands above them."""
    assert worded(advise(table_after(text, game).view())).startswith(expected)


def test_a_card_set_aside_locks_the_shoe_until_it_lies() -> None:
    """MBS 5.23.1.1: the rest of a pull is the next card."""
    text = f"{INSURED}hit 1\npull 2\nanswer 1 first\nlay 2C 1\nhit 2\n"
    waits, lies = scene(table_after(text)), scene(table_after(f"{text}lay 8H 2\n"))
    assert (True, True, "2") == (waits["shoe"]["locked"], waits["advice"]["deals"], waits["advice"]["place"])
    assert (False, []) == (lies["shoe"]["locked"], lies["findings"][1:])


@pytest.mark.parametrize(("game", "clause"), [(BLACKJACK, "5.1.1"), (RWS, "5.5.1")])
@pytest.mark.parametrize("first", [False, True], ids=["later", "first-card"])
def test_a_set_that_is_not_whole_is_taken_out_before_the_next_round(game: str, clause: str, *, first: bool) -> None:
    """The line asks for it and the shoe is locked until a load; the core would take bets, as the notation says."""
    dealt = "" if first else "draw 1; draw 2; "
    table = table_after(f"fresh: no\n\n{BETS}{dealt}draw dealer = JOKER\n", game)
    drawn = scene(table)
    assert ("void", [clause]) == (drawn["state"], [one["clause"] for one in drawn["findings"]])
    assert ("Take the set out and count it", True) == (drawn["advice"]["text"]["en"], drawn["shoe"]["locked"])
    assert table.can(ev.PlaceBets())
    table.apply(ev.Shuffled("machine"))
    table.apply(ev.Loaded(table.view().cards.size))
    loaded = scene(table)
    assert ("open-void", False) == (loaded["advice"]["key"], loaded["shoe"]["locked"])


def test_a_stalled_journal_outranks_everything() -> None:
    """And says why below it."""
    table = table_after(f"{DEALT}draw 1\n")
    drawn = scene(table, Around("the disk is full"))
    assert ("STOP: DO NOT DEAL", "the disk is full") == (drawn["panel"]["upper"], drawn["panel"]["lower"])


def test_an_alarm_that_bars_the_next_round_says_who_clears_it() -> None:
    """Between rounds only: in a round the deal goes on under it."""
    around = Around(clears="pit-manager")
    assert "Alarm open: Pit Manager to clear it" == worded(advise(table_after("\n").view(), around))
    assert "Call no more bets" == worded(advise(table_after("\nplace-bets\nbet 1 main 100\n").view(), around))


def test_what_comes_after_an_offer_is_told_beside_it() -> None:
    """The grey line of the page, the lower line of the panel."""
    drawn = scene(table_after(DEALT))
    after = advise(table_after(INSURED).view())
    assert {lang: worded(after, lang) for lang in LANGUAGES} == drawn["advice"]["then"]
    assert "THEN BOX 1: PLAYER TO DECIDE (19)" == drawn["panel"]["lower"]


def test_what_players_may_still_do_is_told_beside_the_next_card() -> None:
    """MBS 5.25: wagers may be taken back until the next card is dealt."""
    drawn = scene(table_after(f"{INSURED}hit 1\npull 2\nanswer 1 first\n"))
    assert "Players may take wagers back (5.25)" == (drawn["advice"]["beside"] or {})["en"]
    assert "PLAYERS MAY TAKE WAGERS BACK (5.25)" == drawn["panel"]["lower"]


CLAIMED = """fresh: no
shoe: TH KH AS KC AD

place-bets
seat 1/1 Ann; seat 2/1 Bob
bet 1 main 100 by Ann; bet 2 main 100 by Bob
no-more-bets
draw 1; draw 2; draw dealer; draw 1; draw 2
offer insurance
insure 1 50 by Bob
insure 1 50 by Cho
"""


def test_whose_claim_is_the_lesser_gets_the_wager_back() -> None:
    """MBS 3.27.4: two Players insure the same hand; when the offer is closed, a line says where one goes back."""
    assert beside(table_after(CLAIMED).view()) is None
    drawn = scene(table_after(f"{CLAIMED}close insurance\n"))
    assert "Return wagers: Box 1" == (drawn["advice"]["beside"] or {})["en"]
    assert "RETURN WAGERS: BOX 1" == drawn["panel"]["lower"]


# --- a Dealer who follows the line ---------------------------------------------------------------------------------


@pytest.mark.parametrize("game", sorted(GAMES))
def test_who_follows_the_line_alone_is_found_at_no_error(game: str, seed: int) -> None:
    """Rounds of every game by doing what the line says: nothing is refused, nothing is found."""
    played = 0
    for number in range(ROUNDS // AT_A_TABLE):
        follower = Follower(game, seed + number)
        for _ in range(AT_A_TABLE):
            follower.play_round()
        played += follower.shadow.view.played
        assert [] == follower.shadow.found
    assert played >= ROUNDS


@pytest.mark.parametrize("seeds", [1, pytest.param(FEWER * 8, marks=pytest.mark.soak)], ids=["sample", "many"])
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_the_line_leads_from_every_irregularity_to_a_free_table(kind: Kind, seeds: int, seed: int) -> None:
    """In every game that has it: bets can be opened, and the rounds after it are regular."""
    committed: set[str] = set()
    games = sorted(game for game, rules in GAMES.items() if kind.possible(rules))
    for game in games:
        for number in range(seeds):
            follower = Follower(game, seed + number)
            if any(follower.play_round(kind) for _ in range(TRIES)):
                committed.add(game)
            found = len(follower.shadow.found)
            follower.play_round()
            follower.play_round()
            assert [] == follower.shadow.found[found:]
    assert committed, f"no game gave a chance for {kind.name}"


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_with_roles_the_line_leads_to_a_free_table_too(kind: Kind, seed: int) -> None:
    """Where words are confirmed and alarms must be cleared: each irregularity once, and a regular round after."""
    games = sorted(game for game, rules in GAMES.items() if kind.possible(rules))
    follower = GuardedFollower(games[KINDS.index(kind) % len(games)], seed)
    for _ in range(TRIES):
        if follower.play_round(kind):
            break
    found = len(follower.shadow.found)
    follower.play_round()
    assert [] == follower.shadow.found[found:]
    assert [] == [alarm.code for alarm in follower.alarms.open if alarm.bars(follower.shadow.view)]


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_void_that_is_told_is_confirmed_counted_and_cleared(game: str, seed: int) -> None:
    """The Pit Manager confirms, the set is taken out, the alarm is cleared; then bets are opened."""

    def report(shadow: Shadow) -> list[What] | None:
        return [ev.Call("foreign-card")] if shadow.view.round.dealer.cards else None

    told = Kind("told-foreign-card", "foreign-card", report, PLAYING)
    follower = GuardedFollower(game, seed)
    assert any(follower.play_round(told) for _ in range(TRIES))
    lines = follower.lines
    wanted = ["Void: Pit Manager to confirm", "Take the set out and count it", "Alarm open: Pit Manager to clear it"]
    at = [lines.index(line) for line in wanted]
    assert sorted(at) == at


def test_a_void_before_any_card_of_a_fresh_shoe_asks_for_a_count_as_well(seed: int) -> None:
    """Nothing at the table tells that set from one that was loaded since: the open alarm does."""

    def report(shadow: Shadow) -> list[What] | None:
        first = shadow.state is State.BETS_CLOSED and not any(shadow.view.cards.out.values())
        return [ev.Call("foreign-card")] if first else None

    told = Kind("told-before-a-card", "foreign-card", report, PLAYING)
    fresh = (GuardedFollower(BLACKJACK, seed + number) for number in range(TRIES))  # chance says whether it is told
    follower = next(follower for follower in fresh if follower.play_round(told))
    wanted = ["Void: Pit Manager to confirm", "Take the set out and count it", "Alarm open: Pit Manager to clear it"]
    assert wanted == [line for line in follower.lines if line in wanted]


@pytest.mark.parametrize("device", ["shoe", "hub"])
@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_lost_device_is_asked_for_by_its_name(game: str, device: str, seed: int) -> None:
    """It stays away until the line has asked for it."""
    follower = Follower(game, seed)
    lost = Kind(f"{device}-lost", "link-lost", lambda _: [ev.LinkLost(device)], PLAYING)
    assert follower.play_round(lost)
    assert f"{texts()[f'device.{device}']['en']} does not answer: plug it in" in follower.lines
    assert [] == [finding.code for finding in follower.shadow.found if finding.code != "link-lost"]

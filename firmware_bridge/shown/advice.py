"""The next thing to do at a table: one line, the same for page, panel, training and tests.

1. `advise` looks at the view, and at what the daemon knows around it. The first rule of `RULES` that has something to
   say wins: what stops the table, what a held round waits for, what stands between two rounds, then the deal.
2. An `Advice` is a key of the catalogue (`firmware_bridge/texts/advice.json`) with what fills its text, the button that
   answers it, and the place that it is about. A next step is worded nowhere else. `worded` gives the text in a
   language; the panel shows it in capitals.
3. A card is the answer where `deals` says so; only then does a picture mark the next card. A card that was set aside
   goes before any card of the shoe, but no offer and no decision is skipped for it.
4. While a round is on there is always something to do. The key ``wait`` means that a rule is missing; a test fails
   then.
5. A round that is void because of a foreign, extra or missing card leaves the set in the shoe: until a load the line
   asks to take it out and to count it, the shoe is locked and the page opens no bets. The table itself takes
   `place-bets` even so: the rules void the round in which it is discovered, and say nothing of the next. Where the
   round was void before any card of a fresh shoe, only the open alarm knows that no set was loaded since.
6. A card that lies face down is never named, and its hand has no total.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from firmware_bridge.people.authority import AUTHORITY
from firmware_bridge.texts.languages import ENGLISH, LANGUAGES
from gamecore.model.events.outputs import Ask
from gamecore.model.places import BURN, DEALER, Place, asked_place
from gamecore.model.states import State
from gamecore.view.pictures import HandView
from gamecore.view.veil import was_seen
from gamecore.view.view import MatterView, TableView

CATALOGUE = Path(__file__).resolve().parents[1] / "texts" / "advice.json"
LONGEST_NAME = 7
_DEALS = frozenset({"card", "aside", "burn", "burn-aside"})
_NEEDS_SHOE = frozenset(
    {State.BETS_CLOSED, State.INITIAL_DEAL, State.OFFERS, State.PLAYER_TURN, State.DEALER_TURN, State.HELD}
)
_ONE_OR_NONE = 2
"""Options of a Player who is left one card: that card, or refuse."""
_CONFIRMED = {"void": "void-confirm", "return-wager": "return-confirm", "withdraw": "return-confirm"}


class Around(NamedTuple):
    """What the daemon knows around the table.

    Why the journal cannot be written; who clears what bars a round; whether an alarm asks for a count of the set.
    """

    stalled: str = ""
    clears: str = ""
    uncounted: bool = False


CALM = Around()


class Advice(NamedTuple):
    """The next thing to do: its key, what fills its text, the button that answers it, the place that it is about."""

    key: str
    args: Mapping[str, object] = {}
    press: str = ""
    place: Place | None = None

    @property
    def deals(self) -> bool:
        """Whether a card is the answer."""
        return self.key in _DEALS


Rule = Callable[[TableView, Around], Advice | None]


def advise(view: TableView, around: Around = CALM) -> Advice:
    """The next thing to do."""
    return next((advice for rule in RULES if (advice := rule(view, around)) is not None), Advice("wait"))


def advise_after(view: TableView, now: Advice) -> Advice | None:
    """What comes after an offer or a settlement on the way; None where that is not known yet."""
    if now.key == "settle-first":
        return _offers(view, CALM) or _decision(view, CALM)
    if now.press in {"offer", "close"}:
        return _decision(view, CALM) or _dealers_card(view, CALM)
    return None


def beside(view: TableView) -> Advice | None:
    """What is still open and holds nothing up: Players may take their wagers back."""
    return Advice("right", {"clause": view.rights[0].clause}) if view.rights else None


# --- what stops the table --------------------------------------------------------------------------------------------


def _stopped(_view: TableView, around: Around) -> Advice | None:
    return Advice("stop", {"why": around.stalled}) if around.stalled else None


def _device_away(view: TableView, _around: Around) -> Advice | None:
    """A device that this state needs is away."""
    needed = {
        "shoe": view.state in _NEEDS_SHOE,
        "hub": view.state in _NEEDS_SHOE or view.state is State.BETTING,
        "shuffler": not view.round_is_on and view.cut_card_out,
        "meter": bool(view.meters_due),
    }
    away = next((device for device, wanted in needed.items() if wanted and device in view.away), None)
    return None if away is None else Advice("device", {"device": away})


# --- a round that is held --------------------------------------------------------------------------------------------


def _confirmation(view: TableView, _around: Around) -> Advice | None:
    """What began with a word, and waits for a role before anything else is done about it."""
    if not view.round_is_on or not view.pending or view.pending[0].effect not in _CONFIRMED:
        return None
    waits = view.pending[0]
    press = "done" if waits.role == "pit-supervisor" else ""
    return Advice(_CONFIRMED[waits.effect], {"who": waits.role}, press)


def _moves(view: TableView, _around: Around) -> Advice | None:
    """Cards to be moved, unless people are asked first what becomes of them."""
    matter = _open_matter(view)
    if matter is None or not matter.remaining or (matter.asks and not matter.cards_first):
        return None
    move = matter.remaining[0]
    card = str(move.card) if was_seen(view, move) else ""
    args = {"card": card, "from": move.source, "to": move.target}
    return Advice("move", args, "" if view.senses_places else "done", move.target)


def _question(view: TableView, _around: Around) -> Advice | None:
    """Who is asked, and what."""
    matter = _open_matter(view)
    if matter is None or not matter.asks:
        return None
    ask = matter.asks[0]
    place = asked_place(ask.who)
    skipped = matter.finding.places[0] if ask.who == "dealer" and matter.finding.places else None
    return Advice(_question_key(ask), {"asked": ask.who, "place": skipped or DEALER}, "", place or skipped)


def _question_key(ask: Ask) -> str:
    fixed = {"continue": "ask-withdraw", "accept": "ask-take", "skipped": "ask-skipped", "unshuffled": "ask-shuffled"}
    first = ask.options[0]
    if ask.who == "house":
        return "ask-house"
    if "unknown" in ask.options:
        return "ask-name"
    if first in fixed:
        return fixed[first]
    if ask.who == "pit":
        return "ask-pit"
    if "refuse" not in ask.options:
        return "ask-choose"
    return "ask-take" if len(ask.options) == _ONE_OR_NONE else "ask-choose-or-none"


def _carrying_out(view: TableView, _around: Around) -> Advice | None:
    """Nobody is asked and no card is astray: a card to lay, a riffle, or the word of who stands behind the ruling."""
    matter = _open_matter(view)
    if matter is None:
        return Advice("approve", {"who": "shift-manager"}) if view.state is State.HELD else None
    if matter.procedure == "riffle":
        return Advice("load" if view.shuffled else "riffle")
    if matter.procedure == "disclosed-next" and view.senses_places and view.next_place is not None:
        return Advice("aside", {"place": view.next_place}, "", view.next_place)
    return Advice("confirm", {"who": AUTHORITY[matter.finding.ruling]}, "done")


def _open_matter(view: TableView) -> MatterView | None:
    return view.matters[0] if view.state is State.HELD and view.matters else None


# --- between rounds, and while bets are open -------------------------------------------------------------------------


def _cards_first(view: TableView, around: Around) -> Advice | None:
    """No round begins with these cards."""
    if view.round_is_on:
        return None
    if view.set_in_doubt or view.set_to_count or around.uncounted:
        return Advice("count")
    void_next = any(waits.effect == "void" for waits in view.pending)
    cut = view.cut_card_out and not view.cards.continuous
    return Advice("shuffle") if view.unshuffled or void_next or cut else None


def _alarm_open(view: TableView, around: Around) -> Advice | None:
    return Advice("clear", {"who": around.clears}) if around.clears and not view.round_is_on else None


def _betting(view: TableView, _around: Around) -> Advice | None:
    """Bets are to be opened, or to be closed."""
    if not view.round_is_on:
        return Advice("open-void" if view.state is State.VOID else "open", press="bets")
    if view.state is not State.BETTING:
        return None
    wagered = any(box.mains or box.sides for box in view.round.boxes.values())
    return Advice("close-bets", press="bets") if wagered else Advice("no-wager")


# --- the deal --------------------------------------------------------------------------------------------------------


def _pulled(view: TableView, _around: Around) -> Advice | None:
    """What a Player chose of a pull is laid at once, and what nobody took is burned."""
    if view.state is State.HELD:
        return None
    if view.to_lay:
        _, place = view.to_lay[0]
        return Advice("aside", {"place": place}, "", place)
    return Advice("burn-aside", place=BURN) if view.to_burn else None


def _deal(view: TableView, _around: Around) -> Advice | None:
    """The burn and the initial deal."""
    return _card_to(view) if view.state in {State.BETS_CLOSED, State.INITIAL_DEAL} else None


def _card_to(view: TableView) -> Advice | None:
    """The card that is due, from the shoe or from those set aside."""
    place = view.next_place
    if place is None:
        return None
    if place == BURN and not view.next_cards:
        return Advice("burn", place=BURN)
    return Advice("aside" if view.next_cards else "card", {"place": place}, "", place)


def _settled_first(view: TableView, _around: Around) -> Advice | None:
    kinds = view.settle_first
    after_deal = view.state in {State.OFFERS, State.PLAYER_TURN, State.DEALER_TURN}
    return Advice("settle-first", {"wager": kinds[0]}, "interim") if kinds and after_deal else None


def _late_insurance(view: TableView, _around: Around) -> Advice | None:
    waits = next((one for one in view.pending if one.effect == "insurance"), None)
    return None if waits is None else Advice("approve-insurance", {"who": waits.role}, "done")


def _offers(view: TableView, _around: Around) -> Advice | None:
    """An offer to be made, or to be closed: insurance first; surrender where it is spoken."""
    offers = view.round.offers
    spoken = view.rules.offers_are_spoken.value
    for what in ("insurance", "surrender"):
        due = offers.get(what) == "due" and view.state is State.OFFERS
        if due and (what == "insurance" or spoken):
            return Advice(f"offer-{what}", press="offer")
        if offers.get(what) == "open":
            return Advice(f"close-{what}", press="close")
    return None


def _decision(view: TableView, _around: Around) -> Advice | None:
    """The hand whose turn it is: a card that it waits for, or what its Player decides."""
    turn = view.round.turn
    if view.state not in {State.OFFERS, State.PLAYER_TURN} or turn is None or view.next_place == DEALER:
        return None
    hand, place = turn.hands[view.round.turn_hand], turn.place_of(view.round.turn_hand)
    if hand.awaits_card:
        return _card_to(view)
    if hand.face_down:
        return Advice("decide-unseen", {"place": place}, "", place)
    return Advice("decide", {"place": place, "total": hand}, "", place)


def _dealers_card(view: TableView, _around: Around) -> Advice | None:
    """What comes before the Dealer's cards, and these."""
    if view.meters_due and view.state in {State.DEALER_TURN, State.SETTLEMENT}:
        return Advice("meter", {"place": view.meters_due[0]}, "", view.meters_due[0])
    unseen = [number for number, box in view.round.boxes.items() if any(hand.face_down for hand in box.hands)]
    if unseen and view.state is State.SETTLEMENT and view.senses_places:
        return Advice("turn", {"place": Place(min(unseen))}, "", Place(min(unseen)))
    return _card_to(view)


def _settlement(view: TableView, _around: Around) -> Advice | None:
    ready = view.state is State.SETTLEMENT or (view.state is State.OFFERS and view.round.turn is None)
    return Advice("settle", press="settle") if ready else None


RULES: tuple[Rule, ...] = (
    _stopped,
    _device_away,
    _confirmation,
    _moves,
    _question,
    _carrying_out,
    _cards_first,
    _alarm_open,
    _betting,
    _pulled,
    _deal,
    _settled_first,
    _late_insurance,
    _offers,
    _decision,
    _dealers_card,
    _settlement,
)


# --- in words --------------------------------------------------------------------------------------------------------


@cache
def texts() -> dict[str, dict[str, str]]:
    """The catalogue: each key with its text in every language."""
    return dict(json.loads(CATALOGUE.read_text(encoding="utf-8")))


def watch_words(key: str) -> dict[str, str]:
    """What is to be watched, by language; what an earlier program has kept stands as it is."""
    return texts().get(f"watch.{key}", dict.fromkeys(LANGUAGES, key))


def worded(advice: Advice, lang: str = ENGLISH) -> str:
    """The line in a language."""
    values = {name: _argument(name, value, lang) for name, value in advice.args.items()}
    return texts()[advice.key][lang].format_map(values)


def _argument(name: str, value: object, lang: str) -> str:
    """What fills a text, in its language."""
    words = texts()
    match name, value:
        case _, Place():
            return _placed(value, lang)
        case "asked", str():
            place = asked_place(value)
            return value[:LONGEST_NAME] if place is None else _placed(place, lang)
        case "total", HandView():
            return words["total.soft" if value.soft else "total.hard"][lang].format(points=value.total)
        case "card", "":
            return words["card.unseen"][lang]
        case (("who" | "device" | "wager"), str()):
            return words[f"{name}.{value}"][lang]
        case _:
            return str(value)


def _placed(place: Place, lang: str) -> str:
    named = texts().get(f"place.{place}")
    return named[lang] if named is not None else texts()["place.box"][lang].format(at=place)

"""From what was said at a table, and its reports, to a round as plain data.

1. A step is a statement in deal notation with the report after it. Cards are taken from reports; chips, decisions and
   answers from the statements alone, never from the rows of a report.
2. Bets are open while the report before a statement says so. Chips after that are refused (MBS 5.3, RWS 5.8), except
   Ace Race on split Aces (3.21.1); chips that leave after that stay in play (MBS 5.4, RWS 5.8).
3. A place without a slot means who controls the box: the seated Player with a wager there, else the nearest to the
   Dealer (MBS 3.11, 3.12), at RWS the highest (1.30); who surrendered or is absent passes it on.
4. A place without a hand means the hand whose turn it is: where the next card belonged before the statement.
5. The two cards of the initial deal are the first two of the hand, before the first split; a card that a Player loses
   after they were dealt does not change them. Where they lay face down they are known at the end (RWS 3.12).
6. What was answered to an offer rests on the cards that lay there. If those are put back to others, the answer lapses:
   the offer is made again, and an Insurance wager goes back (MBS 3.20, 3.25, 3.27; RWS 3.15, 3.17).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tests.recount.paytables import RWS
from tests.recount.plain import Area, Insurance, Main, Part, PlainRound, PlayedHand, Refusal, Side
from tests.recount.sides import ODDS

_PLACE = re.compile(r"(\d+)(?:\.(\d+))?(?:/(\d+))?")
BETWEEN = frozenset({"idle", "complete", "void"})
DECISIONS = frozenset({"double", "free-double", "split", "free-split", "rescue"})


@dataclass(frozen=True, slots=True)
class Step:
    """A statement, where the next card belonged before it, and the report after it."""

    text: str
    next_place: str
    state: str  # before the statement
    report: dict[str, Any]  # of the round that was on or ended last


def cents(text: str) -> int:
    """Dollars as cents."""
    whole, _, rest = text.partition(".")
    return int(whole) * 100 + int((rest + "00")[:2])


class Names:
    """Who sits or wagers where, across rounds."""

    def __init__(self) -> None:
        """Nobody yet."""
        self.at: dict[tuple[int, int], str] = {}
        self.seats: dict[int, tuple[int, str | None]] = {}
        self.left: Counter[tuple[int, int]] = Counter()

    def add(self, words: list[str]) -> None:
        """Take up a statement about seats."""
        if words[0] == "seat":
            box, _, slot = place(words[1])
            name = words[2] if len(words) > 2 else self.at.get((box, slot or 1))
            self.seats[box] = slot or 1, name
            if name is not None:
                self.at[box, slot or 1] = name
        elif words[0] == "stand-up":
            box, _, slot = place(words[1])
            self.at.pop((box, slot or 1), None)
            self.left[box, slot or 1] += 1
            if self.seats.get(box, (0, None))[0] == (slot or 1):
                del self.seats[box]

    def who(self, box: int, slot: int, name: str | None) -> str:
        """The Player at a spot, the same across rounds until they leave it."""
        return name or f"{box}/{slot}, {self.left[box, slot]} before"


def place(text: str) -> tuple[int, int, int]:
    """Box, hand and slot; 0 where it is not said."""
    match = _PLACE.fullmatch(text)
    if match is None:
        return 0, 0, 0
    return int(match[1]), int(match[2] or 0), int(match[3] or 0)


class Reader:
    """Reads the statements of one round."""

    def __init__(self, game: str, names: Names) -> None:
        """An empty layout."""
        self.round = PlainRound(game)
        self.names = names
        self.withdrawn: list[tuple[str, dict[str, Any]]] = []  # who, and what lay there then
        self._approved = 0  # of these
        self.lapsed: set[tuple[int, int]] = set()  # boxes and slots whose Insurance wager rested on another card
        self._rested: dict[tuple[int, int], tuple[list[str], list[str]]] = {}  # an answer's hand and Dealer's card
        self._number = 0
        self.report: dict[str, Any] = {}

    def add(self, step: Step) -> None:
        """Take up one statement."""
        self._number += 1
        words = step.text.split()
        self.names.add(words)
        if words[0] in DECISIONS:
            self._decide(words, step)
        elif handler := getattr(self, f"_hear_{words[0].replace('-', '_')}", None):
            handler(words, step)
        if step.state == "betting":
            self._name_wagers()
        if step.state not in BETWEEN:
            for area in self.round.areas.values():
                area.controller = self._controller(area)
        self._see(step.report)

    def finish(self) -> PlainRound:
        """The round as it ended."""
        self.round.dealer = tuple(self.report["dealer"]["cards"])
        lying = {(hand["box"], hand["hand"]): tuple(hand["cards"]) for hand in self.report["hands"]}
        for area in self.round.areas.values():
            hands = self._hands(area)
            for number, hand in enumerate(hands, start=1):
                hand.cards = lying.get((area.box, number), ())
            if "??" in area.first_two:
                area.first_two = (
                    hands[0].cards[:1] + hands[area.partner].cards[:1] if area.split else hands[0].cards[:2]
                )
        return self.round

    def _name_wagers(self) -> None:
        """Without a name of their own, all kinds at one spot belong to one Player."""
        for area in self.round.areas.values():
            for side in area.sides:
                main = area.mains.get(side.slot)
                side.player = side.player or (main.player if main is not None else None)
            for wager in area.wagers:
                wager.who = self.names.who(area.box, wager.slot, wager.player)

    # --- chips -----------------------------------------------------------------------------------------------------

    def _area(self, box: int) -> Area:
        return self.round.areas.setdefault(box, Area(box))

    def _hear_bet(self, words: list[str], step: Step) -> None:
        box, hand, slot = place(words[1])
        slot, kind, amount = slot or 1, words[2], cents(words[3])
        named = words[5] if len(words) > 5 else None
        player = named or self.names.at.get((box, slot))
        area = self._area(box)
        if kind != "main" and kind not in ODDS:
            return  # the layout has no such spot
        if step.state != "betting" and not self._on_split_aces(area, kind, step):
            self.round.refused.append(Refusal(box, slot, hand or 1, kind, amount))
        elif kind == "main":
            self._bet_main(area, slot, amount, named)
        else:
            self._bet_side(area, Side(kind, slot, amount, player, hand or 1, after_split=step.state != "betting"))

    def _on_split_aces(self, area: Area, kind: str, step: Step) -> bool:
        """Ace Race 3.21.1: Aces were just split, and no card has come since."""
        aces = [hand["cards"][0][0] for hand in hands_of(step.report, area.box) if len(hand["cards"]) == 1]
        return kind == "ace-race" and area.split and aces == ["A", "A"]

    def _bet_main(self, area: Area, slot: int, amount: int, named: str | None) -> None:
        if slot not in area.mains:
            area.mains[slot] = Main(slot, 0, named or self.names.at.get((area.box, slot)))
        if named is not None:
            self.names.at[area.box, slot] = named
        area.mains[slot].amount += amount

    def _bet_side(self, area: Area, side: Side) -> None:
        for other in area.sides:
            if other.spot == side.spot:
                other.amount += side.amount
                other.placed.append((self._number, side.amount))
                return
        side.placed.append((self._number, side.amount))
        area.sides.append(side)

    def _hear_unbet(self, words: list[str], step: Step) -> None:
        if step.state != "betting":
            return
        box, _, slot = place(words[1])
        slot, kind = slot or 1, words[2]
        area = self._area(box)
        named = words[words.index("by") + 1] if "by" in words else None
        amount = cents(words[3]) if len(words) > 3 and words[3] != "by" else None
        if kind == "main" and slot in area.mains:
            area.mains[slot].amount -= area.mains[slot].amount if amount is None else amount
            if area.mains[slot].amount <= 0:
                del area.mains[slot]
            return
        there = [side for side in area.sides if (side.kind, side.slot) == (kind, slot)]
        whose = named or (area.mains[slot].player if slot in area.mains else self.names.at.get((box, slot)))
        own = [side for side in there if side.player == whose]
        for side in own if named is not None or own else there:  # no sensor sees whose chips leave: the spot's own
            gone = side.amount if amount is None else min(amount, side.amount)
            side.amount -= gone
            _take_off(side.placed, gone)
            if side.amount <= 0:
                area.sides.remove(side)

    def _hear_insure(self, words: list[str], _step: Step) -> None:
        box, _, slot = place(words[1])
        area = self._area(box)
        slot = slot or self._controller(area)
        named = words[4] if len(words) > 4 else None
        owner = area.mains[slot].player
        self._rested.setdefault((box, slot), _lying(self.report, box))
        area.insurance.append(
            Insurance(slot, cents(words[2]), named or owner, others=named is not None and named != owner)
        )

    # --- what is said ----------------------------------------------------------------------------------------------

    def _main_at(self, text: str) -> Main:
        box, _, slot = place(text)
        area = self._area(box)
        return area.mains[slot or self._controller(area)]

    def _hear_surrender(self, words: list[str], _step: Step) -> None:
        self._main_at(words[1]).surrendered = True
        self._rest(words[1])

    def _hear_even_money(self, words: list[str], _step: Step) -> None:
        self._main_at(words[1]).even_money = True
        self._rest(words[1])

    def _rest(self, text: str) -> None:
        """Remember the cards on which an answer rests."""
        box = place(text)[0]
        self._rested[box, self._main_at(text).slot] = _lying(self.report, box)

    def _hear_reconstructed(self, _words: list[str], step: Step) -> None:
        """Let answers lapse that rest on cards which others have got; a hand that is short has lost one to nobody."""
        for (box, slot), rested in self._rested.items():
            area, lies = self._area(box), _lying(step.report, box)
            main = area.mains[slot]
            if lies != rested and len(lies[0]) == len(rested[0]) and not area.split:
                main.surrendered = main.even_money = False
            if lies[1] != rested[1]:
                self.lapsed.add((box, slot))
        for area in self.round.areas.values():
            lying = hands_of(step.report, area.box)
            if area.split and len(lying) > area.partner:
                area.first_two = (lying[0]["cards"][0], lying[area.partner]["cards"][0])

    def _hear_absent(self, words: list[str], _step: Step) -> None:
        box, _, slot = place(words[1])
        area = self._area(box)
        area.absent.add(slot or self._controller(area))

    def _hear_interim(self, _words: list[str], _step: Step) -> None:
        """RWS 3.13, 5.10.1: the Pairs are settled on the cards that lay there, and no card is put back any more."""
        for area in self.round.areas.values() if self.round.game == RWS else ():
            area.first_two_kept = area.first_two_kept or len(area.first_two) == 2

    def _hear_jackpot(self, words: list[str], _step: Step) -> None:
        box, _, slot = place(words[1])
        area = self._area(box)
        for side in area.sides:
            if side.kind == "pandemonium" and side.slot == (slot or 1):
                side.multiplier = int(words[2])

    def _hear_answer(self, words: list[str], _step: Step) -> None:
        if words[2] != "withdraw":
            return
        self.withdrawn.append((words[1], self.report))
        box, _, slot = place(words[1])
        for area in self.round.areas.values():
            spots = {slot or self._controller(area)} if area.box == box else set()
            named = {main.slot for main in area.mains.values() if main.player == words[1]}
            area.absent |= spots | named

    def _hear_approve(self, _words: list[str], _step: Step) -> None:
        self._approved = len(self.withdrawn)

    def _hear_retract(self, _words: list[str], _step: Step) -> None:
        """What was said and not approved is denied: nobody has withdrawn."""
        denied = self.withdrawn[self._approved :]
        del self.withdrawn[self._approved :]
        for who, _ in denied:
            box, _, slot = place(who)
            for area in self.round.areas.values():
                if area.box == box:
                    area.absent -= {slot} if slot else set(area.mains)

    def _controller(self, area: Area) -> int:
        staying = [
            main for main in area.mains.values() if not main.surrendered and main.slot not in area.absent
        ] or list(area.mains.values())
        if not staying:
            return 0
        seat, name = self.names.seats.get(area.box, (0, None))
        seated = [main.slot for main in staying if main.slot == seat or (name is not None and main.player == name)]
        if seated:
            return seat if seat in seated else min(seated)
        if self.round.game == RWS:
            return min(staying, key=lambda main: (-main.amount, main.slot)).slot
        return min(main.slot for main in staying)

    # --- decisions -------------------------------------------------------------------------------------------------

    def _decide(self, words: list[str], step: Step) -> None:
        box, number, slot = place(words[1])
        area = self._area(box)
        slot = slot or self._controller(area)
        turn_box, turn, _ = place(step.next_place)
        index = (number or (turn if turn_box == box else 0) or 1) - 1
        original = area.mains[slot].amount
        if words[0].startswith("free-") and slot == self._controller(area):
            area.marked_by = area.marked_by or slot
        hands = self._hands(area)
        if words[0] in {"split", "free-split"}:
            if len(hands_of(step.report, box)) > len(hands_of(self.report, box)):
                hands.insert(index + 1, PlayedHand({}))
                area.partner += len(hands) == 2 or index < area.partner
            free = words[0] == "free-split"
            hands[index + 1].parts[slot] = Part(0 if free else original, free_split=free)
            return
        part = hands[index].parts[slot]
        match words[0]:
            case "double":
                part.added = cents(words[2]) if len(words) > 2 else original
            case "free-double":
                part.free_double = True
            case "rescue":
                part.rescued, part.added = True, 0

    def _hands(self, area: Area) -> list[PlayedHand]:
        if not area.hands:
            area.hands.append(PlayedHand({main.slot: Part(main.amount) for main in area.mains.values()}))
        return area.hands

    # --- cards -----------------------------------------------------------------------------------------------------

    def _see(self, report: dict[str, Any]) -> None:
        """Note the two cards of the initial deal while they lie together."""
        short = {
            place(text)[0]
            for finding in report.get("findings", ())
            if finding["code"] in {"box-short", "box-not-dealt"} and finding["ruling"] != "reconstruct"
            for text in finding["places"]
        }
        for area in self.round.areas.values():
            lying = hands_of(report, area.box)
            area.first_two_kept = area.first_two_kept or (area.box in short and len(area.first_two) == 2)
            if len(lying) == 1 and len(lying[0]["cards"]) >= 2 and not area.first_two_kept:
                area.first_two = tuple(lying[0]["cards"][:2])
        self.report = report


def hands_of(report: dict[str, Any], box: int) -> list[dict[str, Any]]:
    """The hands of a box in a report, in the order of play."""
    return [hand for hand in report.get("hands", ()) if hand["box"] == box]


def _lying(report: dict[str, Any], box: int) -> tuple[list[str], list[str]]:
    """The first two cards of a box, and the Dealer's first."""
    hands = hands_of(report, box)
    return hands[0]["cards"][:2] if hands else [], report["dealer"]["cards"][:1]


def _take_off(placed: list[tuple[int, int]], gone: int) -> None:
    """Chips that came last leave first."""
    while gone and placed:
        when, chips = placed.pop()
        if chips > gone:
            placed.append((when, chips - gone))
            return
        gone -= chips


def rounds_of(game: str, steps: Sequence[Step]) -> list[Reader]:
    """A reader for each round of a tape, in order."""
    names, found = Names(), list[Reader]()
    for step in steps:
        if step.text == "place-bets":
            found.append(Reader(game, names))
        if found:
            found[-1].add(step)
        else:
            names.add(step.text.split())
    return found

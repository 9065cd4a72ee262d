"""Chips counted from the events alone, to be compared with the settlement.

1. A spot is where one Player's chips lie: box, slot, hand, kind. The ledger knows how many lie there: it saw them
   arrive; it asks the table nothing.
2. The events must name hand and slot in full (`Robot.meant`).
3. Players' names follow the notation: the one named with the chips, else the one of that box and slot, who stays until
   they stand up.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from gamecore.model.events import events
from gamecore.model.events.events import Event
from gamecore.model.events.outputs import Row
from gamecore.model.places import Place


class Spot(NamedTuple):
    """Where one Player's chips lie."""

    box: int
    slot: int
    hand: int
    kind: str
    player: str


@dataclass
class Ledger:
    """The chips of one round."""

    chips_in: int = 0
    given_back: int = 0
    names: dict[tuple[int, int], str] = field(default_factory=dict)
    owners: dict[tuple[int, int], str | None] = field(default_factory=dict)
    mains: dict[tuple[int, int], int] = field(default_factory=dict)
    hands: dict[int, list[dict[int, int]]] = field(default_factory=dict)
    others: list[tuple[Spot, int]] = field(default_factory=list)
    parted: tuple[int, int] | None = None

    def see(self, event: Event) -> None:
        """Count what an event moves."""
        match event:
            case events.PlaceBets():
                self.chips_in = self.given_back = 0
                self.parted = None
                for record in (self.owners, self.mains, self.hands):
                    record.clear()
                self.others.clear()
            case events.Seat(place, str() as player):
                self.names[place.box, place.slot] = player
            case events.StandUp(place):
                self.names.pop((place.box, place.slot), None)
            case events.WagerPlaced():
                self._placed(event)
            case events.WagerRemoved(place, kind):
                self._removed(place, kind)
            case events.CardLaid(place=place) | events.CardDrawn(told=Place() as place):
                self.parted = None if self.parted is not None and self.parted[0] == place.box else self.parted
            case _:
                self._decided(event)

    def _placed(self, event: events.WagerPlaced) -> None:
        place = event.place
        spot = place.box, place.slot
        self.chips_in += event.amount
        if event.kind == "main":
            if spot not in self.mains:
                self.owners[spot] = event.player or self.names.get(spot)
            if event.player is not None:
                self.names[spot] = event.player
            self.mains[spot] = self.mains.get(spot, 0) + event.amount
            return
        player = event.player or self.names.get(spot) or ""
        self.others.append((Spot(place.box, place.slot, place.hand or 1, event.kind, player), event.amount))

    def _removed(self, place: Place, kind: str) -> None:
        spot = place.box, place.slot
        if kind == "main":
            self.chips_in -= self.mains.pop(spot)
            self.owners.pop(spot)
            return
        gone = [(other, chips) for other, chips in self.others if other[:2] == spot and other.kind == kind]
        self.chips_in -= sum(chips for _, chips in gone)
        self.others = [entry for entry in self.others if entry not in gone]

    def _decided(self, event: Event) -> None:
        match event:
            case events.Insure(place, amount, player):
                self.chips_in += amount
                owner = self.owners[place.box, place.slot]
                self.others.append((Spot(place.box, place.slot, 1, "insurance", player or owner or ""), amount))
            case events.Double(place, amount):
                added = self.mains[place.box, place.slot] if amount is None else amount
                self.chips_in += added
                self._hands(place.box)[place.hand - 1][place.slot] += added
            case events.Split(place):
                self.chips_in += self.mains[place.box, place.slot]
                self._split(place, self.mains[place.box, place.slot])
            case events.FreeSplit(place):
                self._split(place, 0)
            case events.Rescue(place):
                hand = self._hands(place.box)[place.hand - 1]
                added = hand[place.slot] - self.mains[place.box, place.slot]
                self.given_back += added
                hand[place.slot] -= added
            case _:
                pass

    def _hands(self, box: int) -> list[dict[int, int]]:
        if box not in self.hands:
            self.hands[box] = [{slot: chips for (number, slot), chips in self.mains.items() if number == box}]
        return self.hands[box]

    def _split(self, place: Place, chips: int) -> None:
        """The controlling Player, who has a part in every hand, parts it; the others join."""
        hands = self._hands(place.box)
        if self.parted != (place.box, place.hand) or place.slot in hands[place.hand]:
            self.parted = (place.box, place.hand)
            hands.insert(place.hand, {})
        hands[place.hand][place.slot] = chips

    def spots(self) -> dict[Spot, int]:
        """Every spot with its chips; a free hand is a spot with none."""
        for box, _ in self.mains:
            self._hands(box)
        mains = [
            (Spot(box, slot, number, "main", self.owners[box, slot] or ""), chips)
            for box, hands in self.hands.items()
            for number, hand in enumerate(hands, start=1)
            for slot, chips in hand.items()
        ]
        return summed([*mains, *self.others])


def summed(chips: Iterable[tuple[Spot, int]]) -> dict[Spot, int]:
    """The chips at each spot."""
    found: dict[Spot, int] = {}
    for spot, amount in chips:
        found[spot] = found.get(spot, 0) + amount
    return found


def faults(ledger: Ledger, rows: Sequence[Row]) -> list[str]:
    """What the settlement has wrong by the ledger."""
    bonus = [row for row in rows if row.kind == "super-bonus"]
    wagers = [row for row in rows if row.kind != "super-bonus"]
    found: list[str] = []
    settled = summed((Spot(row.box, row.slot, row.hand, row.kind, row.player or ""), row.stake) for row in wagers)
    spots = ledger.spots()
    if settled != spots:
        differ = settled.items() ^ spots.items()
        found.append(f"rows and chips differ: {sorted(differ)}")
    found += [f"a bonus is no wager: {row}" for row in bonus if row.stake or not row.net]
    found += [f"sign: {row}" for row in rows if not _sign_fits(row)]
    house = -sum(row.net or 0 for row in rows)
    chips = sum(spots.values())
    chips_out = chips + sum(row.net or 0 for row in rows) + ledger.given_back
    if ledger.chips_in != chips_out + house:
        found.append(f"{ledger.chips_in} in, {chips_out} out, {house} to the house")
    return found


def _sign_fits(row: Row) -> bool:
    """Whether the net fits the result, and no more is lost than lies there."""
    if row.net is None or row.net < -row.stake:
        return False
    match row.result:
        case "win":
            return row.net > 0
        case "lose":
            return row.net < 0 or row.stake == 0
        case "surrendered":
            return -row.stake <= row.net < 0
        case "stand-off" | "returned":
            return row.net == 0
        case _:
            return False

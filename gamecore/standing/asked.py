"""Who is asked whether to go on, by which clause, and how they are called.

1. The table asks everyone whom the clause names and who has something that goes back to them, nobody twice for the same
   spot. An absent Player is asked at none of their spots: the absence rules speak for them (MBS 5.22, RWS 5.3).
2. After a power failure (MBS 5.29.1, Free Bet 5.30.1) every Player is asked: at each of their main wagers or, without
   one, at the first spot where they have another wager. Anyone who withdraws withdraws all.
3. The right of MBS 5.25 is given at every spot: a Player with a side wager on somebody else's box, or somebody else's
   Insurance, has it there. It holds nothing and ends with the next card that is dealt.
4. The options of RWS 5.7 are options of a Hand: the round waits for each Player who has one. Other Players may have
   their Bet returned beside it, and nobody waits for them.
5. A Player is called by box. Where several have a main wager on the box, or the Player has none there, it is box and
   slot; where that means somebody else, it is the name. All these are accepted in an answer: box, box and slot, name.
"""

from __future__ import annotations

from gamecore.model.hands import Stake
from gamecore.model.places import asked_place
from gamecore.model.round import Box
from gamecore.model.state import TableState
from gamecore.rules.ruleset import Withdrawal
from gamecore.standing.decided import goes_back
from gamecore.standing.who import Spot, Wager, has_main, owner, owner_of_main, spots, spots_at, wagers, wagers_at


def name_at(box: Box, slot: int) -> str:
    """How the Player of a main wager is asked."""
    return str(box.number) if len(box.mains) < 2 else f"{box.number}/{slot}"


def called_at(t: TableState, spot: Spot) -> str:
    """How the Player at a spot is asked."""
    box = t.round.boxes[spot.box]
    if _meant_by_place(box, spot.slot) != spot:
        return spot.owner
    return name_at(box, spot.slot) if has_main(t.round, spot) else f"{spot.box}/{spot.slot}"


def _meant_by_place(box: Box, slot: int) -> Spot | None:
    """Whom a box and slot means: the Player of the main wager there, else one without a name, else the first."""
    there = [spot for spot in spots_at(box) if spot.slot == slot]
    first = owner_of_main(box, slot) or owner(box.number, slot, None)
    return next((spot for spot in there if spot.owner == first), there[0] if there else None)


def spot_of(t: TableState, name: str) -> Spot | None:
    """The spot that somebody speaks for, by place or by name; None for anyone without a wager."""
    place = asked_place(name)
    if place is None:
        own = [spot for spot in spots(t.round) if spot.owner == name]
        by_name = [spot for spot in own if called_at(t, spot) == name]
        return next(iter([*by_name, *own]), None)
    box = t.round.boxes.get(place.box)
    if box is None:
        return None
    return _meant_by_place(box, place.slot or box.controller or min(box.mains, default=1))


def speaks_for(t: TableState, name: str, asked: str) -> bool:
    """Whether `name` may answer a question to the one who is called `asked`."""
    if name == asked:
        return True
    spot, other = spot_of(t, name), spot_of(t, asked)
    return spot is not None and other is not None and (spot == other or other.owner == name)


def going_back(t: TableState, spot: Spot) -> list[Wager]:
    """What goes back to the Player at a spot who withdraws now."""
    there = wagers_at(t.round.boxes[spot.box])
    return [wager for wager in there if wager.spot == spot and goes_back(t, wager)]


def going_back_everywhere(t: TableState, player: str) -> list[Wager]:
    """What goes back to a Player who withdraws all."""
    return [wager for wager in wagers(t.round) if wager.owner == player and goes_back(t, wager)]


def going_back_to(t: TableState, asked: str) -> list[Wager]:
    """What goes back to a Player who withdraws where they were asked; by name, that is every spot so called."""
    spot = spot_of(t, asked)
    called_so = [other for other in spots(t.round) if called_at(t, other) == asked]
    return [wager for there in called_so or ([spot] if spot else []) for wager in going_back(t, there)]


def has_nothing_left(t: TableState, asked: str) -> bool:
    """Whether a question to a Player has lapsed: nothing would go back."""
    return spot_of(t, asked) is not None and not going_back_to(t, asked)


def must_answer(t: TableState) -> list[Spot]:
    """For whom the round waits, when all Players are asked."""
    found = with_right(t)
    if t.rules.withdrawal.value is Withdrawal.UNSETTLED:
        return [spot for spot in found if any(isinstance(w.chips, Stake) for w in going_back(t, spot))]
    own = [spot for spot in found if has_main(t.round, spot)]
    asked = {spot.owner for spot in own}
    others = {spot.owner: spot for spot in reversed(found) if spot.owner not in asked}
    return [spot for spot in found if spot in own or others.get(spot.owner) == spot]


def with_right(t: TableState) -> list[Spot]:
    """Every spot at which a Player who is there has something that goes back; while bets are open, chips go freely."""
    if not t.round.order:
        return []
    return [spot for spot in spots(t.round) if not is_absent(t, spot) and going_back(t, spot)]


def is_absent(t: TableState, spot: Spot) -> bool:
    """Whether the Player of a spot is not there, at this spot or at any other under the same name."""
    boxes = t.round.boxes
    if (spot.box, spot.slot) in t.people.absent and spot.slot not in boxes[spot.box].mains:
        return True
    return any(number in boxes and owner_of_main(boxes[number], slot) == spot.owner for number, slot in t.people.absent)

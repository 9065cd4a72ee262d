"""The order in which the cards of a round go into the discard holder: what a shoe repeats if nobody shuffles it.

1. First what was burnt, then what was seen to go there, in that order (`Round.discards`).
2. The rest is presumed to go hand by hand: hands that were bust or settled before the end as they were played
   (MBS 3.32), the others from the Dealer's right, the Dealer's own last, then what lies anywhere else. No clause says
   in which order hands are cleared away at the end.
3. Cards that are carried into the next round or back in the shoe do not go there, nor those that were taken into a new
   shoe, up to a number.
"""

from __future__ import annotations

from gamecore.cards.difference import is_over
from gamecore.cards.whereabouts import CARRIED
from gamecore.model.cards import Card
from gamecore.model.places import BURN, DISCARD
from gamecore.model.records import Role
from gamecore.model.round import Round


def collect_cards(game_round: Round, taken_in: int) -> list[Card]:
    """The cards of a round in the order in which they go into the discard holder; none up to the number `taken_in`."""
    stay = {Role.BACK, *CARRIED}
    go = {
        record.number: record for record in game_round.records if record.number > taken_in and record.role not in stay
    }
    ordered = [record for record in go.values() if record.role is Role.BURNT or record.felt == BURN]
    ordered += [record for record in game_round.discards if record.felt == DISCARD]
    hands = [hand for box in game_round.order for hand in box.hands]
    for hand in [*(hand for hand in hands if is_over(hand)), *reversed(hands), game_round.dealer]:
        ordered += hand.records
    ordered += go.values()
    return [go.pop(record.number).card for record in ordered if record.number in go]

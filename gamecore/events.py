"""Everything that can happen at a table, as far as the table can know it.

1. An event is immutable and complete: what is not in it did not happen. Amounts are cents (`gamecore.money`).
2. **Physical** events (cards, chips, counts, power, cables) are never refused: what they break becomes a finding.
3. **Commands** (announcements, offers, decisions, answers) are refused where the rules do not allow them; a refused
   command changes nothing and says why and by which clause.
4. A drawn card is two events where positions are sensed: it left the shoe, it lies at a place. Where they are not
   sensed, the place is told with the card or is the next proper one.
5. In a command, hand 0 means the hand whose turn it is, slot 0 the Player who controls the box.
"""

from __future__ import annotations

from dataclasses import dataclass

from gamecore.cards import Card
from gamecore.places import Place

# --- physical: cards -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CardDrawn:
    """A card left the shoe. `told`: the place that a person names, where no sensor sees it."""

    card: Card
    told: Place | None = None
    face_up: bool = False
    exposed: bool = False  # face up though squeezing was permitted; with `told` only


@dataclass(frozen=True, slots=True)
class CardsPulled:
    """Several cards left the shoe in one pull; `shown` are the disclosed ones."""

    cards: tuple[Card, ...]
    shown: tuple[Card, ...] = ()
    ordered: bool = False


@dataclass(frozen=True, slots=True)
class CardLaid:
    """A card that left the shoe lies at a place. `exposed`: face up though squeezing was permitted."""

    card: Card
    place: Place
    exposed: bool = False


@dataclass(frozen=True, slots=True)
class CardMoved:
    """A card was moved by hand."""

    card: Card
    source: Place
    target: Place


@dataclass(frozen=True, slots=True)
class CardsTurned:
    """The face-down cards of a box were turned."""

    box: int


@dataclass(frozen=True, slots=True)
class CardPushedBack:
    """A card that had left the shoe was pushed back into it."""

    card: Card


@dataclass(frozen=True, slots=True)
class ShoeOpened:
    """The cover of the shoe was opened."""


@dataclass(frozen=True, slots=True)
class CuttingCardOut:
    """The cutting card came out of the shoe."""


@dataclass(frozen=True, slots=True)
class ShoeCounted:
    """The shoe's count of the cards in it."""

    count: int


@dataclass(frozen=True, slots=True)
class ShoeEmpty:
    """A card was asked of a shoe that holds none."""


@dataclass(frozen=True, slots=True)
class DiscardCounted:
    """The discard holder's count."""

    count: int


@dataclass(frozen=True, slots=True)
class Shuffled:
    """The cards were shuffled, by `machine` or by `riffle` so many times."""

    method: str
    times: int = 1


@dataclass(frozen=True, slots=True)
class Loaded:
    """So many cards were loaded into the shoe. Which ones, and in what order, nobody knows."""

    count: int


# --- physical: chips, meter, power, cables -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class WagerPlaced:
    """Chips arrived at a betting spot. `player` where somebody else's spot is used by name."""

    place: Place
    kind: str
    amount: int
    player: str | None = None


@dataclass(frozen=True, slots=True)
class WagerRemoved:
    """Chips left a betting spot; all of them where no amount is known."""

    place: Place
    kind: str
    amount: int | None = None


@dataclass(frozen=True, slots=True)
class PowerCut:
    """The table computer lost power."""


@dataclass(frozen=True, slots=True)
class PowerOn:
    """The table computer is back after a loss of power."""


@dataclass(frozen=True, slots=True)
class Restarted:
    """The software alone came back; the round goes on."""


@dataclass(frozen=True, slots=True)
class LinkLost:
    """A device does not answer."""

    device: str


@dataclass(frozen=True, slots=True)
class LinkBack:
    """A device answers again."""

    device: str


# --- commands: announcements ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PlaceBets:
    """The Dealer announces that bets may be placed: a round of play commences."""


@dataclass(frozen=True, slots=True)
class NoMoreBets:
    """The Dealer announces that bets are closed."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A Player is seated at a box."""

    place: Place
    player: str | None = None


@dataclass(frozen=True, slots=True)
class StandUp:
    """The Player of a box and slot has left it."""

    place: Place


@dataclass(frozen=True, slots=True)
class Squeeze:
    """The House permits the cards of a box to be dealt face down."""

    box: int


@dataclass(frozen=True, slots=True)
class Offer:
    """The Dealer offers `insurance` or `surrender`."""

    what: str


@dataclass(frozen=True, slots=True)
class Close:
    """The Dealer announces that the offer is closed."""

    what: str


@dataclass(frozen=True, slots=True)
class Interim:
    """The Dealer has paid or taken on the outcome of the initial deal."""


@dataclass(frozen=True, slots=True)
class Collect:
    """The Dealer collects a hand that has lost during the subsequent deal."""

    place: Place


@dataclass(frozen=True, slots=True)
class Pay:
    """The Dealer pays a hand that has won during the subsequent deal."""

    place: Place


@dataclass(frozen=True, slots=True)
class Settle:
    """The Dealer announces the outcome, pays and takes: the round ends."""


# --- commands: answers to offers -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Insure:
    """An Insurance wager on the wager at a place; `player` if another Player takes the option."""

    place: Place
    amount: int
    player: str | None = None


@dataclass(frozen=True, slots=True)
class EvenMoney:
    """A Player with a natural chooses to be paid even money."""

    place: Place


@dataclass(frozen=True, slots=True)
class Surrender:
    """A Player gives up half of the original wager."""

    place: Place


# --- commands: decisions -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Hit:
    """A card is asked for."""

    place: Place


@dataclass(frozen=True, slots=True)
class Stand:
    """No further card is asked for."""

    place: Place


@dataclass(frozen=True, slots=True)
class Double:
    """Chips are added to a hand; without an amount, as many as the original wager."""

    place: Place
    amount: int | None = None


@dataclass(frozen=True, slots=True)
class FreeDouble:
    """A hand is doubled with a Free Bet Marker."""

    place: Place


@dataclass(frozen=True, slots=True)
class Split:
    """A hand is split, with a further wager equal to the original one."""

    place: Place


@dataclass(frozen=True, slots=True)
class FreeSplit:
    """A hand is split with a Free Bet Marker."""

    place: Place


@dataclass(frozen=True, slots=True)
class Rescue:
    """The doubled portion is withdrawn and the original wager given up."""

    place: Place


@dataclass(frozen=True, slots=True)
class Jackpot:
    """The jackpot meter showed a multiplier for the wager at a place."""

    place: Place
    multiplier: int


# --- commands: people and irregularities ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CardsDisclosed:
    """Of the cards that have just come out in one pull these are disclosed, which no sensor sees."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Absent:
    """A Player is not there to decide."""

    place: Place


@dataclass(frozen=True, slots=True)
class Reconstructed:
    """The cards now lie as the ruling says."""


@dataclass(frozen=True, slots=True)
class CannotReconstruct:
    """The house says that the cards cannot be put back."""


@dataclass(frozen=True, slots=True)
class Call:
    """A person reports an irregularity, in this round or an earlier one."""

    code: str
    place: Place | None = None
    round_number: int | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What the table asked for."""

    who: str
    what: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Approve:
    """A person identifies himself in a role and approves what is pending."""

    role: str


Physical = (
    CardDrawn
    | CardsPulled
    | CardLaid
    | CardMoved
    | CardsTurned
    | CardPushedBack
    | ShoeOpened
    | CuttingCardOut
    | ShoeCounted
    | ShoeEmpty
    | DiscardCounted
    | Shuffled
    | Loaded
    | WagerPlaced
    | WagerRemoved
    | PowerCut
    | PowerOn
    | Restarted
    | LinkLost
    | LinkBack
)
Command = (
    PlaceBets
    | NoMoreBets
    | Seat
    | StandUp
    | Squeeze
    | Offer
    | Close
    | Interim
    | Collect
    | Pay
    | Settle
    | Insure
    | EvenMoney
    | Surrender
    | Hit
    | Stand
    | Double
    | FreeDouble
    | Split
    | FreeSplit
    | Rescue
    | Jackpot
    | CardsDisclosed
    | Absent
    | Reconstructed
    | CannotReconstruct
    | Call
    | Answer
    | Approve
)
Event = Physical | Command

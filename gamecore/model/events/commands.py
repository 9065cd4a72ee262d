"""What a person says at a table: announcements, offers, decisions, answers, reports.

1. A command is refused where the rules do not allow it; it changes nothing then, and says why and by which clause.
2. Hand 0 means the hand whose turn it is, slot 0 the Player who controls the box; for `Seat`, `StandUp` and `Jackpot`
   it is slot 1.
"""

from __future__ import annotations

from dataclasses import dataclass

from gamecore.model.cards import Card
from gamecore.model.places import Place

# --- announcements ---------------------------------------------------------------------------------------


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


@dataclass(frozen=True, slots=True)
class Agree:
    """Players with equal claims to a wager agree on who shall place it."""

    place: Place
    kind: str
    player: str


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
    """A person says which of the cards that have just come out in one pull are disclosed: no sensor sees that."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Absent:
    """A Player is not there to decide."""

    place: Place


@dataclass(frozen=True, slots=True)
class Reconstructed:
    """The cards now lie as the ruling says; with `told` the word counts, whatever sensors see."""

    told: bool = False


@dataclass(frozen=True, slots=True)
class CannotReconstruct:
    """The house says that the cards cannot be put back."""


@dataclass(frozen=True, slots=True)
class Call:
    """A person reports an irregularity, in this round or an earlier one; `told` as with `Reconstructed`.

    With a `device` it is about what that device reports, or about its link; ``computer`` is the table computer itself.
    Then nobody at the table has erred.
    """

    code: str
    place: Place | None = None
    round_number: int | None = None
    told: bool = False
    device: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the table asked for."""

    who: str
    what: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Approve:
    """A person in a role approves what is pending: of this code, or the oldest that the role may approve."""

    role: str
    code: str = ""


@dataclass(frozen=True, slots=True)
class TakeBack:
    """The last command was a slip."""


@dataclass(frozen=True, slots=True)
class Retract:
    """The report of an irregularity was a mistake."""

    code: str


@dataclass(frozen=True, slots=True)
class SensorWrong:
    """The sensor of a place misreads: what lies there is told from now on."""

    place: Place


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
    | Agree
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
    | TakeBack
    | Retract
    | SensorWrong
)

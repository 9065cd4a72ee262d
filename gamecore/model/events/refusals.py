"""Why the rules do not allow a command: one reason a line, and the output that carries it.

1. A refusal is a reason, the clause and what the reason speaks of, never a sentence: every language words it itself.
   The value of a reason is the English, for terminals, the journal and the Dealer's panel.
2. The name of a gap says what stands there: ``place``, ``card``, ``code``, ``role``. Two of a kind have a word before
   (`first_card`).
3. Nothing is written out before somebody reads it: what may be said is worked out by asking, and most answers to such
   questions are thrown away.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import unique

from gamecore.model.events.texts import Text, english

Arguments = tuple[tuple[str, object], ...]


@unique
class Reason(Text):
    """Why a command is not allowed."""

    # --- rounds and bets
    ROUND_IS_ON = "a round of play is on; it ends when the outcome is settled or void"
    SET_NOT_WHOLE = "the set of cards is not whole: load it again, or the shift manager approves"
    APPROVAL_DUE = "{code} waits for the approval of a {role}"
    BETS_NOT_OPEN = "bets are not open"
    NO_WAGER_ON_TABLE = "no playing area contains a wager"
    DEALT_FACE_UP = "cards are dealt face up"
    SQUEEZE_TOO_LATE = "squeezing is asked for before the cards are dealt"
    NO_BET_ON_BOX = "there is no bet on box {box}"
    BOX_COMPLETE = "box {box} receives no further card"
    NO_AGREEMENT = "there is no agreement on {wager}"
    WAGER_NOT_NOW = "{wager} cannot be placed now"
    NO_CLAIM = "{player} does not claim {wager} at {place}"
    CLAIM_COMES_FIRST = "{players} comes before {player}"
    # --- offers
    OFFERS_AFTER_DEAL = "offers are made after the initial deal and before any further card"
    NO_OFFER_AGAINST = "the Dealer's first card, {card}, gives no {offer}"
    ALREADY_OFFERED = "{offer} was offered already"
    NOT_BEING_OFFERED = "{offer} is not being offered"
    NO_WAGER_AT = "there is no wager at {place}"
    PLAYER_ABSENT = "the Player at {place} is not there to decide"
    NAMED_PLAYER_ABSENT = "{player} is not there to decide"
    WAGER_GONE_BACK = "the wager at {place} has gone back"
    EVEN_MONEY_CHOSEN = "that Player has chosen even money"
    INSURANCE_WITHOUT_CHIPS = "an Insurance wager is an amount of chips"
    INSURANCE_TOO_HIGH = "insurance is not more than half the original wager"
    INSURANCE_OWN_ONLY = "no other Player may take part in this insurance"
    ALREADY_INSURED = "that Player has an Insurance wager on that wager already"
    NATURAL_BY_PAY_TABLE = "a {natural} is paid by the pay table"
    EVEN_MONEY_FOR_NATURAL = "even money is for a {natural}"
    WAGER_SETTLED = "that wager is settled"
    NO_SURRENDER_AFTER_SPLIT = "a split hand cannot be surrendered"
    WAGER_GIVEN_UP_OR_PAID = "that wager is given up or paid already"
    CARD_ASKED_FOR = "a card has been asked for"
    BUST_HAS_LOST = "a hand that is bust has lost"
    NATURAL_HAS_WON = "a {natural} has won and is paid"
    # --- decisions
    NO_DECISION_NOW = "no Player's decision is asked for now"
    DEALER_DRAWS_FIRST = "the Dealer draws their missing first card before any other hand is played"
    OTHER_TURN = "it is the turn of {turn_place}, not of {place}"
    NO_WAGER_IN_PLAY = "no wager in play at {place}"
    OTHER_CONTROLS = "box {box} is controlled by slot {slot}"
    CARD_DUE = "a card is due at {place}"
    MUST_DRAW = "a {softness} total of {total} must draw to {least} or more"
    HIDDEN_MUST_DRAW = "this hand must draw to {least} or more"
    CONTROLLER_NOT_DOUBLED = "the Player who controls the box has not doubled this hand"
    ALREADY_DOUBLED = "this wager is doubled already"
    SPLIT_ACES_NOT_DOUBLED = "split Aces may not be doubled"
    DOUBLE_TWO_CARDS = "only the first two cards may be doubled"
    NO_DOUBLE_ON = "a {softness} total of {total} may not be doubled"
    HIDDEN_NO_DOUBLE = "this hand may not be doubled"
    DOUBLE_WITHOUT_CHIPS = "a double adds chips to the wager"
    DOUBLE_TOO_HIGH = "a double is not more than the original wager"
    DOUBLE_TOO_LOW = "a double is not less than the table minimum"
    NO_FREE_DOUBLE_ON = "a {softness} total of {total} has no free double"
    HIDDEN_NO_FREE_DOUBLE = "this hand has no free double"
    GAME_WITHOUT_FREE_DOUBLE = "this game has no free double"
    CONTROLLER_NOT_SPLIT = "the Player who controls the box has not split this hand"
    ALREADY_SPLIT = "this wager is split already"
    ACES_SPLIT_ONCE = "Aces are split once"
    MOST_HANDS = "not more than {most} hands are formed"
    SPLIT_TWO_CARDS = "only two cards may be split"
    SPLIT_HAND_EMPTY = "a hand of the split has no card any more"
    NO_SPLIT_OF = "{first_card} and {second_card} have no split"
    HIDDEN_NO_SPLIT = "these cards have no split"
    NO_FREE_SPLIT_OF = "{first_card} and {second_card} have no free split"
    HIDDEN_NO_FREE_SPLIT = "these cards have no free split"
    GAME_WITHOUT_FREE_SPLIT = "this game has no free split"
    GAME_WITHOUT_RESCUE = "a doubled wager may not be withdrawn"
    RESCUE_TOO_LATE = "the doubled portion is withdrawn after the card of the double, before the next one"
    RESCUE_NOT_BELOW_21 = "a total of {total} is not less than 21"
    NO_DOUBLED_PORTION = "this wager has no doubled portion"
    # --- settlement
    INTERIM_AFTER_DEAL = "an interim settlement follows the initial deal"
    NO_HAND_TO_SETTLE = "there is no hand to settle at {place}"
    HAND_SETTLED = "the hand at {place} is settled"
    HAND_NOT_LOST = "the hand at {place} has not lost"
    HAND_NOT_WON = "the hand at {place} has not won"
    GAME_WITHOUT_METER = "this game has no jackpot meter"
    METER_NOT_NOW = "the button is pressed after the offers and before settlement"
    NO_PRESS_DUE = "no press of the button is due at {place}"
    NO_SUCH_MULTIPLIER = "the meter has no multiplier {multiplier}"
    HAND_NOT_PLAYED = "the hand at {place} has not been played"
    DEALER_MUST_DRAW = "the Dealer must still draw"
    NOTHING_TO_SETTLE = "there is nothing to settle"
    INSURANCE_OFFERED_FIRST = "insurance is to be offered first"
    METER_PRESSED_FIRST = "the jackpot button is to be pressed for {place}"
    # --- irregularities
    ROUND_HELD = "the round is held: {code}, {ruling}"
    NOBODY_ASKED_TO_GO_ON = "nobody is asked whether to go on"
    NOTHING_ASKED_OF = "nothing is asked of {who}"
    ASKED_FOR = "{who} is asked for {options}"
    RULING_NOT_APPROVED = "what was ruled waits for an approval"
    NO_CARDS_TO_PUT_BACK = "no cards are to be put back"
    DEALER_SAYS_FIRST = "the Dealer says first whether the hand was skipped"
    CARD_LIES_WRONG = "{card} still lies at {from_place} and belongs at {to_place}"
    HIDDEN_CARD_LIES_WRONG = "a card still lies at {from_place} and belongs at {to_place}"
    NOTHING_TO_RECONSTRUCT = "no cards are to be reconstructed"
    OTHER_ANSWERS_FIRST = "{who} is to answer first"
    ANSWER_NOT_APPROVAL = "this waits for an answer, not for the approval of a {role}"
    NOTHING_TO_APPROVE = "nothing waits for approval"
    NO_SUCH_BOX = "this table has no box {box}"
    TOLD_ALREADY = "what lies at {place} is told already"
    NO_SENSOR_AT = "no sensor reports what lies at {place}"
    # --- reports that cannot be
    NO_SUCH_ROUND = "there was no round {number}"
    CANNOT_OCCUR = "{code} cannot have occurred: {note}"
    CANNOT_BE_NO_WAGER = "{code} cannot have occurred: there is no wager at {place}"
    CANNOT_BE_CARDS_LIE = "{code} cannot have occurred: {count} cards lie at {place}"
    CANNOT_BE_DEALER_HAS_CARDS = "{code} cannot have occurred: the Dealer has cards"
    CANNOT_BE_NO_HAND_ACTS = "{code} cannot have occurred: no hand could act yet"
    CANNOT_BE_BURNED = "{code} cannot have occurred: a card was laid at burn"
    CANNOT_BE_DEALER_CARDS_DUE = "{code} cannot have occurred: the Dealer has {count} cards, and each was due"
    CANNOT_BE_NO_CARD_DUE = "{code} cannot have occurred: no card lies at {place}, and none was due there"
    CANNOT_BE_ALL_DUE = "{code} cannot have occurred: every card at {place} was due there"
    CANNOT_BE_WAGERED = "{code} cannot have occurred: there is a wager at {place}"
    CANNOT_BE_NO_CARD = "{code} cannot have occurred: no card lies at {place}"
    CANNOT_BE_OFFERED = "{code} cannot have occurred: insurance was offered"
    CANNOT_BE_ABOVE_MINIMUM = (
        "{code} cannot have occurred: {amount} lies at {place} as {wager}, and the minimum is {limit}"
    )
    CANNOT_BE_BELOW_MAXIMUM = (
        "{code} cannot have occurred: {amount} lies at {place} as {wager}, and the maximum is {limit}"
    )
    CANNOT_BE_NO_SIDE_WAGER = "{code} cannot have occurred: there is no side wager at {place}"
    CANNOT_BE_MAIN_WAGER = "{code} cannot have occurred: a main wager lies at {place}"
    CANNOT_BE_NO_CHIPS = "{code} cannot have occurred: no chips have arrived at {place} since bets closed"
    # --- what was said before
    NOTHING_SAID = "nothing was said"
    RECORD_SIGNED = "nothing was said since the round ended, and its record is signed"
    SOMETHING_SINCE = "the last command cannot be taken back: {since} since"
    APPROVAL_STAYS = "an approval cannot be taken back"
    RETRACT_INSTEAD = "it stands in the record of round {number}, and can be retracted"
    APPROVE_TOLD_CHIPS = "{code} follows from the chips as they were told, and is to be approved"
    NOT_LISTED = "{code} is not on the list"
    ALREADY_RETRACTED = "{code} was retracted already"
    NOT_REPORTED = "{code} was not reported by a person since the last round ended"
    CARRIED_OUT_SINCE = "{code} cannot be retracted: {since} since, and the ruling was {ruling}"
    NO_PULL_TO_DISCLOSE = "no cards have just come out in one pull"
    NOT_THE_CARDS_PULLED = "these are not the cards that came out"


@unique
class Since(Text):
    """What has come since something was said, and stands in the way of taking it back."""

    SOMETHING = "something has happened"
    WORD = "something was said"
    CARD_DRAWN = "a card has left the shoe"
    CARDS_PULLED = "cards have left the shoe"
    CARD_LAID = "a card was laid"
    CARD_MOVED = "a card was moved"
    CARDS_TURNED = "cards were turned"
    CARD_PUSHED_BACK = "a card was pushed back"
    SHOE_OPENED = "the shoe was opened"
    CUTTING_CARD_OUT = "the cutting card has come out"
    SHOE_COUNTED = "the shoe was counted"
    SHOE_EMPTY = "the shoe was found empty"
    DISCARDS_COUNTED = "the discard holder was counted"
    SHUFFLED = "the cards were shuffled"
    LOADED = "the shoe was loaded"
    CHIPS_ARRIVED = "chips have arrived"
    CHIPS_LEFT = "chips have left"
    POWER_FAILED = "the power has failed"
    POWER_BACK = "the power has come back"
    DEVICE_LOST = "a device was lost"
    DEVICE_BACK = "a device has come back"
    MULTIPLIER_SHOWN = "the jackpot meter has shown a multiplier"
    RETRACTION = "a report was retracted"


@dataclass(frozen=True, slots=True)
class Refused:
    """A command is not allowed here: why, by which clause, and what the reason speaks of."""

    reason: Reason
    clause: str
    arguments: Arguments = ()

    @property
    def why(self) -> str:
        """The reason in English, without the clause."""
        return english(self.reason, self.arguments)

    def __str__(self) -> str:
        """The reason in English, with its clause."""
        return f"{self.why} ({self.clause})"


def refuse(reason: Reason, clause: str, **arguments: object) -> Refused:
    """The refusal for a reason, with what it speaks of."""
    return Refused(reason, clause, tuple(arguments.items()) if arguments else ())

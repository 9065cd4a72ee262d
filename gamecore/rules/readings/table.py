"""Readings of how the table hears what the documents describe."""

from __future__ import annotations

from gamecore.rules.readings.reading import ALL, BLACKJACK, Reading

READINGS: tuple[Reading, ...] = (
    Reading(
        name="burn while bets are open",
        games=(BLACKJACK,),
        clauses="3.2, 5.21",
        question="Does a burn drawn while bets are open close them?",
        taken="No, the first card of the round does.",
        other="Every card closes them.",
        why="A burn belongs to the loading of the shoe, not to the deal.",
        held_by="mbs-blackjack-v6/3.2-burn-while-bets-are-open",
    ),
    Reading(
        name="surrender never offered",
        games=(BLACKJACK,),
        clauses="3.25.1, 6.1",
        question="The Dealer goes on without offering surrender: is that a finding?",
        taken="No: a decision without a card leaves the surrender passed over, and nothing is referred.",
        other="It is referred as what no clause covers.",
        why="Nobody asked for it; a Player who did is heard by the pit, who may call it.",
        held_by="mbs-blackjack-v6/3.25.1-surrender-never-offered",
    ),
    Reading(
        name="a box passed over in the initial deal",
        games=ALL,
        clauses="MBS 5.6.1, 5.13; RWS 5.9",
        question="With sensed places, a card due at one box lies at the next: which code is it?",
        taken="A misdealt card: it was due, and laid elsewhere. A person may still call the box short.",
        other="The box was not dealt, or is short.",
        why="At that card nobody knows whether the box will get its card; ruling and moves are the same.",
        held_by="mbs-blackjack-v6/5.6.1-first-card-at-the-wrong-box",
    ),
    Reading(
        name="a card taken off a hand",
        games=ALL,
        clauses="MBS 5.13, 5.14, 5.16, 6.1; RWS 5.7, 5.9, 5.10.1, 5.20",
        question="Places are sensed, and a card of the initial deal is moved off a hand though nobody ruled so.",
        taken=(
            "The box is short, or was not dealt where none is left, as if the card had not come: in time the card goes "
            "back, and `reconstructed` is heard when it has; later the clause of the stage holds for the hand as it "
            "lies when its Players have answered, and MBS 5.16 asks nobody whose card is back. The card counts for no "
            "other hand, and wagers on the first two cards keep those. A hand that was acted upon, or is complete when "
            "it is late, any other card, and the Dealer's go to the shift manager."
        ),
        other="Every card moved without a ruling is what no clause covers.",
        why=(
            "The clauses speak of a Player with a valid wager and fewer than two cards, and not of how that came "
            "about; anyone who has acted, or cannot act, gains nothing by the right to act."
        ),
        held_by=(
            "mbs-blackjack-v6/5.13-a-card-taken-off-a-hand mbs-blackjack-v6/5.13-the-only-card-of-a-box-taken "
            "mbs-blackjack-v6/5.13-both-cards-of-a-box-taken mbs-blackjack-v6/5.16-a-card-taken-off-a-hand-late "
            "mbs-blackjack-v6/5.16-put-back-before-the-answer mbs-blackjack-v6/5.14-both-cards-taken-before-the-answer "
            "mbs-blackjack-v6/5.14-the-last-card-taken-late mbs-blackjack-v6/6.1-a-card-taken-off-a-hand-that-stood "
            "mbs-blackjack-v6/6.1-a-card-moved-by-hand rws-free-bet-2025/5.9-a-card-taken-off-a-hand "
            "rws-free-bet-2025/5.10.1-a-card-taken-after-the-pairs-were-paid"
        ),
    ),
    Reading(
        name="double over the maximum",
        games=ALL,
        clauses="MBS 5.27, Free Bet 5.28; RWS 5.1.1",
        question="A wager over the maximum is doubled: to what does the added part count?",
        taken="Each part up to the maximum, or at RWS up to the wager's share of it.",
        other="The whole stake up to the maximum, or the added part pro rata.",
        why="The limit is one of the wager that is placed; a double is a further wager of up to the same amount.",
        held_by="mbs-blackjack-v6/5.27-doubled-over-the-maximum",
    ),
    Reading(
        name="which next card arrives where places only count",
        games=ALL,
        clauses="MBS 5.23.1.1, 5.23.2.1, 5.23.4.2; RWS 5.12",
        question="Several cards of one pull are set aside, and a place that only counts reports one: which is it?",
        taken="The first of them in the order in which the table asks for them.",
        other="The pit is asked each time which card it is.",
        why="The screen has asked for that card, and a question at each card would stop the game for no doubt at all.",
        held_by="mbs-blackjack-v6/5.23.1-counting-places-three-unseen-cards-are-laid-in-turn",
    ),
    Reading(
        name="a next card that lies where it is due",
        games=ALL,
        clauses="MBS 5.6.2, 5.17; RWS 5.9",
        question="A card laid in error is the next card, and lies at the very place where a card is due: is it dealt?",
        taken="No: it is taken up and dealt there. The screen asks for it, and the shoe is locked meanwhile.",
        other="It counts at once.",
        why="It is dealt as if it had never been disclosed, and nobody has dealt it there yet.",
        held_by="mbs-blackjack-v6/5.6.2-a-next-card-that-lies-where-it-is-due-is-dealt-when-it-is-laid",
    ),
)

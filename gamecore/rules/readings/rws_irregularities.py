"""Readings about the irregularities of the RWS document."""

from __future__ import annotations

from gamecore.rules.readings.reading import RWS, Reading

READINGS: tuple[Reading, ...] = (
    Reading(
        name="a small bet on a box over the maximum",
        games=(RWS,),
        clauses="RWS 5.1.1, 5.1.2",
        question="One bet on the box is below the minimum and counts in full: what do the others share?",
        taken="The whole maximum, nobody more than they bet; the small bet stands beside it.",
        other="The maximum less the small bet, or no share at all: everybody on the box wins or loses in full.",
        why="The small bet is taken out of the sharing, and the sharing is of the permissible maximum.",
        held_by=(
            "rws-free-bet-2025/5.1.2-small-bet-counts-in-full rws-free-bet-2025/5.1.2-nobody-wins-more-than-he-bet"
        ),
    ),
    Reading(
        name="a share below the minimum",
        games=(RWS,),
        clauses="RWS 5.1.1",
        question="A share of the maximum would fall below the minimum: what then?",
        taken=(
            "It is the minimum, and the others share what is left of the maximum, again none below the minimum. Where "
            "the minimum of each is more than the maximum, each share is the minimum, and the box plays for more."
        ),
        other="It is the minimum, and the others keep their shares, so that the box plays for more than the maximum.",
        why=(
            "Both limits hold for the box, and the shares are shares of the maximum; that nobody falls below the "
            "minimum is said without exception."
        ),
        held_by=(
            "rws-free-bet-2025/5.1.1-no-share-below-the-minimum rws-free-bet-2025/5.1.1-two-shares-raised "
            "rws-free-bet-2025/5.1.1-every-share-is-the-minimum rws-free-bet-2025/5.1.1-no-share-is-negative"
        ),
    ),
    Reading(
        name="which bets have an outcome when the power fails",
        games=(RWS,),
        clauses="RWS 5.4.1, 5.4.2",
        question="What counts as a bet that has conclusively won or lost?",
        taken=(
            "A hand that is bust, given up or paid, a Blackjack that cannot be matched, RWS Pairs on two cards, Lucky "
            "Stash with a marker on the box or when every hand has been played without one, Insurance after the "
            "Dealer's second card, and every bet once the Dealer's hand is complete."
        ),
        other="Only what has been paid or collected.",
        why="The paragraph speaks of winning and losing, not of settlement.",
        held_by=(
            "rws-free-bet-2025/5.4.1-a-marker-was-used rws-free-bet-2025/5.4.1-insurance-is-lost "
            "rws-free-bet-2025/5.4.1-the-dealer-has-finished rws-free-bet-2025/5.4.1-lucky-stash-is-lost "
            "rws-free-bet-2025/5.4.2-a-blackjack-against-a-ten-is-open "
            "rws-free-bet-2025/5.4.2-nothing-was-settled-by-the-interim"
        ),
    ),
    Reading(
        name="found after the next round has begun",
        games=(RWS,),
        clauses="RWS 5.6, 5.14",
        question="Which paragraph speaks of what is found a round later?",
        taken="5.6 for the set of cards and for wagers, 5.14 for dealing errors. Either way nothing changes.",
        other="5.14 for everything.",
        why="5.6 follows the cases that void a round and speaks of settlement; 5.14 speaks of an error in the round.",
        held_by="rws-free-bet-2025/5.6-next-round-has-begun rws-free-bet-2025/5.14-error-of-the-round-before",
    ),
    Reading(
        name="options after the Dealer's card too many",
        games=(RWS,),
        clauses="RWS 5.7, 5.10.2",
        question="May a Player have their bet back when the Dealer has drawn on a complete hand?",
        taken="Yes, until settlement; nobody has to answer, and the discard alone holds the round.",
        other="No: the paragraph says itself what happens to the card and the total.",
        why="5.7 is for any dealing error but those of 5.5, whether the cards can be put back or not.",
        held_by=(
            "rws-free-bet-2025/5.10.2-bet-taken-back rws-free-bet-2025/5.10.2-dealer-draws-on-seventeen "
            "rws-free-bet-2025/5.10.2-options-after-two-cards-too-many"
        ),
    ),
    Reading(
        name="who has the options after a dealing error",
        games=(RWS,),
        clauses="RWS 5.7, 3.19",
        question="Is a Player asked whose hand has lost before the error?",
        taken=(
            "No: who has nothing in play is not asked, and what was lost stays lost. Who went bust by the error, or on "
            "cards of the initial deal that were not theirs, has not lost before it."
        ),
        other="Yes, as long as the Dealer has not collected the bet.",
        why="A bust hand has lost its bets by 3.19, no matter who holds the chips.",
        held_by=(
            "rws-free-bet-2025/5.10.1-after-a-collected-hand rws-free-bet-2025/5.7.3-bust-by-the-reported-card "
            "rws-free-bet-2025/5.7.3-bust-on-cards-of-another-box"
        ),
    ),
    Reading(
        name="the options of a Player without a Hand",
        games=(RWS,),
        clauses="RWS 5.7, 1.25",
        question="A Player has nothing but a side Bet: is there an option after a dealing error?",
        taken="Yes, until the next card is dealt; the round waits only for those who have a Hand to continue.",
        other="No: two of the three options speak of a Hand.",
        why="The paragraph names all Players on the table, and who places a Bet is one.",
        held_by=(
            "rws-free-bet-2025/5.7.3-a-player-with-boom-busted-alone "
            "rws-free-bet-2025/5.7.3-boom-busted-of-another-player "
            "rws-free-bet-2025/5.12.1-nobody-has-an-initial-bet-in-play"
        ),
    ),
    Reading(
        name="the hand of a Player who takes their bet back",
        games=(RWS,),
        clauses="RWS 3.11, 5.7.3",
        question="Is a box dealt to whose Players have all taken their bets back in the initial deal?",
        taken=(
            "No further card. Cards that are out already go to their intended places first. RWS Pairs goes back too, "
            "unless the pairs were settled or the subsequent deal had begun; somebody else's only while the hand has "
            "not two cards."
        ),
        other="The box is dealt to as before, and its cards count for nobody.",
        why="The hand is invalidated, and cards are dealt to boxes with a bet.",
        held_by=(
            "rws-free-bet-2025/5.7.3-one-takes-his-bet-back rws-free-bet-2025/5.7.3-pairs-of-another-player "
            "rws-free-bet-2025/5.7.3-pairs-of-another-player-on-two-cards "
            "rws-free-bet-2025/5.7.3-withdrawn-in-the-subsequent-deal"
        ),
    ),
    Reading(
        name="putting back a card that nobody was due",
        games=(RWS,),
        clauses="RWS 1.27, 5.9",
        question="A card was dealt past a Player who had not decided, or though nobody asked: where does it belong?",
        taken="It is the next card, for any hand that takes one.",
        other="It belongs to the hand whose turn it was.",
        why="The intended order is that of the shoe; a Player who has not asked for a card is due none.",
        held_by=("rws-free-bet-2025/5.9-hand-skipped rws-free-bet-2025/5.9-card-that-nobody-asked-for"),
    ),
    Reading(
        name="an error of the initial deal that is said after a hit",
        games=(RWS,),
        clauses="RWS 1.27, 5.9",
        question="Places are told, and the initial deal turns out wrong when further cards have been dealt.",
        taken=(
            "If the deal took too many cards or too few, all cards are laid again in the order of the shoe, and what "
            "is left over is next. If cards were only exchanged, they change places, and a hit stays with the Player "
            "who asked for it. After a further card that went astray, what left the shoe later is next."
        ),
        other="Only the card that is reported goes back, and everything else stays where it lies.",
        why="The intended order is one of all cards; what was asked for keeps its place while the order allows it.",
        held_by=(
            "rws-free-bet-2025/5.9-reported-dealer-passed-over-after-a-hit "
            "rws-free-bet-2025/5.9-reported-first-cards-exchanged-after-a-hit "
            "rws-free-bet-2025/5.9-reported-box-without-a-bet "
            "rws-free-bet-2025/5.9-reported-card-that-nobody-asked-for"
        ),
    ),
    Reading(
        name="two cards together on a complete Dealer's hand",
        games=(RWS,),
        clauses="RWS 5.10.2, 5.12.1",
        question="The Dealer's hand is complete, and two cards come out together: which paragraph discards them?",
        taken="5.12.1: no other hand is left to be dealt to; no further card is drawn, and the options are asked for.",
        other="5.10.2, with options that nobody has to answer; or a Player selects by 5.12.",
        why="5.12 speaks of cards drawn together, whatever the hand has; who is due no card has none to select.",
        held_by=(
            "rws-free-bet-2025/5.12.1-two-cards-on-a-complete-hand "
            "rws-free-bet-2025/5.12.1-discarded-cards-are-not-dealt-later"
        ),
    ),
    Reading(
        name="who chose a card and then leaves",
        games=(RWS,),
        clauses="RWS 5.12, 5.12.2",
        question="The Player who selected the first of two cards takes their bet back: whose is that card?",
        taken="It is the next card, and the other follows it.",
        other="It is discarded with their hand.",
        why="No paragraph discards it, and both cards have left the shoe in that order.",
        held_by="rws-free-bet-2025/5.12-the-selecting-player-leaves",
    ),
    Reading(
        name="first two cards beside one that was misdealt",
        games=(RWS,),
        clauses="RWS 3.14, 5.7.3",
        question="A third card on a box belongs elsewhere, and all its Players withdraw: is RWS Pairs decided?",
        taken="Yes, if the first two cards lie as they were due.",
        other="No: while a misdeal concerns the box, nothing on it has won or lost.",
        why="No reconstruction changes these two cards.",
        held_by="rws-free-bet-2025/5.7.3-a-third-card-leaves-no-doubt-about-the-first-two",
    ),
    Reading(
        name="when the deal has gone on before the pairs were settled",
        games=(RWS,),
        clauses="RWS 3.13, 5.17",
        question="RWS Pairs is settled before the subsequent deal: what shows that it was not?",
        taken=(
            "With the panel heard, the first further card without `interim` before it, if an RWS Pairs bet is in play. "
            "The finding names the boxes and holds nothing; the bets are settled by their first two cards. Without the "
            "panel a person says so."
        ),
        other="Only a person can say it, because no sensor sees a payment.",
        why="`interim` is the Dealer's word that they have paid and taken; where it can be heard, silence is a fact.",
        held_by=(
            "rws-free-bet-2025/5.17-pairs-settled-late rws-free-bet-2025/5.17-only-what-is-in-play "
            "rws-free-bet-2025/5.17-pairs-settled-late-and-told "
            "rws-free-bet-2025/3.13-pairs-settled-before-further-cards"
        ),
    ),
    Reading(
        name="how long unshuffled cards void rounds",
        games=(RWS,),
        clauses="RWS 5.5.4",
        question="A round was void because the cards were not shuffled, and the next is dealt from the same shoe.",
        taken="It is void at its first card, and so is every other until shuffled cards are loaded.",
        other="Only the round in which it was seen is void.",
        why="The paragraph voids a round that is played with such cards, not the round in which somebody speaks.",
        held_by="rws-free-bet-2025/5.5.4-reported-in-mid-round",
    ),
    Reading(
        name="a card put back on a hand whose Player takes the Bet back",
        games=(RWS,),
        clauses="RWS 1.27, 5.7.3, 5.9",
        question="A misdealt card is put back on the hand that was due it, and that Player has the Bet returned.",
        taken="It is the next card, before those that left the shoe after it.",
        other="It goes with the hand that is invalidated, and the others draw fresh cards.",
        why="The hand counts for nothing from then on, and the card is the first of the shoe's order that nobody has.",
        held_by=(
            "rws-free-bet-2025/5.7.3-withdrawn-in-the-subsequent-deal "
            "rws-free-bet-2025/5.7.3-next-cards-in-the-order-of-the-shoe"
        ),
    ),
)

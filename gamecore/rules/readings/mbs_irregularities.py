"""Readings about the irregularities of the MBS documents."""

from __future__ import annotations

from gamecore.rules.readings.reading import ACE_RACE, BLACKJACK, FREE_BET, PONTOON, RWS, Reading

MBS = (BLACKJACK, FREE_BET, PONTOON, ACE_RACE)

READINGS: tuple[Reading, ...] = (
    Reading(
        name="extra or missing cards found between rounds",
        games=MBS,
        clauses="5.1, 5.1.2, 6.1",
        question="A count between two rounds shows that the set is not whole: which round is void?",
        taken="None: the last one stands, and none begins before the set is whole or the shift manager approves.",
        other="The round that was just settled, or the next one.",
        why="5.1 speaks of a discovery in the course of a round, 5.1.2 lets earlier outcomes stand.",
        held_by=(
            "mbs-blackjack-v6/5.1.2-discards-one-short-between-rounds "
            "mbs-blackjack-v6/5.1.2-discards-one-over-and-approved"
        ),
    ),
    Reading(
        name="a deal that cannot be put back, found late",
        games=MBS,
        clauses="5.2, 5.6.2, 6.1",
        question="The cards cannot be reconstructed after an interim settlement or in the subsequent deal: what then?",
        taken="The shift manager decides.",
        other="The round is void.",
        why="5.2 voids only before both, and no other clause speaks of it.",
        held_by="mbs-blackjack-v6/5.2-not-in-the-subsequent-deal mbs-blackjack-v6/5.2-not-after-an-interim-settlement",
    ),
    Reading(
        name="the first card of a round lies face up",
        games=MBS,
        clauses="5.5, 6.1",
        question="A card lies face up in the shoe before the first card of the round was dealt.",
        taken="The shift manager decides; the burn is no card of the round.",
        other="It is played like any other.",
        why="5.5 speaks only of cards after the first.",
        held_by="mbs-blackjack-v6/5.5-face-up-as-the-first-card mbs-blackjack-v6/5.5-face-up-after-the-burn",
    ),
    Reading(
        name="the first further card goes astray",
        games=MBS,
        clauses="5.6.1, 5.6.2",
        question="The card that begins the subsequent deal is itself dealt wrongly: early or late?",
        taken="Late.",
        other="Early: no further card is where it belongs.",
        why="The initial deal is complete, and a further card was taken (1.1.5).",
        held_by="mbs-blackjack-v6/5.6.2-card-of-a-hit-at-the-next-box",
    ),
    Reading(
        name="a complete hand where the Dealer draws to a soft 17",
        games=(FREE_BET, PONTOON, ACE_RACE),
        clauses="5.7, 5.8",
        question='Which hands are complete by "hard 17 or above"?',
        taken="A hard 17, and every 18 or more, soft or hard.",
        other="Hard totals alone.",
        why="The Dealer stands on a soft 18; a card to it is as much in error.",
        held_by="mbs-free-bet-v3/5.7-card-on-a-dealers-soft-18 mbs-free-bet-v3/5.7-soft-17-takes-the-card",
    ),
    Reading(
        name="a card in error when no round is on",
        games=MBS,
        clauses="5.8",
        question="A card leaves the shoe between two rounds: whose is it?",
        taken="It is the first card of the next round.",
        other="It is discarded.",
        why="It is dealt as though it were the next card.",
        held_by="mbs-blackjack-v6/5.8-between-two-rounds",
    ),
    Reading(
        name="who may finish before the Dealer's late card",
        games=MBS,
        clauses="5.12.1",
        question="Whose hand is being acted upon when the Dealer draws late?",
        taken=(
            "The area whose turn it is when the error is made known, with all its hands; no other decides "
            "before the card."
        ),
        other="Every Player who has not finished.",
        why="The clause speaks of one Player and one hand.",
        held_by="mbs-blackjack-v6/5.12.1-completes-the-hand-first",
    ),
    Reading(
        name="who may surrender against the Dealer's late card",
        games=MBS,
        clauses="5.12.2",
        question="May who has drawn cards already still surrender or insure?",
        taken="Yes, unless the hand is bust.",
        other="No, surrender is for the first two cards.",
        why="The clause gives the option to the Players after the subsequent deal has begun.",
        held_by="mbs-blackjack-v6/5.12.2-surrender-against-the-late-king",
    ),
    Reading(
        name="a further card at an area without a wager",
        games=MBS,
        clauses="5.6.2, 5.15",
        question="A card that a Player asked for lies at an area without a wager: reconstructed or discarded?",
        taken="Discarded; the Player gets another.",
        other="It goes to the Player who asked for it.",
        why="5.6.2 gives way to what is otherwise stated, and 5.15 states it.",
        held_by="mbs-blackjack-v6/5.15-card-of-a-hit-at-an-empty-box",
    ),
    Reading(
        name="how far play has gone past a skipped hand",
        games=MBS,
        clauses="5.17, 5.18",
        question="Does the Dealer's own hand count among those that received cards?",
        taken="Yes: the next hand may be the Dealer's, and an area and the Dealer are two.",
        other="Only playing areas count.",
        why="5.17 speaks of the next hand in play.",
        held_by=(
            "mbs-blackjack-v6/5.17-the-dealer-drew-before-the-last-hand mbs-blackjack-v6/5.18-a-hand-and-the-dealer"
        ),
    ),
    Reading(
        name="a skipped hand that waits for its second card",
        games=MBS,
        clauses="3.23, 5.17",
        question="A split hand has one card, and the next hand is dealt to: may the Dealer say that it stood?",
        taken="No: it was skipped. The Dealer is asked for `skipped` alone.",
        other="The Dealer is asked as for any other hand.",
        why="By 3.23 the Player decides about a split hand when its second card has been dealt.",
        held_by="mbs-blackjack-v6/5.17-a-split-hand-without-its-second-card-cannot-have-stood",
    ),
    Reading(
        name="no shuffle after the round with a riffle",
        games=MBS,
        clauses="5.19.1, 5.20",
        question="The re-shuffle of 5.19.1 is forgotten: what follows?",
        taken="The round goes on and a shuffle is due after it, as after the cutting card.",
        other="The shift manager decides.",
        why="The cards are the same that should have been shuffled, and 5.20 says what then.",
        held_by="mbs-blackjack-v6/5.19.1-not-shuffled-after-that-round",
    ),
    Reading(
        name="a choice of cards for an absent Player",
        games=(*MBS, RWS),
        clauses="5.22, 5.23.1, 5.23.3; RWS 5.3, 5.12",
        question="Two cards come out at once for the hand of a Player who is not there: who selects?",
        taken="The pit, as on the Dealer's hand. No card is refused, and none is offered on to an absent Player.",
        other="Nobody: the Dealer lays one of them.",
        why="The House draws for the hand, so that a card is due there; 5.24 would let it stand on a low total.",
        held_by=(
            "mbs-ace-race-v4/5.23.3-the-pit-selects-for-an-absent-player "
            "mbs-blackjack-v6/5.23.1-a-player-goes-away-while-asked-which-card "
            "rws-free-bet-2025/5.12-the-pit-selects-for-an-absent-player"
        ),
    ),
    Reading(
        name="a soft total of an absent Player",
        games=(FREE_BET,),
        clauses="5.22",
        question=(
            'The clause says "exceeds 11 or in the case of a hard total 17 or higher": when does the House stop?'
        ),
        taken="When the total exceeds 11, soft or hard.",
        other="On a soft total as in the other documents, at 17.",
        why="Every hard 17 exceeds 11, so the second half adds nothing; the first holds as written.",
        held_by="mbs-free-bet-v3/5.22-soft-14-is-enough",
    ),
    Reading(
        name="declining a card that was offered on",
        games=MBS,
        clauses="5.23.3.1, 5.24",
        question="May a Player who declines the cards that the Player before them left draw later?",
        taken="No, they stand on the hand they have.",
        other="Yes, the burned cards were not theirs.",
        why="5.24 says so of any card refused under these rules.",
        held_by="mbs-blackjack-v6/5.23.3.1-declined-and-burned",
    ),
    Reading(
        name="a shown card when no next Player is left",
        games=MBS,
        clauses="5.23.3.1, 5.23.4",
        question="The last Player to act takes one of two shown cards: whose is the other?",
        taken="Nobody's: it is burned, and the Dealer draws from the shoe.",
        other="The Dealer's, as if it were the next card from the dealing device.",
        why="5.23.3.1 burns what no Player takes, and 5.23.4 speaks of a pull at the Dealer's hand.",
        held_by="mbs-blackjack-v6/5.23.3.1-nobody-is-left-to-be-offered-the-rest",
    ),
    Reading(
        name="a card of a pull that nobody has seen",
        games=MBS,
        clauses="5.23.2.1, 5.23.3.1",
        question="Three cards come out at once and two are seen: what becomes of the third when those are gone?",
        taken="It is the next card from the dealing device, for the hand that is due one.",
        other="It is offered to the next Player with the others, face down, and burned if they decline.",
        why="5.23.3.1 lets a Player choose, and nobody chooses a card unseen; 5.23.2.1 says what such a card is.",
        held_by="mbs-blackjack-v6/5.23.3-two-of-three-seen",
    ),
    Reading(
        name="the card most detrimental to the Dealer",
        games=MBS,
        clauses="5.23.4.5",
        question="Which of two disclosed cards is it when the Dealer would draw again?",
        taken=(
            "The Pit Manager judges; they may not take what is plainly better: no other card if one busts, not "
            "the higher of two standing totals. A 22 that stands off is theirs to judge too."
        ),
        other="The table computes it.",
        why="The clause lets the Pit Manager select; only the plain cases need no judgement.",
        held_by=(
            "mbs-blackjack-v6/5.23.4.5-dealers-cards-both-seen "
            "mbs-blackjack-v6/5.23.4.5-lower-of-two-standing-totals "
            "mbs-blackjack-v6/5.23.4.6-the-discarded-card-does-not-return "
            "mbs-free-bet-v3/5.23.4.5-twenty-two-may-be-left mbs-free-bet-v3/5.23.4.5-twenty-two-may-be-taken"
        ),
    ),
    Reading(
        name="a wager that has won before its Player withdraws",
        games=MBS,
        clauses="5.25",
        question="Only what was lost is said not to be returned: does a wager go back that has won?",
        taken="No, it is paid; what goes back is what neither won nor lost.",
        other="Everything that was not lost goes back.",
        why="The clause lets the remaining wagers be withdrawn, and one that has won does not remain to be played.",
        held_by="mbs-free-bet-v3/5.25-pot-of-gold-has-won mbs-pontoon-v5/5.25-a-paid-21-is-not-withdrawn",
    ),
    Reading(
        name="whose wagers one withdrawal takes back",
        games=MBS,
        clauses="5.25",
        question="A Player has wagers in several places: which of them does a withdrawal take back?",
        taken="Those of the spot that was asked for; every spot of the Player is asked for by itself.",
        other="All that the Player has on the round.",
        why="The clause permits and does not oblige; only for the power failure does it say that all must go.",
        held_by="mbs-free-bet-v3/5.25-a-side-wager-on-another-box-is-asked-for-there",
    ),
    Reading(
        name="a wager on a hand that its Player has left",
        games=MBS,
        clauses="5.25, 5.29.1; Free Bet 5.30.1, 3.15.4.1",
        question="The Player of an area withdraws: what becomes of somebody else's side wager or Insurance there?",
        taken=(
            "It stays and is settled: on the Dealer's hand as ever, on two cards that are dealt to the area all the "
            "same, on the markers that lie there. With the one card of a short hand that is discarded it goes back."
        ),
        other="It goes back with the main wager.",
        why="Only who is dissatisfied withdraws, and cards are dealt to each area that contains a wager (3.18).",
        held_by=(
            "mbs-free-bet-v3/5.25-the-busted-wager-of-another-player-stays "
            "mbs-free-bet-v3/5.25-the-pot-of-gold-wager-of-another-player-stays "
            "mbs-blackjack-v6/5.29.1-the-pair-wager-of-another-player-is-dealt-to"
        ),
    ),
    Reading(
        name="when a wager on Free Bet Markers is lost",
        games=(FREE_BET, RWS),
        clauses="3.15.3, 3.21, 3.26.5, 5.25, 5.30.2; RWS 1.12, 1.13, 3.27, 5.4.1",
        question="From when on has a Pot of Gold or Lucky Stash wager without a marker lost?",
        taken="When every hand is played, or its first two cards and those of any split allow no free play.",
        other="Only when the Player has played every hand.",
        why="No card that can still come, and nothing that the Player may decide, brings a marker any more.",
        held_by=(
            "mbs-free-bet-v3/5.25-a-pot-of-gold-wager-is-lost-with-the-stand "
            "mbs-free-bet-v3/5.25-a-lost-pot-of-gold-wager-stays-lost "
            "mbs-free-bet-v3/5.30.2-pot-of-gold-can-win-no-more "
            "rws-free-bet-2025/5.4.1-lucky-stash-can-win-no-more"
        ),
    ),
    Reading(
        name="the one time of a wager under the minimum",
        games=MBS,
        clauses="5.26; Free Bet 5.27",
        question="A wager under the minimum is void, withdrawn or stands off: may the next one be paid or collected?",
        taken="After a void or withdrawn one, yes; after a stand-off, no.",
        other="Every such wager counts, or only one that was paid or collected.",
        why="The clause begins once the outcome has been determined, which a stand-off is.",
        held_by=(
            "mbs-blackjack-v6/5.26-a-void-round-does-not-count mbs-blackjack-v6/5.26-withdrawn-does-not-count "
            "mbs-blackjack-v6/5.26-a-stand-off-counts"
        ),
    ),
    Reading(
        name="a wager under the minimum that is returned",
        games=MBS,
        clauses="5.26; Free Bet 5.27",
        question="Is the hand of a returned wager dealt and played?",
        taken="Yes, and the wager goes back whatever it makes.",
        other="The wager goes back before the deal and the area gets no cards.",
        why="The clause returns it irrespective of outcome.",
        held_by="mbs-blackjack-v6/5.26-under-the-minimum-paid-once mbs-free-bet-v3/5.27-under-the-minimum-paid-once",
    ),
    Reading(
        name="a power failure while something else is open",
        games=MBS,
        clauses="5.29.1; Free Bet 5.30.1",
        question="The power fails while cards are put back or a value is asked: when may Players withdraw?",
        taken="When that is carried out, and only what it has not decided.",
        other="At once, beside what is open.",
        why="A card that is brought to its hand, or named, may have lost the wager, and what is lost is not withdrawn.",
        held_by=(
            "mbs-blackjack-v6/5.29.1-the-value-that-is-named-after-a-power-failure-breaks-the-hand "
            "mbs-blackjack-v6/5.29.1-a-hit-that-is-put-back-after-a-power-failure-breaks-the-hand"
        ),
    ),
    Reading(
        name="all wagers of a Player after a power failure",
        games=MBS,
        clauses="5.29.1; Free Bet 5.30.1",
        question='How far does "all his wagers" go?',
        taken="Everything that a named Player has in play, on any area; without a name, the spot that was asked.",
        other="The wagers of one area.",
        why="The clause says all.",
        held_by="mbs-blackjack-v6/5.29.1-all-wagers-of-one-player mbs-free-bet-v3/5.30.1-all-wagers-of-one-player",
    ),
    Reading(
        name="an error that is said late after somebody was passed over",
        games=MBS,
        clauses="MBS 5.6.2, 5.12, 5.14, 5.15, 5.16, 5.21.2",
        question=(
            "Places are told. The initial deal has passed over a box, the Dealer or the burn, or has dealt to a box"
            " without a wager. Late, somebody says that a card lies at another's place: which cards go back?"
        ),
        taken=(
            "Those that lie at one another's places when a place that was passed over is left out of the order. That"
            " place has the clause of its own error, whether it has been said or not."
        ),
        other="All cards are laid again in the order of the shoe.",
        why="Late, each of these errors has a clause that moves no other card, and 5.6.2 gives way to them.",
        held_by=(
            "mbs-blackjack-v6/5.14-told-an-exchange-after-a-box-was-passed-over"
            " mbs-blackjack-v6/5.6.2-told-a-misdealt-hit-card-and-a-dealer-without-a-card"
            " mbs-free-bet-v3/5.6.2-told-a-misdealt-hit-card-and-a-box-without-a-wager"
        ),
    ),
)

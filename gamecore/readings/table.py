"""Readings of how the table hears what the documents describe."""

from __future__ import annotations

from gamecore.readings.reading import ALL, BLACKJACK, RWS, Reading

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
        name="Players with a side wager only",
        games=(RWS,),
        clauses="5.7",
        question="Is a Player who has only a side bet asked for the options of 5.7?",
        taken="No: who has an Initial Bet in play is asked.",
        other="Everybody with any bet on the table is.",
        why="The options speak of a Hand, which only an Initial Bet has.",
        held_by="rws-free-bet-2025/5.7.3-boom-busted-of-another-player",
    ),
)

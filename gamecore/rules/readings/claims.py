"""Readings of whose claim comes first where several Players want one wager."""

from __future__ import annotations

from gamecore.rules.readings.reading import ACE_RACE, BLACKJACK, FREE_BET, PONTOON, Reading

_MBS = (BLACKJACK, FREE_BET, PONTOON, ACE_RACE)

READINGS: tuple[Reading, ...] = (
    Reading(
        name="who has declined insurance",
        games=_MBS,
        clauses="3.27.1, 3.27.3; Pontoon 3.26.1, 3.26.3",
        question="Another Player has claimed the insurance; may its own Player still place it?",
        taken="Yes, until the offer closes, and before all others.",
        other="Anyone who lets another come first has declined.",
        why="All Players are given the opportunity until the Dealer announces that the option is closed.",
        held_by=(
            "mbs-blackjack-v6/3.27.3-the-owner-comes-back-in-time mbs-blackjack-v6/3.27.3-the-owner-comes-too-late "
            "mbs-pontoon-v5/3.26.3-the-owner-comes-back-in-time"
        ),
    ),
    Reading(
        name="whose side wager a spot is",
        games=_MBS,
        clauses="3.16, 3.17.2.1",
        question="Several Players wager on a playing area: who has the first priority for a side wager there?",
        taken="The Player whose main wager lies at that slot, then the one who controls the area, then the others.",
        other="Anyone who does not control the area comes before the one who does, also on a third Player's spot.",
        why="3.17.2 orders those who want another's wager; for the one who controls the area it is their own.",
        held_by=(
            "mbs-blackjack-v6/3.16-the-areas-own-player-comes-first "
            "mbs-free-bet-v3/3.17.2.1-the-seated-player-controls-from-behind"
        ),
    ),
    Reading(
        name="a wager on the round",
        games=_MBS,
        clauses="3.16, 3.17.2.2, 3.17.2.5, 3.27.4.5; Pontoon 3.26.4.5",
        question="Does somebody with side wagers only have a wager on the round, when claims are compared?",
        taken="No: a main wager is meant, one that has not gone back.",
        other="Any wager gives a place in the order.",
        why="The documents name the other kinds where they mean them, and speak of control and of front and back here.",
        held_by=(
            "mbs-blackjack-v6/3.27.4.5-a-side-wager-is-no-wager-on-the-round "
            "mbs-ace-race-v4/3.27.4.2-a-player-who-withdraws-claims-nothing"
        ),
    ),
    Reading(
        name="which total is the lowest",
        games=_MBS,
        clauses="3.17.2.3, 3.27.4.3; Pontoon 3.26.4.3",
        question="What counts in the total that decides at equal distance?",
        taken="Wagers of the kind in question that stand; not the claims compared, nor what goes back elsewhere.",
        other="All side wagers together, or all chips that lie there, the claims themselves included.",
        why="Each kind has claims of its own, and a smaller claim would otherwise come before a larger one.",
        held_by=(
            "mbs-free-bet-v3/3.17.2.3-only-wagers-of-that-kind-count "
            "mbs-blackjack-v6/3.27.4.3-a-claim-that-goes-back-does-not-count "
            "mbs-blackjack-v6/3.27.4.3-a-claim-that-stands-elsewhere-counts"
        ),
    ),
    Reading(
        name="front and back on the nearest playing area",
        games=_MBS,
        clauses="3.17.2.2, 3.17.2.3, 3.27.4.2; Pontoon 3.26.4.2",
        question="Two Players wager on the same nearest playing area: is the one in front nearer?",
        taken="For insurance yes, among the wagers of one area; for side wagers no, there the total decides.",
        other="The same for both.",
        why='Only the insurance clause says "from front to back".',
        held_by=(
            "mbs-blackjack-v6/3.27.4.2-front-to-back-on-the-nearest-area "
            "mbs-blackjack-v6/3.17.2.3-front-and-back-are-equally-far"
        ),
    ),
    Reading(
        name="what equal claims bar",
        games=_MBS,
        clauses="3.17.2.4, 3.27.4.4; Pontoon 3.26.4.4",
        question="Equal claims without an agreement: what is not accepted?",
        taken="Every claim to that wager, from farther away and without a wager on the round too; no other spot.",
        other="Every such wager on the whole playing area.",
        why="The playing area meant is that of the Insurance or side wager that several claim.",
        held_by=(
            "mbs-blackjack-v6/3.17.2.4-equal-claims-bar-everybody mbs-pontoon-v5/3.26.4.4-equal-claims-bar-everybody"
        ),
    ),
)

"""Readings about control, splits, doubles, markers and bonuses."""

from __future__ import annotations

from gamecore.rules.readings.reading import ACE_RACE, ALL, BLACKJACK, FREE_BET, PONTOON, RWS, Reading

READINGS: tuple[Reading, ...] = (
    Reading(
        name="who controls after a surrender at RWS",
        games=(RWS,),
        clauses="1.30, 3.8, 3.17",
        question="The Seated Player surrenders: who decides for the others?",
        taken="The highest Bet that is left, of equal ones the nearest.",
        other="Nobody, or the Seated Player still.",
        why="1.30 names the highest Bet where nobody is seated.",
        held_by="rws-free-bet-2025/1.30-control-after-surrender rws-free-bet-2025/1.30-highest-bet-decides",
    ),
    Reading(
        name="seated without a wager",
        games=ALL,
        clauses="MBS 3.11, 3.12; RWS 1.30",
        question="Does a Player who is seated but has no wager there control the box?",
        taken="No.",
        other="Yes, by the seat.",
        why="The clauses speak of Players who wager there.",
        held_by="mbs-blackjack-v6/3.12-seated-without-wager rws-free-bet-2025/1.30-seat-without-a-bet",
    ),
    Reading(
        name="joining a later split",
        games=(BLACKJACK, RWS),
        clauses="Blackjack 3.24; RWS 3.22.1",
        question="May a Player who did not join one split join a later split of their own hand?",
        taken="Yes.",
        other="No.",
        why="The clause gives the choice at each split.",
        held_by="mbs-blackjack-v6/3.24.1-joins-one-split-of-two rws-free-bet-2025/3.22.1-follows-a-later-split",
    ),
    Reading(
        name="following a free split or double at RWS",
        games=(RWS,),
        clauses="3.22, 3.22.1, 3.23.2",
        question="The Seated Player takes a marker: what may the others do?",
        taken="Each Player says: marker, chips or neither.",
        other="The marker is theirs without asking.",
        why="3.22 gives the choice to the Player.",
        held_by=(
            "rws-free-bet-2025/3.22.1-each-splits-his-own-way rws-free-bet-2025/3.23.2-paying-beside-a-free-double"
        ),
    ),
    Reading(
        name="markers for Players without a wager there",
        games=(FREE_BET, RWS),
        clauses="Free Bet 3.15.4.1; RWS 3.27",
        question="Whose markers count for a Pot of Gold or Lucky Stash of a Player without a main wager?",
        taken=(
            "Those of the Player who controls the box, after any surrender. A marker that this Player has used counts "
            "even if they withdraw their wager later."
        ),
        other="Of the first controlling Player, of the one who controls the box at the end, or none.",
        why="3.15.4.1 says so at MBS; at RWS the box has no other. A wager that has won stays won.",
        held_by=(
            "mbs-free-bet-v3/3.15.4.1-follows-controlling-player rws-free-bet-2025/3.27-each-players-own-markers "
            "mbs-free-bet-v3/3.15.4.1-a-used-marker-counts-when-its-player-withdraws"
        ),
    ),
    Reading(
        name="unsplit Aces doubled at RWS",
        games=(RWS,),
        clauses="3.23",
        question='"Except for a pair of Aces": may A-A that is not split be doubled?',
        taken="Yes.",
        other="No.",
        why="The exception stands with the split hands.",
        held_by="rws-free-bet-2025/3.23-split-aces-not-doubled",
    ),
    Reading(
        name="free hand doubled for chips",
        games=(FREE_BET,),
        clauses="1.1.4, 3.26.2",
        question="May a hand with a marker and no chips be doubled for chips?",
        taken="Yes, up to the original wager.",
        other="No, there is no wager to increase.",
        why="3.26.2 allows it on any split Pair.",
        held_by="mbs-free-bet-v3/3.26.2-double-after-a-split",
    ),
    Reading(
        name="Ace Race on another Player's split Aces",
        games=(ACE_RACE,),
        clauses="1.1.1, 3.21.1",
        question="Who may place Ace Race on split Aces?",
        taken="Any Player on the box, whether they joined the split or not.",
        other="Only who split.",
        why="1.1.1 gives it to a Player where a Player elects to split.",
        held_by="mbs-ace-race-v4/3.21.1-another-player-on-the-box",
    ),
    Reading(
        name="soft 18 and more in Pontoon and at RWS",
        games=(PONTOON, RWS),
        clauses="Pontoon 3.33; RWS 3.24",
        question="The clause names hard totals to stand on. And soft 18?",
        taken="The Dealer stands.",
        other="The Dealer draws.",
        why="It draws to 16 and soft 17, and to nothing else.",
        held_by="mbs-pontoon-v5/3.33-soft-18-and-more-stands rws-free-bet-2025/3.24-dealer-stands-on-soft-18",
    ),
    Reading(
        name="doubled 21 against a Pontoon",
        games=(PONTOON,),
        clauses="3.29, 4.3.1, 4.5.1",
        question="A doubled hand makes 21, then the Dealer has a Pontoon.",
        taken="It has won and was paid at once, 1 to 1.",
        other="It loses the original wager.",
        why="3.29 pays 21 immediately, before the Dealer draws.",
        held_by="mbs-pontoon-v5/4.3.1-doubled-21-against-a-dealer-pontoon",
    ),
    Reading(
        name="who gets the $50",
        games=(PONTOON,),
        clauses="4.1.1.2, 4.1.1.4",
        question="Which other original wagers get the bonus payment?",
        taken=(
            "Every main wager of the round that is no Super Bonus winner, once, whatever became of it; not one "
            "whose first hand won doubled."
        ),
        other="Only winning or losing ones, or one for each hand.",
        why=(
            '"All other original wagers, either winning or losing"; 4.1.1.4 takes winning double hands out. The'
            " original wager lies on the first hand."
        ),
        held_by=(
            "mbs-pontoon-v5/4.1.1.2-every-other-wager-gets-fifty mbs-pontoon-v5/4.1.1.2-split-area-gets-fifty-"
            "once mbs-pontoon-v5/4.1.1.2-doubled-wagers-that-did-not-win"
        ),
    ),
    Reading(
        name="Super Bonus between $99 and $100, and under $10",
        games=(PONTOON,),
        clauses="4.1.1",
        question="What does a wager of $99.50 win, and one of $9?",
        taken="$1,000; nothing, but beside a winner it gets the $50.",
        other="Nothing at all.",
        why="The bands are meant to join; who wins no Super Bonus is one of the others.",
        held_by="mbs-pontoon-v5/4.1.1-wagers-under-100-dollars mbs-pontoon-v5/4.1.1-wager-under-ten-dollars",
    ),
    Reading(
        name="bonus odds beside a double",
        games=(PONTOON,),
        clauses="4.1.1.3, 4.1.1.4",
        question="On a hand that one Player doubled, what does the other one's 21 pay?",
        taken="The bonus odds, but no Super Bonus.",
        other="Even odds, as the hand is doubled.",
        why=(
            "4.1.1.4 speaks of winning double hands, that is of who doubled; 4.1.1.3 of hands where the sevens "
            "were doubled."
        ),
        held_by=(
            "mbs-pontoon-v5/4.1.1.4-wager-that-was-not-doubled mbs-pontoon-v5/4.1.1.3-doubled-sevens-win-no-super-bonus"
        ),
    ),
    Reading(
        name="end of the rescue",
        games=(PONTOON,),
        clauses="3.25.8",
        question="Until when may the doubled portion be withdrawn?",
        taken="Until the next card is dealt.",
        other="Until settlement.",
        why="The next card shows more than the Player may know.",
        held_by="mbs-pontoon-v5/3.25.8-before-the-next-card",
    ),
    Reading(
        name="order of the jackpot button",
        games=(PONTOON,),
        clauses="3.19.1",
        question="Is a press out of the order from the Dealer's right refused?",
        taken="No, it is taken; the table lists the order.",
        other="Yes.",
        why="The meter's result belongs to the wager, no matter who pressed first.",
        held_by="mbs-pontoon-v5/3.19.1-every-winner-gets-the-button",
    ),
    Reading(
        name="three-card 21 against a Blackjack",
        games=(BLACKJACK, FREE_BET, ACE_RACE),
        clauses="Blackjack 4.3.3, 4.5.1 and alike",
        question="The totals are the same: stand-off?",
        taken="The Blackjack wins.",
        other="A stand-off.",
        why="4.3.3 is the more specific.",
        held_by=(
            "mbs-blackjack-v6/4.3.3-blackjack-against-three-card-21 mbs-free-bet-v3/4.5.3-blackjack-beats-21 "
            "mbs-ace-race-v4/4.4.3-blackjack-beats-twenty-one"
        ),
    ),
)

"""Readings about naturals, pairs, insurance, even money and surrender."""

from __future__ import annotations

from gamecore.rules.readings.reading import ACE_RACE, ALL, BLACKJACK, FREE_BET, PONTOON, RWS, Reading

READINGS: tuple[Reading, ...] = (
    Reading(
        name="split hand bust before the Dealer's Blackjack",
        games=(BLACKJACK, FREE_BET),
        clauses="Blackjack 3.24.3, 3.32, 4.4.2; Free Bet 3.24.4, 3.32, 4.6.2",
        question=("A split hand is bust and collected, then the Dealer has a Blackjack: what do the other hands lose?"),
        taken=(
            "The Player loses the original wager in all: what bust hands lost counts towards it, and what is "
            "left of the others goes back."
        ),
        other="Bust hands lose their wagers, and the others lose one original wager as well.",
        why=(
            "It is the only reading under which 3.32 and 4.4.2 both hold word for word. Where a bust hand alone"
            " lost more, because it was doubled, that stays lost, and nothing more is taken."
        ),
        held_by=(
            "mbs-blackjack-v6/4.4.2-split-bust-and-blackjack mbs-blackjack-v6/4.4.2-split-doubled-bust-and-"
            "blackjack mbs-free-bet-v3/4.6.2-bust-hand-counts"
        ),
    ),
    Reading(
        name="doubled hand bust before the Dealer's Blackjack",
        games=(BLACKJACK, FREE_BET, PONTOON),
        clauses="Blackjack 3.32, 4.4.1; Free Bet 3.32, 4.6.1; Pontoon 3.31, 4.5.1",
        question="A doubled hand is bust, then the Dealer has a natural: does it lose only the original wager?",
        taken="It loses everything on it.",
        other="It loses only the original wager.",
        why=(
            "The hand was lost and collected at once; the limit to the original wager speaks of hands that a "
            "natural takes."
        ),
        held_by=(
            "mbs-blackjack-v6/4.4.1-doubled-bust-stays-lost mbs-free-bet-v3/4.6.1-doubled-bust-before-blackjack"
            " mbs-pontoon-v5/4.5.1-doubled-hand-over-21-loses-all"
        ),
    ),
    Reading(
        name="which row carries the loss to a Blackjack",
        games=(BLACKJACK, FREE_BET, RWS),
        clauses="Blackjack 4.4; Free Bet 4.6; RWS 3.22.3",
        question="Of several hands that lose one original wager in all, which one shows the loss?",
        taken="The first hand in the order of play; the chips on the others go back.",
        other="The loss is spread over the hands.",
        why="The original wager lies on the first hand. The sum is the same.",
        held_by=(
            "mbs-blackjack-v6/3.24.3-split-and-doubled-against-blackjack mbs-free-bet-v3/3.24.4-split-and-"
            "doubled-against-blackjack rws-free-bet-2025/3.22.3-dealer-blackjack-takes-one-bet"
        ),
    ),
    Reading(
        name="bust split hands beside a Dealer's Blackjack at RWS",
        games=(RWS,),
        clauses="3.22.3",
        question="Up to the Initial Bet: for each hand that is not bust, or for all of them?",
        taken="For all of them together, beside what bust hands lost.",
        other="For each hand.",
        why="The paragraph speaks of the Player's loss, once.",
        held_by=(
            "rws-free-bet-2025/3.22.3-bust-beside-dealer-blackjack rws-free-bet-2025/3.22.3-free-hands-and-"
            "dealer-blackjack"
        ),
    ),
    Reading(
        name="Blackjack against a ten",
        games=(BLACKJACK, FREE_BET, ACE_RACE),
        clauses="3.19, 3.20; Blackjack 4.5.2, Free Bet 4.7.2, Ace Race 4.5.2",
        question="Is a Blackjack against a Dealer's ten paid at once, or does it wait for the second card?",
        taken="It waits: both a Blackjack is a stand-off.",
        other="It is paid at once, as 3.20 excepts only the Ace.",
        why=("4.5.2 knows no exception for a ten, and the Player wins by 4.2.1 only if the Dealer has no Blackjack."),
        held_by=(
            "mbs-blackjack-v6/3.19-natural-against-ten-waits mbs-ace-race-v4/3.19-blackjack-waits-for-a-ten "
            "mbs-free-bet-v3/4.7.2-both-blackjack"
        ),
    ),
    Reading(
        name="King and Queen as a split pair",
        games=(BLACKJACK, FREE_BET, PONTOON, ACE_RACE),
        clauses="Blackjack 1.1.8, 1.1.13, 3.21, 3.26.2 and alike",
        question="May two different pictures be split, and such hands doubled?",
        taken=(
            "Yes: splitting asks for the same point value, and every split hand may be doubled where the total allows."
        ),
        other='No double, because King and Queen are no "Pair".',
        why="The defined Pair serves the Pair wager; splitting has a definition of its own.",
        held_by=(
            "mbs-blackjack-v6/3.21-king-and-queen mbs-pontoon-v5/3.20-king-and-queen-split-and-doubled mbs-"
            "free-bet-v3/3.21.1-king-and-queen mbs-ace-race-v4/3.21-king-and-queen"
        ),
    ),
    Reading(
        name="ten and King as a Pair",
        games=(BLACKJACK, FREE_BET, PONTOON, ACE_RACE),
        clauses="Blackjack 1.1.8, 3.4.3 and alike",
        question="Ten and King have the same point value: are they a Pair?",
        taken="No.",
        other="Yes, by the first half of the definition.",
        why="3.4.3 takes the point value of ten from pictures for Pair wagers. Pontoon has no tens.",
        held_by=(
            "mbs-blackjack-v6/3.4.3-face-cards mbs-free-bet-v3/1.1.14-different-pictures-no-pair mbs-ace-"
            "race-v4/1.1.9-pair-by-rank mbs-pontoon-v5/1.1.8-pair-by-face"
        ),
    ),
    Reading(
        name="Ace and nine doubled as hard 10",
        games=(ACE_RACE,),
        clauses="3.4.2, 3.26.1",
        question="Has A-9 a hard total of 10 for doubling?",
        taken="Yes, the Ace counts 1.",
        other="No, it is a soft 20.",
        why="3.4.2 would speak of no hand otherwise: no other hand with an Ace may be doubled in this game.",
        held_by=("mbs-ace-race-v4/3.4.2-doubled-ace-counts-one mbs-ace-race-v4/3.26.2-split-hand-with-another-total"),
    ),
    Reading(
        name="Ace counted 1 for a free double",
        games=(FREE_BET, RWS),
        clauses="Free Bet 1.1.10, 3.4.1, 3.26.5; RWS 1.15, 3.2.1, 3.23.1",
        question="May A-8 be free doubled as hard 9?",
        taken="No, it is soft.",
        other="Yes, with the Ace as 1.",
        why=(
            "An Ace counts 11 unless that exceeds 21. At RWS the Player's discretion chooses the better total, "
            "and the marker is for hard totals."
        ),
        held_by="mbs-free-bet-v3/3.26.5-no-free-double rws-free-bet-2025/3.23.1-soft-hands-pay-to-double",
    ),
    Reading(
        name="doubled Ace counts 1 for every wager",
        games=(PONTOON, ACE_RACE),
        clauses="3.4.2, 3.25.6; Ace Race 3.26.6",
        question="Does the Ace count 1 also for a Player on the box who did not double?",
        taken="Yes, the rule binds the hand.",
        other="Only for the wager that doubled.",
        why="One hand has one total.",
        held_by="mbs-pontoon-v5/3.4.2-binds-every-wager-on-the-hand",
    ),
    Reading(
        name="T-T as a free split at RWS",
        games=(RWS,),
        clauses="1.13, 3.22",
        question="Two tens: no picture among them. Free split?",
        taken="Yes.",
        other="No, as both have the value of 10 points.",
        why="The exception needs a Picture Card.",
        held_by="rws-free-bet-2025/3.22-free-split-without-pictures",
    ),
    Reading(
        name="paid split of small pairs at MBS Free Bet",
        games=(FREE_BET,),
        clauses="3.21, 3.21.1",
        question="May eights be split for a further wager?",
        taken="No, pairs below ten have the free split only.",
        other="Yes, as Split means any two cards of the same value.",
        why="3.21 gives the Free Split, 3.21.1 the wager for ten-point cards.",
        held_by="mbs-free-bet-v3/3.21-free-split",
    ),
    Reading(
        name="21 against a Blackjack at RWS",
        games=(RWS,),
        clauses="3.24.4, 3.22.3, 3.23.3",
        question="A hand of 21 that is no Blackjack meets the Dealer's Blackjack.",
        taken="A Stand Off, as the totals are the same; split or doubled hands lose up to the Initial Bet.",
        other="It loses.",
        why="No paragraph lets a Blackjack beat 21, except 3.22.3 and 3.23.3 for split and doubled hands.",
        held_by=(
            "rws-free-bet-2025/3.23.3-doubled-21-against-blackjack rws-free-bet-2025/3.22.3-split-21-loses-to-blackjack"
        ),
    ),
    Reading(
        name="Blackjack against a later 21 at RWS",
        games=(RWS,),
        clauses="3.15.1, 3.16, 3.24.4",
        question="A Blackjack meets a Dealer's 21 of three cards.",
        taken="It wins.",
        other="A Stand Off on the same total.",
        why="3.15.1 and 3.16 name a Dealer's Blackjack as the only way to a Stand Off.",
        held_by="rws-free-bet-2025/3.16-blackjack-beats-a-later-21",
    ),
    Reading(
        name="hard 21 at RWS",
        games=(RWS,),
        clauses="1.31, 3.18",
        question="May a hard 21 draw?",
        taken="Yes, and so it stands only when the Player says so.",
        other="No 21 draws.",
        why="3.18 forbids it to a Blackjack and a Soft 21 only.",
        held_by="rws-free-bet-2025/3.18-hard-21-may-draw",
    ),
    Reading(
        name="Dealer's cards at RWS that change nothing",
        games=(RWS,),
        clauses="3.24, 3.26.1",
        question="Must the Dealer draw where no Bet depends on it?",
        taken="No card is drawn that can change nothing.",
        other="The Dealer draws unless all hands are bust.",
        why="3.26.1 makes the drawing depend on what is at stake.",
        held_by="rws-free-bet-2025/3.16-blackjack-against-ten-wins rws-free-bet-2025/3.15.1-even-money-alone",
    ),
    Reading(
        name="insurance beside even money at RWS",
        games=(RWS,),
        clauses="3.15.1, 3.15.2",
        question="Is the Insurance Bet returned when the Player takes even money?",
        taken="No, it wins or loses with the Dealer's second card.",
        other="It is returned, as at MBS.",
        why="The document says nothing of a return.",
        held_by="rws-free-bet-2025/3.15.1-insurance-beside-even-money",
    ),
    Reading(
        name="another's insurance beside even money",
        games=(BLACKJACK, FREE_BET, ACE_RACE),
        clauses="3.20, 3.27.3",
        question="Even money returns any Insurance wager: also another Player's?",
        taken="Only the Player's own; another's stays in play.",
        other="Every one on that wager.",
        why='It is returned "to the Player".',
        held_by=(
            "mbs-blackjack-v6/3.20-insurance-of-another-player mbs-free-bet-v3/3.20-others-insurance-after-"
            "even-money mbs-ace-race-v4/3.20-insurance-of-another-player-stays"
        ),
    ),
    Reading(
        name="when the answers to an offer end",
        games=ALL,
        clauses="Blackjack 3.20, 3.25, 3.27.2 and alike; RWS 3.15, 3.17",
        question="Does a decision that takes no card close an open offer?",
        taken="No, the next card does, or the Dealer's word.",
        other="The first decision does.",
        why="The documents end the right with the subsequent deal, which is a card.",
        held_by="rws-free-bet-2025/3.17-until-a-third-card rws-free-bet-2025/3.15.1-even-money-until-a-third-card",
    ),
    Reading(
        name="one Insurance wager on a wager",
        games=ALL,
        clauses="3.27, 3.27.3; Pontoon 3.26; RWS 3.15.2",
        question="May insurance be shared or added to, up to half?",
        taken="No: one Insurance wager stands on each wager.",
        other="Several, up to half together.",
        why="The documents speak of an Insurance wager and of the option as one.",
        held_by=(
            "mbs-free-bet-v3/3.27-half-at-most mbs-free-bet-v3/3.27.3-anothers-insurance rws-free-"
            "bet-2025/3.15.2-not-more-than-half mbs-pontoon-v5/3.26.3-another-player-takes-the-option"
        ),
    ),
    Reading(
        name="insuring what is surrendered or paid in Pontoon",
        games=(PONTOON,),
        clauses="3.24, 3.26, 3.29",
        question="May a surrendered wager or a Pontoon be insured?",
        taken="Yes.",
        other="No, nothing is left to insure.",
        why="Insurance is tied to the original wager alone.",
        held_by=("mbs-pontoon-v5/3.26-a-surrendered-wager-may-be-insured mbs-pontoon-v5/3.26-a-pontoon-may-be-insured"),
    ),
    Reading(
        name="surrendering a natural",
        games=ALL,
        clauses="Blackjack 3.19, 3.25 and alike; RWS 3.16, 3.17; Pontoon 3.29",
        question="May a natural be surrendered?",
        taken="Not one that has won already; one that waits for the Dealer's second card may.",
        other="Never, or always.",
        why="What has won is paid and cannot be given up.",
        held_by=(
            "mbs-blackjack-v6/3.19-natural-that-has-won mbs-ace-race-v4/3.25-blackjack-against-a-ten-may-"
            "surrender rws-free-bet-2025/3.17-blackjack-against-ten-may-surrender"
        ),
    ),
    Reading(
        name="half a cent of a surrender",
        games=ALL,
        clauses="Blackjack 3.25 and alike",
        question="Half of 25.25: is 12.62 or 12.63 given up?",
        taken="12.63: the amount is rounded half up.",
        other="12.62.",
        why="The notation rounds a row half up to the cent; a loss is an amount.",
        held_by=(
            "mbs-blackjack-v6/3.25-half-is-given-up mbs-ace-race-v4/3.25-odd-cent rws-free-"
            "bet-2025/3.17-surrender-to-the-cent mbs-pontoon-v5/3.24.3-half-of-an-odd-amount"
        ),
    ),
)

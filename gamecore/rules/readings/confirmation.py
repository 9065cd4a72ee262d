"""Readings of what a person's word may do alone, where the house wants it confirmed (`confirm: yes`)."""

from __future__ import annotations

from gamecore.rules.readings.reading import ALL, Reading

READINGS: tuple[Reading, ...] = (
    Reading(
        name="a void that somebody tells",
        games=ALL,
        clauses="MBS 5.1.1, 5.2; RWS 5.4.2, 5.5",
        question='The round "shall be void": at once, also where only a word says why?',
        taken=(
            "What a fitted device shows is ruled at once. A word holds the round at once, by the clause of the stage "
            "at which it was said; the round is void when a pit manager approves. Between rounds none begins meanwhile."
        ),
        other="Any word voids at once.",
        why="The clauses leave nobody a choice once the fact is there; whether it is, a lone word does not show.",
        held_by=(
            "mbs-blackjack-v6/5.1.1-confirmed-a-told-foreign-card "
            "rws-free-bet-2025/5.5.1-confirmed-a-told-foreign-card "
            "mbs-blackjack-v6/5.1.1-with-confirmation-a-device-proves-it "
            "rws-free-bet-2025/5.4.2-with-confirmation-the-power-fails "
            "rws-free-bet-2025/5.4.2-confirmed-a-told-power-failure "
            "mbs-blackjack-v6/5.1.1-confirmed-a-told-card-without-a-shoe-sensor "
            "mbs-blackjack-v6/5.1.1-confirmed-unshuffled-between-rounds"
        ),
    ),
    Reading(
        name="a withdrawal that is approved",
        games=ALL,
        clauses="MBS 5.25, 5.29.1; Free Bet 5.30.1; RWS 5.7.3",
        question="Players are entitled to withdraw, until the next card: what does the approval change?",
        taken=(
            "Nothing about the right. The word counts from when it is said, and so does what goes back; a pit "
            "supervisor approves once for all who have withdrawn in a matter, when nobody else has to answer. A card "
            "that leaves the shoe meanwhile ends no right. Anyone who continues needs nobody."
        ),
        other="The right is used when it is approved, and lost if a card comes before.",
        why='"Prior to any further cards" speaks of the Player\'s decision, not of when the chips are handed back.',
        held_by=(
            "mbs-blackjack-v6/5.25-confirmed-a-card-meanwhile-ends-no-right "
            "mbs-blackjack-v6/5.25-confirmed-two-withdraw-one-approval mbs-blackjack-v6/5.29.1-confirmed-withdrawals "
            "mbs-blackjack-v6/5.29.1-continue-alone-needs-nobody "
            "rws-free-bet-2025/5.7.3-confirmed-a-card-leaves-the-shoe-meanwhile "
            "rws-free-bet-2025/5.7.3-confirmed-one-takes-the-bet-back"
        ),
    ),
    Reading(
        name="which words are confirmed",
        games=ALL,
        clauses="MBS 5.2, 5.14, 5.16, 6.1; RWS 5.13.2, 5.16, 5.20",
        question="Is it the report that is confirmed, or what follows from it?",
        taken=(
            "What follows: any void, returned wager or withdrawal that began with a word, be it a report, that cards "
            "cannot be put back, an answer of the pit or the house, or a card or chips that are told and not sensed."
        ),
        other="Reports only; what the pit or the house answers is final.",
        why="Somebody who reports and then answers would otherwise void alone.",
        held_by=(
            "mbs-blackjack-v6/5.2-confirmed-cannot-be-put-back mbs-blackjack-v6/6.1-confirmed-uncovered-and-void "
            "mbs-blackjack-v6/5.1.1-confirmed-unshuffled-in-the-order "
            "mbs-blackjack-v6/6.1-confirmed-a-card-that-nobody-knows "
            "mbs-blackjack-v6/5.1.1-confirmed-a-card-named-that-cannot-be "
            "mbs-blackjack-v6/5.14-confirmed-a-told-box-without-cards mbs-blackjack-v6/5.16-confirmed-a-short-box "
            "mbs-blackjack-v6/3.15.2-confirmed-a-told-side-wager-without-a-main "
            "rws-free-bet-2025/5.13.2-confirmed-nobody-can-name-it "
            "rws-free-bet-2025/5.1.3-confirmed-a-told-boom-busted-over-the-maximum"
        ),
    ),
    Reading(
        name="what needs no second name",
        games=ALL,
        clauses="MBS 3.20, 3.25, 5.3, 5.14; Pontoon 3.25.8; RWS 5.8",
        question="Which chips go back to a Player without an approval?",
        taken=(
            "Those of ordinary play: surrender, rescue, even money, a claim that comes second, chips taken up while "
            "bets are open; chips refused because they came too late; and what a device shows."
        ),
        other="Every chip that moves towards a Player.",
        why="These are the Player's own choices within an offer, or chips that never were a wager.",
        held_by=(
            "mbs-blackjack-v6/3.20-with-confirmation-even-money mbs-blackjack-v6/3.25-with-confirmation-surrender "
            "mbs-pontoon-v5/3.25.8-with-confirmation-a-rescue "
            "mbs-blackjack-v6/5.3-with-confirmation-late-chips-are-refused "
            "rws-free-bet-2025/5.8-with-confirmation-late-chips-are-refused "
            "mbs-blackjack-v6/5.14-with-confirmation-a-device-proves-it"
        ),
    ),
    Reading(
        name="what is left when an approval is denied",
        games=ALL,
        clauses="MBS 6.1, 6.2; RWS 5.20",
        question="What was said is denied: how does the table stand then?",
        taken=(
            "As if it had not been said. A report is listed as retracted, a question is open again; cards that came "
            "meanwhile count as they would have."
        ),
        other="The matter is over, and the cards that came meanwhile are out of play.",
        why="Nothing of it was carried out, so nothing of it is left to be mended.",
        held_by=(
            "mbs-blackjack-v6/5.1.1-denied-the-round-goes-on mbs-blackjack-v6/5.2-denied-the-cards-are-put-back "
            "mbs-blackjack-v6/6.1-denied-uncovered-and-void mbs-blackjack-v6/5.25-denied-nobody-has-withdrawn "
            "rws-free-bet-2025/5.13.2-denied-the-card-is-named rws-free-bet-2025/5.7.3-denied-nobody-takes-the-bet-back"
        ),
    ),
)

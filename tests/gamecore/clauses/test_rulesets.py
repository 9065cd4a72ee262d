"""The five rulesets: every field decided, every clause one of the document's."""

from __future__ import annotations

import dataclasses
import datetime as dt
from collections.abc import Iterator

import pytest

from gamecore.rules.clauses import TRACES
from gamecore.rules.games import GAMES
from gamecore.rules.ruleset import SILENT, Clauses, Outcomes, Rule, Ruleset, SideRule

every_game = pytest.mark.parametrize("game", GAMES)
KINDS = {
    "mbs-blackjack-v6": ("main", "pair"),
    "mbs-free-bet-v3": ("main", "pair", "busted", "pot-of-gold"),
    "rws-free-bet-2025": ("main", "rws-pairs", "boom-busted", "lucky-stash"),
    "mbs-pontoon-v5": ("main", "pair", "pandemonium"),
    "mbs-ace-race-v4": ("main", "pair", "ace-race"),
}


def named(rules: Ruleset) -> Iterator[tuple[str, str]]:
    """Yield where a ruleset names a clause, and the clause."""
    for field in dataclasses.fields(rules):
        value = getattr(rules, field.name)
        if isinstance(value, Rule):
            yield field.name, value.clause
        elif isinstance(value, Clauses | Outcomes):
            yield from ((f"{field.name}.{name}", clause) for name, clause in dataclasses.asdict(value).items())
    for side in rules.side_wagers:
        yield from ((f"{side.kind}.{name}", getattr(side, name)) for name in _SIDE_CLAUSES)
        yield f"{side.kind}.per_box", side.per_box.clause
    bonus = rules.super_bonus.value
    if bonus is not None:
        yield from (("super_bonus", bonus.clause), ("super_bonus.others", bonus.others_clause))


_SIDE_CLAUSES = ("pay_table", "wins_by", "loses_by")


@every_game
def test_every_clause_that_a_ruleset_names_is_one_of_its_document(game: str) -> None:
    """Each Rule, SideRule, Outcome and refusal names a clause of that document, or says that it is silent."""
    known = {trace.clause for trace in TRACES[game]}
    assert [] == [(where, clause) for where, clause in named(GAMES[game]) if clause not in known and clause != SILENT]


@every_game
def test_every_field_is_decided(game: str) -> None:
    """No field of any of the rulesets is left without a value and a clause or the word that there is none."""
    rules = GAMES[game]
    assert [] == [where for where, clause in named(rules) if not clause or (clause != SILENT and not _numbered(clause))]
    plain = {field.name for field in dataclasses.fields(rules) if not isinstance(getattr(rules, field.name), Rule)}
    assert {"id", "title", "casino", "edition", "in_force", "side_wagers", "outcomes", "clauses"} == plain


def _numbered(clause: str) -> bool:
    return all(part.isdigit() for part in clause.split("."))


@pytest.mark.parametrize("kind", [Ruleset, Clauses, Outcomes, SideRule, Rule])
def test_no_field_has_a_default(kind: type) -> None:
    """A new field must be decided for each game."""
    missing = dataclasses.MISSING
    defaults = [field.name for field in dataclasses.fields(kind) if field.default is not missing]
    assert [] == defaults + [field.name for field in dataclasses.fields(kind) if field.default_factory is not missing]


@every_game
def test_a_ruleset_cannot_be_changed(game: str) -> None:
    """An approved document does not change while a table is open."""
    with pytest.raises(dataclasses.FrozenInstanceError):
        GAMES[game].title = "Another"  # type: ignore[misc]  # that it is forbidden is what is tested


def test_there_are_five_games_by_their_ids() -> None:
    """Each ruleset stands under its own id."""
    assert set(KINDS) == set(GAMES) == {rules.id for rules in GAMES.values()}
    assert 5 == len({rules.title + rules.casino for rules in GAMES.values()})


@every_game
def test_each_layout_has_its_kinds_of_wager(game: str) -> None:
    """The main wager first, then those of the document."""
    rules = GAMES[game]
    assert KINDS[game] == rules.wager_kinds()
    assert [kind for kind in KINDS[game] if kind != "main"] == [rules.side(kind).kind for kind in KINDS[game][1:]]


@every_game
def test_bounds_are_in_order_and_the_date_is_a_date(game: str) -> None:
    """Least is not above most, ranks are different, and the day in force exists."""
    rules = GAMES[game]
    for least, most in (rules.decks.value, rules.boxes.value):
        assert 1 <= least <= most
    assert len(set(rules.ranks.value)) == len(rules.ranks.value)
    assert rules.in_force == dt.date.fromisoformat(rules.in_force).isoformat()
    assert set(rules.surrender_against.value) | set(rules.insurance_wins_on.value) <= set(rules.ranks.value)


@every_game
def test_every_row_of_a_pay_table_stands_once(game: str) -> None:
    """No row of a pay table is there twice, and each pays something."""
    for side in GAMES[game].side_wagers:
        titles = [title for title, _ in side.pays]
        assert len(set(titles)) == len(titles)
        assert all(odds.win > 0 and odds.stake > 0 for _, odds in side.pays)


@every_game
def test_a_game_without_a_thing_is_silent_on_it(game: str) -> None:
    """Where an outcome cannot occur its clause is silent, and only there."""
    rules, outcomes = GAMES[game], GAMES[game].outcomes
    assert rules.dealer_22_stands_off.value == (outcomes.dealer_22 != SILENT)
    assert rules.even_money.value == (outcomes.even_money != SILENT)
    assert rules.rescue.value == (outcomes.rescued != SILENT)
    assert rules.surrender_lost_to_natural.value == (outcomes.surrender_lost != SILENT)
    assert bool(rules.jackpot_multipliers.value) == (rules.clauses.jackpot != SILENT)

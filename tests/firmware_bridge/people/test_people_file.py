"""The list of people: who is found, what may be changed, and the files."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from firmware_bridge.daemon import run
from firmware_bridge.people.accounts.journal_digest import DIGEST, last_digest
from firmware_bridge.people.accounts.people_file import (
    COPIES,
    FILE,
    FIRST,
    KEPT,
    Register,
    enter,
    load,
    somebody,
    write,
    written,
)
from firmware_bridge.people.accounts.proposals import LASTS, MOST, ProposalError, Proposals, Wanted
from firmware_bridge.people.accounts.roles import LEAST, Person, make_pin
from firmware_bridge.people.login import pin_rules
from tests.firmware_bridge.table_with_roles import PEOPLE as SOME
from tests.firmware_bridge.table_with_roles import Post, at_post

PIN = make_pin("482913", LEAST)
ANN = Person("Ann Lee", "shift-manager", PIN, "1")
BO = Person("Bo Tan", "pit-manager", PIN, "2")
CY = Person("Bo Tan", "dealer", PIN, "3")
PEOPLE = tuple(replace(one, number=one.name) for one in SOME)


def test_somebody_is_found_by_number_or_by_a_name_that_only_they_have(tmp_path: Path) -> None:
    """A number goes before a name."""
    register = Register(tmp_path, (ANN, BO, CY, replace(CY, name="1", number="4")))
    said = ("1", "2", "Ann Lee", "Bo Tan", "5", "")
    assert [ANN, BO, ANN, None, None, None] == [register.find(one) for one in said]
    assert ["Ann Lee (1)", "eve"] == [ANN.known_as, Person("eve", "dealer", PIN).known_as]


def test_a_list_is_read_as_it_was_written(tmp_path: Path) -> None:
    """Whole, and with its digest; nothing else is a list."""
    people = (replace(ANN, until="2027-01-31", pin_set="2026-11-17", given=True), BO)
    register = Register(tmp_path)
    register.put_in_force(people, register.write_next(people))
    found = load(tmp_path / FILE)
    assert found is not None
    assert (people, register.digest) == (found.people, found.digest)
    assert found == load(tmp_path / KEPT / f"{found.digest}.json")
    for text in ("", "[]", '{"people": 5}', '{"people": [{}]}', written(people).decode().replace("2027-01-31", "soon")):
        (tmp_path / FILE).write_text(text, encoding="utf-8")
        assert load(tmp_path / FILE) is None


def test_only_so_many_lists_are_kept(tmp_path: Path) -> None:
    """The one in force among them, however old it is."""
    register = Register(tmp_path)
    register.put_in_force((ANN, BO), register.write_next((ANN, BO)))
    for number in range(3 * COPIES):
        register.write_next((ANN, BO, replace(CY, number=str(number))))
    names = {path.stem for path in (tmp_path / KEPT).iterdir()}
    assert register.digest in names
    assert len(names) <= COPIES + 2


def test_what_root_left_is_taken_where_nobody_is_on_the_list(tmp_path: Path) -> None:
    """Once, before the roles of the configuration; it is gone when the list is in force."""
    assert not somebody(tmp_path)
    write(tmp_path / FIRST, written((ANN,)))
    assert somebody(tmp_path)
    register, notes = enter(tmp_path, (BO,))
    assert ((ANN,), ["first"]) == (register.people, [note["people"] for note in notes])
    register.write_list_in_force()
    assert (True, False) == ((tmp_path / FILE).exists(), (tmp_path / FIRST).exists())


def test_a_list_that_no_row_names_does_not_count(tmp_path: Path) -> None:
    """Somebody has put it there."""
    write(tmp_path / FILE, written((ANN,)))
    register, notes = enter(tmp_path, ())
    assert ((), ["people-changed"]) == (register.people, [note["alarm"] for note in notes])


def test_no_change_leaves_a_list_that_nobody_could_change(tmp_path: Path) -> None:
    """It takes a shift manager and another person; a list that was never so may be changed as it is."""
    register = Register(tmp_path, (ANN, BO, CY))
    register.today = lambda: date(2027, 1, 1)
    assert register.stuck(register.with_one(replace(BO, until="2026-12-31")))
    assert register.stuck(register.with_one(replace(ANN, role="pit-manager")))
    assert not register.stuck(register.with_one(replace(BO, until="2027-01-01")))
    assert not Register(tmp_path, (CY,)).stuck((CY,))


def test_a_proposal_is_over_after_a_while_and_when_its_person_was_changed(tmp_path: Path) -> None:
    """And another one of the same person takes its place."""
    now = [0.0]
    register = Register(tmp_path, (ANN, BO, CY))
    proposals = Proposals(register, lambda: now[0])
    first = proposals.put(Wanted("change", "3", role="engineer"), None, "Ann Lee (1)", "1")
    second = proposals.put(Wanted("change", "3", role="surveillance"), None, "Ann Lee (1)", "1")
    assert [second] == proposals.open
    with pytest.raises(ProposalError, match="no such proposal"):
        proposals.take_up(first.number, "2")
    register.people = register.with_one(replace(CY, until="2027-01-01"))
    with pytest.raises(ProposalError, match="changed since"):
        proposals.take_up(second.number, "2")
    proposals.put(Wanted("expire", "3"), None, "Ann Lee (1)", "1")
    now[0] += LASTS
    assert [] == proposals.open


@pytest.mark.parametrize(
    ("wanted", "why"),
    [
        (Wanted("add", "1", "Eve", "dealer", None, "482913"), "the number of Ann Lee"),
        (Wanted("add", "9", "Eve", "dealer"), "name, role and PIN"),
        (Wanted("add", "9 9", "Eve", "dealer", None, "482913"), "staff number of 1 to 20"),
        (Wanted("add", "9", " ", "dealer", None, "482913"), "printable"),
        (Wanted("change", "9"), "nobody has the number"),
        (Wanted("change", "3", role="king"), "expected one of dealer"),
        (Wanted("change", "3", until="soon"), "a day such as"),
        (Wanted("change", "3"), "nothing would change"),
        (Wanted("dance", "3"), "expected one of add"),
    ],
)
def test_what_cannot_be_proposed_says_why(tmp_path: Path, wanted: Wanted, why: str) -> None:
    """In the words of what is allowed."""
    proposals = Proposals(Register(tmp_path, (ANN, BO, CY)), lambda: 0.0)
    with pytest.raises(ProposalError, match=why):
        proposals.put(wanted, None, "Ann Lee (1)", "1")


def test_proposals_are_bounded(tmp_path: Path) -> None:
    """Nobody fills the daemon with them."""
    people = tuple(replace(CY, number=str(number)) for number in range(MOST + 1))
    proposals = Proposals(Register(tmp_path, people), lambda: 0.0)
    for one in people[:MOST]:
        proposals.put(Wanted("expire", one.id), None, "Ann Lee (1)", "1")
    with pytest.raises(ProposalError, match="which is the most"):
        proposals.put(Wanted("expire", people[MOST].id), None, "Ann Lee (1)", "1")


@pytest.mark.parametrize("pin", ["482913", "110022", "907856", "48291300", "112358"])
def test_a_pin_by_chance_may_be_chosen(pin: str) -> None:
    """Most are."""
    assert pin_rules.weakness(pin, "1042") is None


def test_the_journal_names_the_list_again_when_rows_are_archived(tmp_path: Path) -> None:
    """So that there is a row at hand, however long nobody changes anything; words within words are none."""

    async def scene(post: Post) -> None:
        assert post.guard is not None
        register = post.guard.register
        register.put_in_force(PEOPLE, register.write_next(PEOPLE))
        assert "" == last_digest(post.state)
        run.archived(post.pump, {"archived": "journal-000001.db.gz"}, {})
        manager = await post.client("shift-manager")
        reason = f'{{"{DIGEST}": "{"0" * 64}"}}'
        await manager.ask("say", statement="place-bets")
        post.guard.alarms.noted(1, "", {"alarm": "wrong-pins"})
        assert (await manager.ask("clear", reason=reason))["ok"]
        post.pump.process_queue()
        assert register.digest == last_digest(post.state)
        again, notes = enter(post.state, ())
        assert (PEOPLE, []) == (again.people, notes)

    at_post(tmp_path, scene)

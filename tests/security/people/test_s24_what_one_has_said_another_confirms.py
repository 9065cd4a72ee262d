"""S24: nobody reports, confirms and clears alone; the key switch confirms one matter, at the panel."""

from __future__ import annotations

from pathlib import Path

import pytest

from drivers.panel import KeySwitch
from drivers.panel.messages import Press
from drivers.shoe.messages import CardOut
from drivers.wire import Spot
from firmware_bridge.people.guard import KEY
from firmware_bridge.people.two_names import number_of, same
from tests.firmware_bridge.control_socket_rig import Client
from tests.firmware_bridge.table_with_roles import Post, at_post

DEALT = ("place-bets", "bet 1 main 5000", "no-more-bets")
WITHDRAWN = ("call double-draw", "answer 1 withdraw")
SAYS_SO = "has said what waits"


async def say(client: Client, *statements: str) -> None:
    """Say what must be taken."""
    for statement in statements:
        assert {"ok": True} == await client.ask("say", statement=statement), statement


async def refused(client: Client, statement: str) -> str:
    """Say what must be refused; why it was."""
    return str((await client.ask("say", statement=statement))["refused"])


async def dealt(post: Post, *statements: str) -> Client:
    """Let the dealer open a round, close it and say more."""
    dealer = await post.client("dealer")
    await say(dealer, *DEALT)
    for card in ("9H", "7D", "6S"):
        await post.says("shoe", CardOut(card, 0, face_up=False))
    await say(dealer, *statements)
    return dealer


async def press(post: Post, button: str, option: int = 0) -> str:
    """Press a button; why that was refused, or nothing."""
    return str(await post.says("panel", Press(1, button, option, Spot(0), 0)) or "")


def outcome(post: Post) -> object:
    """Return how the round stands."""
    return post.pump.table.round_report()["outcome"]


@pytest.mark.parametrize("role", ["pit-manager", "shift-manager"])
def test_a_lone_manager_voids_nothing(tmp_path: Path, role: str) -> None:
    """Neither by a report and an approval, nor after a restart: whose word it was stands in the rows."""

    async def begins(post: Post) -> None:
        await dealt(post)
        await say(await post.client(role), "call foreign-card")

    async def goes_on(post: Post) -> None:
        alone = await post.client(role)
        for word in ("approve pit-manager", "approve pit-manager foreign-card"):
            assert SAYS_SO in await refused(alone, word)
        assert "open" == outcome(post)
        other = await post.client("shift-manager" if role == "pit-manager" else "pit-manager")
        await say(other, "approve pit-manager")
        assert "void" == outcome(post)
        assert f"the {role} has reported foreign-card" in str((await alone.ask("clear", reason="fine"))["refused"])
        assert (await other.ask("clear", reason="fine"))["ok"]

    at_post(tmp_path, begins)
    at_post(tmp_path, goes_on)


def test_an_answer_of_the_house_is_a_word_too(tmp_path: Path) -> None:
    """The panel calls, the shift manager answers: somebody else voids, and not at the panel."""

    async def scene(post: Post) -> None:
        await dealt(post)
        assert "" == await press(post, "call")
        shift = await post.client("shift-manager")
        await say(shift, "answer house void")
        assert SAYS_SO in await refused(shift, "approve shift-manager")
        await post.says("panel", KeySwitch(on=True))
        assert "waits for the approval of a pit-manager" in await press(post, "done", 3)
        assert "open" == outcome(post)
        await say(await post.client("pit-manager"), "approve pit-manager")
        assert "void" == outcome(post)

    at_post(tmp_path, scene)


def test_the_key_confirms_one_matter_within_ten_seconds(tmp_path: Path) -> None:
    """Then it must be turned off; it is never a second name beside the panel's own word."""

    async def scene(post: Post) -> None:
        dealer = await dealt(post, *WITHDRAWN)
        assert "turn the key switch on" in await press(post, "done", 3)
        await post.says("panel", KeySwitch(on=True))
        post.now += KEY + 0.1
        assert "off and on again" in await press(post, "done", 3)
        await post.says("panel", KeySwitch(on=False))
        await post.says("panel", KeySwitch(on=True))
        assert "" == await press(post, "done")  # nothing is to be put back: it approves
        assert "concluded" == outcome(post)
        await say(dealer, "place-bets", "bet 1 main 50", "no-more-bets", "call misdealt-card 1")
        assert "off and on again" in await press(post, "done")
        assert "say it at the console" in await press(post, "done", 2)

    at_post(tmp_path, scene)


def test_the_key_is_no_second_name_beside_the_panel(tmp_path: Path) -> None:
    """What was pressed by nobody in particular is approved by somebody."""

    async def scene(post: Post) -> None:
        dealer = await post.client("dealer")
        await say(dealer, "place-bets", "bet 1 pair 50")
        assert "" == await press(post, "bets")  # closed at the panel: a side wager without a main one was told
        assert ["return-wager"] == [one.effect for one in post.pump.table.view().pending]
        await post.says("panel", KeySwitch(on=True))
        assert "which has no name" in await press(post, "done", 3)
        await say(await post.client("pit-supervisor"), "approve pit-supervisor")
        assert () == post.pump.table.view().pending

    at_post(tmp_path, scene)


def test_nobody_alone_puts_a_deal_back_under_an_insurance_wager(tmp_path: Path) -> None:
    """Without the Dealer's Ace it would go back: who has reported the misdeal does not say that it is put right."""

    async def scene(post: Post) -> None:
        dealer = await post.client("dealer")
        await say(dealer, *DEALT)
        for card in ("9H", "AD", "8S"):
            await post.says("shoe", CardOut(card, 0, face_up=False))
        await say(dealer, "offer insurance", "insure 1/1 2500", "close insurance")
        alone = await post.client("pit-supervisor")
        await say(alone, "call misdealt-card dealer")
        assert SAYS_SO in await refused(alone, "reconstructed")
        await say(await post.client("pit-manager"), "reconstructed")

    at_post(tmp_path, scene)


def test_nobody_takes_back_what_another_has_said(tmp_path: Path) -> None:
    """Nor what was pressed, nor an approval; one's own report leaves its alarm."""

    async def scene(post: Post) -> None:
        dealer, pit = await dealt(post), await post.client("pit-supervisor")
        await say(dealer, "seat 3 Zoe")
        assert "is for the one who said it: the dealer did" in await refused(pit, "take-back")
        await say(dealer, "take-back")
        assert "" == await press(post, "call")
        assert "pressed at the panel" in await refused(pit, "take-back")
        await say(pit, "retract uncovered")
        assert post.guard is not None
        post.pump.process_queue()
        assert not post.guard.alarms.open
        await say(pit, "call uncovered", "take-back", "call misdealt-card 1", "retract misdealt-card")
        post.pump.process_queue()
        assert ["uncovered", "misdealt-card"] == [alarm.code for alarm in post.guard.alarms.open]
        assert not post.pump.table.view().matters
        await say(await post.client("shift-manager"), "call foreign-card")
        await say(await post.client("pit-manager"), "retract foreign-card")

    at_post(tmp_path, scene)


def test_what_waits_is_denied_by_the_role_that_may_approve_it(tmp_path: Path) -> None:
    """A supervisor denies no void; a withdrawal they may."""

    async def scene(post: Post) -> None:
        dealer, pit = await dealt(post, "call foreign-card"), await post.client("pit-supervisor")
        assert "needs pit-manager" in await refused(pit, "retract foreign-card")
        await say(await post.client("pit-manager"), "retract foreign-card")
        await say(dealer, *WITHDRAWN)
        await say(pit, "retract double-draw")

    at_post(tmp_path, scene)


def test_with_a_reporter_who_has_the_role_any_other_of_the_pit_clears(tmp_path: Path) -> None:
    """Two names, one of them with the authority: one shift manager alone in the house stops no table."""

    async def scene(post: Post) -> None:
        dealer = await dealt(post)
        shift, pit = await post.client("shift-manager"), await post.client("pit-supervisor")
        await say(shift, "call uncovered", "retract uncovered")
        assert "has reported uncovered" in str((await shift.ask("clear", reason="fine"))["refused"])
        assert "needs shift-manager" in str((await dealer.ask("clear", reason="fine"))["refused"])
        assert (await pit.ask("clear", reason="fine"))["ok"]

    at_post(tmp_path, scene)


def test_the_rule_can_be_switched_off(tmp_path: Path) -> None:
    """Then one person confirms and clears what they have said; it is still confirmed."""

    async def scene(post: Post) -> None:
        assert post.guard is not None
        post.guard.two_persons = False
        await dealt(post)
        alone = await post.client("pit-manager")
        await say(alone, "call foreign-card")
        assert "open" == outcome(post)
        await say(alone, "approve pit-manager")
        assert "void" == outcome(post)
        assert (await alone.ask("clear", reason="fine"))["ok"]

    at_post(tmp_path, scene)


def test_surveillance_marks_a_round_and_nothing_stops(tmp_path: Path) -> None:
    """The mark is a row with name and reason, and stands with the round; nobody else makes one."""

    async def scene(post: Post) -> None:
        dealer = await dealt(post, *WITHDRAWN)
        await say(await post.client("pit-supervisor"), "approve pit-supervisor")
        watches = await post.client("surveillance")
        assert "needs surveillance" in str((await dealer.ask("dispute", reason="no"))["refused"])
        assert {"ok": True} == await watches.ask("dispute", reason="box 1 was dealt twice")
        assert "there is no such round at hand" == (await watches.ask("dispute", number=7, reason="what"))["refused"]
        (mark,) = (await watches.ask("round", number=1))["round"]["disputed"]
        assert ("the surveillance", "box 1 was dealt twice") == (mark["by"], mark["reason"])
        await say(dealer, "place-bets")
        assert {"ok": True} == await watches.ask("dispute", number=1, reason="twice, I say")
        assert 2 == len((await watches.ask("round", number=1))["round"]["disputed"])

    at_post(tmp_path, scene)


def test_a_person_is_known_by_the_staff_number() -> None:
    """Whatever name they had; nobody is nobody, and the panel is the panel."""
    assert ["12", "12", "Ann", "x"] == [number_of(one) for one in ("Ann (12)", "Bob (x) (12)", "Ann", "Ann (x)")]
    assert same("Ann Lee (12)", "Ann Tan (12)")
    assert not same("Ann (12)", "Ann (13)")
    assert not same("", "")

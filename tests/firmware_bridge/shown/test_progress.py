"""What is to be done about an irregularity: steps for every ruling, and nothing called done that is not."""

from __future__ import annotations

import pytest

from firmware_bridge.journal.rounds.round_records import Happened
from firmware_bridge.people.alarms import Alarms
from firmware_bridge.people.permissions import REPORTED
from firmware_bridge.shown.progress import catalogue, of_alarm, of_matter, steps_key
from firmware_bridge.shown.scene_type import ShownProgress
from firmware_bridge.texts.languages import LANGUAGES
from gamecore.model.cards import card
from gamecore.model.events import events as ev
from gamecore.model.events.outputs import IrregularityFound
from gamecore.model.places import Place
from gamecore.model.steps import Procedure
from gamecore.rules.matrices import MATRICES
from gamecore.table import Table
from tests.firmware_bridge.positions import table_after
from tests.firmware_bridge.shown.scene_positions import SAMPLE, positions

AT = "2025-01-01T00:00:00.000000+00:00"
BETS = "fresh: no\nshoe: KH 8D 5S 9C 2C\n\nplace-bets\nbet 1 main 100; bet 3 main 50\nno-more-bets\n"
PLAYED = """fresh: no
shoe: KH 9D QS | 8C

place-bets
bet 1 main 100
no-more-bets
draw 1; draw dealer; draw 1
stand 1
draw dealer
settle
"""
UNTIL = {"moves", "answers", "word", "approval", "load", "device"}


def happen(table: Table, alarms: Alarms, *events: ev.Event) -> None:
    """Let events happen, and the alarms follow."""
    for n, event in enumerate(events, start=10 * len(alarms.open)):
        found = [output.finding for output in table.apply(event) if isinstance(output, IrregularityFound)]
        alarms.follow_event(Happened(n, AT, "console", person="Ann"), event, found, table, refused=False)


def marks(progress: ShownProgress) -> str:
    """Tell of each step: done, now, or neither."""
    return "".join("d" if step["done"] else "n" if step["now"] else "-" for step in progress["steps"])


def test_every_ruling_of_every_game_has_its_steps() -> None:
    """Of each code and case at each stage, noted or not, in both languages; what is of no round has its own."""
    cells = {
        (row.code, cell.procedure.value, cell.ruling == "refer" and cell.procedure is Procedure.RECORD)
        for matrix in MATRICES.values()
        for row in matrix
        for cell in row.cells.values()
        if cell.procedure is not None
    }
    keys = {steps_key(code, procedure, noted=noted) for code, procedure, noted in cells}
    outside = {"put-back.journal" if code == "put-back" else code for code in REPORTED}
    used = keys | outside | {Procedure.PUT_BACK.value, Procedure.WITHDRAWALS.value}
    assert used == set(catalogue())
    steps = [step for one in catalogue().values() for step in one]
    assert set() == {lang for step in steps for lang in LANGUAGES if not step[lang]}
    assert UNTIL == {step["until"] for step in steps if "until" in step}


def test_a_reconstruction_is_done_step_by_step() -> None:
    """First the cards, then the word of the role behind it; then nothing is left."""
    table, alarms = table_after(BETS), Alarms(roles=True)
    happen(table, alarms, ev.CardDrawn(card("KH")), ev.CardLaid(card("KH"), Place(3)))
    progress = of_matter(table.view(), table.view().matters[0])
    assert ("-n-", ["moves"]) == (marks(progress), progress["waits"])
    happen(table, alarms, ev.CardMoved(card("KH"), Place(3), Place(1)))
    progress = of_matter(table.view(), table.view().matters[0])
    assert ("-dn", ["word pit-supervisor"]) == (marks(progress), progress["waits"])
    happen(table, alarms, ev.Reconstructed())
    progress = of_alarm(table.view(), alarms.open[0])
    assert ("-dd", [], "reconstruct") == (marks(progress), progress["waits"], progress["rule"])


ERROR = """fresh: no
shoe: KH 7D 9S QC 4H | 8C

place-bets
bet 1 main 100; bet 3 main 50
no-more-bets
draw 1; draw 3; draw dealer; draw 1; draw 3
offer surrender; close surrender
stand 1
draw 1
"""


def test_no_step_below_the_one_to_do_now_is_called_done() -> None:
    """MBS 5.8: while the Player is asked whether they take the card, nobody knows yet where it goes."""
    view = table_after(ERROR, "mbs-free-bet-v3").view()
    assert ("-n-", ["answers"]) == (marks(of_matter(view, view.matters[0])), of_matter(view, view.matters[0])["waits"])


def test_no_position_has_a_step_that_is_ahead_of_the_facts() -> None:
    """In a sample of all scenarios, after every statement, whatever holds the round."""
    held = 0
    for file in SAMPLE:
        for where, table in positions(file):
            view = table.view()
            for matter in view.matters:
                held += 1
                assert "d" not in marks(of_matter(view, matter)).partition("n")[2], where
    assert held


REFERRED = """fresh: no
shoe: KH AD 5S 9C

place-bets
bet 1 main 100
no-more-bets
draw 1; draw dealer; draw 1
hit 1; draw 1
"""


def test_the_answer_of_the_house_is_waited_for_once() -> None:
    """MBS 6.1: the Shift Manager goes on or voids the round; that approval is no second thing to wait for."""
    view = table_after(REFERRED).view()
    progress = of_matter(view, view.matters[0])
    assert (("house",), "--n", ["answers"]) == (tuple(ask.who for ask in view.asks), marks(progress), progress["waits"])


def test_a_round_that_became_void_says_so() -> None:
    """Cards that cannot be put back: the steps are those of a void."""
    table, alarms = table_after(BETS), Alarms(roles=True)
    happen(table, alarms, ev.CardDrawn(card("KH")), ev.CardLaid(card("KH"), Place(3)), ev.CannotReconstruct())
    progress = of_alarm(table.view(), alarms.open[0])
    assert ("void", "Return the stakes to the Players") == (progress["rule"], progress["steps"][0]["text"]["en"])


def test_a_foreign_card_waits_until_a_set_is_loaded() -> None:
    """Until it was shuffled and loaded the set is to be counted, as the loud line says; nobody confirms the void."""
    table, alarms = table_after(BETS), Alarms(roles=True)
    happen(table, alarms, ev.CardDrawn(card("JOKER")))
    progress = of_alarm(table.view(), alarms.open[0])
    assert ("-n---", ["load"]) == (marks(progress), progress["waits"])
    assert "Keep the card for the Pit Manager" == progress["steps"][2]["text"]["en"]
    happen(table, alarms, ev.Shuffled("machine"), ev.Loaded(8 * 52))
    progress = of_alarm(table.view(), alarms.open[0])
    assert ("----d", []) == (marks(progress), progress["waits"])


def test_a_void_that_was_told_is_confirmed_before_it_is_ticked() -> None:
    """What a person reports waits for the Pit Manager; the step is done when there is such an act, and not before."""
    table, alarms = table_after(f"confirm: yes\n{BETS}"), Alarms(roles=True)
    happen(table, alarms, ev.CardDrawn(card("KH")), ev.Call("foreign-card"))
    progress = of_alarm(table.view(), alarms.open[0])
    assert ("n", "approval pit-manager") == (marks(progress)[0], progress["waits"][0])
    happen(table, alarms, ev.Approve("pit-manager"))
    progress = of_alarm(table.view(), alarms.open[0])
    confirmed = progress["steps"][0]
    assert ("Pit Manager confirms the void", True) == (confirmed["text"]["en"], confirmed["done"])


def test_cards_loaded_without_a_shuffle_between_rounds_void_nothing_yet() -> None:
    """No round is on: the alarm says what is to be done before the next."""
    table, alarms = table_after(PLAYED), Alarms(roles=True)
    happen(table, alarms, ev.Loaded(8 * 52))
    progress = of_alarm(table.view(), alarms.open[0])
    assert ("void-next", "n", ["load"]) == (progress["rule"], marks(progress), progress["waits"])


@pytest.mark.parametrize(("back", "expected"), [(False, ("n--", ["device shoe"])), (True, ("d--", []))])
def test_a_lost_device_is_waited_for(*, back: bool, expected: tuple[str, list[str]]) -> None:
    """By its name, until it is back; nobody is asked."""
    table, alarms = table_after(BETS), Alarms(roles=True)
    happen(table, alarms, ev.LinkLost("shoe"), *([ev.LinkBack("shoe")] if back else []))
    progress = of_alarm(table.view(), alarms.open[0])
    assert ("noted", *expected) == (progress["rule"], marks(progress), progress["waits"])

"""What the Dealer's panel shows and whether the shoe is locked, as the table stands.

1. A picture follows from the table, from what the daemon knows around it, and from the page and the language that are
   asked for: the same of these give the same lamps, text, alarm and lock.
2. The upper line is the advice in capitals (`advice`), the same words as on every screen. A lamp blinks at the box that
   the advice is about and where somebody is asked. It is steady where a main wager lies.
3. The lower line says more, the first of these that applies: why the table stands still, the irregularity with its
   clause and, where there is room, the step to do about it, whose claim comes first, what Players may still do, what
   comes after.
4. Where several Players claim one wager, the lower line says who comes first and by which clause, or that their claims
   are equal.
5. When the round is to be settled, both lines are the pay-and-take guide (`payments`): the sums, then box by box as
   DONE turns its pages, with the lamp of that box blinking. After the settlement the sums stand below the advice until
   a page is turned.
6. The shoe is locked while the round is held, and while a card that was set aside is to be dealt before any other.
   Between rounds it is locked while a set that is not whole is in it.
7. A card that lies face down is never named, and its hand has no total.
8. A picture is in one language. The codes of irregularities are the same in every language, and a line always has
   `WIDTH` columns.
"""

from __future__ import annotations

from dataclasses import dataclass

from drivers.panel.messages import fitted_unicode
from firmware_bridge.shown import payments, progress
from firmware_bridge.shown.advice import CALM, Advice, Around, advise, advise_after, beside, texts, worded
from firmware_bridge.shown.payments import WIDTH
from firmware_bridge.texts.languages import ENGLISH, columns
from gamecore.model.events.outputs import Preference
from gamecore.model.places import asked_place
from gamecore.model.states import State
from gamecore.table import Table
from gamecore.view.view import TableView

OFF, STEADY, BLINK = 0, 1, 2


@dataclass(frozen=True, slots=True)
class Picture:
    """Lamps by box, two lines of text, the alarm, and whether the shoe is locked."""

    lamps: tuple[int, ...]
    upper: str
    lower: str
    alarm: bool
    locked: bool


def is_locked(table: Table) -> bool:
    """Whether no card may leave the shoe."""
    held = table.state is State.HELD or (table.round_is_on and table.has_next_cards)
    return held or (table.state is State.VOID and table.view().set_to_count)


def picture(table: Table, around: Around = CALM, page: int = 0, lang: str = ENGLISH) -> Picture:
    """The picture of a table in a language; `page` says how many pages of the pay-and-take guide were turned."""
    view = table.view()
    advice = advise(view, around)
    said = (worded(advice, lang).upper(), _lower(view, advice, lang), 0)
    upper, lower, box = _guide(view, advice, page, lang) or said
    lamps = [BLINK if number == box else lamp for number, lamp in enumerate(_lamps(view, advice), start=1)]
    held = view.state is State.HELD
    return Picture(
        tuple(lamps),
        fitted_unicode(upper),
        fitted_unicode(lower),
        held,
        is_locked(table) or _is_uncounted(view, around),
    )


def _is_uncounted(view: TableView, around: Around) -> bool:
    """Whether a set that is to be counted is in the shoe between rounds, as an open alarm says."""
    return around.uncounted and not view.round_is_on


def _guide(view: TableView, advice: Advice, page: int, lang: str) -> tuple[str, str, int] | None:
    """What to pay and take: the sums, then box by box; after the settlement below the advice, until it is turned."""
    if advice.key not in {"settle", "open", "open-void"}:
        return None
    boxes = payments.pages(view)
    at = page % (len(boxes) + 1)
    if not boxes:
        return None
    if at:
        return (*payments.panel_box(view, boxes[at - 1], lang), boxes[at - 1])
    sums, more = payments.panel_sums(view, lang)
    return (sums, more, 0) if view.round_is_on else (worded(advice, lang).upper(), sums, 0)


def _lamps(view: TableView, advice: Advice) -> tuple[int, ...]:
    blinks = {place.box for ask in view.asks if (place := asked_place(ask.who)) is not None}
    if advice.place is not None:
        blinks.add(advice.place.box)
    boxes = view.round.boxes if view.round_is_on else {}
    lamps = []
    for number in range(1, view.box_count + 1):
        box = boxes.get(number)
        steady = STEADY if box is not None and box.mains else OFF
        lamps.append(BLINK if number in blinks else steady)
    return tuple(lamps)


def _lower(view: TableView, advice: Advice, lang: str) -> str:
    """More about the advice."""
    if advice.key == "stop":
        return str(advice.args["why"])
    if view.state is State.HELD and view.matters:
        return _step(view, lang)
    if view.claims:
        return _first(view.claims[0], lang)
    right, after = beside(view), advise_after(view, advice)
    if right is not None:
        return worded(right, lang).upper()
    return "" if after is None else f"{texts()['panel.then'][lang]}{worded(after, lang)}".upper()


def _step(view: TableView, lang: str) -> str:
    """Which irregularity is open, and the step that is to be done about it where a line has room for both."""
    finding = view.matters[0].finding
    named = f"{finding.code} {finding.clause}".upper()
    steps = progress.of_matter(view, view.matters[0])["steps"]
    whole = next((f"{named} {step['text'][lang]}".upper() for step in steps if step["now"]), named)
    return whole if columns(whole) <= WIDTH else named


def _first(claimed: Preference, lang: str) -> str:
    who = texts()["panel.equal"][lang].upper() if claimed.first is None else claimed.first.upper()
    return f"{claimed.place} {claimed.kind.upper()}: {who} {claimed.clause}"

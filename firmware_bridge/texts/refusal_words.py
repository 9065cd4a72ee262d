"""Why something was refused, in the language of the panel.

1. English is what the rules and the daemon say themselves. Every other language is the page's own catalogue, read from
   its files when a panel first needs it: page and panel refuse in the same words.
2. What stands in a gap is known by the last part of the gap's name, as on the page: a place, a card, a role. Numbers,
   names and what is not known here stand as they are.
3. A reason takes two lines at most. It is broken at a space in the second half of the upper line; a script without
   spaces is broken where the line is full.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from drivers.panel.messages import LINE_LENGTH
from firmware_bridge.texts.denials import Why, why_report
from firmware_bridge.texts.languages import ENGLISH, columns
from gamecore.model.places import asked_place, place

_PAGE = Path(__file__).parents[1] / "console" / "static" / "texts"
Worded = Callable[[Any, str], str]
_FILES = ("words.json", "alarm.json", "refusals.json")


@cache
def _catalogue() -> dict[str, dict[str, str]]:
    """The texts of the page that a refusal may need."""
    texts: dict[str, dict[str, str]] = {}
    for name in _FILES:
        texts |= json.loads((_PAGE / name).read_text(encoding="utf-8"))
    return texts


def refusal_words(why: Why, lang: str) -> str:
    """Why something was refused, in a language."""
    told = why_report(why)
    text = None if lang == ENGLISH else _catalogue().get(f"refusal.{told['key']}")
    if text is None:
        return str(why)
    said = text[lang].format_map({name: _filled(name, value, lang) for name, value in told["arguments"].items()})
    return _text_of("refusal.with-clause", lang, why=said, clause=told["clause"]) if told["clause"] else said


def on_two_lines(reason: str) -> tuple[str, str]:
    """A reason on two lines of the display."""
    if columns(reason) <= LINE_LENGTH:
        return reason, ""
    most = next(length for length in range(len(reason), 0, -1) if columns(reason[:length]) <= LINE_LENGTH)
    space = reason.rfind(" ", most // 2, most + 1)
    cut = space if space > 0 else most
    return reason[:cut], reason[cut:].lstrip()


# --- what stands in a gap --------------------------------------------------------------------------------------------


def _text_of(key: str, lang: str, **values: object) -> str:
    """A text of the catalogue; what it has no key for stands as it is."""
    text = _catalogue().get(key)
    return key.partition(".")[2] if text is None else text[lang].format_map(values)


def _filled(name: str, value: Any, lang: str) -> str:
    worded = _GAPS.get(name.rpartition("_")[2])
    return str(value) if worded is None else worded(value, lang)


def _kind(kind: str) -> Worded:
    return lambda value, lang: _text_of(f"{kind}.{value}", lang)


def _joined(each: Worded, between: str) -> Worded:
    return lambda value, lang: _text_of(between, lang).join(each(one, lang) for one in value)


def _place(value: Any, lang: str) -> str:
    if not str(value)[0].isdigit():
        return _text_of(f"place.{value}", lang)
    where = place(str(value))
    parts = [_text_of("place.box", lang, box=where.box)]
    parts += [_text_of("place.hand", lang, hand=where.hand)] if where.hand else []
    parts += [_text_of("place.slot", lang, slot=where.slot)] if where.slot else []
    return _text_of("place.join", lang).join(parts)


def _card(value: Any, lang: str) -> str:
    face = str(value).partition("#")[0]
    if face == "JOKER":
        return _text_of("card.joker", lang)
    return _text_of("card.name", lang, rank=_text_of(f"rank.{face[0]}", lang), suit=_text_of(f"suit.{face[-1]}", lang))


def _role(value: Any, lang: str) -> str:
    kind = next((kind for kind in ("role", "device", "from") if f"{kind}.{value}" in _catalogue()), "role")
    return _text_of(f"{kind}.{value}", lang)


def _who(value: Any, lang: str) -> str:
    if asked_place(str(value)) is not None:
        return _text_of("who.player", lang, place=_place(value, lang))
    return _text_of(f"who.{value}", lang)


def _as_it_is(value: Any, _lang: str) -> str:
    return str(value)


_GAPS: dict[str, Worded] = {
    "place": _place,
    "card": _card,
    "who": _who,
    "code": _kind("code"),
    "ruling": _kind("ruling"),
    "role": _role,
    "roles": _joined(_role, "refusal.or"),
    "signatories": _joined(_role, "refusal.and"),
    "device": _role,
    "devices": _joined(_role, "list.join"),
    "tables": _joined(_as_it_is, "list.join"),
    "kinds": _joined(_as_it_is, "list.join"),
    "offer": _kind("offer"),
    "wager": _kind("wager"),
    "since": _kind("since"),
    "note": _kind("note"),
    "natural": lambda value, lang: _text_of(f"natural.{str(value).lower()}", lang),
    "softness": _kind("softness"),
    "players": _joined(_as_it_is, "list.join"),
    "options": _joined(_kind("option"), "refusal.or"),
}

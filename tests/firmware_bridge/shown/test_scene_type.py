"""The shape of a scene: what the table sends has it, and the page's types say it."""

from __future__ import annotations

from typing import Annotated, NotRequired, TypedDict

import pytest

from firmware_bridge.console import answers
from firmware_bridge.shown.scene import scene
from firmware_bridge.shown.scene_type import OneOf, Scene
from firmware_bridge.shown.typedefs import TARGET, declarations, written
from gamecore.rules.games import GAMES
from tests.firmware_bridge.shown.scene_positions import FILES, positions
from tests.firmware_bridge.shown.shapes import misfit_of


class Inner(TypedDict):
    """A part."""

    word: Annotated[str, OneOf(("in", "out"))]


class Outer(TypedDict):
    """A whole."""

    number: Annotated[int | None, "how many"]
    parts: list[Inner]
    names: NotRequired[dict[str, bool]]


WHOLE = {"number": 1, "parts": [{"word": "in"}], "names": {"a": True}}


@pytest.mark.parametrize(
    "every", [pytest.param(True, marks=pytest.mark.soak), False], ids=["every-statement", "states"]
)
@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_scene_of_the_scenarios_has_its_shape(game: str, *, every: bool) -> None:
    """No field is missing, none is unknown, each is what its type says: in every file whenever the state is another.

    The soak looks after every statement.
    """
    files = [file for file in FILES if file.parent.name == game]
    misfit = misfit_of(Scene)
    found = []
    for file in files:
        before = None
        for where, table in positions(file):
            if every or table.state is not before:
                before = table.state
                found += [f"{where} {said}" for said in [misfit(scene(table))] if said]
    assert (True, []) == (bool(files), found)


def test_the_types_of_the_page_are_those_of_the_program() -> None:
    """The files are what `python -m firmware_bridge.shown.typedefs` and `firmware_bridge.console.answers` write."""
    assert declarations() == TARGET.read_text(encoding="utf-8")
    assert answers.declarations() == answers.TARGET.read_text(encoding="utf-8")


def test_a_shape_is_declared_after_what_it_holds() -> None:
    """Each shape once, with its docstring; a note becomes a comment, words become a union."""
    expected = (
        '/** A part. */\ninterface Inner {\n  word: "in" | "out";\n}\n\n'
        "/** A whole. */\ninterface Outer {\n  /** how many */\n  number: number | null;\n  parts: Inner[];\n"
        "  names?: Record<string, boolean>;\n}\n"
    )
    assert f"/* Head */\n\n{expected}" == declarations((Outer, Inner), "/* Head */\n")


def test_a_shape_is_declared_in_one_file() -> None:
    """What another file has declared is named, not repeated."""
    assert "interface Inner" not in declarations((Outer,), declared=(Inner,))


@pytest.mark.parametrize(
    ("hint", "expected"),
    [
        (list[int | None], "(number | null)[]"),
        (dict[str, list[str]], "Record<string, string[]>"),
        (float, "number"),
    ],
)
def test_a_type_is_written_as_the_page_reads_it(hint: object, expected: str) -> None:
    """Lists of several kinds are in brackets."""
    assert expected == written(hint)


def test_a_type_that_the_page_cannot_have_is_an_error() -> None:
    """It would reach the page without a word about it."""
    with pytest.raises(TypeError, match="no type of the page"):
        written(set[str])


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (WHOLE, ""),
        ({"number": None, "parts": []}, ""),
        ({"number": True, "parts": []}, ".number: True is no int | None"),
        ({"parts": []}, ".number is missing"),
        ({**WHOLE, "more": 1}, ".more is not in Outer"),
        ({**WHOLE, "parts": [{"word": "in"}, {"word": "up"}]}, ".parts[1].word: 'up' is none of in, out"),
        ({**WHOLE, "names": {"a": 1}}, ".names.a: 1 is no bool"),
        ({**WHOLE, "names": {1: True}}, ".names: {1: True} is no dict by names"),
        ({**WHOLE, "parts": {}}, ".parts: {} is no list"),
        ([], ": [] is no Outer"),
    ],
)
def test_what_does_not_fit_is_told_with_its_place(value: object, expected: str) -> None:
    """A missing field, an unknown one, another type, another word."""
    assert expected == misfit_of(Outer)(value)

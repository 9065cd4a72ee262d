"""From text to a scenario.

1. The header is read first, because the game decides which places and kinds of wager there are.
2. Statements are looked up by their first word in `statements.STATEMENTS`; ``expect`` in `expect.forms.CLAIMS`.
3. The first error ends the reading. `parse` raises it; `read` keeps it in the scenario beside what stands before it, so
   that the round can be played up to that line. An error in the header leaves nothing to play: both raise.
4. An error says what was expected and what stands there. It is always a `NotationError`.
"""

from __future__ import annotations

from gamecore.model.events.events import Command
from gamecore.notation.arguments import Beyond, Words, Wrong, nearest
from gamecore.notation.expect.forms import CLAIMS
from gamecore.notation.header import Games, read_header
from gamecore.notation.layout import Layout, layout_of
from gamecore.notation.lines import Line, split
from gamecore.notation.statements import STATEMENTS
from gamecore.notation.syntax import NotationError, RefusedIs, Scenario, Statement, What


def parse(text: str, games: Games) -> Scenario:
    """The scenario that a text describes.

    Raises:
        NotationError: the first thing that is wrong.
    """
    scenario = read(text, games)
    if scenario.error is not None:
        raise scenario.error
    return scenario


def read(text: str, games: Games) -> Scenario:
    """The scenario that a text describes, up to its first error.

    Raises:
        NotationError: the header is wrong.
    """
    head, body = split(text)
    header = read_header(head, games)
    layout = layout_of(games[header.game], header.boxes)
    statements: list[Statement] = []
    for line in body:
        try:
            statements.append(read_statement(line, layout))
        except NotationError as error:
            return Scenario(header, tuple(statements), error)
    return Scenario(header, tuple(statements))


def read_statement(line: Line, layout: Layout) -> Statement:
    """One statement.

    Raises:
        NotationError: it is none, or this layout has no such place.
    """
    if not all(word.isprintable() for word in line.text.split()):
        raise NotationError(line.number, f"'{line.text}' holds a character that cannot be printed")
    return Statement(_what(line, layout, ""), line.number, line.text)


def _what(line: Line, layout: Layout, before: str) -> What:
    """The meaning of a statement; `before` is what stands before it in ``expect refused STATEMENT``."""
    word, *rest = line.text.split()
    if word == "expect" and not before:
        return _claim(line, layout, rest)
    rule = STATEMENTS.get(word)
    if rule is None:
        known = ", ".join([*STATEMENTS, *([] if before else ["expect"])])
        message = f"'{word}' is no statement: {nearest(word, [*STATEMENTS, 'expect'])}expected one of {known}"
        raise NotationError(line.number, message)
    words = Words(" ".join(rest).replace("=", " = ").split() if word == "draw" else rest, layout)
    try:
        meaning = rule.parse(words)
        words.end()
    except Wrong as wrong:
        raise _expected(line, f"{before}{word}", rule.usage, wrong) from wrong
    except Beyond as beyond:
        raise NotationError(line.number, f"{before}{word}: {beyond}") from beyond
    return meaning


def _claim(line: Line, layout: Layout, rest: list[str]) -> What:
    form = rest[0] if rest else ""
    if form == "refused":
        return _refused(line, layout)
    rule = CLAIMS.get(form)
    if rule is None:
        message = f"'{form}' cannot be expected: {nearest(form, CLAIMS)}" if form else "nothing is expected: "
        raise NotationError(line.number, f"expect: {message}expected one of {', '.join(CLAIMS)}, refused")
    words = Words(rest[1:], layout)
    try:
        claim = rule.parse(words)
        words.end()
    except Wrong as wrong:
        raise _expected(line, f"expect {form}", rule.usage, wrong) from wrong
    except Beyond as beyond:
        raise NotationError(line.number, f"expect {form}: {beyond}") from beyond
    return claim


def _refused(line: Line, layout: Layout) -> RefusedIs:
    said = line.text.split(maxsplit=2)
    if len(said) < 3:
        raise NotationError(line.number, "expect refused: expected a statement, got nothing")
    meaning = _what(Line(line.number, said[2]), layout, "expect refused ")
    if not isinstance(meaning, Command):
        word = said[2].split()[0]
        message = f"expect refused: '{word}' is no command: what happens physically is never refused"
        raise NotationError(line.number, message)
    return RefusedIs(meaning)


def _expected(line: Line, words: str, usage: str, wrong: Wrong) -> NotationError:
    expected = f"expected {usage}" if usage else "expected nothing after it"
    return NotationError(line.number, f"{words}: {expected}, got '{line.text}': {wrong}")

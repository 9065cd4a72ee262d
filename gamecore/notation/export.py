"""From the events of a table back to a scenario that replays them.

1. The drawn cards become the prepared shoe: those before the first load the header's ``shoe``, those after a load the
   cards of that ``load``. So a draw needs no ``= CARD``.
2. A card that left the shoe and was laid at once is one ``draw PLACE``. Otherwise it is ``draw none``, and later
   ``lay``.
3. The number of cards of a load is written, since it need not be a whole set.
4. A command that was refused is no event and is not written.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gamecore.model.cards import Card
from gamecore.model.events import events as ev
from gamecore.model.events.events import Event
from gamecore.notation.syntax import Draw, Header, Load, Pull, Scenario, Statement


def scenario_of(header: Header, events: Sequence[Event]) -> Scenario:
    """A scenario that gives these events at such a table."""
    batches: list[list[Card]] = [[]]
    statements: list[Draw | Pull | Load | Event] = []
    loads: list[tuple[int, int]] = []
    at = 0
    emptied = False
    while at < len(events):
        match events[at]:
            case ev.CardDrawn() as drawn:
                batches[-1].append(drawn.card)
                draw = _draw(drawn, events[at + 1] if at + 1 < len(events) else None, header)
                statements.append(draw)
                at += 1 if header.places_sensed and draw.laid else 0
            case ev.CardsPulled(cards, shown, ordered):
                batches[-1].extend(cards)
                statements.append(Pull(len(cards), 0, shown, ordered))
            case ev.Loaded(count):
                loads.append((len(statements), count))
                batches.append([])
                statements.append(Load())
            case ev.ShoeEmpty():
                statements.append(Draw(laid=False))
                emptied = True
            case event:
                statements.append(event)
        at += 1
    for (index, count), batch in zip(loads, batches[1:], strict=True):
        statements[index] = Load(tuple(batch), max(count, len(batch)))
    left = len(batches[0]) if emptied and not loads else _left(header, batches[0])
    whole = replace(header, shoe=tuple(batches[0]), left=left)
    return Scenario(whole, tuple(Statement(what) for what in statements))


def _draw(drawn: ev.CardDrawn, following: Event | None, header: Header) -> Draw:
    if not header.places_sensed:
        return Draw(drawn.told, face_up=drawn.face_up, exposed=drawn.exposed)
    if isinstance(following, ev.CardLaid) and (following.card == drawn.card or header.places_counted):
        return Draw(following.place, face_up=drawn.face_up, exposed=following.exposed)
    return Draw(face_up=drawn.face_up, laid=False)


def _left(header: Header, cards: Sequence[Card]) -> int | None:
    """As many as before; a shoe that gave more cards than it was said to hold held those."""
    return None if header.left is None else max(header.left, len(cards))

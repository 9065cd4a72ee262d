"""What is asked about the house's documents at the control socket: to put one in force.

1. ``truedeal document add`` has left the document in the state folder. It is read again here: it must hold every clause
   that its game needs, and have the digest that was named. A shift manager puts it in force; on an open table anyone
   may.
2. It is in force when its row is durable. Every start names it again, and so does the row of an archived segment.
"""

from __future__ import annotations

import json

from firmware_bridge.control.request_values import Asked, of, outcome
from firmware_bridge.control.sessions import of_session, stalled
from firmware_bridge.people.accounts.roles import SHIFT_MANAGER
from firmware_bridge.people.permissions import allows, lacks_role
from firmware_bridge.pump.items import Deed, Note
from firmware_bridge.pump.pump import Pump
from firmware_bridge.setup import house_documents
from firmware_bridge.texts.denials import Denial, Ground, Why, deny


def document(pump: Pump, asked: Asked) -> None:
    """Put a document in force."""
    game, said, session = of(asked.request, "game", str), of(asked.request, "digest", str), asked.session
    if stalled(pump, asked):
        return
    state, name = pump.books.journal.state, house_documents.word(game)

    def judge() -> Note | Denial:
        if pump.guard is not None and not allows(session.role, (SHIFT_MANAGER,)):
            return lacks_role("document", (SHIFT_MANAGER,), session.role)
        try:
            data = house_documents.path(state, game, said).read_bytes() if said.isalnum() else b""
            house_documents.read(data, game)
        except OSError as error:
            return deny(Ground.DOCUMENT_UNUSABLE, detail=error.strerror or str(error))
        except house_documents.DocumentError as error:
            return deny(Ground.DOCUMENT_UNUSABLE, detail=str(error))
        if house_documents.digest(data) != said:
            return deny(Ground.DOCUMENT_IS_ANOTHER)
        return Note(json.dumps({name: said, "by": session.name, "role": session.role}, ensure_ascii=False))

    def noted(refused: Why | None) -> None:
        if refused is None:
            pump.books.documents[name] = said
        asked.answer(outcome(refused))

    pump.enqueue(of_session(session, Deed("document", judge), noted))

"""The users of the broker as NATS reads them: what each may say and hear.

1. A table speaks and hears only under its own subjects. An ingester hears what tables ask and ship, may answer tables,
   and may speak of them as the centre; it says nothing under a table's name. A console hears live news, what the centre
   says, and what tables want of it; it answers that and says nothing else.
2. Nobody gets ``allow_responses``, which lets a user answer wherever a message asks for it: a table could then make an
   ingester speak to another table. There is no user without a key.
3. One connection has at most `SUBSCRIPTIONS` subscriptions; a table needs two, a console four. How many connections one
   user has the broker does not limit.
4. The file is written whole, from the enrolled tables of one casino. The broker reads it again on a reload, and cuts
   off anyone who is no longer in it.
"""

from __future__ import annotations

from collections.abc import Iterable

from firmware_bridge.floor.archive.archive import Enrolled
from firmware_bridge.floor.wire import subjects

LARGEST = 512 * 1024
"""Bytes of the largest message."""
SUBSCRIPTIONS = 8


def users(casino: str, tables: Iterable[Enrolled], ingesters: Iterable[str], consoles: Iterable[str] = ()) -> str:
    """The part of the broker's configuration that names the users and what each may do."""
    lines = [f"max_payload: {LARGEST}", f"max_subscriptions: {SUBSCRIPTIONS}", "authorization {", "  users = ["]
    for table in tables:
        speaks = f"t.{casino}.{table.name}.>"
        lines.append(_user(table.nkey, [speaks], [f"{subjects.subjects_for_table(casino, table.name)}.>"]))
    asked = [f"t.{casino}.*.{what}" for what in (subjects.ASK, subjects.SHIP)]
    answers, of_centre = f"r.{casino}.>", subjects.of_centre(casino)
    lines += [_user(nkey, [answers, of_centre], asked) for nkey in ingesters]
    shown = [subjects.of_live(casino), f"t.{casino}.*.{subjects.WANT}", of_centre]
    lines += [_user(nkey, [answers], shown) for nkey in consoles]
    return "\n".join([*lines, "  ]", "}", ""])


def _user(nkey: str, says: list[str], hears: list[str]) -> str:
    said, heard = (", ".join(f'"{subject}"' for subject in listed) for listed in (says, hears))
    return f"    {{ nkey: {nkey}, permissions: {{ publish: [{said}], subscribe: [{heard}] }} }}"

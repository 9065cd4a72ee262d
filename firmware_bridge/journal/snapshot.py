"""The table as it stood, as bytes, and back.

1. A snapshot holds all that a start needs (`Kept`): the table and its header, what the translator waits for, the last
   event of each device, the boot id and what was configured. It also holds the notes on the round in play, the programs
   that were accepted, the alarms that are open, and what the anchors have confirmed. Of the rounds it has only the
   last: the game asks for no more, and a snapshot stays small.
2. It is plain data in one schema with a number (`gamecore.view.keeping`), which is the `FORMAT` of its row. A snapshot
   of another one is not read: the events make the state again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from firmware_bridge.inputs.device_messages import Translator
from firmware_bridge.journal.rounds.round_records import Recorder
from firmware_bridge.journal.signed.sealed import OtherShapeError, SnapshotError, sealed, unsealed
from firmware_bridge.people.alarms import Alarms
from firmware_bridge.program.accepted import Programs
from gamecore.view import keeping

FORMAT = keeping.SCHEMA
T = TypeVar("T")


class Kept(NamedTuple):
    """What a snapshot holds."""

    header: str
    table: object  # what `Table.snapshot` gave
    translator: Translator
    numbers: dict[str, tuple[int, int]]  # by device: the last number that is durable, and the numbering it belongs to
    boot: str  # the boot id under which the daemon ran
    configured: str  # the table as it was configured when the daemon began
    recorder: Recorder
    programs: Programs
    alarms: Alarms
    anchored: dict[str, tuple[int, int]]  # which head each anchor has, its number and its last event


def dump(kept: Kept) -> bytes:
    """The bytes of what is kept."""
    return sealed(
        {
            "header": kept.header,
            "table": keeping.written(kept.table),
            "translator": kept.translator.kept(),
            "numbers": kept.numbers,
            "boot": kept.boot,
            "configured": kept.configured,
            "recorder": kept.recorder.kept(),
            "programs": kept.programs.kept(),
            "alarms": kept.alarms.kept(),
            "anchored": kept.anchored,
        }
    )


def load(data: bytes) -> Kept:
    """The state that was kept.

    Raises:
        SnapshotError: the bytes are no snapshot.
    """
    return _made(data, _kept)


def _kept(said: Any) -> Kept:
    numbers = {str(device): (int(number), int(numbering)) for device, (number, numbering) in said["numbers"].items()}
    return Kept(
        str(said["header"]),
        _value(said["table"], keeping.is_snapshot),
        Translator.resumed(said["translator"]),
        numbers,
        str(said["boot"]),
        str(said["configured"]),
        Recorder.resumed(said["recorder"]),
        Programs.resumed(said["programs"]),
        Alarms.resumed(said["alarms"]),
        {str(name): (int(number), int(n)) for name, (number, n) in said["anchored"].items()},
    )


def _value(said: object, is_kind: Callable[[object], bool]) -> object:
    value = keeping.read(said)
    if not is_kind(value):
        raise SnapshotError("these bytes hold something else")
    return value


def _made(data: bytes, make: Callable[[Any], T]) -> T:
    """What bytes hold, whatever is wrong with them told as one kind of error."""
    said = unsealed(data)
    try:
        return make(said)
    except SnapshotError:
        raise
    except keeping.OtherSchemaError as error:
        raise OtherShapeError(str(error)) from error
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        message = f"these bytes are no snapshot: {error}"
        raise SnapshotError(message) from error

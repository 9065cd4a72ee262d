"""What can go wrong between a device and the host, each with what to do now.

1. What a session throws away, misses or refuses on the way from a device becomes a `Fault`, and a run of duplicates
   or gaps becomes one. What comes while no session is wanted is only counted.
2. `code` is one of the table below; `detail` says what was seen, for the log; `remedy` tells a person what to do now.
3. `lost` counts the events that will never arrive because of this fault. It is 0 where they will still come.
4. A `fatal` fault ends the session: the port is closed and opened again.
"""

from __future__ import annotations

from dataclasses import dataclass

BAD_FRAME = "bad-frame"
GAP = "gap"
DUPLICATE = "duplicate"
EVENTS_LOST = "events-lost"
VERSION_MISMATCH = "version-mismatch"
FOREIGN_DEVICE = "foreign-device"
WRONG_DEVICE = "wrong-device"
UNKNOWN_MESSAGE = "unknown-message"
BAD_MESSAGE = "bad-message"
SESSION_ENDED = "session-ended"
SILENT = "silent"
UNPLUGGED = "unplugged"
PORT_BUSY = "port-busy"
PORT_MISSING = "port-missing"
PORT_ERROR = "port-error"
FORGOT = "forgot"
REPLAYED = "replayed"
UNVERIFIED = "unverified"
OVERFLOW = "overflow"
IN_CLEAR = "in-clear"
LATE = "late"
WITHHELD = "withheld"
FLOODED = "flooded"
UNPAIRED = "unpaired"
PAIRING = "pairing"

REMEDIES = {
    BAD_FRAME: "Nothing: the device sends it again. If it happens often, check the cable, its shield and its length.",
    GAP: "Nothing: the missing events are asked for again. If it happens often, check the cable.",
    DUPLICATE: "Nothing: the event was already taken and is not counted twice.",
    EVENTS_LOST: "Stop the round and compare the cards on the table with the record: the device no longer has them.",
    VERSION_MISMATCH: "Install the firmware that speaks the protocol version of this software, or update the software.",
    FOREIGN_DEVICE: "Remove the device and call security, unless a key was just changed: it is not the table's key.",
    WRONG_DEVICE: "Plug in the device that the configuration names, or correct its kind and serial number there.",
    UNKNOWN_MESSAGE: "Compare the device's firmware with its driver: one of them is newer than the other.",
    BAD_MESSAGE: "Report the firmware version to its maker: the device sent a message of the wrong shape.",
    SESSION_ENDED: "Nothing: a new session begins at once. If it happens often, look what keeps the computer busy.",
    SILENT: "Check that the device has power and its cable is in. Restart the device if it stays silent.",
    UNPLUGGED: "Plug the device in again. It sends what it has kept.",
    PORT_BUSY: "Close the other program that uses the port.",
    PORT_MISSING: "Plug the device in, or correct its address in the configuration.",
    PORT_ERROR: "Check the cable and the rights on the port; see the detail for the system's own words.",
    FORGOT: "Compare the cards on the table with the record: the device restarted and forgot its event numbers.",
    REPLAYED: "Nothing if it is rare: the frame was ignored. If it is not, look for a second device on the cable.",
    UNVERIFIED: "Provision a key, or accept in writing that this device cannot prove what it is.",
    IN_CLEAR: "Pair the device again with firmware of edition 2: what it says can be read on its cable.",
    LATE: "Stop the round and look at the cable and all that is plugged into it: events were held back on the way.",
    WITHHELD: "Look at the cable and all that is plugged into it: what one end sends does not reach the other.",
    FLOODED: "Look at the cable and all that is plugged into it, and replace it: the link rests for half a minute.",
    UNPAIRED: "Pair the device: 'truedeal pair DEVICE'. Until then nothing that it says is heard.",
    PAIRING: "Nothing: the device is being paired, and is back when that is done.",
    OVERFLOW: "Bring the host back soon: the device's memory is full and its oldest events are lost.",
}
"""What a person does now, by code."""

FATAL = frozenset(
    {
        VERSION_MISMATCH,
        FOREIGN_DEVICE,
        WRONG_DEVICE,
        SILENT,
        UNPLUGGED,
        PORT_BUSY,
        PORT_MISSING,
        PORT_ERROR,
        WITHHELD,
        FLOODED,
        UNPAIRED,
        PAIRING,
    }
)
"""The codes that end a session."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Something went wrong: its code, what was seen, and how many events will never arrive because of it.

    `times` is more than one where a fault stands for others of the same code within a minute.
    """

    code: str
    detail: str
    lost: int = 0
    times: int = 1

    @property
    def remedy(self) -> str:
        """What to do now; a code of another maker's driver is explained by that driver."""
        return REMEDIES.get(self.code, "Look the code up in the documentation of the device's driver.")

    @property
    def fatal(self) -> bool:
        """Whether the session ends with it."""
        return self.code in FATAL

"""The link between host and device: bytes in, events out, nothing lost in silence.

`PROTOCOL.md` beside this file documents every byte, `vectors.json` holds examples that need no Python. From the wire
upwards: `frames` (COBS, CRC-32), `editions` (what differs: `tagged` is 1, `sealed` is 2), `hello`, `numbers`, `beats`
and `freshness`, `channel` (acknowledgement, resending; the same at both ends), `host` and `device` (handshake, and what
each end does with what arrives), `pairing` (how both ends of edition 2 learn each other's key).
"""

from drivers.link.device import DeviceLink
from drivers.link.host import HostLink

__all__ = ["DeviceLink", "HostLink"]

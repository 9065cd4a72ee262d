"""The link between host and device: bytes in, events out, nothing lost in silence.

`PROTOCOL.md` beside this file documents every byte, `vectors.json` holds examples that need no Python. From the wire
upwards: `frames` (COBS, CRC-32), `keys` (proofs, session keys, tags), `channel` (numbers, acknowledgement, resending;
the same at both ends), `host` and `device` (handshake, and what each end does with what arrives).
"""

from drivers.link.device import DeviceLink
from drivers.link.host import HostLink

__all__ = ["DeviceLink", "HostLink"]

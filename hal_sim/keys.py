"""How a simulated device proves what it is, in either edition of the link."""

from dataclasses import dataclass

from drivers.link.edition import DeviceShake
from drivers.link.sealed import SealedDevice
from drivers.link.tagged import TaggedDevice


@dataclass(frozen=True, slots=True)
class Keys:
    """How a device proves what it is: edition 2 with its own secret key and the host's public one, or edition 1."""

    secret: bytes | None = None
    host: bytes | None = None
    shared: bytes | None = None
    """The key of edition 1; without any the device speaks that and proves nothing."""

    def shake(self, kind: str, serial: str) -> DeviceShake:
        """Return the device's end of the handshake."""
        if self.secret is None or self.host is None:
            return TaggedDevice(self.shared)
        return SealedDevice(self.secret, self.host, kind=kind, serial=serial)

"""How a simulated device proves what it is, in either edition of the link."""

from dataclasses import dataclass

from drivers.link.editions.tagged import TaggedDevice
from drivers.link.pairing.device import PairingDevice


@dataclass(frozen=True, slots=True)
class Keys:
    """How a device proves what it is: edition 2 with its own secret key and the host's public one, or edition 1."""

    secret: bytes | None = None
    host: bytes | None = None
    """Without it a device of edition 2 must be paired first."""
    shared: bytes | None = None
    """The key of edition 1; without any the device speaks that and proves nothing."""

    def pairing(self, kind: str, serial: str) -> PairingDevice | None:
        """Return the keys of a device of edition 2, and how it gets others."""
        return None if self.secret is None else PairingDevice(self.secret, self.host, kind=kind, serial=serial)

    def tagged(self) -> TaggedDevice:
        """Return the handshake of edition 1."""
        return TaggedDevice(self.shared)

"""What a simulated device keeps over a reboot: its keys, and its registers of journals.

1. A device of edition 2 has keys and can be paired (`drivers.link.pairing.device`); one of edition 1 cannot.
2. Registers are read from their slots again after a reboot. A pairing with another table makes room among them.
3. `wipe` and `force` are what somebody with a soldering iron does. No table can `wipe`. `force` sets a register that no
   table has told; like an `Anchor` it can only raise one.
"""

from drivers.anchors import Anchor, Anchored, Registers
from drivers.link.pairing.device import PairingDevice


class Memory:
    """The lasting memory of one device; without registers where it has none."""

    def __init__(self, pairing: PairingDevice | None, *, anchors: bool) -> None:
        self.pairing = pairing
        self.registers = Registers() if anchors else None
        self._host = self._paired_with()

    def restart(self) -> None:
        """Read the registers from their slots again."""
        if self.registers is not None:
            self.registers = Registers(self.registers.slots)

    def make_room_for_new_host(self) -> None:
        """Make room in the registers if the device was paired with another table."""
        before, self._host = self._host, self._paired_with()
        if self.registers is not None and before != self._host:
            self.registers.make_room()

    def all(self) -> list[Anchored]:
        """Return every register."""
        return [] if self.registers is None else self.registers.all()

    def set(self, anchor: Anchor) -> list[Anchored]:
        """Raise a register, and return it as it is then."""
        return [] if self.registers is None else [self.registers.set(anchor)]

    def wipe(self) -> None:
        """Forget every register."""
        if self.registers is not None:
            self.registers = Registers()

    def force(self, journal: str, number: int, n: int, chain: str) -> None:
        """Put into a register what no table has told."""
        self.set(Anchor(bytes.fromhex(journal), number, n, bytes.fromhex(chain)))

    def state(self) -> dict[str, object]:
        """Return what can be seen of it: a code on the display, the label, the registers."""
        keys = {} if self.pairing is None else {"code": self.pairing.code, "label": self.pairing.label}
        shown = [{"journal": one.journal.hex(), "number": one.number, "n": one.n} for one in self.all()]
        return {**keys, "registers": shown}

    def _paired_with(self) -> bytes | None:
        return None if self.pairing is None else self.pairing.pair.host

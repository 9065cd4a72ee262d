"""Registers of a device: they only rise, outlive a restart, and wear no slot out."""

from __future__ import annotations

from collections import Counter
from random import Random

from drivers.anchors import JOURNALS, SLOTS, Anchor, Anchored, Registers


def anchor(journal: int, number: int) -> Anchor:
    """A head of a journal."""
    return Anchor(bytes([journal]) * 16, number, 10 * number, bytes([number % 256]) * 32)


def held(registers: Registers) -> dict[int, int]:
    """The head number of each journal."""
    return {one.journal[0]: one.number for one in registers.all() if one.many}


def test_a_register_only_rises() -> None:
    """A lower or an equal number changes nothing, and is answered with what is kept."""
    registers = Registers()
    assert [Anchored(0, 0, bytes(16), 0, 0, bytes(32))] == registers.all()
    assert 7 == registers.set(anchor(1, 7)).number
    other = Anchor(bytes([1]) * 16, 7, 99, bytes(32))
    for lower in (anchor(1, 6), other):
        told = registers.set(lower)
        assert (7, 70, bytes([7]) * 32) == (told.number, told.n, told.chain)
    assert 8 == registers.set(anchor(1, 8)).number


def test_registers_outlive_a_restart_and_a_write_that_was_cut_short(seed: int) -> None:
    """After a restart each register is the last that was written whole; any slot may be half written."""
    random, registers, last = Random(seed), Registers(), Counter[int]()
    for _ in range(500):
        journal = random.randrange(JOURNALS)
        last[journal] += random.randrange(1, 4)
        before, slots = held(registers), list(registers.slots)
        registers.set(anchor(journal, last[journal]))
        assert {**before, journal: last[journal]} == held(registers) == held(Registers(list(registers.slots)))
        (written,) = (slot for slot, data in enumerate(slots) if data != registers.slots[slot])
        torn = list(registers.slots)
        torn[written] = torn[written][: random.randrange(72)] + slots[written][72:]
        assert before == held(Registers(torn))


def test_the_slots_are_written_in_turn() -> None:
    """Of many writes each slot has its share, also where the registers of other journals lie still."""
    registers, writes = Registers(), Counter[int]()
    for journal in range(1, JOURNALS):
        registers.set(anchor(journal, 1))
    for number in range(1, 30 * SLOTS):
        before = list(registers.slots)
        registers.set(anchor(0, number))
        writes.update(slot for slot in range(SLOTS) if registers.slots[slot] != before[slot])
    assert SLOTS - JOURNALS + 1 == len(writes)
    assert max(writes.values()) - min(writes.values()) <= 1
    assert dict.fromkeys(range(1, JOURNALS), 1) == {key: held(registers)[key] for key in range(1, JOURNALS)}


def test_a_fifth_journal_waits_for_a_pairing() -> None:
    """Nothing pushes a register out but a pairing, and that the one which was set longest ago."""
    registers = Registers()
    for journal in range(JOURNALS):
        registers.set(anchor(journal, 5))
    registers.set(anchor(0, 6))
    assert (0, JOURNALS) == (registers.set(anchor(9, 1)).number, registers.set(anchor(9, 1)).many)
    registers.make_room()
    assert {0: 6, 2: 5, 3: 5} == held(registers) == held(Registers(registers.slots))
    assert 1 == registers.set(anchor(9, 1)).number
    registers = Registers()
    registers.set(anchor(1, 1))
    registers.make_room()
    assert {1: 1} == held(registers)

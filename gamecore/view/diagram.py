"""The diagram of the round machine, made from its table of transitions.

1. Transitions that start from many states (hold, void, conclude, resume) would hide the course of a round: they are
   left out of the drawing. ARCHITECTURE.md names them below it.
2. A test compares the drawing in ARCHITECTURE.md with this one.
"""

from __future__ import annotations

from gamecore.model.machine import TRANSITIONS

_EVERYWHERE = ("hold", "declare_void", "conclude")


def mermaid() -> str:
    """The course of a round as a mermaid state diagram."""
    lines = ["stateDiagram-v2", "    direction LR", "    [*] --> idle"]
    for trigger, sources, target in TRANSITIONS:
        if trigger in _EVERYWHERE or trigger.startswith("resume_"):
            continue
        lines += [f"    {_name(source.value)} --> {_name(target.value)}: {trigger}" for source in sources]
    return "\n".join(lines)


def _name(state: str) -> str:
    """A state as mermaid can write it."""
    return state.replace("-", "_")

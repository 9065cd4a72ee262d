"""What is wrong with a configuration, collected part by part, so that all of it is told at once.

1. A part that cannot be read raises a `ConfigError` with its problems; `Problems.of` takes them down and goes on.
2. The devices that could be read go with the error, so that they can be checked further all the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ParamSpec, TypeVar

if TYPE_CHECKING:
    from firmware_bridge.setup.device_config import DeviceConfig

_P = ParamSpec("_P")
_T = TypeVar("_T")


class ConfigError(ValueError):
    """What is wrong with a configuration: each of `problems` is one line. `devices` are those that could be read."""

    def __init__(self, *problems: str, devices: tuple[DeviceConfig, ...] = ()) -> None:
        super().__init__("; ".join(problems))
        self.problems = problems
        self.devices = devices


class Problems:
    """What is wrong with the parts of something that is read."""

    def __init__(self) -> None:
        self._found: list[str] = []

    def of(self, read: Callable[_P, _T], *args: _P.args, **more: _P.kwargs) -> _T:
        """Read a part; what is wrong with it is told later, with the rest."""
        try:
            return read(*args, **more)
        except ConfigError as error:
            self._found += error.problems
        return None  # type: ignore[return-value]  # `raise_all` raises first, or the caller asks `read`

    def add(self, *problems: str) -> None:
        """Take down what is wrong."""
        self._found += problems

    @staticmethod
    def read(part: object) -> bool:
        """Whether a part could be read."""
        return part is not None

    @property
    def all_found(self) -> tuple[str, ...]:
        """Everything that is wrong so far."""
        return tuple(self._found)

    @property
    def fine(self) -> bool:
        """Whether nothing is wrong so far."""
        return not self._found

    def raise_all(self, devices: tuple[DeviceConfig, ...] = ()) -> None:
        """Raise everything that is wrong as one error, if anything is.

        Raises:
            ConfigError: something is wrong.
        """
        if self._found:
            raise ConfigError(*self._found, devices=devices)

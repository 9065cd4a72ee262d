"""Figures for Prometheus, in its text format, over HTTP.

1. It is written by hand: the format is lines of text, and a library would bring a registry for the whole process and
   threads of its own, for about ten figures.
2. A `Figure` may be set, added to or observed from any thread. One with labels has a value for each of their values.
3. ``GET /metrics`` gives all of them. A request has `PATIENCE` seconds and `LONGEST` bytes; nothing else is answered.
"""

from __future__ import annotations

import asyncio
import threading
from bisect import bisect_left
from collections.abc import Callable
from contextlib import suppress
from typing import Final

COUNTER, GAUGE, HISTOGRAM = "counter", "gauge", "histogram"
BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
PATIENCE, LONGEST = 5.0, 8192
_TYPE = "text/plain; version=0.0.4; charset=utf-8"

Labels = tuple[tuple[str, str], ...]


class Figure:
    """One figure, with its values by their labels."""

    def __init__(self, name: str, kind: str, what: str, buckets: tuple[float, ...] = BUCKETS) -> None:
        """Begin with no value; a histogram counts by these buckets, seconds unless given."""
        self._name, self._kind, self._what, self._buckets = name, kind, what, buckets
        self._lock = threading.Lock()
        self._values: dict[Labels, float] = {}
        self._counts: dict[Labels, list[int]] = {}

    def put(self, value: float, **labels: str) -> None:
        """Set the value."""
        with self._lock:
            self._values[tuple(labels.items())] = value

    def add(self, value: float = 1, **labels: str) -> None:
        """Add to the value."""
        key = tuple(labels.items())
        with self._lock:
            self._values[key] = self._values.get(key, 0) + value

    def observe(self, value: float, **labels: str) -> None:
        """Count one more observation of a histogram."""
        key = tuple(labels.items())
        with self._lock:
            counts = self._counts.setdefault(key, [0] * (len(self._buckets) + 1))
            counts[bisect_left(self._buckets, value)] += 1
            self._values[key] = self._values.get(key, 0) + value

    def clear(self) -> None:
        """Forget every value: those that still hold are put again."""
        with self._lock:
            self._values.clear()

    def lines(self) -> list[str]:
        """As Prometheus reads it."""
        found = [f"# HELP {self._name} {self._what}", f"# TYPE {self._name} {self._kind}"]
        with self._lock:
            for labels, value in sorted(self._values.items()):
                if self._kind == HISTOGRAM:
                    found += self._histogram(labels, value)
                else:
                    found.append(f"{self._name}{_written(labels)} {_number(value)}")
        return found

    def _histogram(self, labels: Labels, total: float) -> list[str]:
        found, many = [], 0
        for limit, count in zip((*map(str, self._buckets), "+Inf"), self._counts[labels], strict=True):
            many += count
            found.append(f"{self._name}_bucket{_written((*labels, ('le', limit)))} {many}")
        return [
            *found,
            f"{self._name}_sum{_written(labels)} {_number(total)}",
            f"{self._name}_count{_written(labels)} {many}",
        ]


def _written(labels: Labels) -> str:
    def text(value: str) -> str:
        return value.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")

    return "{" + ",".join(f'{name}="{text(value)}"' for name, value in labels) + "}" if labels else ""


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) else repr(value)


def rendered(figures: list[Figure]) -> bytes:
    """All figures as Prometheus reads them."""
    return "".join(f"{line}\n" for figure in figures for line in figure.lines()).encode()


async def serve_metrics(
    figures: list[Figure], host: str, port: int, look: Callable[[], None] = lambda: None
) -> asyncio.Server:
    """Listen for Prometheus; the server is to be closed. `look` puts what is only put when somebody asks.

    Raises:
        OSError: the address cannot be listened at.
    """

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            async with asyncio.timeout(PATIENCE):
                request = await reader.readuntil(b"\r\n\r\n")
                wanted = request.startswith((b"GET /metrics HTTP/1.", b"GET /metrics?"))
                if wanted:
                    look()
                body = rendered(figures) if wanted else b"not found\n"
                status = "200 OK" if wanted else "404 Not Found"
                head = f"HTTP/1.1 {status}\r\nContent-Type: {_TYPE}\r\nContent-Length: {len(body)}\r\n"
                writer.write(f"{head}Connection: close\r\n\r\n".encode() + body)
                await writer.drain()
        writer.close()

    return await asyncio.start_server(answer, host, port, limit=LONGEST)

"""Channels as they grow: files of records that are read on while others append to them."""

from bisect import bisect_left
from collections.abc import Iterator
from pathlib import Path
from typing import Generic, TypeVar

from proof.records import Execution, Line, Operation, read_lines

L = TypeVar("L", bound=Line)

DISORDER = 2.0
LONGEST = 60.0
"""Seconds within which every execution has come to an end."""


class Tail(Generic[L]):
    """A file of records of one kind, read from where it was left off."""

    def __init__(self, path: Path, kind: type[L]) -> None:
        self._path = path
        self._kind = kind
        self._offset = 0
        self._lines: list[L] = []

    def lines(self) -> list[L]:
        """All whole lines so far."""
        if self._path.exists():
            with self._path.open("rb") as file:
                file.seek(self._offset)
                whole, newline, _ = file.read().rpartition(b"\n")
            self._offset += len(whole) + len(newline)
            self._lines += (line for line in read_lines(whole + newline) if isinstance(line, self._kind))
        return self._lines


class Ledger:
    """Channel T: what handlers say they did."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._tail = Tail(path, Execution)

    def executions(self) -> list[Execution]:
        return self._tail.lines()

    def since(self, at: float) -> list[Execution]:
        """Those after that instant; processes append in turns, so a line may stand a little behind its time."""
        lines = self.executions()
        first = bisect_left(lines, at - DISORDER, key=lambda line: line.at)
        return [line for line in lines[first:] if line.at > at]

    def starts(self, *, since: float = 0.0, executor: str = "") -> Iterator[Execution]:
        for line in self.since(since):
            if line.event == "start" and executor in ("", line.executor):
                yield line

    def ends_between(self, since: float, until: float) -> int:
        return sum(line.event == "end" and line.at <= until for line in self.since(since))

    def under_way(self, executor: str = "") -> list[Execution]:
        """The newest starts of their runs that have no end yet."""
        newest: dict[str, Execution] = {}
        for line in self.since(self.latest - LONGEST):
            newest[line.run] = line
        return [line for line in newest.values() if line.event == "start" and executor in ("", line.executor)]

    @property
    def latest(self) -> float:
        lines = self.executions()
        return lines[-1].at if lines else 0.0


class Requests:
    """Channel C: what clients were answered."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._tail = Tail(path, Operation)

    def accepted(self) -> dict[str, float]:
        """Runs, and when they were first confirmed."""
        found: dict[str, float] = {}
        for line in self._tail.lines():
            if line.act == "enqueue" and line.phase == "ok":
                found.setdefault(line.run, line.at)
        return found

    def answered(self, code: str, since: float) -> int:
        """How many enqueues got that code since then."""
        return sum(line.act == "enqueue" and line.code == code and line.at > since for line in self._tail.lines())

    def accepted_since(self, since: float) -> bool:
        return any(line.phase == "ok" and line.at > since for line in reversed(self._tail.lines()))

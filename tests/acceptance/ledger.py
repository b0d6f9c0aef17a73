"""What handlers themselves say about their attempts: a file to which every process appends, even if some die meanwhile."""

import os
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

VARIABLE = "LEDGER"
START, END = "start", "end"


@dataclass(frozen=True)
class Entry:
    """One line; the order of lines is the order of writes, since each is a single append."""

    event: str
    run: str
    attempt: int
    pid: int


def write(event: str, run: str, attempt: int) -> None:
    """Append a line, from inside a handler."""
    line = f"{event} {run} {attempt} {os.getpid()}\n"
    file = os.open(os.environ[VARIABLE], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        os.write(file, line.encode())
    finally:
        os.close(file)


class Ledger:
    """The file as the test reads it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.touch()

    @property
    def entries(self) -> list[Entry]:
        found = [line.split() for line in self.path.read_text().splitlines(keepends=True) if line.endswith("\n")]
        return [Entry(event, run, int(attempt), int(pid)) for event, run, attempt, pid in found]

    def starts(self) -> dict[str, list[Entry]]:
        """By run, in the order of their starts."""
        return self._by_run(START)

    def ends(self) -> dict[str, list[Entry]]:
        return self._by_run(END)

    def lines(self) -> int:
        return self.path.read_bytes().count(b"\n")

    def pids(self) -> set[int]:
        return {entry.pid for entry in self.entries}

    def _by_run(self, event: str) -> dict[str, list[Entry]]:
        found: dict[str, list[Entry]] = defaultdict(list)
        for entry in self.entries:
            if entry.event == event:
                found[entry.run].append(entry)
        return found

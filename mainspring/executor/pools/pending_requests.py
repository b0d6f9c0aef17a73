"""Requests of a child process to its parent that wait for answers."""

from itertools import count

from mainspring.domain.runs.checkpoints import MemoryKind
from mainspring.executor.breakers.guards import Admitted
from mainspring.executor.link.checkpoints import Done, Loaded
from mainspring.executor.pools.pipe import (
    AdmitNote,
    AdmittedNote,
    LoadedNote,
    LoadNote,
    Pipe,
    SavedNote,
    SaveNote,
    ToChild,
)


class PendingRequests:
    """Asked by handlers from any thread, answered from the one that reads the pipe."""

    def __init__(self, pipe: Pipe[ToChild]) -> None:
        self._pipe = pipe
        self._numbers = count(1)
        self._kept: dict[int, Done] = {}
        self._known: dict[int, Loaded] = {}
        self._admitted: dict[int, Admitted] = {}

    def keep(self, kind: MemoryKind, name: str, value: bytes | None, done: Done | None) -> None:
        number = None if done is None else next(self._numbers)
        if number is not None and done is not None:
            self._kept[number] = done
        self._pipe.send(SaveNote(number, kind, name, value))

    def ask(self, loaded: Loaded) -> None:
        number = next(self._numbers)
        self._known[number] = loaded
        self._pipe.send(LoadNote(number))

    def admit(self, breaker: str, wait: float, admitted: Admitted) -> None:
        number = next(self._numbers)
        self._admitted[number] = admitted
        self._pipe.send(AdmitNote(number, breaker, wait))

    def admitted(self, note: AdmittedNote) -> None:
        self._admitted.pop(note.number)(note.admission)

    def kept(self, note: SavedNote) -> None:
        self._kept.pop(note.number)(note.durable)

    def known(self, note: LoadedNote) -> None:
        loaded = self._known.pop(note.number)
        loaded(None if note.stale else dict(zip(zip(note.kinds, note.names, strict=True), note.values, strict=True)))

"""Messages between an executor and its child processes, and the pipe that carries them."""

import socket
import threading
from datetime import datetime
from typing import Generic, TypeVar

import msgspec

from mainspring.domain.ids import RunId, Token
from mainspring.domain.runs.attempt import Outcome
from mainspring.domain.runs.checkpoints import MemoryKind
from mainspring.domain.runs.run import Failure, Suspension

HEAD = 4


class PipeNote(msgspec.Struct, frozen=True, array_like=True, tag_field="t"):
    """Base of all that goes through a pipe."""


class Begin(PipeNote, frozen=True, tag="begin"):
    run: RunId
    token: Token
    number: int
    handler: str
    input: bytes
    extra: bytes | None = None


class Stop(PipeNote, frozen=True, tag="stop"):
    """The attempt should come to an end soon; at once, as that outcome, if one is named."""

    run: RunId
    outcome: Outcome | None = None
    failure: Failure | None = None


class Ready(PipeNote, frozen=True, tag="ready"):
    """The child has loaded the app."""


class Finished(PipeNote, frozen=True, tag="finished"):
    outcome: Outcome
    result: bytes
    failure: Failure | None
    duration: int
    kinds: tuple[str, ...] = ()
    after: float | None = None
    until: datetime | None = None
    suspension: Suspension | None = None


class LogNote(PipeNote, frozen=True, tag="line"):
    level: int
    message: str


class Advance(PipeNote, frozen=True, tag="advance"):
    fraction: float
    note: str


class Extend(PipeNote, frozen=True, tag="extend"):
    """The handler extends its timeout."""

    seconds: float


class Waits(PipeNote, frozen=True, tag="waits"):
    """The handler waits in its slot for a run of that job; empty: it goes on."""

    job: str


class Yield(PipeNote, frozen=True, tag="yield"):
    """The attempt should end at its next checkpoint or step."""

    run: RunId


class SaveNote(PipeNote, frozen=True, tag="keep"):
    """The handler saves a checkpoint entry; with a number, it waits until that is durable."""

    number: int | None
    kind: MemoryKind
    name: str
    value: bytes | None


class SavedNote(PipeNote, frozen=True, tag="kept"):
    number: int
    durable: bool


class LoadNote(PipeNote, frozen=True, tag="ask"):
    """The handler loads its run's checkpoints."""

    number: int


class LoadedNote(PipeNote, frozen=True, tag="known"):
    number: int
    kinds: list[MemoryKind]
    names: list[str]
    values: list[bytes | None]
    stale: bool = False


ToChild = Begin | Stop | Yield | SavedNote | LoadedNote
FromChild = Ready | Finished | LogNote | Advance | Extend | Waits | SaveNote | LoadNote

to_child: msgspec.msgpack.Decoder[ToChild] = msgspec.msgpack.Decoder(Begin | Stop | Yield | SavedNote | LoadedNote)
from_child: msgspec.msgpack.Decoder[FromChild] = msgspec.msgpack.Decoder(
    Ready | Finished | LogNote | Advance | Extend | Waits | SaveNote | LoadNote
)

T = TypeVar("T")


class Pipe(Generic[T]):
    """Frames with their length before them; many may send, one receives."""

    def __init__(self, end: socket.socket, decoder: msgspec.msgpack.Decoder[T]) -> None:
        self._end = end
        self._decoder = decoder
        self._encoder = msgspec.msgpack.Encoder()
        self._sending = threading.Lock()

    def fileno(self) -> int:
        return self._end.fileno()

    def send(self, note: PipeNote) -> None:
        frame = self._encoder.encode(note)
        with self._sending:
            self._end.sendall(len(frame).to_bytes(HEAD, "big") + frame)

    def receive(self) -> T:
        """The next note; EOFError when the other side is gone."""
        return self._decoder.decode(self._read(int.from_bytes(self._read(HEAD), "big")))

    def close(self) -> None:
        self._end.close()

    def _read(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            # Less than asked for comes when a signal arrives, nothing when the other side is gone.
            more = self._end.recv(size - len(data), socket.MSG_WAITALL)
            if not more:
                raise EOFError
            data += more
        return data

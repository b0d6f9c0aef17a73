"""Messages between an executor and its child processes, and the pipe that carries them."""

import math
import socket
import threading
from datetime import datetime
from typing import Generic, TypeVar

import msgspec

from mainspring.domain.ids import RunId, Token
from mainspring.domain.runs.attempt import Outcome
from mainspring.domain.runs.checkpoints import MemoryKind
from mainspring.domain.runs.run import Failure, Suspension
from mainspring.executor.breakers.guard import Admission
from mainspring.executor.breakers.guards import CallEnd

HEAD = 4
# A whole batch of outcomes, if they are small.
CHUNK = 64 * 1024
"""Bytes to read at once."""


class PipeNote(msgspec.Struct, frozen=True, array_like=True, tag_field="t"):
    """Base of all that goes through a pipe."""


class SentAttempt(msgspec.Struct, frozen=True, array_like=True):
    """One attempt; its input goes through as the bytes that came from the server."""

    run: RunId
    token: Token
    number: int
    handler: str
    input: bytes
    extra: bytes | None = None


class BeginNote(PipeNote, frozen=True, tag="batch"):
    """Attempts for the child to run one at a time, in this order."""

    attempts: list[SentAttempt]
    ends: float = math.inf
    """When the executor's lease lapses, by the monotonic clock, which all processes of a machine share."""


class AskBack(PipeNote, frozen=True, tag="ask_back"):
    """The child hands back all attempts that it has not begun."""


class HandedBack(PipeNote, frozen=True, tag="handed_back"):
    """Attempts that the child had at hand and will not begin."""

    runs: list[RunId]


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
    interrupted: bool = False
    """The handler was interrupted: the child is not used again."""
    breaker: str = ""
    epoch: int = 0


class LogNote(PipeNote, frozen=True, tag="line"):
    level: int
    message: str


class ProgressNote(PipeNote, frozen=True, tag="advance"):
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


class AdmitNote(PipeNote, frozen=True, tag="admit"):
    """The handler asks a breaker to let a call through, or with a negative wait only for its state."""

    number: int
    breaker: str
    wait: float


class AdmittedNote(PipeNote, frozen=True, tag="admitted"):
    number: int
    admission: Admission


class CalledNote(PipeNote, frozen=True, tag="called"):
    """A call that a breaker let through has ended."""

    end: CallEnd


ToChild = BeginNote | AskBack | Stop | Yield | SavedNote | LoadedNote | AdmittedNote
FromChild = (
    Ready
    | Finished
    | HandedBack
    | LogNote
    | ProgressNote
    | Extend
    | Waits
    | SaveNote
    | LoadNote
    | AdmitNote
    | CalledNote
)

to_child: msgspec.msgpack.Decoder[ToChild] = msgspec.msgpack.Decoder(ToChild)
from_child: msgspec.msgpack.Decoder[FromChild] = msgspec.msgpack.Decoder(FromChild)

T = TypeVar("T")


class Pipe(Generic[T]):
    """Frames with their length before them; many may send, one receives."""

    def __init__(self, end: socket.socket, decoder: msgspec.msgpack.Decoder[T]) -> None:
        self._end = end
        self._decode = decoder.decode
        self._encode = msgspec.msgpack.Encoder().encode
        self._sending = threading.Lock()
        self._data = b""
        self._at = 0

    def fileno(self) -> int:
        return self._end.fileno()

    def send(self, note: PipeNote) -> None:
        frame = self._encode(note)
        with self._sending:
            self._end.sendall(len(frame).to_bytes(HEAD, "big") + frame)

    def receive(self) -> T:
        """The next note; EOFError when the other side is gone."""
        while (note := self.buffered()) is None:
            self.fill()
        return note

    def buffered(self) -> T | None:
        """The next note if it was read already."""
        data, begin = self._data, self._at + HEAD
        end = begin + int.from_bytes(data[self._at : begin], "big")
        if begin > len(data) or end > len(data):
            return None
        self._at = end
        return self._decode(data[begin:end])

    def fill(self) -> None:
        """Read as much as there is; EOFError when the other side is gone."""
        rest = self._data[self._at :]
        self._data, self._at = rest, 0
        missing = HEAD + int.from_bytes(rest[:HEAD], "big") - len(rest)
        if missing <= CHUNK:
            self._data = rest + self._read(CHUNK, 0)
            return
        # A large frame: not copied again with each piece that arrives.
        pieces = [rest]
        while missing > 0:
            # Less than asked for comes when a signal arrives.
            pieces.append(self._read(missing, socket.MSG_WAITALL))
            missing -= len(pieces[-1])
        self._data = b"".join(pieces)

    def close(self) -> None:
        self._end.close()

    def _read(self, size: int, flags: int) -> bytes:
        data = self._end.recv(size, flags)
        if not data:
            raise EOFError
        return data

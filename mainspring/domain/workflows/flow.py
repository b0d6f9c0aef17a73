"""How far a workflow run has come: a byte for each step, and counts for each map.

Bits 0 to 2 of a byte are the step's state, with the numbers of run states; bits 3 to 5 say why it was skipped; bit 7 says that
it has a run already, which a resume runs again.
"""

from enum import IntEnum, IntFlag

import msgspec

WAITING, BEGUN, SUCCEEDED, FAILED, CANCELLED, SKIPPED = 0, 2, 3, 4, 5, 6
HAS_RUN = 0x80
STATE = 0x07
STATES = {
    WAITING: "waiting",
    BEGUN: "begun",
    SUCCEEDED: "succeeded",
    FAILED: "failed",
    CANCELLED: "cancelled",
    SKIPPED: "skipped",
}
PLAIN = bytes(byte & STATE for byte in range(256))
"""Translates bytes to bare states."""


class Skip(IntEnum):
    """Why a step was skipped."""

    PARENTS = 0
    WHEN = 1
    STAGE = 2
    """An ending that this outcome does not have, an undo of a step that did not succeed."""
    STOPPED = 3
    """The workflow run was cancelled, came to its deadline or failed fast."""
    ASKED = 4


class FlowRequest(IntFlag):
    """Requests to a workflow run that stay in force."""

    CANCEL = 1
    NOW = 2
    """With CANCEL: endings and undos do not run either."""
    PAUSE = 4
    DEADLINE = 8


# Numbers: an operation on flags builds another flag, and these are asked for at every end of a step.
STOP = int(FlowRequest.CANCEL | FlowRequest.DEADLINE)
PAUSE = int(FlowRequest.PAUSE)


class Map(msgspec.Struct, array_like=True):
    """How far a map has come; items are begun in the order of their numbers."""

    size: int
    begun: int = 0
    succeeded: int = 0
    failed: int = 0
    members: tuple[str, ...] = ()
    """The executors of a broadcast, in the order of the items."""
    cancelled: int = 0
    """How many of those that failed were cancelled."""
    open: bool = False
    """Callers may add items: those of a batch that is not closed."""

    def copy(self) -> "Map":
        return msgspec.structs.replace(self)

    @property
    def ended(self) -> int:
        return self.succeeded + self.failed


class Flow(msgspec.Struct):
    """A workflow run's progress, as the store keeps it."""

    states: bytearray
    maps: dict[int, Map] = {}
    requests: int = 0
    stage: int = 0

    def copy(self) -> "Flow":
        maps = {step: counts.copy() for step, counts in self.maps.items()}
        return Flow(bytearray(self.states), maps, self.requests, self.stage)

    def state(self, step: int) -> int:
        return self.states[step] & STATE

    def put(self, step: int, state: int) -> None:
        self.states[step] = self.states[step] & HAS_RUN | state

    def skip(self, step: int, why: Skip) -> None:
        self.put(step, SKIPPED | why << 3)

    def plain(self) -> bytes:
        """The bare states."""
        return bytes(self.states.translate(PLAIN))

    @property
    def stopped(self) -> bool:
        return bool(self.requests & STOP)

    @property
    def paused(self) -> bool:
        return bool(self.requests & PAUSE)


_maps = msgspec.json.Decoder(dict[int, Map])


def pack_maps(flow: Flow) -> bytes | None:
    return msgspec.json.encode(flow.maps) if flow.maps else None


def unpack(states: bytes, maps: bytes | None, requests: int, stage: int) -> Flow:
    return Flow(bytearray(states), _maps.decode(maps) if maps else {}, requests, stage)


def skip_reason(byte: int) -> Skip | None:
    return Skip(byte >> 3 & 0x07) if byte & STATE == SKIPPED else None

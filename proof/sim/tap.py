"""What a server says and hears on a connection, written down: credit is checked by that."""

from typing import Literal

from mainspring.wire.codec import decode_from_executor, decode_from_server
from mainspring.wire.messages import Hello, Inventory, Outcomes, Room, Settled, Start
from proof.records import Frame
from proof.sim.loop import SimLoop
from proof.sim.sometimes import Sometimes

Event = Literal["room", "start", "end", "inventory"]


class Tap:
    """What a server says and hears on one connection."""

    def __init__(self, loop: SimLoop, number: int, frames: list[Frame], sometimes: Sometimes) -> None:
        self._loop = loop
        self._number = number
        self._frames = frames
        self._sometimes = sometimes
        self.session = ""

    def sent(self, frame: bytes) -> None:
        for message in decode_from_server(frame):
            if isinstance(message, Start):
                self._note("start", message.token.hex(), len(message.runs))
            elif isinstance(message, Settled) and message.stale:
                self._sometimes.reach("late result rejected")

    def received(self, frame: bytes) -> None:
        for message in decode_from_executor(frame):
            if isinstance(message, Hello):
                self.session = message.session.hex()
                self._note("room", "", sum(pool.room for pool in message.abilities.pools))
            elif isinstance(message, Room):
                self._note("room", "", sum(message.pools.values()))
            elif isinstance(message, Outcomes):
                tokens = [*message.tokens, *(ended.token for ended in message.ended)]
                for token in tokens:
                    self._note("end", token.hex(), 1)
            elif isinstance(message, Inventory):
                self._note("inventory", "", 0, {batch.token.hex(): len(batch.runs) for batch in message.holding})

    def _note(self, event: Event, token: str, count: int, named: dict[str, int] | None = None) -> None:
        self._frames.append(
            Frame(
                at=self._loop.time(),
                connection=self._number,
                session=self.session,
                event=event,
                token=token,
                count=count,
                named=named or {},
            )
        )

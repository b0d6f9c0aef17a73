"""Where an attempt's lines go when nobody listens."""

from mainspring.domain.runs.checkpoints import MemoryKind
from mainspring.executor.attempts.attempt import Attempt
from mainspring.executor.link.checkpoints import Done, Loaded


class Silence:
    """A journal that forgets."""

    def log(self, attempt: Attempt, level: int, message: str) -> None: ...

    def progress(self, attempt: Attempt, fraction: float, note: str) -> None: ...

    def extend(self, attempt: Attempt, seconds: float) -> None: ...

    def save(self, _attempt: Attempt, _kind: MemoryKind, _name: str, _value: bytes | None, done: Done | None) -> None:
        """A single attempt needs no memory: nobody goes on from there."""
        if done is not None:
            done(True)  # noqa: FBT003 as it is called everywhere

    def load(self, _attempt: Attempt, told: Loaded) -> None:
        told({})

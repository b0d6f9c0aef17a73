"""A journal for attempts that run without a server."""

from mainspring.domain.breakers.breaker import BreakerState
from mainspring.domain.runs.checkpoints import MemoryKind
from mainspring.executor.attempts.attempt import Attempt
from mainspring.executor.breakers.guard import Admission
from mainspring.executor.breakers.guards import Admitted, CallEnd
from mainspring.executor.link.checkpoints import Done, Loaded


class NoTelemetry:
    """Drops lines and progress."""

    def log(self, attempt: Attempt, level: int, message: str) -> None: ...

    def progress(self, attempt: Attempt, fraction: float, note: str) -> None: ...

    def extend(self, attempt: Attempt, seconds: float) -> None: ...

    def admit(self, _attempt: Attempt, _breaker: str) -> Admission:
        """Let every call through: no server keeps a breaker."""
        return Admission(BreakerState.CLOSED)

    def await_admission(self, attempt: Attempt, breaker: str, _wait: float, admitted: Admitted) -> None:
        admitted(self.admit(attempt, breaker))

    def called(self, attempt: Attempt, end: CallEnd) -> None: ...

    def breaker_state(self, _attempt: Attempt, _breaker: str) -> BreakerState:
        return BreakerState.CLOSED

    def stopper(self, _attempt: Attempt) -> None:
        """Nothing stops it."""

    def save(self, _attempt: Attempt, _kind: MemoryKind, _name: str, _value: bytes | None, done: Done | None) -> None:
        """Acknowledge at once."""
        # A single attempt has no successor that would need its checkpoints.
        if done is not None:
            done(True)  # noqa: FBT003 as it is called everywhere

    def load(self, _attempt: Attempt, loaded: Loaded) -> None:
        loaded({})

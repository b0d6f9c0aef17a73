"""Waits inside of a handler that hold no slot: each is remembered under its name.

The first time, the attempt ends here, and the run is set aside. Once all that it waits for has come, the handler is called
again from its beginning, and each wait answers what is remembered.
"""

from collections.abc import Callable, Generator, Sequence
from datetime import timedelta
from typing import Any, Generic, ParamSpec, Protocol, TypeVar, cast

import msgspec

from mainspring.domain.runs.checkpoints import MemoryKind
from mainspring.domain.runs.retry import DEADLINE_PASSED
from mainspring.domain.waits.ended import WaitEnd, read_end
from mainspring.domain.workflows.spec import StepSpec
from mainspring.errors import InvalidInputError, RunCancelledError, RunFailedError
from mainspring.executor.attempts.signals import SetAside
from mainspring.executor.attempts.steps import AttemptCheckpoints

P = ParamSpec("P")
T = TypeVar("T")
R_co = TypeVar("R_co", covariant=True)
ReadEnd = Callable[[WaitEnd], Any]


class CallableJob(Protocol[P, R_co]):
    """A job as `ctx.call` takes it."""

    @property
    def name(self) -> str: ...

    def arguments_of(self, *args: P.args, **kwargs: P.kwargs) -> bytes: ...

    @property
    def read_result(self) -> Callable[[Any], R_co]: ...


class Awaited(Generic[T]):
    """A wait that begins when it is awaited, or with others by `ctx.gather`."""

    __slots__ = ("checkpoints", "name", "read", "spec")

    def __init__(self, checkpoints: AttemptCheckpoints, name: str, spec: StepSpec, read: ReadEnd) -> None:
        self.checkpoints = checkpoints
        self.name = name
        self.spec = spec
        self.read = read

    def __await__(self) -> Generator[Any, None, T]:
        [value] = yield from gather(self.checkpoints, [self]).__await__()
        return cast("T", value)

    def wait_sync(self) -> T:
        """The same in a plain handler."""
        [value] = gather_sync(self.checkpoints, [self])
        return cast("T", value)


async def gather(checkpoints: AttemptCheckpoints, waits: Sequence[Awaited[Any]]) -> list[Any]:
    """What each waited for; all that is not remembered begins together."""
    keys = [checkpoints.enter(MemoryKind.WAIT, wait.name) for wait in waits]
    known = await checkpoints.known() if waits else {}
    return answers(waits, [checkpoints.find(key, known) for key in keys])


def gather_sync(checkpoints: AttemptCheckpoints, waits: Sequence[Awaited[Any]]) -> list[Any]:
    keys = [checkpoints.enter(MemoryKind.WAIT, wait.name) for wait in waits]
    known = checkpoints.known_sync() if waits else {}
    return answers(waits, [checkpoints.find(key, known) for key in keys])


def answers(waits: Sequence[Awaited[Any]], found: Sequence[bytes | None]) -> list[Any]:
    missing = {wait.name: wait.spec for wait, raw in zip(waits, found, strict=True) if raw is None}
    if missing:
        # Checking waits loads the rules of workflows, which a handler without waits never needs.
        from mainspring.domain.waits.handler import write_waits  # noqa: PLC0415

        raise SetAside(write_waits(missing))
    return [wait.read(read_end(raw)) for wait, raw in zip(waits, found, strict=True) if raw is not None]


def call_step(job: str, arguments: bytes) -> StepSpec:
    return StepSpec(job=job, input=msgspec.json.decode(arguments))


def sleep_step(length: str | float | timedelta) -> StepSpec:
    return StepSpec(sleep=length_text(length))


def event_step(kind: str, match: dict[str, Any], timeout: str | float | timedelta | None) -> StepSpec:
    wanted = {key if key.startswith("$") else f"$.{key}": msgspec.to_builtins(value) for key, value in match.items()}
    return StepSpec(event=kind, match=wanted, timeout="" if timeout is None else length_text(timeout))


def length_text(length: str | float | timedelta) -> str:
    """A length of time as definitions have it; raises InvalidInputError."""
    if isinstance(length, str):
        return length
    seconds = length.total_seconds() if isinstance(length, timedelta) else float(length)
    if not seconds > 0:
        raise InvalidInputError("wait", f"{seconds} seconds are no length of time", code="bad_wait")
    return f"{max(seconds, 0.001):.3f}"


def read_call(read: Callable[[Any], Any]) -> ReadEnd:
    """The result of a run; raises RunFailedError or RunCancelledError."""

    def value(end: WaitEnd) -> Any:
        refuse_unless_succeeded(end)
        return read(msgspec.json.decode(end.result))

    return value


def read_event(data: Any) -> ReadEnd:
    """The data of an event, or None if it did not come in time."""

    def value(end: WaitEnd) -> Any:
        if end.state == "failed" and end.reason == DEADLINE_PASSED:
            return None
        refuse_unless_succeeded(end)
        return msgspec.json.decode(end.result) if data is None else msgspec.json.decode(end.result, type=data)

    return value


def read_nothing(end: WaitEnd) -> None:
    refuse_unless_succeeded(end)


def refuse_unless_succeeded(end: WaitEnd) -> None:
    if end.state != "succeeded":
        kind = RunCancelledError if end.state == "cancelled" else RunFailedError
        raise kind(end.run, end.state, end.reason or "no reason was given")

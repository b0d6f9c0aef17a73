"""Reads a handler's exception: its decision, its names and its traceback."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mainspring.domain.runs.attempt import KIND_MAX, KINDS_MAX
from mainspring.domain.runs.retry import ASKED_AGAIN, GAVE_UP
from mainspring.domain.runs.run import TRACEBACK_MAX
from mainspring.errors import MainspringError
from mainspring.executor.attempts.signals import Ending, GiveUp, Retry, Suspend, Yielded

if TYPE_CHECKING:
    from types import FrameType, TracebackType

OWN = __file__.rpartition("attempts")[0]
"""The folder of our code."""
# Compared by path: a child process runs one of its files under the name __main__.
AROUND = ("asyncio.runners", "asyncio.base_events")
"""Frames of the standard library between ours and an async handler in a child process."""
FRAMES_MAX = -50
"""The innermost ones."""


def cancellation() -> BaseException:
    # Imported where attempts run, and not in processes that only enqueue.
    from asyncio import CancelledError  # noqa: PLC0415

    return CancelledError()


def is_cancellation(error: BaseException) -> bool:
    """A group, as an `asyncio.TaskGroup` raises one, counts as one if there is one in it."""
    kind = type(cancellation())
    return any(isinstance(one, kind) for one in leaves(error))


def decisive(error: BaseException) -> BaseException:
    """The error that decides the outcome: the first signal of a handler in a group, else the error itself."""
    for kind in (Yielded, Suspend, Ending):
        for one in leaves(error):
            if isinstance(one, kind):
                return one
    return error


def leaves(error: BaseException) -> Iterator[BaseException]:
    """The errors in a group, however deep; an error that is no group is its only one."""
    # A pile, since groups may be nested deeper than functions can call themselves.
    pile = [error]
    while pile:
        one = pile.pop()
        if isinstance(one, BaseExceptionGroup):
            pile.extend(reversed(one.exceptions))
        else:
            yield one


def code_of(error: BaseException) -> str:
    return error.code if isinstance(error, MainspringError | Ending) else "error"


def kinds_of(error: BaseException) -> tuple[str, ...]:
    """The names that an error goes by: its class and those that it derives from, plain and with their modules.

    A group also has the names of the errors inside. The classes themselves come first, as the number of names is limited.
    Signals such as `Retry` and `GiveUp` keep their own name, whatever their code is.
    """
    own = dict.fromkeys([type(error), *map(type, leaves(error))])
    bases = [base for each in own for base in each.__mro__ if base is not object]
    classes = list(dict.fromkeys([*own, *bases]))[: KINDS_MAX // 2]
    names = [name for each in classes for name in (each.__name__, f"{each.__module__}.{each.__qualname__}")]
    said = decisive(error)
    if isinstance(said, GiveUp | Retry):
        names = [GAVE_UP if isinstance(said, GiveUp) else ASKED_AGAIN, *names[: KINDS_MAX - 1]]
    return tuple(dict.fromkeys(name[:KIND_MAX].encode("utf-8", "replace").decode() for name in names))


def message_of(error: BaseException) -> str:
    try:
        return str(error)
    except Exception as worse:  # noqa: BLE001 the error's own __str__ is the handler's code too
        return f"(its message cannot be shown: {type(worse).__name__})"


def trace_of(error: BaseException) -> str:
    """The traceback from the handler down; our own frames above it are left out, the end matters most."""
    below = error.__traceback__
    while below is not None and is_around(below.tb_frame):
        below = below.tb_next
    raw = formatted(error, below).encode("utf-8", "replace")
    if len(raw) <= TRACEBACK_MAX:
        return raw.decode()
    return "… " + raw[4 - TRACEBACK_MAX :].decode("utf-8", "ignore")


def formatted(error: BaseException, below: "TracebackType | None") -> str:
    import traceback  # noqa: PLC0415 as above

    try:
        return "".join(traceback.format_exception(type(error), error, below, limit=FRAMES_MAX))
    except Exception:  # noqa: BLE001 its parts are the handler's code too, and marking columns fails by chance in threads
        # Python up to 3.11.7 parses one line in two threads at once and raises SystemError; this way parses none.
        frames = traceback.extract_tb(below, limit=FRAMES_MAX)
        lines = [f'  File "{at.filename}", line {at.lineno}, in {at.name}\n    {at.line}\n' for at in frames]
        last = f"{type(error).__qualname__}: {message_of(error)}\n"
        return "".join(["Traceback (most recent call last):\n", *lines, last])


def is_around(frame: "FrameType") -> bool:
    return frame.f_code.co_filename.startswith(OWN) or frame.f_globals.get("__name__") in AROUND

"""What a run remembers from attempt to attempt: its checkpoint, the results of its steps, and its effects.

A memory is written under the token of the attempt that runs, so an attempt that was given up can add nothing. The next
attempt is told all of it, on whichever executor that is.
"""

from datetime import datetime
from enum import IntEnum
from typing import Annotated

import msgspec

from mainspring.domain.ids import RunId, RunIdField, Token, TokenField
from mainspring.domain.names import check_text
from mainspring.domain.run import RunState
from mainspring.errors import InvalidInputError, TooLargeError

VALUE_MAX = 64 * 1024
"""Bytes of JSON in one checkpoint, or in the result of one step or effect."""
NAME_MAX = 100
MEMORIES_MAX = 1_000
"""Steps and effects that one run may have."""

Pair = tuple[RunId, Token]


class MemoryKind(IntEnum):
    """The numbers travel on the wire and in the store."""

    CHECKPOINT = 0
    STEP = 1
    EFFECT = 2

    @property
    def label(self) -> str:
        return self.name.lower()


Name = Annotated[str, msgspec.Meta(max_length=NAME_MAX)]
Value = Annotated[bytes, msgspec.Meta(max_length=VALUE_MAX)]


class Memory(msgspec.Struct, frozen=True, array_like=True):
    """Something that an attempt wants remembered."""

    run: RunIdField
    token: TokenField
    kind: MemoryKind
    name: Name
    """Empty for a checkpoint, of which there is one."""
    value: Value | None
    """JSON. None: the effect has begun, and nobody knows yet whether it came to pass."""
    turn: Annotated[int, msgspec.Meta(ge=0, le=2**53)] = 0
    """Grows with every word of an executor: an older one that comes late, by way of another server, replaces nothing."""

    def __post_init__(self) -> None:
        # No store keeps such text; refused while decoding, it is a frame error.
        if "\x00" in self.name:
            raise ValueError("a name has a NUL character")

    @property
    def pair(self) -> Pair:
        return self.run, self.token


class Recollection(msgspec.Struct, frozen=True):
    """Something that a run remembers."""

    kind: MemoryKind
    name: str
    value: bytes | None
    attempt: int
    """The one that wrote it."""
    at: datetime


def check_memory_name(kind: MemoryKind, name: str) -> str:
    """Raises InvalidInputError."""
    return check_text(name, kind.label, most=NAME_MAX, code=f"bad_{kind.label}")


def check_value(kind: MemoryKind, raw: bytes) -> bytes:
    """Raises TooLargeError."""
    if len(raw) <= VALUE_MAX:
        return raw
    reason = f"{len(raw)} bytes of JSON are over the limit of {VALUE_MAX}"
    if kind is MemoryKind.CHECKPOINT:
        raise TooLargeError(kind.label, reason, code="checkpoint_too_large")
    raise TooLargeError(kind.label, reason, code="step_too_large")


def starts_over(state: RunState, *, edited: bool) -> bool:
    """Whether a run that is run again forgets how far it came: it has succeeded, or its input is another."""
    return edited or state is RunState.SUCCEEDED


def refuse_repeat(kind: MemoryKind, name: str) -> InvalidInputError:
    reason = f"{name!r} was used before in this attempt: what is remembered is found by its name"
    return InvalidInputError(kind.label, reason, code="step_repeated")


def refuse_more(kind: MemoryKind) -> InvalidInputError:
    reason = f"a run has at most {MEMORIES_MAX} steps and effects"
    return InvalidInputError(kind.label, reason, code="too_many_steps")

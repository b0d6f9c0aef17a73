"""A run's durable progress from attempt to attempt: its checkpoint, the results of its steps, and its effects.

A memory is written under the token of the attempt that runs, so an attempt that was given up can add nothing. The next
attempt is told all of it, on whichever executor that is.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime
from enum import IntEnum

import msgspec

from mainspring.domain.ids import RunId, RunIdField, Token, TokenField
from mainspring.domain.names import check_text
from mainspring.domain.runs.run import RunState
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
    WAIT = 3
    """What a handler waited for; servers write it."""

    @property
    def label(self) -> str:
        return self.name.lower()


TURN_MAX = 2**53


class Memory(msgspec.Struct, frozen=True, array_like=True):
    """A piece of progress that an attempt stores; `wire/codec.py` bounds its fields."""

    run: RunIdField
    token: TokenField
    kind: MemoryKind
    name: str
    """Empty for a checkpoint, of which there is one."""
    value: bytes | None
    """JSON. None: the effect has begun, and nobody knows yet whether it came to pass."""
    turn: int = 0
    """Grows with every word of an executor: an older one that comes late, by way of another server, replaces nothing."""

    @property
    def pair(self) -> Pair:
        return self.run, self.token


class Kept(msgspec.Struct, frozen=True):
    """The attempts of which nothing was kept."""

    stale: set[Pair]
    """They own their run no more."""
    full: set[Pair]
    """Their run would remember more than `MEMORIES_MAX` steps and effects."""

    @property
    def refused(self) -> set[Pair]:
        return self.stale | self.full


class Recollection(msgspec.Struct, frozen=True):
    """Something that a run remembers."""

    kind: MemoryKind
    name: str
    value: bytes | None
    attempt: int
    """The one that wrote it."""
    at: datetime


def overfull(memories: Iterable[Memory], counted: Mapping[RunId, int]) -> set[RunId]:
    """The runs that might be full with these, given how many steps and effects each remembers."""
    wanted = Counter(run for run, kind, _ in {(one.run, one.kind, one.name) for one in memories} if kind)
    return {run for run, count in wanted.items() if count + counted.get(run, 0) > MEMORIES_MAX}


def is_full(run: RunId, memories: Iterable[Memory], known: Iterable[tuple[int, str]]) -> bool:
    """Whether a run would remember too much with these, given the kinds and names of its steps and effects."""
    wanted = {(int(one.kind), one.name) for one in memories if one.run == run and one.kind}
    return len(wanted | set(known)) > MEMORIES_MAX


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

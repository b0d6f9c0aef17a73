"""Ends of steps, and the writes that follow from them."""

from typing import NamedTuple

import msgspec


class End(NamedTuple):
    """Runs of a step that ended in a state."""

    step: int
    state: int
    runs: int = 1


class Begin(NamedTuple):
    """A run to create, or if it exists already, to run again."""

    step: int
    item: int | None
    input: bytes
    again: bool = False


class Refusal(NamedTuple):
    """A step that failed without a run: its arguments could not be put together."""

    step: int
    code: str
    message: str


class Moved(msgspec.Struct):
    """The writes that an advance asks for, beside the changed flow."""

    begins: list[Begin]
    cancels: list[int]
    """Steps whose live runs are to be cancelled."""
    refusals: list[Refusal]
    end: int | None = None
    """The final state of the workflow run; None: something is under way, or will be."""
    more: bool = False
    """Items are left to begin that did not fit one transaction."""

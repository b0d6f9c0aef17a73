"""Work on many rows that leaves the event loop to others in between."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")

BREATH = 100
"""Rows that are worked on between two breaths."""


async def each(rows: Sequence[T], act: Callable[[T], R]) -> list[R]:
    """Map rows in slices, yielding to the event loop between them; a few are done at once."""
    return await in_slices(rows, lambda some: map(act, some))


async def in_slices(rows: Sequence[T], act: Callable[[Sequence[T]], Iterable[R]]) -> list[R]:
    """The same for an act on a whole slice."""
    done: list[R] = []
    for start in range(0, len(rows), BREATH):
        if start:
            await asyncio.sleep(0)
        done += act(rows[start : start + BREATH])
    return done

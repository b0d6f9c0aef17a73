"""Work on many rows that leaves the event loop to others in between."""

import asyncio
from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")

BREATH = 100
"""Rows that are worked on between two breaths."""


async def each(rows: Sequence[T], act: Callable[[T], R]) -> list[R]:
    """Map rows in slices, yielding to the event loop between them; a few are done at once."""
    done: list[R] = []
    for start in range(0, len(rows), BREATH):
        if start:
            await asyncio.sleep(0)
        done += map(act, rows[start : start + BREATH])
    return done

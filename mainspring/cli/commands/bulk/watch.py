"""Watches background operations: sweeps and backfills."""

import threading
from collections.abc import Callable
from typing import TypeVar

from mainspring.cli.output.progress import progress
from mainspring.cli.output.sheets import Sheet
from mainspring.cli.output.tables import note
from mainspring.contract.bulk import BackfillInfo, SweepInfo

T = TypeVar("T", BackfillInfo, SweepInfo)

LOOK_EVERY = 0.5


def watch(operation: T, read: Callable[[str], T], title: str, done: Callable[[T], int]) -> T:
    """Read an operation again and again until it is over, with a progress bar."""
    seen = 0
    with progress(title, operation.expected) as advance:
        while not operation.over:
            count = done(operation)
            advance(count - seen, operation.note or f"{count} of {operation.expected or '?'}")
            seen = count
            threading.Event().wait(LOOK_EVERY)
            operation = read(operation.id)
    return operation


def print_begun(sheet: Sheet, operation: BackfillInfo | SweepInfo) -> None:
    sheet.print_facts(operation)
    note(f"it continues in the background: mainspring {sheet.plural} show {operation.id}")

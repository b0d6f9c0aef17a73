"""What the triggers' bench wants of a peer, and how its script tells that all is loaded."""

import os
import time
from collections.abc import Callable
from pathlib import Path

KIND = os.environ.get("BENCH_KIND", "seconds")
COUNT = int(os.environ.get("BENCH_TRIGGERS", "1"))
MINUTES = 60


def minute_of(number: int) -> int:
    """The minute of the hour at which trigger `number`, counted from 1, is due."""
    return number % MINUTES


def ready(load: Callable[[], None]) -> None:
    """Load, and say how many seconds that took."""
    begin = time.monotonic()
    load()
    file = Path(os.environ["BENCH_PROBE"]) / "ready"
    draft = file.with_suffix(".draft")
    draft.write_text(repr(time.monotonic() - begin))
    draft.rename(file)

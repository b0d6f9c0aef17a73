"""How much later than its instant a run is due: jitter, and a group's spread. The same for ever, whoever asks."""

import hashlib
from datetime import datetime, timedelta

from mainspring.domain.triggers.trigger import Trigger

NONE = timedelta(0)


def lateness(trigger: Trigger, instant: datetime) -> timedelta:
    spec = trigger.spec
    if not spec.jitter and not spec.spread:
        return NONE
    seconds = 0.0
    if spec.jitter:
        seconds += spec.jitter * fraction(f"{trigger.namespace}\0{spec.name}\0{instant.timestamp()}")
    if spec.spread:
        seconds += spec.spread * fraction(f"{trigger.namespace}\0{spec.group}\0{spec.name}")
    return timedelta(microseconds=int(seconds * 1_000_000))


def fraction(seed: str) -> float:
    """A number in [0, 1)."""
    return int.from_bytes(hashlib.sha256(seed.encode()).digest()[:6], "big") / (1 << 48)

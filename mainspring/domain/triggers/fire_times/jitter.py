"""How much later than its instant a run is due: jitter, and a group's spread; always the same for one instant."""

import hashlib
from datetime import datetime, timedelta

from mainspring.domain.triggers.spec import TriggerSpec
from mainspring.domain.triggers.trigger import Trigger


def lateness(trigger: Trigger, instant: datetime) -> timedelta:
    spec = trigger.spec
    seconds = jitter_at(trigger.namespace, spec, instant) + place_in_spread(trigger.namespace, spec)
    return timedelta(microseconds=int(seconds * 1_000_000))


def jitter_at(namespace: str, spec: TriggerSpec, instant: datetime) -> float:
    """In seconds."""
    return spec.jitter * fraction(f"{namespace}\0{spec.name}\0{instant.timestamp()}") if spec.jitter else 0.0


def place_in_spread(namespace: str, spec: TriggerSpec) -> float:
    """In seconds."""
    return spec.spread * fraction(f"{namespace}\0{spec.group}\0{spec.name}") if spec.spread else 0.0


def fraction(seed: str) -> float:
    """A number in [0, 1)."""
    return int.from_bytes(hashlib.sha256(seed.encode()).digest()[:6], "big") / (1 << 48)

"""How much of triggers is measured: the sizes that the environment names, or those of a quick look."""

import os
from collections.abc import Mapping
from dataclasses import dataclass

ALL = ("seconds", "minutes", "herd", "next")


@dataclass(frozen=True, slots=True)
class Sizes:
    """Triggers and minutes of each part; `count` of them are hourly, so a sixtieth is due each minute."""

    parts: tuple[str, ...] = ALL
    tick_minutes: float = 2.0
    count: int = 1_000_000
    minutes: int = 3
    herd: int = 100_000
    calls: int = 2_000
    """How often each expression is asked for its next instant."""


QUICK = Sizes(tick_minutes=0.1, count=6_000, minutes=1, herd=2_000, calls=20)


def sizes_from(environment: Mapping[str, str] = os.environ, *, quick: bool) -> Sizes:
    """TRIGGERS_PARTS=seconds,next TRIGGERS_TICK_MINUTES=10 TRIGGERS_COUNT=100000 TRIGGERS_MINUTES=10 TRIGGERS_HERD=10000"""
    usual = QUICK if quick else Sizes()
    parts = tuple(environment.get("TRIGGERS_PARTS", ",".join(usual.parts)).split(","))
    if unknown := set(parts) - set(ALL):
        raise ValueError(f"TRIGGERS_PARTS: {', '.join(sorted(unknown))} is not one of {', '.join(ALL)}")
    return Sizes(
        parts=parts,
        tick_minutes=float(environment.get("TRIGGERS_TICK_MINUTES", usual.tick_minutes)),
        count=int(environment.get("TRIGGERS_COUNT", usual.count)),
        minutes=int(environment.get("TRIGGERS_MINUTES", usual.minutes)),
        herd=int(environment.get("TRIGGERS_HERD", usual.herd)),
        calls=usual.calls,
    )

"""Messages about breakers around calls inside handlers."""

from typing import Annotated

import msgspec

from mainspring.domain.breakers.breaker import BreakerState
from mainspring.domain.breakers.spec import BreakerSpec
from mainspring.wire.base import Count, Message

BREAKERS_MAX = 1_000
"""Breakers that one executor calls, or is told of."""

STOPS_MAX = 2_000

Epoch = Annotated[int, msgspec.Meta(ge=0, le=2**62)]

BreakerMark = tuple[int, tuple[str, ...]]
"""A breaker's revision, and the jobs whose attempts stop while it is open."""


class CallReport(msgspec.Struct, frozen=True, array_like=True):
    """The sum of an executor's calls of one breaker since its last report."""

    breaker: str
    """Its name; of a breaker of one key, both: `api[eu.example.com]`."""
    epoch: Epoch
    """In which the calls were let through; 0: the executor was told of none."""
    calls: Count
    failures: Count
    slow: Count
    ignored: Count
    retry_in: Annotated[float, msgspec.Meta(ge=0, le=1e9)] | None = None
    """Seconds after which the downstream said that it would be well."""


class ReportCalls(Message, frozen=True, tag="report_calls"):
    """Calls inside handlers; a report that is lost is not repeated."""

    entries: Annotated[list[CallReport], msgspec.Meta(max_length=BREAKERS_MAX)]


class AskPermits(Message, frozen=True, tag="ask_permits"):
    """Asks to let so many calls through a breaker that is probed or lets go in waves; answered by `Permitted`."""

    breaker: str
    epoch: Epoch
    count: Annotated[int, msgspec.Meta(ge=1, le=10_000)]


class BreakerView(msgspec.Struct, frozen=True, array_like=True):
    """A breaker as an executor has to know it."""

    breaker: str
    state: BreakerState
    epoch: Epoch
    spec: BreakerSpec
    wait: float | None = None
    """Seconds until it is looked at again."""
    wave: Count = 0
    reason: str = ""
    stops: Annotated[list[str], msgspec.Meta(max_length=STOPS_MAX)] = msgspec.field(default_factory=list)
    """Jobs whose attempts under way are to stop while it is open."""


class AnnounceBreakers(Message, frozen=True, tag="breakers"):
    """Breakers of the executor's namespace, each as it is from now on."""

    breakers: list[BreakerView]


class Permitted(Message, frozen=True, tag="permitted"):
    """So many calls may pass; after `wait` seconds there may be more, if that is known."""

    breaker: str
    epoch: Epoch
    count: Count
    wait: float | None = None

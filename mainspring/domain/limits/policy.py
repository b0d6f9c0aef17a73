"""A job's policy: how many of its runs may be under way, how fast they start, and what happens to those that find no room.

A key is a place in the input, such as `customer` or `$.order.customer`; never an expression, so that it can be checked against
the schema when the job is saved.
"""

from collections.abc import Iterable, Mapping
from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import msgspec

from mainspring.domain.amounts import read_amount
from mainspring.domain.lengths import read_length
from mainspring.domain.routing.canary import Canary
from mainspring.domain.routing.route import Route, Strategy

Keys = str | Iterable[str]
"""One place in the input, or several that make one key together."""

ALL, ANY = "all", "any"
"""Rules by which a run with children settles."""


class Blocking(StrEnum):
    """The treatment of a run whose limit has no room for it."""

    QUEUE = "queue"
    """It waits, in order."""
    LATEST = "latest"
    """It waits, and the runs that waited before it are skipped."""
    DISCARD = "discard"
    """It is skipped."""
    REPLACE = "replace"
    """The runs before it are skipped, the running one is cancelled, and it starts after that."""


class KeptHistory(StrEnum):
    """The ended runs of a job whose inputs and results are kept; their states, times and failures always are."""

    ALL = "all"
    FAILURES = "failures"
    """Not those that have succeeded."""
    NONE = "none"


class Limit(msgspec.Struct, frozen=True, omit_defaults=True):
    """How many attempts may be under way at once: of the job, of each key, or of all jobs that name it."""

    at_once: int | None = None
    key: tuple[str, ...] = ()
    name: str = ""
    """Of a limit that operators define, and that any number of jobs share."""

    if TYPE_CHECKING:

        def __init__(self, at_once: int | None = None, key: Keys = (), name: str = "") -> None: ...

    def __post_init__(self) -> None:
        msgspec.structs.force_setattr(self, "key", as_keys(self.key))


class Rate(msgspec.Struct, frozen=True, omit_defaults=True):
    """How many attempts may start in a time, such as `100/s`, `30/m` or `500/10m`."""

    of: str
    key: tuple[str, ...] = ()
    burst: int | None = None
    """How many may start together after a pause; None: as many as start in 20 ms, at least one."""

    if TYPE_CHECKING:

        def __init__(self, of: str, key: Keys = (), burst: int | None = None) -> None: ...

    def __post_init__(self) -> None:
        msgspec.structs.force_setattr(self, "key", as_keys(self.key))


class Debounce(msgspec.Struct, frozen=True, omit_defaults=True):
    """Start once no request has come for `period` seconds, with the input of the last one."""

    period: float
    key: tuple[str, ...] = ()
    at_most: float | None = None
    """Seconds after the first request by which it starts in any case."""

    if TYPE_CHECKING:

        def __init__(
            self, period: float | str | timedelta, key: Keys = (), at_most: float | str | timedelta | None = None
        ) -> None: ...

    def __post_init__(self) -> None:
        msgspec.structs.force_setattr(self, "key", as_keys(self.key))
        for field in ("period", "at_most"):
            msgspec.structs.force_setattr(self, field, as_seconds(getattr(self, field)))


class Throttle(msgspec.Struct, frozen=True, omit_defaults=True):
    """Accept so many runs in a time, such as `1/h`; the others are skipped, and answered as such."""

    of: str
    key: tuple[str, ...] = ()
    burst: int | None = None

    if TYPE_CHECKING:

        def __init__(self, of: str, key: Keys = (), burst: int | None = None) -> None: ...

    def __post_init__(self) -> None:
        msgspec.structs.force_setattr(self, "key", as_keys(self.key))


class Fair(msgspec.Struct, frozen=True, omit_defaults=True):
    """Keys take turns, each by its weight."""

    key: tuple[str, ...]

    if TYPE_CHECKING:

        def __init__(self, key: Keys) -> None: ...

    def __post_init__(self) -> None:
        msgspec.structs.force_setattr(self, "key", as_keys(self.key))


class Policy(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """All that a job says of where, how many, and in which order its runs start, and of what stays of them."""

    at_once: int | None = None
    """Attempts of the job that may be under way at once, in the whole cluster; of each key if there is a `limit_key`."""
    limit_key: tuple[str, ...] = ()
    limits: tuple[Limit, ...] = ()
    """Further limits, all of which must have room."""
    rate: Rate | None = None
    blocking: Blocking = Blocking.QUEUE
    debounce: Debounce | None = None
    throttle: Throttle | None = None
    executor_limit: int | None = None
    """Attempts of the job that may be under way at once on each executor; `blocking` is about them if it has no other limit."""
    fair: Fair | None = None
    weight: float | None = None
    """The job's part of the slots that its queue's jobs share; None: 1."""
    route: Route = Route()
    requires: tuple[str, ...] = ()
    """What an executor must have, such as `gpu`, `cuda >= 12` or `zone in (eu, us)`."""
    prefers: tuple[str, ...] = ()
    """The same for what an executor should have."""
    uses: dict[str, float | str] = {}
    """Resources that an attempt books while it runs, by name: numbers, or texts such as `4GiB`."""
    runs_on: str = ""
    """The code versions that may run it, such as `>=2.4`."""
    breaker: str = ""
    """The circuit breaker whose state its runs wait for."""
    stop_when_open: bool = False
    """Whether attempts under way are told to stop when that breaker opens; they are parked then."""
    blackout: str = ""
    """The calendar by which none of its runs starts on days that do not count, and in its blackouts."""
    canary: Canary | None = None
    """The version of the code that gets a share of its runs, and no others."""
    history: KeptHistory = KeptHistory.ALL
    """The runs whose inputs and results stay in history."""
    slices: int | None = None
    """Child runs of each run, which share its input; None: none."""
    settle_by: str | int = ALL
    """Of a run with children: `all` must succeed, `any` is enough, or how many are."""

    def __post_init__(self) -> None:
        msgspec.structs.force_setattr(self, "limit_key", as_keys(self.limit_key))
        if self.uses:
            amounts = {name: read_amount(amount) for name, amount in self.uses.items()}
            msgspec.structs.force_setattr(self, "uses", amounts)

    @property
    def steers(self) -> bool:
        """Whether it says anything of where, how many, and in which order runs start."""
        return msgspec.structs.replace(self, history=KeptHistory.ALL) != USUAL

    @property
    def all_limits(self) -> tuple[Limit, ...]:
        """Its own limit, then the further ones."""
        own = () if self.at_once is None else (Limit(self.at_once, self.limit_key),)
        return (*own, *self.limits)

    @property
    def routed(self) -> bool:
        """Whether a run is for one executor, or one version of the code, before it is claimed."""
        return self.route.addressed or self.canary is not None

    @property
    def spreads(self) -> bool:
        """Whether each of its runs has children: one for each slice, or for each executor that fits."""
        return self.slices is not None or self.route.strategy is Strategy.BROADCAST

    @property
    def blocks_executors(self) -> bool:
        """Whether `blocking` is about each executor: the job has no limit of its own but the one of each executor."""
        blocks = self.blocking is not Blocking.QUEUE and self.executor_limit is not None
        return blocks and all(limit.name for limit in self.all_limits)

    @property
    def key(self) -> tuple[str, ...]:
        """The key by which its runs stand in lanes; empty: they stand in none."""
        keyed = [limit.key for limit in self.all_limits if limit.key]
        parts = (self.rate, self.fair, self.debounce, self.throttle)
        keyed += [part.key for part in parts if part is not None and part.key]
        return keyed[0] if keyed else ()


def as_keys(key: Keys) -> tuple[str, ...]:
    return (key,) if isinstance(key, str) else tuple(key)


def as_seconds(time: Any) -> Any:
    """Seconds; anything that is no length of time stays as it is, for the rules to refuse."""
    if isinstance(time, timedelta):
        return time.total_seconds()
    if isinstance(time, str):
        seconds = read_length(time)
        return time if seconds is None else seconds
    return time


USUAL = Policy()


def read_policy(options: Mapping[str, Any]) -> dict[str, Any]:
    """Options of `@app.job` as fields of a policy: short forms written out."""
    fields = dict(options)
    for field, kind in (
        ("rate", Rate),
        ("throttle", Throttle),
        ("debounce", Debounce),
        ("fair", Fair),
        ("route", Route),
    ):
        value = fields.get(field)
        if value is not None and not isinstance(value, msgspec.Struct | Mapping):
            fields[field] = kind(value)
    fields["limits"] = [Limit(name=limit) if isinstance(limit, str) else limit for limit in fields.get("limits", ())]
    if "limit_key" in fields:
        fields["limit_key"] = as_keys(fields["limit_key"])
    return fields

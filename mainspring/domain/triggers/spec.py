"""A trigger's definition: its job, its rule of time, and its policies."""

from datetime import datetime
from enum import StrEnum

import msgspec

from mainspring.domain.cron import Fold, Gap
from mainspring.domain.triggers.fire_times.misfires import CATCH_UP_MAX, Misfire

HELD_MAX = 100
"""Instants that may wait for the run before them."""
NO_INPUT = msgspec.Raw(b"{}")
NO_SPREAD = 0.0
"""This very object, and no other zero, is left out of what is written."""


class Rule(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    tag_field="kind",
    forbid_unknown_fields=True,
    gc=False,
):
    """When a trigger fires; one of the kinds below."""


class Cron(Rule, frozen=True, kw_only=True, tag="cron"):
    """At the times that any of the expressions names on the wall clock of a zone."""

    expressions: tuple[str, ...]
    zone: str = "UTC"
    gap: Gap = Gap.NEXT_VALID
    fold: Fold = Fold.FIRST


class Every(Rule, frozen=True, kw_only=True, tag="interval"):
    """At a fixed rate, in seconds, counted from its anchor; without one, from when the trigger was made."""

    every: float
    anchor: datetime | None = None


class Delay(Rule, frozen=True, kw_only=True, tag="delay"):
    """So many seconds after the last run has ended; the first time as soon as the trigger is made."""

    delay: float


class At(Rule, frozen=True, kw_only=True, tag="once"):
    """Once."""

    at: datetime


class Windows(Rule, frozen=True, kw_only=True, tag="windows"):
    """At a fixed rate, in seconds, inside a window of each day; its ends are written `09:00` or `09:00:30`."""

    every: float
    opens: str
    closes: str
    zone: str = "UTC"
    weekdays: tuple[str, ...] = ()
    """On which it opens, such as `mon`; empty: on every day."""


class HookAuth(StrEnum):
    """How a webhook's caller is authenticated."""

    HMAC = "hmac"
    BEARER = "bearer"


class Webhook(Rule, frozen=True, kw_only=True, tag="webhook"):
    """Fires when its URL is called."""

    auth: HookAuth = HookAuth.HMAC
    signature_header: str = "x-mainspring-signature"
    """Where the signature stands, of HMAC."""
    mapping: dict[str, str] = {}
    """Arguments by the place in the body that each is taken from, such as `order: $.data.id`, or the header, such as
    `kind: header:x-github-event`; empty: the body itself."""
    key: str = ""
    """Where the idempotency key is: `header:x-request-id`, or a place in the body; empty: there is none."""
    timestamp_header: str = ""
    """Where the time of signing stands, in seconds since 1970, if it is signed with the body; empty: it is not."""
    tolerance: float = 300.0
    """Seconds by which that time may differ from the server's."""
    remember_calls: bool = False
    """Whether a signed call that is sent again starts no second run, and is answered with the run of the first."""


class Event(Rule, frozen=True, kw_only=True, tag="event"):
    """When an event of that type is told whose data match all of the filter."""

    type: str
    filter: dict[str, msgspec.Raw] = {}
    """Places in the data, such as `$.country`, and what must stand there: a value, or an object such as `{"in": [1, 2]}`."""
    mapping: dict[str, str] = {}
    """As of a webhook; empty: the data themselves."""


AnyRule = Cron | Every | Delay | At | Windows | Webhook | Event
CALLED = (Webhook, Event)
"""Kinds that wait for a caller."""


class Overlap(StrEnum):
    """The policy for an instant that comes while the run of the one before has not ended."""

    ALLOW = "allow"
    SKIP = "skip"
    QUEUE_ONE = "queue_one"
    """It waits for that run to end; another one that comes meanwhile is skipped."""
    QUEUE_ALL = "queue_all"
    """Each waits, up to `overlap_max`; more are skipped."""
    CANCEL_PREVIOUS = "cancel_previous"
    """That run is cancelled, and the instant waits for its end."""


class Roll(StrEnum):
    """The policy for an instant on a day that its calendar leaves out."""

    SKIP = "skip"
    NEXT = "next"
    """It moves to the same time of the next day that counts."""
    PREVIOUS = "previous"


class TriggerSpec(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """A whole trigger; two that are equal fire alike. Like all that is kept of triggers by the thousand it cannot be part of a
    cycle, which the collector need not find out anew."""

    name: str
    job: str
    when: AnyRule
    description: str = ""
    input: msgspec.Raw = msgspec.field(default_factory=lambda: NO_INPUT)
    """Arguments of each run, a JSON object; the job's own defaults complete them."""
    queue: str | None = None
    priority: int | None = None
    labels: dict[str, str] = {}
    tags: tuple[str, ...] = ()
    start_at: datetime | None = None
    """It fires at no instant before this,"""
    end_at: datetime | None = None
    """nor at or after this,"""
    fires_max: int | None = None
    """nor more often than this."""
    jitter: float = 0.0
    """Seconds by which each run may be due later than its instant; by which is decided by the instant and the name."""
    group: str = ""
    """Triggers that are spread together,"""
    spread: float = NO_SPREAD
    """over this many seconds after their instants, each at a place of its own that never changes."""
    calendar: str = ""
    """The days that count; empty: all."""
    roll: Roll = Roll.SKIP
    misfire: Misfire = Misfire.ONCE
    catch_up_max: int = CATCH_UP_MAX
    start_deadline: float | None = None
    """Seconds behind its instant after which a fire comes too late, and is skipped; a run that has not begun by then fails."""
    overlap: Overlap = Overlap.ALLOW
    overlap_max: int = HELD_MAX
    pause_after: int | None = None
    """Runs that fail in a row until the trigger pauses by itself."""


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(TriggerSpec).decode


def write_spec(spec: TriggerSpec) -> bytes:
    return _encode(spec)


def read_spec(raw: bytes) -> TriggerSpec:
    return _decode(raw)


def is_timed(spec: TriggerSpec) -> bool:
    """Whether it fires at instants of its own; the others wait to be called."""
    # No rule has a subclass, and asking a struct's type is many times faster than `isinstance` where the answer is no.
    return type(spec.when) not in CALLED


def is_followed(spec: TriggerSpec) -> bool:
    """Whether it matters to the trigger how its runs end."""
    return spec.overlap is not Overlap.ALLOW or spec.pause_after is not None or type(spec.when) is Delay


def is_prepared(spec: TriggerSpec) -> bool:
    """Whether its runs may be made before they are due."""
    # Nothing until then can change whether it fires.
    return not is_followed(spec)

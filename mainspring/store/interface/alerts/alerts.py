"""Alerts, their definitions, and notices."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Protocol

import msgspec

from mainspring.domain.access.permissions import AuditEntry
from mainspring.domain.alerts.alert import Alert, AlertId, Silence, Transition
from mainspring.domain.alerts.channel import Channel, ChannelSpec
from mainspring.domain.alerts.notice import Notice, NoticeId
from mainspring.domain.alerts.rule import AlertRule, AlertSpec
from mainspring.domain.ids import ServerId, Token
from mainspring.domain.slos.slo import Slo, SloSpec


class Defining(msgspec.Struct, frozen=True, kw_only=True):
    """A definition to store: of a `rule`, a `channel` or an `slo`."""

    noun: str
    name: str
    spec: AlertSpec | ChannelSpec | SloSpec
    secrets: bytes = b""
    owner: str = ""
    author: str = ""
    updated_at: datetime


class AlertFilter(msgspec.Struct, frozen=True, kw_only=True):
    """Which alerts, the newest first; `before` is the last one on the page before."""

    namespace: str
    rule: str | None = None
    states: tuple[str, ...] = ()
    """One of them; empty: any."""
    subject: str | None = None
    id: bytes | None = None
    before: tuple[datetime, bytes] | None = None
    limit: int = 50


class NoticeFilter(msgspec.Struct, frozen=True, kw_only=True):
    """Which notices, the newest first; `before` is the last one on the page before."""

    namespace: str
    channel: str | None = None
    state: str | None = None
    before: tuple[datetime, bytes] | None = None
    limit: int = 50


class ChannelHealth(msgspec.Struct, frozen=True, kw_only=True):
    """A channel for which notices were given up since it last took one: when the first of them was made, and the last one."""

    namespace: str
    channel: str
    failed_at: datetime
    last_failed_at: datetime


class DefinitionsStamp(msgspec.Struct, frozen=True):
    """Differs after every change of a rule, a channel or an SLO, unless two changes hide each other."""

    count: int
    versions: int
    updated_at: datetime | None


class AlertStore(Protocol):
    """A transition and its notices are one transaction; one that was decided from an older revision changes nothing."""

    async def rules(self) -> list[AlertRule]:
        """Every alert rule of every namespace."""

    async def channels(self) -> list[Channel]:
        """Every channel of every namespace."""

    async def slos(self) -> list[Slo]:
        """Every SLO of every namespace."""

    async def stamp(self) -> DefinitionsStamp:
        """Of all definitions, without reading them."""

    async def define(
        self,
        namespace: str,
        puts: Sequence[Defining],
        deletes: Sequence[tuple[str, str]],
        entries: Sequence[AuditEntry],
    ) -> int:
        """Store and delete definitions of a namespace, all or none; returns how many changed. Audited if any did."""

    async def open(self) -> list[Alert]:
        """Every alert that is not over."""

    async def get(self, ids: Sequence[AlertId]) -> list[Alert]:
        """Those of these alerts that are still known."""

    async def change(
        self, transitions: Sequence[Transition], new_id: Callable[[], NoticeId], *, now: datetime
    ) -> list[Transition]:
        """Write transitions with their notices; returns those that no other server has overtaken."""

    async def steer(
        self,
        namespace: str,
        alert: AlertId,
        steer: Callable[[Alert], Transition | None],
        new_id: Callable[[], NoticeId],
        *,
        entry: AuditEntry,
    ) -> Alert | None:
        """Change an alert, locked, with its notices, as `steer` says; audited unless that is None; None if there is none."""

    async def silences(self, *, now: datetime) -> list[Silence]:
        """Those that have not ended."""

    async def silence(self, silence: Silence, *, entry: AuditEntry) -> None:
        """Keep back notices about matching alerts. Audited."""

    async def end_silence(self, namespace: str, silence: bytes, *, entry: AuditEntry) -> bool:
        """End a silence now; False, and nothing audited, if there is none."""

    async def hold(self, duty: str, server: ServerId, *, now: datetime, until: datetime) -> bool:
        """Take or renew the lease of a duty; False while another server has it. It saves work: nothing safe hangs on it."""

    async def prune(self, *, before: datetime) -> None:
        """Forget alerts, silences and notices that were over by then."""

    # Last in the class: after it, `list` names this method.
    async def list(self, query: AlertFilter) -> list[Alert]:
        """A page of alerts."""


class NoticeStore(Protocol):
    """The outbox of messages to channels, and the log of their deliveries."""

    async def unsent(self) -> list[tuple[str, str]]:
        """Namespace and name of each channel that has notices to send."""

    async def take(
        self, namespace: str, channel: str, *, per_minute: int, token: Token, new_id: NoticeId, now: datetime
    ) -> list[Notice]:
        """Take the notices of a channel that are due, oldest first; those beyond its rate as one digest with `new_id`.

        Empty while another server sends, or while the channel is given time after a failure. A server that takes notices and
        does not settle them within a minute loses them to another one.
        """

    async def settle(self, notice: Notice, token: Token) -> bool:
        """Write how a try ended; False if another server has taken the notice over."""

    async def add(self, notice: Notice, *, entry: AuditEntry | None = None) -> None:
        """Write a notice that belongs to no transition."""

    async def health(self, *, since: datetime) -> list[ChannelHealth]:
        """The channels that have taken nothing since a notice was given up, of notices that were made since then."""

    async def waiting(self) -> dict[tuple[str, str], int]:
        """How many notices are not sent yet, by namespace and channel."""

    # Last in the class: after it, `list` names this method.
    async def list(self, query: NoticeFilter) -> list[Notice]:
        """A page of the delivery log."""

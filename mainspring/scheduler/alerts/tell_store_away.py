"""Tells channels that the database is away. No alert can be written then, so each server tells what it knows by itself."""

import asyncio
from collections.abc import Callable
from datetime import datetime, timedelta
from hashlib import sha256

from mainspring.clock import Clock
from mainspring.domain.access.permissions import NAMESPACE_DEFAULT
from mainspring.domain.alerts.alert import NoticeKind
from mainspring.domain.alerts.notice import NoticeText, span
from mainspring.domain.alerts.rule import Severity
from mainspring.scheduler.alerts.known_definitions import KnownDefinitions
from mainspring.scheduler.alerts.send_notices import SendNotices

# A fail-over takes less.
PATIENCE = timedelta(seconds=60)
"""How long the database may be away before it is told."""
RULE = "mainspring.store"
REMEDY = (
    "accepted runs are safe, and no new ones are accepted until it is back: see the database, and `mainspring doctor`"
)
IsAway = Callable[[], str]
"""Why the store does not answer; empty while it does."""


class TellStoreAway:
    """Asks no database: it tells the channels with `cluster` that were known when the database was last there."""

    name = "tell_store_away"
    period = 5.0

    def __init__(self, clock: Clock, definitions: KnownDefinitions, sending: SendNotices, is_away: IsAway) -> None:
        self.wake = asyncio.Event()
        self._clock, self._definitions, self._sending, self._is_away = clock, definitions, sending, is_away
        self._since: datetime | None = None
        self._told = False

    async def tick(self) -> bool:
        reason, now = self._is_away(), self._clock.now()
        if reason and self._since is None:
            self._since = now
        elif reason and self._since is not None and not self._told and now - self._since >= PATIENCE:
            self._told = await self._tell(NoticeKind.FIRE, "The database is away", f"{reason}: {REMEDY}", now)
        elif not reason and self._since is not None:
            if self._told:
                lasted = f"it was away for {span(now - self._since)}"
                await self._tell(NoticeKind.RECOVER, "Resolved: the database is back", lasted, now)
            self._since, self._told = None, False
        return False

    async def _tell(self, kind: NoticeKind, title: str, words: str, now: datetime) -> bool:
        """Whether a channel took it; otherwise it is tried again with the next tick."""
        known = self._definitions.last
        channels = [one for one in known.channels if one.spec.cluster and one.namespace == NAMESPACE_DEFAULT]
        begun = (self._since or now).replace(minute=0, second=0, microsecond=0)
        message = NoticeText(
            # The same from every server within an hour: a receiver that keeps ids sees it once.
            id=sha256(f"{RULE} {kind} {begun.isoformat()}".encode()).hexdigest()[:32],
            namespace=NAMESPACE_DEFAULT,
            kind=kind,
            title=title,
            lines=(words,),
            severity=Severity.PAGE,
            rule=RULE,
            at=now,
        )
        answers = await asyncio.gather(*(self._sending.deliver(one, message) for one in channels))
        return not channels or any(answer.ok for answer in answers)

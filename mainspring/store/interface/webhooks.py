"""Addresses and secrets of webhooks, subscriptions to events, and counts of events."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Protocol

import msgspec

from mainspring.domain.access.permissions import AuditEntry
from mainspring.domain.triggers.trigger import Trigger
from mainspring.domain.webhooks.taken_call import TakenCall
from mainspring.domain.webhooks.webhook import Hook

Rotate = Callable[[Hook | None], Hook]
"""The new address and secret of a webhook, given those that it has."""


class EventCount(msgspec.Struct, frozen=True, kw_only=True):
    """How often events of one type were told, and how many runs that made; nothing waited for the `unmatched`."""

    namespace: str
    type: str
    told: int
    matched: int
    unmatched: int = 0
    first_at: datetime
    last_at: datetime


class WebhookStore(Protocol):
    """An address and a subscription go with their trigger."""

    async def hook(self, *, address: str | None = None, trigger: int | None = None) -> tuple[Hook, Trigger] | None:
        """The webhook with that address, or that of a trigger, with the trigger as it now is."""

    async def rotate_hook(self, trigger: int, rotate: Rotate, *, entry: AuditEntry) -> Hook | None:
        """Give a trigger the address and the secret that `rotate` says, with its row locked; None: there is no such trigger."""

    async def note_calls(self, calls: Sequence[TakenCall]) -> None:
        """Remember calls, and of each webhook only the newest; those of triggers that are gone are left out."""

    async def calls(self, trigger: int, *, limit: int) -> list[TakenCall]:
        """The newest calls of a webhook first."""

    async def subscribers(self, namespace: str, types: Sequence[str], *, limit: int) -> list[Trigger]:
        """Triggers that wait for events of any of these types, the paused ones too, in the order of their ids."""

    async def count_events(self, counts: Sequence[EventCount]) -> None:
        """Add to the counts."""

    async def event_counts(self, namespace: str, *, after: str, limit: int) -> list[EventCount]:
        """A page of counts, in the order of types, after the one given."""

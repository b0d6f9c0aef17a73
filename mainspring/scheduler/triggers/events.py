"""Events that are told become runs of the triggers that wait for them.

Who waits is read from the store with every call, by an index: what was defined through any server counts at once on all.
"""

import asyncio
import hashlib
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol

import msgspec

from mainspring.clock import Clock
from mainspring.domain.runs.birth import Accepted
from mainspring.domain.runs.run import NewRun
from mainspring.domain.triggers.spec import Event
from mainspring.domain.triggers.trigger import Trigger
from mainspring.domain.webhooks.call import check_event_type, input_of, key_of_run
from mainspring.domain.webhooks.event_match import KEY_TEXT_MAX, matches, read_filter, unmet
from mainspring.errors import ConflictError, InvalidInputError, MainspringError, TooLargeError
from mainspring.scheduler.triggers.call_triggers import CallTriggers
from mainspring.store.interface import EventCount, Store
from mainspring.wire.arguments import check_json

# They share one commit.
RUNS_MAX = 10_000
"""Of one call."""


class PublishedEvent(msgspec.Struct, frozen=True, kw_only=True):
    """An event that a caller published."""

    type: str
    data: bytes = b"{}"
    """JSON."""
    id: str | None = None
    """Told again with the same id, it makes no second run of a trigger."""


class EventResult(msgspec.Struct, frozen=True, kw_only=True):
    """The result of one event for one trigger that waited for it."""

    event: int
    """Its position in the call."""
    trigger: str
    accepted: Accepted | None = None
    refused: MainspringError | None = None


class EventWaits(Protocol):
    """The steps of workflows that wait for events."""

    async def publish(self, namespace: str, events: Sequence[tuple[str, bytes]]) -> list[int]:
        """End the waits for these events, by type and data; how many of each."""


class ReceiveEvents:
    """Finds the triggers that wait for an event, and has their runs made; counts published events."""

    name = "hear_events"
    period = 1.0

    def __init__(self, store: Store, clock: Clock, calling: CallTriggers, waits: EventWaits) -> None:
        self.wake = asyncio.Event()
        self._store = store
        self._clock = clock
        self._calling = calling
        self._counts: dict[tuple[str, str], EventCount] = {}
        self._waits = waits

    async def tick(self) -> bool:
        """Write the counts; a crash loses only numbers."""
        await self._write_counts()
        return False

    async def tell(self, namespace: str, events: Sequence[PublishedEvent]) -> tuple[list[EventResult], int]:
        """Make a run for each trigger that an event matches, all in one commit, and end the waits of steps for it.

        Returns the results in the order of the events, and how many waits have ended.
        A trigger that cannot take its event is named in its answer, and keeps the others from nothing.
        """
        for position, told in enumerate(events):
            check_told(told, f"events[{position}]." if len(events) > 1 else "")
        waiting = await self._waiting(namespace, sorted({told.type for told in events}))
        answers, made = await self._make(events, waiting)
        if len(made) > RUNS_MAX:
            raise too_many()
        accepted = await self._calling.commit(namespace, list(made.values())) if made else []
        for position, answer in zip(made, accepted, strict=True):
            answers[position] = msgspec.structs.replace(answers[position], accepted=answer)
        ended = await self._waits.publish(namespace, [(told.type, told.data) for told in events])
        self._count(namespace, events, answers, ended)
        return answers, sum(ended)

    async def counts(self, namespace: str, *, after: str, limit: int) -> list[EventCount]:
        """Counts of published events by type: of this server up to now, of others up to a second ago."""
        await self._write_counts()
        return await self._store.webhooks.event_counts(namespace, after=after, limit=limit)

    async def _write_counts(self) -> None:
        counts, self._counts = self._counts, {}
        if counts:
            await self._store.webhooks.count_events(list(counts.values()))

    async def _waiting(self, namespace: str, types: Sequence[str]) -> Mapping[str, list[Trigger]]:
        found: dict[str, list[Trigger]] = {name: [] for name in types}
        triggers = await self._store.webhooks.subscribers(namespace, types, limit=RUNS_MAX + 1)
        if len(triggers) > RUNS_MAX:
            raise too_many()
        for trigger in triggers:
            if isinstance(trigger.spec.when, Event):
                found[trigger.spec.when.type].append(trigger)
        return found

    async def _make(
        self, events: Sequence[PublishedEvent], waiting: Mapping[str, list[Trigger]]
    ) -> tuple[list[EventResult], dict[int, tuple[Trigger, NewRun]]]:
        """An answer for each match, and the runs to accept by the positions of their answers."""
        answers: list[EventResult] = []
        made: dict[int, tuple[Trigger, NewRun]] = {}
        filters = {trigger.id: read_filter(rule_of(trigger).filter) for each in waiting.values() for trigger in each}
        for position, told in enumerate(events):
            for trigger in waiting[told.type]:
                if not matches(filters[trigger.id], told.data):
                    continue
                answer = EventResult(event=position, trigger=trigger.name)
                try:
                    made[len(answers)] = (trigger, await self._run(trigger, told))
                except (InvalidInputError, ConflictError) as error:
                    answer = msgspec.structs.replace(answer, refused=error)
                answers.append(answer)
        return answers, made

    async def _run(self, trigger: Trigger, told: PublishedEvent) -> NewRun:
        arguments = input_of(trigger.spec, rule_of(trigger).mapping, told.data)
        key = None if told.id is None else key_of_run(trigger.id, told.id)
        return await self._calling.make(trigger, arguments, key=key, digest=digest(told))

    def _count(
        self, namespace: str, events: Sequence[PublishedEvent], answers: Sequence[EventResult], ended: Sequence[int]
    ) -> None:
        now = self._clock.now()
        heard = {answer.event for answer in answers} | {position for position, waits in enumerate(ended) if waits}
        for position, told in enumerate(events):
            self._add(namespace, told.type, now, told=1, unmatched=position not in heard)
        for answer in answers:
            if answer.accepted is not None and not answer.accepted.existing:
                self._add(namespace, events[answer.event].type, now, matched=1)

    def _add(
        self, namespace: str, type_name: str, now: datetime, *, told: int = 0, matched: int = 0, unmatched: int = 0
    ) -> None:
        none = EventCount(namespace=namespace, type=type_name, told=0, matched=0, first_at=now, last_at=now)
        count = self._counts.get((namespace, type_name), none)
        self._counts[namespace, type_name] = msgspec.structs.replace(
            count,
            told=count.told + told,
            matched=count.matched + matched,
            unmatched=count.unmatched + unmatched,
            last_at=now,
        )


def check_told(told: PublishedEvent, prefix: str = "") -> None:
    """Raises InvalidInputError, its field behind the prefix."""
    check_event_type(told.type, f"{prefix}type")
    check_json(told.data, f"{prefix}data", code="bad_data")
    if told.id is not None and not (0 < len(told.id) <= KEY_TEXT_MAX and told.id.isprintable()):
        raise InvalidInputError(f"{prefix}id", f"needs 1 to {KEY_TEXT_MAX} printable characters", code="bad_key")


def rule_of(trigger: Trigger) -> Event:
    assert isinstance(trigger.spec.when, Event)
    return trigger.spec.when


def why_not(trigger: Trigger, data: bytes) -> str | None:
    """The place in the data that keeps the trigger from it; None: nothing does."""
    return unmet(read_filter(rule_of(trigger).filter), data)


def digest(told: PublishedEvent) -> bytes:
    """The identity of an event, independent of its triggers."""
    return hashlib.sha256(told.type.encode() + b"\0" + told.data).digest()


def too_many() -> TooLargeError:
    reason = f"more than {RUNS_MAX} triggers wait for these: tell them in smaller parts, or narrow filters"
    return TooLargeError("events", reason, code="too_many_matches")

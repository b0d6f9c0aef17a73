"""Notes, owners and mutes of kinds of failures."""

from collections.abc import Sequence
from datetime import datetime

from mainspring.clock import Clock
from mainspring.domain.access.permissions import Actor
from mainspring.domain.bulk.failure_note import (
    NO_NOTE,
    FailureNote,
    Mute,
    check_mute,
    check_note,
    check_owner,
    note_entry,
)
from mainspring.domain.runs.cancel import check_reason
from mainspring.domain.runs.dead_letter import FailureFigure, parse_fingerprint
from mainspring.errors import NotFoundError
from mainspring.store.interface import Store


class FailureNotes:
    """What people say of a kind of failure, which is known by its fingerprint."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store, self._clock = store, clock

    async def of(self, namespace: str, fingerprints: Sequence[bytes]) -> dict[bytes, FailureNote]:
        found = await self._store.bulk.failure_notes(namespace) if fingerprints else {}
        return {one: found.get(one, NO_NOTE) for one in fingerprints}

    async def note(self, namespace: str, fingerprint: str, note: str, *, actor: Actor) -> FailureNote:
        """Raises InvalidInputError, and NotFoundError for a kind of which no dead letter is open."""
        kind, now = parse_fingerprint(fingerprint), self._clock.now()
        details: dict[str, object] = {"note": check_note(note)}
        entry = note_entry("failure.note", kind, details, namespace=namespace, actor=actor, at=now)
        noted = await self._store.bulk.note_failure(namespace, kind, note, by=actor.name, now=now, entry=entry)
        return await self._found(namespace, kind, found=noted)

    async def assign(self, namespace: str, fingerprint: str, owner: str, *, actor: Actor) -> FailureNote:
        """Say who looks after it. Raises InvalidInputError, and NotFoundError for a kind of which no dead letter is open."""
        kind, now = parse_fingerprint(fingerprint), self._clock.now()
        details: dict[str, object] = {"owner": check_owner(owner)}
        entry = note_entry("failure.assign", kind, details, namespace=namespace, actor=actor, at=now)
        assigned = await self._store.bulk.assign_failure(namespace, kind, owner, by=actor.name, now=now, entry=entry)
        return await self._found(namespace, kind, found=assigned)

    async def figures(self, namespace: str, fingerprints: Sequence[str]) -> list[FailureFigure]:
        """When they happened in the last day, and by which code. Raises InvalidInputError."""
        kinds = [parse_fingerprint(one) for one in dict.fromkeys(fingerprints)]
        return await self._store.bulk.failure_figures(namespace, kinds, now=self._clock.now())

    async def mute(
        self, namespace: str, fingerprint: str, *, until: datetime | None, reason: str, actor: Actor
    ) -> FailureNote:
        """Until an instant, or until it comes again. Raises InvalidInputError and NotFoundError."""
        kind, now = parse_fingerprint(fingerprint), self._clock.now()
        mute = check_mute(Mute(at=now, until=until, by=actor.name, reason=reason))
        details: dict[str, object] = {"until": until, "reason": reason}
        entry = note_entry("failure.mute", kind, details, namespace=namespace, actor=actor, at=now)
        muted = await self._store.bulk.mute_failure(namespace, kind, mute, entry=entry)
        return await self._found(namespace, kind, found=muted)

    async def unmute(self, namespace: str, fingerprint: str, *, reason: str, actor: Actor) -> FailureNote:
        """Raises InvalidInputError, and NotFoundError for a kind that is not muted."""
        kind, now = parse_fingerprint(fingerprint), self._clock.now()
        details: dict[str, object] = {"reason": check_reason(reason)}
        entry = note_entry("failure.unmute", kind, details, namespace=namespace, actor=actor, at=now)
        if not await self._store.bulk.unmute_failure(namespace, kind, entry=entry):
            raise NotFoundError("mute", fingerprint)
        return await self._found(namespace, kind, found=True)

    async def _found(self, namespace: str, kind: bytes, *, found: bool) -> FailureNote:
        if not found:
            raise NotFoundError("failure", kind.hex(), "no dead letter of its kind is open")
        return (await self.of(namespace, [kind]))[kind]

"""Gives webhooks their addresses and secrets, when an operator asks for them.

Neither is part of the definition, which is written down in files and read by many; the secret is shown once.
"""

from datetime import datetime, timedelta

import msgspec

from mainspring.clock import Clock
from mainspring.domain.access.permissions import Actor, AuditEntry, audit_entry
from mainspring.domain.ids import Ids
from mainspring.domain.triggers.spec import Webhook
from mainspring.domain.triggers.trigger import Trigger
from mainspring.domain.webhooks.taken_call import KEPT, TakenCall
from mainspring.domain.webhooks.webhook import GRACE_MAX, Hook, kept, write_hook_id, write_secret
from mainspring.errors import ConflictError, InvalidInputError, NotFoundError
from mainspring.scheduler.access.vault import Vault
from mainspring.scheduler.triggers.webhooks import webhook_of
from mainspring.store.interface import Store


class Secret(msgspec.Struct, frozen=True):
    """A webhook's secret, with its text."""

    hook: Hook
    text: str


class SecretOperations:
    """An editor's operations on the secret of a webhook."""

    def __init__(self, store: Store, clock: Clock, ids: Ids, vault: Vault) -> None:
        self._store = store
        self._clock = clock
        self._ids = ids
        self._vault = vault

    async def get(self, namespace: str, name: str) -> Hook:
        """A webhook's secret; raises ConflictError if none was issued yet."""
        found = await self._store.webhooks.hook(trigger=(await self._webhook(namespace, name)).id)
        if found is None:
            raise no_secret(name)
        return found[0]

    async def calls(self, namespace: str, name: str) -> list[TakenCall]:
        """The newest calls of a webhook first."""
        return await self._store.webhooks.calls((await self._webhook(namespace, name)).id, limit=KEPT)

    async def rotate(self, namespace: str, name: str, *, grace: timedelta, new_address: bool, actor: Actor) -> Secret:
        """A new secret, and a new address if that is wanted; the old secret stays good for the grace."""
        if not timedelta(0) <= grace <= GRACE_MAX:
            raise InvalidInputError("grace", f"is 0 to {GRACE_MAX.days} days", code="bad_grace")
        trigger, now = await self._webhook(namespace, name), self._clock.now()
        text = write_secret(self._ids.noise)
        address = write_hook_id(self._ids.noise)
        rule = webhook_of(trigger)
        sealed = self._vault.seal(kept(rule.auth, text), trigger.id, self._ids.noise)

        def renew(old: Hook | None) -> Hook:
            place = address if old is None or new_address else old.id
            made = Hook(id=place, auth=rule.auth, secret=sealed, made_at=now)
            if old is None or old.auth is not rule.auth or not grace:
                return made
            return msgspec.structs.replace(made, old_secret=old.secret, old_until=now + grace)

        entry = entry_of(trigger, actor=actor, now=now, grace=grace, new_address=new_address)
        hook = await self._store.webhooks.rotate_hook(trigger.id, renew, entry=entry)
        if hook is None:
            raise NotFoundError("trigger", name)
        return Secret(hook, text)

    async def _webhook(self, namespace: str, name: str) -> Trigger:
        trigger = await self._store.triggers.get(namespace, name)
        if trigger is None:
            raise NotFoundError("trigger", name)
        if not isinstance(trigger.spec.when, Webhook):
            raise ConflictError("trigger", name, "is not a webhook", code="not_a_webhook")
        return trigger


def no_secret(name: str) -> ConflictError:
    return ConflictError("trigger", name, "has no secret yet: make one", code="secret_missing")


def entry_of(trigger: Trigger, *, actor: Actor, now: datetime, grace: timedelta, new_address: bool) -> AuditEntry:
    return audit_entry(
        "trigger.secret",
        "trigger",
        trigger.name,
        {"grace": grace.total_seconds(), "new_address": new_address},
        namespace=trigger.namespace,
        actor=actor,
        at=now,
    )

"""A server on SQLite in memory with triggers that are called."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import msgspec

from mainspring.domain.access.permissions import Actor
from mainspring.domain.jobs.job import JobSpec
from mainspring.domain.runs.birth import Accepted
from mainspring.domain.runs.run import Run
from mainspring.domain.triggers.spec import AnyRule, HookAuth, TriggerSpec, Webhook
from mainspring.domain.triggers.trigger import RecordedPause, Trigger, TriggerChanges, TriggerMove
from mainspring.domain.webhooks.webhook import WebhookCall, sign
from mainspring.scheduler.operations.secrets import Secret
from mainspring.scheduler.triggers.events import EventResult, PublishedEvent
from mainspring.store.interface import RunFilter
from mainspring.store.sqlite.store import SqliteStore
from mainspring.testing.clock import FakeClock
from tests.scheduler.scene import NAMESPACE, Scene

ACTOR = Actor("anna")
SCHEMA = msgspec.json.encode(
    {
        "type": "object",
        "properties": {"file": {"type": "string"}, "dry": {"type": "boolean"}},
        "required": ["file"],
        "additionalProperties": False,
    }
)


class CalledScene(Scene):
    """Short ways to define triggers, to call them, and to see what came of it."""

    @classmethod
    async def set(cls) -> "CalledScene":
        clock = FakeClock()
        store = SqliteStore.inline(clock=clock)
        await store.migrate()
        jobs = [JobSpec(name="reconcile", handler="reconcile", schema=SCHEMA), JobSpec(name="open", handler="open")]
        await store.jobs.register(NAMESPACE, jobs, now=clock.now())
        scene = cls(store, clock)
        await scene.start()
        return scene

    async def define(self, name: str, when: AnyRule, **fields: Any) -> Trigger:
        spec = TriggerSpec(name=name, when=when, **{"job": "reconcile", **fields})
        now = self.clock.now()
        move = TriggerMove(trigger=Trigger(namespace=NAMESPACE, spec=spec, created_at=now, updated_at=now))
        [trigger] = await self.store.triggers.change(NAMESPACE, [name], lambda _: TriggerChanges(moves=[move]), now=now)
        return trigger

    async def redefine(self, trigger: Trigger, spec: TriggerSpec) -> None:
        move = TriggerMove(trigger=msgspec.structs.replace(trigger, spec=spec))
        await self.store.triggers.change(
            NAMESPACE, [spec.name], lambda _: TriggerChanges(moves=[move]), now=self.clock.now()
        )

    async def pause(self, name: str) -> None:
        now = self.clock.now()

        def revise(present: Mapping[str, Trigger]) -> TriggerChanges:
            paused = msgspec.structs.replace(present[name], paused=RecordedPause("the bank is closed", "anna", now))
            return TriggerChanges(moves=[TriggerMove(trigger=paused)])

        await self.store.triggers.change(NAMESPACE, [name], revise, now=now)

    async def open(self, name: str, when: Webhook | None = None, **fields: Any) -> "Caller":
        """A webhook with a secret, and a caller who has it."""
        trigger = await self.define(name, when or Webhook(), **fields)
        secret = await self.scheduler.called.secrets.rotate(
            NAMESPACE, name, grace=timedelta(0), new_address=False, actor=ACTOR
        )
        return Caller(self, trigger, secret)

    async def tell(self, *events: PublishedEvent) -> list[EventResult]:
        results, _ = await self.scheduler.called.events.tell(NAMESPACE, events)
        return results

    async def runs(self) -> list[Run]:
        page = await self.store.runs.list(RunFilter(namespace=NAMESPACE, oldest_first=True, bodies=True, limit=500))
        return page.runs

    async def inputs(self) -> list[Any]:
        return [msgspec.json.decode(run.input or b"null") for run in await self.runs()]


class Caller:
    """The caller of a webhook."""

    def __init__(self, scene: CalledScene, trigger: Trigger, secret: Secret) -> None:
        self.scene = scene
        self.trigger = trigger
        self.secret = secret

    def prove(self, body: bytes) -> dict[str, str]:
        if self.secret.hook.auth is HookAuth.BEARER:
            return {"authorization": f"Bearer {self.secret.text}"}
        return {"x-mainspring-signature": sign(self.secret.text.encode(), body)}

    async def call(self, content: object, **headers: str) -> Accepted:
        body = content if isinstance(content, bytes) else msgspec.json.encode(content)
        proof = self.prove(body) | {name.replace("_", "-"): value for name, value in headers.items()}
        return await self.scene.scheduler.called.hooks.call(self.secret.hook.id, WebhookCall(proof, body))


def told(type_name: str, data: object = None, *, id: str | None = None) -> PublishedEvent:  # noqa: A002 the field's name
    return PublishedEvent(type=type_name, data=msgspec.json.encode({} if data is None else data), id=id)

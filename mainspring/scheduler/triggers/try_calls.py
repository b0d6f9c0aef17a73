"""Dry runs of webhook calls and events: everything is checked, and nothing is done."""

import msgspec

from mainspring.clock import Clock
from mainspring.domain.triggers.spec import Event, Webhook
from mainspring.domain.triggers.trigger import Trigger
from mainspring.domain.webhooks.call import input_of
from mainspring.domain.webhooks.webhook import WebhookCall, check_caller, key_of_call
from mainspring.errors import AccessDeniedError, ConflictError, InvalidInputError, MainspringError, NotFoundError
from mainspring.scheduler.access.vault import Vault
from mainspring.scheduler.operations.secrets import no_secret
from mainspring.scheduler.triggers.call_triggers import CallTriggers
from mainspring.scheduler.triggers.events import PublishedEvent, check_told, why_not
from mainspring.store.interface import Store
from mainspring.wire.arguments import check_json


class Trial(msgspec.Struct, kw_only=True):
    """The findings, as far as the check went."""

    signed: bool | None = None
    """Whether a webhook's caller would be let in."""
    matched: bool | None = None
    """Whether the data are such that an event's trigger waits for them,"""
    unmet: str | None = None
    """and if not, because of which place."""
    arguments: bytes | None = None
    key: str | None = None
    problem: MainspringError | None = None
    """The first thing that keeps it from becoming a run."""

    @property
    def would_run(self) -> bool:
        return self.problem is None and self.matched is not False

    def note(self, error: MainspringError) -> None:
        self.problem = self.problem or error


class TryCalls:
    """Dry runs, for those who write definitions."""

    def __init__(self, store: Store, clock: Clock, calling: CallTriggers, vault: Vault) -> None:
        self._store = store
        self._clock = clock
        self._calling = calling
        self._vault = vault

    async def try_out(self, namespace: str, name: str, call: WebhookCall) -> Trial:
        """Raises NotFoundError, ConflictError if the trigger is not one that is called. An event's data are the body."""
        trigger = await self._store.triggers.get(namespace, name)
        if trigger is None:
            raise NotFoundError("trigger", name)
        match trigger.spec.when:
            case Webhook() as rule:
                return await self._webhook(trigger, rule, call)
            case Event() as rule:
                return await self._event(trigger, rule, call.body)
        raise ConflictError("trigger", name, "is fired by time, not by calls: see its preview", code="not_called")

    async def _webhook(self, trigger: Trigger, rule: Webhook, call: WebhookCall) -> Trial:
        trial = Trial(signed=False)
        try:
            await self._check_caller(trigger, rule, call)
            trial.signed = True
        except (AccessDeniedError, ConflictError) as error:
            # What follows is of interest all the same.
            trial.note(error)
        try:
            check_json(call.body, "body", code="malformed_json")
            trial.key = key_of_call(rule, call) if trial.signed or not rule.remember_calls else None
            trial.arguments = input_of(trigger.spec, rule.mapping, call.body, call.headers)
            await self._calling.make(trigger, trial.arguments)
        except (ConflictError, InvalidInputError) as error:
            trial.note(error)
        return trial

    async def _check_caller(self, trigger: Trigger, rule: Webhook, call: WebhookCall) -> None:
        found = await self._store.webhooks.hook(trigger=trigger.id)
        if found is None:
            raise no_secret(trigger.name)
        check_caller(self._vault.opened(found[0], trigger.id), rule, call, self._clock.now())

    async def _event(self, trigger: Trigger, rule: Event, data: bytes) -> Trial:
        trial = Trial()
        try:
            check_told(PublishedEvent(type=rule.type, data=data))
            trial.unmet = why_not(trigger, data)
            trial.matched = trial.unmet is None
            trial.arguments = input_of(trigger.spec, rule.mapping, data)
            await self._calling.make(trigger, trial.arguments)
        except (ConflictError, InvalidInputError) as error:
            trial.note(error)
        return trial

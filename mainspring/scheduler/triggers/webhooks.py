"""Calls of webhooks become runs, if the caller has the secret."""

import hashlib

from mainspring.clock import Clock
from mainspring.domain.runs.birth import Accepted
from mainspring.domain.runs.trace import read_traceparent
from mainspring.domain.triggers.spec import Webhook
from mainspring.domain.triggers.trigger import Trigger
from mainspring.domain.webhooks.call import input_of, key_of_run
from mainspring.domain.webhooks.taken_call import accepted_call, refused_call
from mainspring.domain.webhooks.webhook import HOOK_ID, Hook, WebhookCall, check_caller, key_of_call, sign
from mainspring.errors import MainspringError, NotFoundError, UnavailableError
from mainspring.scheduler.access.vault import Vault
from mainspring.scheduler.insights.record_calls import RecordCalls
from mainspring.scheduler.triggers.call_triggers import CallTriggers
from mainspring.store.interface import Store
from mainspring.wire.arguments import check_json

# So many are guesses, which must not keep the store busy.
MISSES_MAX = 100
"""In a second, of addresses that nobody has."""
KNOWN_MAX = 10_000
DECOY = b"a key that opens nothing"


class ReceiveWebhooks:
    """Looks the webhook up at every call: a change through any server counts at once on all."""

    def __init__(self, store: Store, clock: Clock, calling: CallTriggers, vault: Vault, recorded: RecordCalls) -> None:
        self._store = store
        self._clock = clock
        self._calling = calling
        self._vault = vault
        self._recorded = recorded
        self._known: set[str] = set()
        self._second = clock.monotonic()
        self._misses = 0

    async def call(self, address: str, call: WebhookCall) -> Accepted:
        """Raises NotFoundError, AccessDeniedError, ConflictError while the trigger takes no calls, InvalidInputError."""
        hook, trigger = await self._find(address, call)
        try:
            accepted = await self._take(hook, trigger, call)
        except MainspringError as error:
            self._recorded.note(refused_call(trigger.id, self._clock.now(), error))
            raise
        self._recorded.note(accepted_call(trigger.id, self._clock.now(), accepted))
        return accepted

    async def _take(self, hook: Hook, trigger: Trigger, call: WebhookCall) -> Accepted:
        rule = webhook_of(trigger)
        check_caller(self._vault.opened(hook, trigger.id), rule, call, self._clock.now())
        check_json(call.body, "body", code="malformed_json")
        arguments = input_of(trigger.spec, rule.mapping, call.body, call.headers)
        known = key_of_call(rule, call)
        key = None if known is None else key_of_run(trigger.id, known)
        trace = read_traceparent(call.headers.get("traceparent", ""))
        run = await self._calling.make(trigger, arguments, key=key, digest=digest(key), traceparent=trace)
        [accepted] = await self._calling.commit(trigger.namespace, [(trigger, run)])
        return accepted

    async def _find(self, address: str, call: WebhookCall) -> tuple[Hook, Trigger]:
        if HOOK_ID.fullmatch(address):
            self._check_misses(address)
            found = await self._store.webhooks.hook(address=address)
            if found is not None and isinstance(found[1].spec.when, Webhook):
                self._remember(address)
                return found
        self._misses += 1
        # As long as for an address that a webhook has.
        sign(DECOY, call.body)
        raise NotFoundError("webhook", address)

    def _check_misses(self, address: str) -> None:
        now = self._clock.monotonic()
        if now - self._second >= 1.0:
            self._second, self._misses = now, 0
        if self._misses >= MISSES_MAX and address not in self._known:
            error = UnavailableError("too many calls of webhooks that do not exist: try again in a moment")
            error.code = "busy"
            raise error

    def _remember(self, address: str) -> None:
        if len(self._known) >= KNOWN_MAX:
            self._known.clear()
        self._known.add(address)


def webhook_of(trigger: Trigger) -> Webhook:
    assert isinstance(trigger.spec.when, Webhook)
    return trigger.spec.when


def digest(key: str | None) -> bytes:
    """Who repeats a call may word it differently: it is the key that says which one it is."""
    return hashlib.sha256((key or "").encode()).digest()

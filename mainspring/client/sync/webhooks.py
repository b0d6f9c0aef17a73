"""Generated from mainspring/client/nouns/webhooks.py by `make client-sync`: do not edit."""

from collections.abc import Mapping
from datetime import timedelta

from mainspring.client.calls import SyncCall, ask
from mainspring.client.values import plain_seconds
from mainspring.contract.operations import webhooks
from mainspring.contract.webhooks import HookInfo, HookSecret, TriedCall


class Hooks:
    """`client.hooks` of a `Client`."""

    def __init__(self, call: SyncCall) -> None:
        self._call = call

    def get(self, trigger: str) -> HookInfo:
        """Raises ConflictError if the webhook has no secret yet."""
        return self._call(ask(webhooks.GET_HOOK, trigger))

    def rotate(self, trigger: str, *, grace: float | timedelta = 0, new_address: bool = False) -> HookSecret:
        """Give a webhook its first secret, or another one; the old one stays valid for `grace` seconds."""
        body = webhooks.SecretBody(grace=plain_seconds(grace), new_address=new_address)
        return self._call(ask(webhooks.ROTATE_SECRET, trigger, body=body))

    def test(self, trigger: str, body: str, headers: Mapping[str, str] | None = None) -> TriedCall:
        """Show the effect of a call, or of an event with that data; nothing is done."""
        small = {name.lower(): value for name, value in (headers or {}).items()}
        return self._call(ask(webhooks.TRY_CALL, trigger, body=webhooks.TryBody(headers=small, body=body)))

"""Generated from mainspring/client/nouns/webhooks.py by `make client-sync`: do not edit."""

from collections.abc import Mapping
from datetime import timedelta

from mainspring.client.calls import SyncCall
from mainspring.client.nouns.webhooks import get_hook, rotate_secret, try_call
from mainspring.contract.webhooks import HookInfo, HookSecret, TriedCall


class Hooks:
    """`client.hooks` of a `Client`."""

    def __init__(self, call: SyncCall) -> None:
        self._call = call

    def get(self, trigger: str) -> HookInfo:
        """Raises ConflictError if nobody has made a secret yet."""
        return self._call(get_hook(trigger))

    def rotate(self, trigger: str, *, grace: float | timedelta = 0, new_address: bool = False) -> HookSecret:
        """Give a webhook its secret, or another one; the old one stays good for so many seconds."""
        return self._call(rotate_secret(trigger, grace, new_address=new_address))

    def test(self, trigger: str, body: str, headers: Mapping[str, str] | None = None) -> TriedCall:
        """What a call would come to, or for a trigger that waits for events, their data; nothing is done."""
        return self._call(try_call(trigger, body, headers or {}))

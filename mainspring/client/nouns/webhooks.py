"""Webhooks: their addresses and secrets, and what a call would come to."""

from collections.abc import Mapping
from datetime import timedelta

import msgspec

from mainspring.client.calls import AsyncCall, part
from mainspring.client.transport.requests import Request
from mainspring.client.values import json_bytes
from mainspring.contract.webhooks import HookInfo, HookSecret, TriedCall

PATH = "/api/v1/triggers"


def get_hook(trigger: str) -> Request[HookInfo]:
    return Request("GET", f"{PATH}/{part(trigger)}/secret", _hook)


def rotate_secret(trigger: str, grace: float | timedelta, *, new_address: bool) -> Request[HookSecret]:
    seconds = grace.total_seconds() if isinstance(grace, timedelta) else grace
    body = json_bytes({"grace": seconds, "new_address": new_address})
    return Request("POST", f"{PATH}/{part(trigger)}/secret", _secret, body=body)


def try_call(trigger: str, body: str, headers: Mapping[str, str]) -> Request[TriedCall]:
    small = {name.lower(): value for name, value in headers.items()}
    content = json_bytes({"headers": small, "body": body})
    return Request("POST", f"{PATH}/{part(trigger)}/test", _tried, body=content)


class AsyncHooks:
    """`client.hooks` of an `AsyncClient`."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def get(self, trigger: str) -> HookInfo:
        """Raises ConflictError if nobody has made a secret yet."""
        return await self._call(get_hook(trigger))

    async def rotate(self, trigger: str, *, grace: float | timedelta = 0, new_address: bool = False) -> HookSecret:
        """Give a webhook its secret, or another one; the old one stays good for so many seconds."""
        return await self._call(rotate_secret(trigger, grace, new_address=new_address))

    async def test(self, trigger: str, body: str, headers: Mapping[str, str] | None = None) -> TriedCall:
        """What a call would come to, or for a trigger that waits for events, their data; nothing is done."""
        return await self._call(try_call(trigger, body, headers or {}))


_hook = msgspec.json.Decoder(HookInfo).decode
_secret = msgspec.json.Decoder(HookSecret).decode
_tried = msgspec.json.Decoder(TriedCall).decode

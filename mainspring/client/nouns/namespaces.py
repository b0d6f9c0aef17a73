"""Namespaces."""

import msgspec

from mainspring.client.calls import AsyncCall, part
from mainspring.client.transport.requests import Request
from mainspring.client.values import json_bytes
from mainspring.contract.access import NamespaceInfo, NamespacePage

PATH = "/api/v1/namespaces"


def list_namespaces() -> Request[NamespacePage]:
    return Request("GET", PATH, _page)


def get_namespace(name: str) -> Request[NamespaceInfo]:
    return Request("GET", f"{PATH}/{part(name)}", _namespace)


def create_namespace(name: str, description: str) -> Request[NamespaceInfo]:
    body = json_bytes({"name": name, "description": description})
    return Request("POST", PATH, _namespace, body=body)


def delete_namespace(name: str) -> Request[None]:
    return Request("DELETE", f"{PATH}/{part(name)}", _nothing)


class AsyncNamespaces:
    """`client.namespaces` of an `AsyncClient`."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def get(self, name: str) -> NamespaceInfo:
        return await self._call(get_namespace(name))

    async def create(self, name: str, *, description: str = "") -> NamespaceInfo:
        return await self._call(create_namespace(name, description))

    async def delete(self, name: str) -> None:
        """Only an empty one."""
        await self._call(delete_namespace(name))

    async def list(self) -> tuple[NamespaceInfo, ...]:
        """All that the token reaches."""
        return tuple((await self._call(list_namespaces())).namespaces)


_namespace = msgspec.json.Decoder(NamespaceInfo).decode
_page = msgspec.json.Decoder(NamespacePage).decode


def _nothing(_content: bytes) -> None: ...

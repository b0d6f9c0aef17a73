"""Requests built from the operations of the contract, without I/O, and the call that sends them."""

import functools
import re
from collections.abc import Callable, Mapping
from types import NoneType
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from mainspring.client.transport.problems import error_of, unreadable
from mainspring.client.transport.versions import AnswerOrigin
from mainspring.client.values import json_bytes, part
from mainspring.contract.base.operation import Operation, Query

T = TypeVar("T")

PART = re.compile(r"\{\w+\}")


class Request(msgspec.Struct, Generic[T], frozen=True):
    """One call: its request, and the reader of a good answer."""

    method: str
    path: str
    read: Callable[[bytes], T]
    params: Mapping[str, str | list[str]] = {}
    body: bytes | None = None
    wait: float = 0.0
    """Seconds that the server may take in addition to the usual timeout."""
    headers: Mapping[str, str] = {}
    repeatable: bool = False
    """Doing it twice equals doing it once, so that a second server may be asked. Every GET is repeatable."""


class AsyncCall(Protocol):
    async def __call__(self, request: Request[T]) -> T: ...


class SyncCall(Protocol):
    def __call__(self, request: Request[T]) -> T: ...


def ask(
    operation: Operation[T],
    *parts: object,
    query: Query | None = None,
    body: object = None,
    headers: Mapping[str, str] | None = None,
    wait: float = 0.0,
    repeatable: bool | None = None,
) -> Request[T]:
    """A request of the operation; the parts fill the gaps of its path in their order, a body of bytes is sent as it is."""
    method, path, read = shape_of(operation)
    return Request(
        method,
        path_with(path, parts) if parts else path,
        read,
        params={} if query is None else params_of(query),
        body=body if isinstance(body, bytes | None) else json_bytes(body),
        headers=headers or {},
        wait=wait,
        repeatable=operation.repeatable if repeatable is None else repeatable,
    )


@functools.cache
def shape_of(operation: Operation[T]) -> tuple[str, str, Callable[[bytes], T]]:
    """Method, path and reader of an operation, prepared once: enqueueing uses them for every run."""
    answer = operation.answer
    read: Any = nothing if answer is NoneType else bytes if answer is bytes else msgspec.json.Decoder(answer).decode
    return operation.method, operation.path, read


def nothing(_content: bytes) -> Any:
    """Reads an empty answer."""


def path_with(path: str, parts: tuple[object, ...]) -> str:
    rest = iter(parts)
    return PART.sub(lambda _: part(str(next(rest))), path)


def params_of(query: Query) -> dict[str, str | list[str]]:
    """The parameters that differ from their defaults."""
    given: dict[str, Any] = msgspec.to_builtins(query)
    return {name: text_of(value) for name, value in given.items()}


def text_of(value: Any) -> Any:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, list | str) else str(value)


def if_match(version: int | None) -> dict[str, str]:
    """Headers of a change to that version; None: to any."""
    return {} if version is None else {"if-match": f'"{version}"'}


def if_new() -> dict[str, str]:
    """Headers of a change that creates."""
    return {"if-none-match": "*"}


def parse(request: Request[T], status: int, content: bytes, origin: AnswerOrigin | None = None) -> T:
    """The answer; raises the error that it carries."""
    if status >= 300:
        raise error_of(status, content, origin)
    try:
        return request.read(content)
    except msgspec.DecodeError as error:
        raise unreadable(error, origin) from None

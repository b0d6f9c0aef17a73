"""What the parts of a client stand on: one call, with or without await."""

from typing import Protocol, TypeVar
from urllib.parse import quote

from mainspring.client.requests import Request

T = TypeVar("T")


class AsyncCall(Protocol):
    async def __call__(self, request: Request[T]) -> T: ...


class SyncCall(Protocol):
    def __call__(self, request: Request[T]) -> T: ...


def part(text: str) -> str:
    """A name as one part of a path, whatever is in it."""
    return quote(text, safe="")


def given(**params: str | None) -> dict[str, str | list[str]]:
    """The parameters that were given."""
    return {name: value for name, value in params.items() if value is not None}

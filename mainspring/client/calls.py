"""What the parts of a client stand on: one call, with or without await."""

from typing import Protocol, TypeVar

from mainspring.client.transport.requests import Request
from mainspring.client.values import part

T = TypeVar("T")

__all__ = ["AsyncCall", "SyncCall", "given", "part"]


class AsyncCall(Protocol):
    async def __call__(self, request: Request[T]) -> T: ...


class SyncCall(Protocol):
    def __call__(self, request: Request[T]) -> T: ...


def given(**params: str | None) -> dict[str, str | list[str]]:
    """The parameters that were given."""
    return {name: value for name, value in params.items() if value is not None}

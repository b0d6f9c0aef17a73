"""The way from an app to the clients, which are imported by the first run that is asked for: an executor that enqueues
nothing never loads them.
"""

from typing import TYPE_CHECKING, Unpack

if TYPE_CHECKING:
    import msgspec

    from mainspring.client.async_client import AsyncClient
    from mainspring.client.client import Client
    from mainspring.client.options import RunOptions
    from mainspring.client.transport.requests import Enqueue


def new_client() -> "AsyncClient":
    from mainspring.client.async_client import AsyncClient  # noqa: PLC0415

    return AsyncClient()


def new_sync_client() -> "Client":
    from mainspring.client.client import Client  # noqa: PLC0415

    return Client()


def new_call(job: str, raw: "msgspec.Raw", **options: "Unpack[RunOptions]") -> "Enqueue":
    from mainspring.client.transport.requests import new_enqueue  # noqa: PLC0415

    return new_enqueue(job, raw, **options)

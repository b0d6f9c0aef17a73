"""The way to the transport, which is imported by the first call."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mainspring.client.plain_transport import SyncTransport
    from mainspring.client.servers import Given
    from mainspring.client.transport import AsyncTransport


def open_async(given: "Given") -> "AsyncTransport":
    from mainspring.client.transport import AsyncTransport  # noqa: PLC0415

    return AsyncTransport(given)


def open_sync(given: "Given") -> "SyncTransport":
    from mainspring.client.plain_transport import SyncTransport  # noqa: PLC0415

    return SyncTransport(given)

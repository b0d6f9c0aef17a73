"""The way to the transport, which is imported by the first call."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import asyncio

    from mainspring.client.batching import Batching
    from mainspring.client.calls import AsyncCall
    from mainspring.client.transport.asyncio_http import AsyncTransport
    from mainspring.client.transport.servers import Given
    from mainspring.client.transport.sync_http import SyncTransport


def running_loop() -> "asyncio.AbstractEventLoop":
    import asyncio  # noqa: PLC0415 a process with a loop has it loaded

    return asyncio.get_running_loop()


def open_async(given: "Given", ca_file: str | None = None) -> "AsyncTransport":
    from mainspring.client.transport.asyncio_http import AsyncTransport  # noqa: PLC0415

    return AsyncTransport(given, ca_file)


def open_batching(call: "AsyncCall") -> "Batching":
    from mainspring.client.batching import Batching  # noqa: PLC0415

    return Batching(call)


def open_sync(given: "Given", ca_file: str | None = None) -> "SyncTransport":
    from mainspring.client.transport.sync_http import SyncTransport  # noqa: PLC0415

    return SyncTransport(given, ca_file)


def find_namespace(given: "Given") -> str:
    """The one that calls go to."""
    from mainspring.domain.access.permissions import NAMESPACE_DEFAULT  # noqa: PLC0415
    from mainspring.settings import ClientSettings, load  # noqa: PLC0415

    return load(ClientSettings, {"namespace": given[2]}).namespace or NAMESPACE_DEFAULT

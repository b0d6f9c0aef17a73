"""ZooKeeper: ephemeral nodes, by kazoo in a thread."""

import asyncio
import logging
from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeVar

from mainspring.clock import Clock
from mainspring.discovery.address import Address
from mainspring.discovery.interface import ENTRIES_MAX, Entry, EntryReader, RegistryAwayError, write_entry
from mainspring.discovery.login import credentials_of
from mainspring.discovery.polling import Polling
from mainspring.errors import ConfigError

PORT = 2181
PREFIX = "mainspring"
PATIENCE = 5.0
SESSION = 15.0
WATCH_MAX = 60.0
"""Seconds after which the list is read anew without news."""

T = TypeVar("T")

# Its own lines come with every try; ours at most once a minute.
silence = logging.getLogger("mainspring.discovery.kazoo")
silence.setLevel(logging.CRITICAL + 1)


class ZooKeeper(EntryReader):
    """One session, begun anew after every failure; its nodes go away with it and are put again with the next renewal."""

    def __init__(self, address: Address, clock: Clock) -> None:
        super().__init__()
        try:
            self._kazoo: Any = import_module("kazoo.client")
            self._gone: type[Exception] = import_module("kazoo.exceptions").NoNodeError
        except ImportError:
            raise ConfigError("zookeeper:// takes an extra library: pip install 'mainspring[zookeeper]'") from None
        self._address = address
        self._hosts = ",".join(f"{host}:{port or PORT}" for host, port in address.hosts)
        self._prefix = f"/{address.path or PREFIX}"
        self._clock = clock
        self._poll = Polling(address, clock)
        self._client: Any = None
        self._news = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        # Its threads are not ours: one call at a time has the client.
        self._turn = asyncio.Lock()

    async def announce(self, entry: Entry, *, ttl: float) -> None:
        await self._call(self._put, entry, ttl)

    async def withdraw(self, entry: Entry) -> None:
        await self._call(self._delete, entry, SESSION)

    async def entries(self) -> list[Entry]:
        self._loop = asyncio.get_running_loop()
        self._news.clear()
        return self.read(await self._call(self._all, SESSION))

    async def changed(self) -> None:
        """The list has left a watch behind, which is told of nodes that come and go, and of the end of the connection."""
        if self._client is None:
            await self._poll.pause()
            return
        await self._clock.wait(self._news, WATCH_MAX)

    async def close(self) -> None:
        async with self._turn:
            await asyncio.to_thread(self._end)

    async def _call(self, act: Callable[..., T], *given: Any) -> T:
        async with self._turn:
            try:
                return await asyncio.to_thread(act, *given)
            except Exception as error:  # noqa: BLE001 the library's errors have no common base
                await asyncio.to_thread(self._end)
                raise RegistryAwayError(str(error) or type(error).__name__) from None

    def _connected(self, ttl: float) -> Any:
        if self._client is None:
            self._client = self._kazoo.KazooClient(hosts=self._hosts, timeout=ttl, logger=silence, **self._login())
            self._client.add_listener(self._heard)
            self._client.start(timeout=PATIENCE)
        if not self._client.connected:
            raise ConnectionError("the connection is lost")
        return self._client

    def _login(self) -> dict[str, Any]:
        """Nodes made with a login are changed by that login only; every client may read them."""
        options: dict[str, Any] = {}
        if self._address.tls:
            options |= {"use_ssl": True, "check_hostname": True, "ca": self._address.ca_file or None}
        if login := credentials_of(self._address):
            rights: Any = import_module("kazoo.security")
            own = [*rights.CREATOR_ALL_ACL, *rights.READ_ACL_UNSAFE]
            options |= {"auth_data": [("digest", login)], "default_acl": own}
        return options

    def _put(self, entry: Entry, ttl: float) -> None:
        client, path, value = self._connected(ttl), self._path(entry), write_entry(entry)
        found = client.exists_async(path).get(timeout=PATIENCE)
        if found is not None and found.ephemeralOwner == client.client_id[0]:
            client.set_async(path, value).get(timeout=PATIENCE)
            return
        if found is not None:
            # Of the session before, with which it would go away in a moment.
            client.delete_async(path).get(timeout=PATIENCE)
        client.create_async(path, value, ephemeral=True, makepath=True).get(timeout=PATIENCE)

    def _delete(self, entry: Entry, ttl: float) -> None:
        client, path = self._connected(ttl), self._path(entry)
        if client.exists_async(path).get(timeout=PATIENCE) is not None:
            client.delete_async(path).get(timeout=PATIENCE)

    def _all(self, ttl: float) -> list[bytes]:
        client = self._connected(ttl)
        if client.exists_async(self._prefix, watch=self._heard).get(timeout=PATIENCE) is None:
            return []
        names = client.get_children_async(self._prefix, watch=self._heard).get(timeout=PATIENCE)[:ENTRIES_MAX]
        return [value for name in names if (value := self._value(client, name)) is not None]

    def _value(self, client: Any, name: str) -> bytes | None:
        try:
            return bytes(client.get_async(f"{self._prefix}/{name}").get(timeout=PATIENCE)[0])
        except self._gone:
            # Its session ended since the names were listed.
            return None

    def _heard(self, _said: object) -> None:
        """In a thread of the library."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._news.set)

    def _end(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            client.stop()
            client.close()

    def _path(self, entry: Entry) -> str:
        return f"{self._prefix}/{entry.kind}-{entry.id}"

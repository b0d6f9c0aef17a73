"""Consul: services with a TTL check, by the agent's HTTP API."""

from typing import Any
from urllib.parse import quote, urlsplit

from mainspring.clock import Clock
from mainspring.discovery.address import Address
from mainspring.discovery.http import AnswerParser, HttpBook
from mainspring.discovery.interface import Entry, EntryReader, RegistryAwayError, write_entry
from mainspring.discovery.polling import Polling

PORT = 8500
SERVICE = "mainspring"
META = "mainspring_entry"
BLOCK = 30.0
"""Seconds that a question for changes stays open."""


class Consul(EntryReader):
    """An agent forgets services when it is started anew: each renewal that fails registers again."""

    def __init__(self, address: Address, clock: Clock) -> None:
        super().__init__()
        self._http = HttpBook(address.hosts, port=PORT)
        self._service = quote(address.path or SERVICE, safe="")
        self._question = f"/v1/health/service/{self._service}?passing=1"
        self._poll = Polling(address, clock)
        self._index = 0
        """Of the last list: the next question stays open until there is a newer one."""
        self._registered: set[str] = set()

    async def announce(self, entry: Entry, *, ttl: float) -> None:
        id_ = self._id(entry)
        if id_ in self._registered:
            try:
                await self._http.call("PUT", f"/v1/agent/check/pass/service:{quote(id_, safe='')}")
                return
            except RegistryAwayError:
                self._registered.discard(id_)
        await self._http.call("PUT", "/v1/agent/service/register", self._registration(entry, ttl))
        await self._http.call("PUT", f"/v1/agent/check/pass/service:{quote(id_, safe='')}")
        self._registered.add(id_)

    async def withdraw(self, entry: Entry) -> None:
        self._registered.discard(self._id(entry))
        await self._http.call("PUT", f"/v1/agent/service/deregister/{quote(self._id(entry), safe='')}")

    async def entries(self) -> list[Entry]:
        answer, content = await self._http.call("GET", self._question)
        if not isinstance(content, list):
            raise RegistryAwayError("consul does not answer with a list of services")
        self._index = _index(answer)
        return self.read([_raw(one) for one in content])

    async def changed(self) -> None:
        await self._poll.watching(self._blocked())

    async def _blocked(self) -> bool:
        """Whether the list is another one: an index that went back means that Consul began anew."""
        target = f"{self._question}&index={self._index}&wait={BLOCK:.0f}s"
        answer, _ = await self._http.call("GET", target, patience=2 * BLOCK)
        return _index(answer) != self._index

    async def close(self) -> None:
        self._registered.clear()

    def _id(self, entry: Entry) -> str:
        return f"{self._service}-{entry.id}"

    def _registration(self, entry: Entry, ttl: float) -> dict[str, Any]:
        parts = urlsplit(entry.url)
        return {
            "ID": self._id(entry),
            "Name": self._service,
            "Address": parts.hostname or "",
            "Port": parts.port or 0,
            "Meta": {META: write_entry(entry).decode()},
            "Check": {"TTL": f"{ttl:.0f}s", "DeregisterCriticalServiceAfter": "1m"},
        }


def _index(answer: AnswerParser) -> int:
    text = answer.fields.get("x-consul-index", "")
    return int(text) if text.isdecimal() else 0


def _raw(found: Any) -> bytes:
    try:
        return str(found["Service"]["Meta"][META]).encode()
    except (KeyError, TypeError):
        return b""

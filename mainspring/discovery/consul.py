"""Consul: services with a TTL check, by the agent's HTTP API."""

from itertools import count, takewhile
from typing import Any
from urllib.parse import quote, urlsplit

from mainspring.clock import Clock
from mainspring.discovery.address import Address
from mainspring.discovery.http import PATIENCE, AnswerParser, HttpBook
from mainspring.discovery.interface import Entry, EntryReader, RegistryAwayError, write_entry
from mainspring.discovery.login import credentials_of, tls_of
from mainspring.discovery.polling import Polling

PORT = 8500
SERVICE = "mainspring"
META = "mainspring_entry_"
PIECE = 128
"""Characters of an entry in one field: Consul takes 512 bytes, and 64 fields."""
BLOCK = 30.0
"""Seconds that a question for changes stays open."""


class Consul(EntryReader):
    """An agent forgets services when it is started anew: each renewal that fails registers again."""

    def __init__(self, address: Address, clock: Clock) -> None:
        super().__init__()
        self._address = address
        self._http = HttpBook(address.hosts, port=PORT, tls=tls_of(address))
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
                await self._call("PUT", f"/v1/agent/check/pass/service:{quote(id_, safe='')}")
                return
            except RegistryAwayError:
                self._registered.discard(id_)
        await self._call("PUT", "/v1/agent/service/register", self._registration(entry, ttl))
        await self._call("PUT", f"/v1/agent/check/pass/service:{quote(id_, safe='')}")
        self._registered.add(id_)

    async def withdraw(self, entry: Entry) -> None:
        self._registered.discard(self._id(entry))
        await self._call("PUT", f"/v1/agent/service/deregister/{quote(self._id(entry), safe='')}")

    async def entries(self) -> list[Entry]:
        answer, content = await self._call("GET", self._question)
        if not isinstance(content, list):
            raise RegistryAwayError("consul does not answer with a list of services")
        self._index = _index(answer)
        return self.read([_raw(one) for one in content])

    async def changed(self) -> None:
        await self._poll.watching(self._blocked())

    async def _blocked(self) -> bool:
        """Whether the list is another one: an index that went back means that Consul began anew."""
        target = f"{self._question}&index={self._index}&wait={BLOCK:.0f}s"
        answer, _ = await self._call("GET", target, patience=2 * BLOCK)
        return _index(answer) != self._index

    async def close(self) -> None:
        self._registered.clear()

    async def _call(
        self, method: str, target: str, body: Any = None, *, patience: float = PATIENCE
    ) -> tuple[AnswerParser, Any]:
        if token := credentials_of(self._address):
            self._http.fields["x-consul-token"] = token
        return await self._http.call(method, target, body, patience=patience)

    def _id(self, entry: Entry) -> str:
        return f"{self._service}-{entry.id}"

    def _registration(self, entry: Entry, ttl: float) -> dict[str, Any]:
        parts = urlsplit(entry.url)
        return {
            "ID": self._id(entry),
            "Name": self._service,
            "Address": parts.hostname or "",
            "Port": parts.port or 0,
            "Meta": fields_of(write_entry(entry).decode()),
            "Check": {"TTL": f"{ttl:.0f}s", "DeregisterCriticalServiceAfter": "1m"},
        }


def _index(answer: AnswerParser) -> int:
    text = answer.fields.get("x-consul-index", "")
    return int(text) if text.isdecimal() else 0


def fields_of(text: str) -> dict[str, str]:
    """An entry as fields of a service."""
    return {f"{META}{at // PIECE}": text[at : at + PIECE] for at in range(0, len(text), PIECE)}


def _raw(found: Any) -> bytes:
    try:
        fields = found["Service"]["Meta"]
        names = takewhile(fields.__contains__, (f"{META}{at}" for at in count()))
        return "".join(str(fields[name]) for name in names).encode()
    except (KeyError, TypeError, AttributeError):
        return b""

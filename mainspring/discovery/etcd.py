"""etcd: keys under a lease, by its HTTP/JSON gateway."""

from base64 import b64decode, b64encode
from typing import Any

from mainspring.clock import Clock
from mainspring.discovery.address import Address
from mainspring.discovery.http import HttpBook
from mainspring.discovery.interface import ENTRIES_MAX, Entry, EntryReader, RegistryAwayError, write_entry
from mainspring.discovery.login import credentials_of, tls_of
from mainspring.discovery.polling import Polling

PORT = 2379
PREFIX = "mainspring"
SIGNED_IN = "authorization"
"""The header that carries the token."""


class Etcd(EntryReader):
    """Each entry has a lease of its own, which its key goes away with; changes come by a watch."""

    def __init__(self, address: Address, clock: Clock) -> None:
        super().__init__()
        self._address = address
        self._http = HttpBook(address.hosts, port=PORT, tls=tls_of(address))
        self._prefix = f"/{address.path or PREFIX}/"
        self._end = self._prefix[:-1] + chr(ord("/") + 1)
        self._poll = Polling(address, clock)
        self._revision = 0
        """Of the last list: the watch tells of all that came after it."""
        self._leases: dict[str, str] = {}
        self._put: dict[str, Entry] = {}

    async def announce(self, entry: Entry, *, ttl: float) -> None:
        lease = self._leases.get(entry.id)
        if lease is None or not await self._renewed(lease):
            self._put.pop(entry.id, None)
            granted = await self._call("lease/grant", {"TTL": str(max(1, round(ttl)))})
            lease = self._leases[entry.id] = str(granted["ID"])
        if self._put.get(entry.id) == entry:
            # Put again it would be news to everyone who watches.
            return
        await self._call("kv/put", {"key": self._key(entry), "value": _text(write_entry(entry)), "lease": lease})
        self._put[entry.id] = entry

    async def withdraw(self, entry: Entry) -> None:
        self._leases.pop(entry.id, None)
        self._put.pop(entry.id, None)
        await self._call("kv/deleterange", {"key": self._key(entry)})

    async def entries(self) -> list[Entry]:
        answer = await self._call("kv/range", self._range() | {"limit": ENTRIES_MAX})
        try:
            self._revision = int(answer["header"]["revision"])
            values = [b64decode(one.get("value", "")) for one in answer.get("kvs", [])]
        except (KeyError, TypeError, ValueError, AttributeError):
            raise RegistryAwayError("etcd does not answer with keys") from None
        return self.read(values)

    async def changed(self) -> None:
        wanted = {"create_request": self._range() | {"start_revision": str(self._revision + 1)}}
        await self._poll.watching(self._http.watch("POST", "/v3/watch", wanted, _is_news))

    async def close(self) -> None:
        self._leases.clear()

    def _range(self) -> dict[str, Any]:
        return {"key": _text(self._prefix.encode()), "range_end": _text(self._end.encode())}

    async def _renewed(self, lease: str) -> bool:
        """Whether the lease goes on; one that has ended answers without a TTL."""
        answer = await self._call("lease/keepalive", {"ID": lease})
        return int(answer.get("result", {}).get("TTL", 0)) > 0

    def _key(self, entry: Entry) -> str:
        return _text(f"{self._prefix}{entry.kind}/{entry.id}".encode())

    async def _call(self, verb: str, body: Any) -> dict[str, Any]:
        await self._sign_in()
        try:
            return await self._ask(verb, body)
        except RegistryAwayError:
            # A token that has run out is refused like anything else: the next call asks for a new one.
            self._http.fields.pop(SIGNED_IN, None)
            raise

    async def _sign_in(self) -> None:
        if SIGNED_IN not in self._http.fields and (login := credentials_of(self._address)):
            name, _, password = login.partition(":")
            answer = await self._ask("auth/authenticate", {"name": name, "password": password})
            self._http.fields[SIGNED_IN] = str(answer.get("token", ""))

    async def _ask(self, verb: str, body: Any) -> dict[str, Any]:
        _, content = await self._http.call("POST", f"/v3/{verb}", body)
        if not isinstance(content, dict) or "error" in content:
            raise RegistryAwayError(f"etcd does not answer as it should to {verb}")
        return content


def _is_news(line: Any) -> bool:
    """Events; or the end of the watch, as when the revision was compacted: the list is read anew then."""
    said = line.get("result", {}) if isinstance(line, dict) else {}
    return not said or "events" in said or bool(said.get("canceled"))


def _text(raw: bytes) -> str:
    return b64encode(raw).decode()

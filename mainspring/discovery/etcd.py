"""etcd: keys under a lease, by its HTTP/JSON gateway."""

from base64 import b64decode, b64encode
from typing import Any

from mainspring.clock import Clock
from mainspring.discovery.address import Address
from mainspring.discovery.http import HttpBook
from mainspring.discovery.interface import ENTRIES_MAX, Entry, EntryReader, RegistryAwayError, write_entry

PORT = 2379
PREFIX = "mainspring"


class Etcd(EntryReader):
    """Each entry has a lease of its own, which its key goes away with."""

    def __init__(self, address: Address, clock: Clock) -> None:
        super().__init__()
        self._http = HttpBook(address.hosts, port=PORT)
        self._prefix = f"/{address.path or PREFIX}/"
        self._clock = clock
        self._every = address.every
        self._leases: dict[str, str] = {}

    async def announce(self, entry: Entry, *, ttl: float) -> None:
        lease = self._leases.get(entry.id)
        if lease is None or not await self._renewed(lease):
            granted = await self._call("lease/grant", {"TTL": str(max(1, round(ttl)))})
            lease = self._leases[entry.id] = str(granted["ID"])
        await self._call("kv/put", {"key": self._key(entry), "value": _text(write_entry(entry)), "lease": lease})

    async def withdraw(self, entry: Entry) -> None:
        self._leases.pop(entry.id, None)
        await self._call("kv/deleterange", {"key": self._key(entry)})

    async def entries(self) -> list[Entry]:
        end = self._prefix[:-1] + chr(ord("/") + 1)
        wanted = {"key": _text(self._prefix.encode()), "range_end": _text(end.encode()), "limit": ENTRIES_MAX}
        found = (await self._call("kv/range", wanted)).get("kvs", [])
        return self.read([b64decode(one.get("value", "")) for one in found])

    async def changed(self) -> None:
        await self._clock.sleep(self._every)

    async def close(self) -> None:
        self._leases.clear()

    async def _renewed(self, lease: str) -> bool:
        """Whether the lease goes on; one that has ended answers without a TTL."""
        answer = await self._call("lease/keepalive", {"ID": lease})
        return int(answer.get("result", {}).get("TTL", 0)) > 0

    def _key(self, entry: Entry) -> str:
        return _text(f"{self._prefix}{entry.kind}/{entry.id}".encode())

    async def _call(self, verb: str, body: Any) -> dict[str, Any]:
        _, content = await self._http.call("POST", f"/v3/{verb}", body)
        if not isinstance(content, dict) or "error" in content:
            raise RegistryAwayError(f"etcd does not answer as it should to {verb}")
        return content


def _text(raw: bytes) -> str:
    return b64encode(raw).decode()

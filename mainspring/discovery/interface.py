"""Address books: the entries in them, and the contract of an adapter."""

from enum import StrEnum
from typing import Annotated, Protocol

import msgspec

from mainspring.errors import UnavailableError
from mainspring.wire.messages import PROTOCOL

ENTRY_MAX = 4 * 1024
"""Bytes of one entry."""
ENTRIES_MAX = 1_000
TTL = 15.0
"""Seconds that an entry lasts; it is announced anew after a third of that."""

Text = Annotated[str, msgspec.Meta(max_length=500)]


class EntryKind(StrEnum):
    SERVER = "server"
    EXECUTOR = "executor"


class Entry(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One process in an address book; the id is that of one start of it."""

    kind: EntryKind
    id: Text
    name: Text
    url: Text = ""
    namespace: Text = ""
    zone: Text = ""
    version: Text = ""
    protocol: int = PROTOCOL
    labels: dict[Text, Text] = {}


class RegistryAwayError(UnavailableError):
    """An address book does not answer, or not as it should."""

    code = "registry_away"


class Registry(Protocol):
    """One address book. Nothing safe hangs on it: it may be away, slow, old, empty or wrong."""

    unreadable: int
    """Entries that the last answer had and that could not be read."""

    async def announce(self, entry: Entry, *, ttl: float) -> None:
        """Put or renew an entry, which goes away by itself after `ttl` seconds without another call."""

    async def withdraw(self, entry: Entry) -> None:
        """Take an entry out."""

    async def entries(self) -> list[Entry]:
        """All entries as known now; raises RegistryAwayError rather than say that there are none."""

    async def changed(self) -> None:
        """Returns when the entries may differ; it may return for nothing, or late."""

    async def close(self) -> None: ...


def write_entry(entry: Entry) -> bytes:
    """Without its labels if they make it too large to be read."""
    raw = msgspec.json.encode(entry)
    return raw if len(raw) <= ENTRY_MAX else msgspec.json.encode(msgspec.structs.replace(entry, labels={}))


class EntryReader:
    """Reads what an address book holds below its prefix, and counts what is none of ours."""

    def __init__(self) -> None:
        self.unreadable = 0

    def read(self, found: list[bytes]) -> list[Entry]:
        entries = [entry for raw in found[:ENTRIES_MAX] if (entry := read_entry(raw)) is not None]
        self.unreadable = len(found) - len(entries)
        return entries


def read_entry(raw: bytes) -> Entry | None:
    """None if it is too large, no JSON, of another shape, or speaks another version of the protocol."""
    if len(raw) > ENTRY_MAX:
        return None
    try:
        entry = msgspec.json.decode(raw, type=Entry)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
    return entry if entry.protocol == PROTOCOL else None

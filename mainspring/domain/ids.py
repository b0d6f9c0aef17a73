"""Identifiers: 16 bytes inside, UUID text outside."""

import os
import re
import uuid
from collections.abc import Callable
from datetime import datetime
from typing import Annotated, NewType

import msgspec

from mainspring.errors import InvalidInputError

RunId = NewType("RunId", bytes)
"""A UUIDv7: its order is the order of acceptance, which keeps indexes small and queues fair."""

Token = NewType("Token", bytes)
"""Random, chosen by the claimer before the write; see `domain/runs/attempt.py`."""

SessionId = NewType("SessionId", bytes)
"""The random incarnation of one executor start; leases belong to it, never to a name."""

ServerId = NewType("ServerId", bytes)

SIXTEEN = msgspec.Meta(min_length=16, max_length=16)
RunIdField = Annotated[RunId, SIXTEEN]
TokenField = Annotated[Token, SIXTEEN]
SessionIdField = Annotated[SessionId, SIXTEEN]
SecretField = Annotated[bytes, msgspec.Meta(min_length=32, max_length=32)]
"""Identifiers in values that come from outside: decoding checks their length."""

Entropy = Callable[[int], bytes]
"""The source of randomness, an argument like the clock."""

PREFIX = re.compile(r"[0-9a-fA-F]{1,32}")

MILLIS_MAX = 250_000_000_000_000
"""In the year 9892."""

_VARIANT = 0x8000_0000_0000_0000
_VARIANT_MASK = 0x3FFF_FFFF_FFFF_FFFF


class Ids:
    """Makes identifiers from a clock's instants and a source of randomness."""

    def __init__(self, entropy: Entropy = os.urandom) -> None:
        self._entropy = entropy
        self._tick = 0

    def runs(self, count: int, now: datetime) -> list[RunId]:
        """New run ids in growing order, also within one millisecond and when the clock steps back."""
        first = max(self._tick + 1, int(now.timestamp() * 1000) << 12)
        self._tick = first + count - 1
        noise = self._entropy(8 * count)
        return [
            RunId(
                ((tick >> 12) << 16 | 0x7000 | (tick & 0xFFF)).to_bytes(8, "big")
                + (int.from_bytes(noise[at : at + 8], "big") & _VARIANT_MASK | _VARIANT).to_bytes(8, "big")
            )
            for tick, at in zip(range(first, first + count), range(0, 8 * count, 8), strict=True)
        ]

    def token(self) -> Token:
        return Token(self._entropy(16))

    def session(self) -> SessionId:
        return SessionId(self._entropy(16))

    def server(self) -> ServerId:
        return ServerId(self._entropy(16))

    def noise(self, size: int) -> bytes:
        """Random bytes, for secrets."""
        return self._entropy(size)

    def fraction(self) -> float:
        """A number in [0, 1), for jitter."""
        return int.from_bytes(self._entropy(6), "big") / (1 << 48)


def id_text(identifier: bytes) -> str:
    """Show an identifier the way people and URLs do."""
    digits = identifier.hex()
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


def parse_run_id(text: str, *, field: str = "id") -> RunId:
    try:
        return RunId(uuid.UUID(text).bytes)
    except ValueError:
        raise InvalidInputError(field, f"{text!r} is not a run id (a UUID)", code="bad_run_id") from None


def ids_from(prefix: str, *, field: str = "id") -> tuple[RunId, RunId]:
    """The first and the last id that begin so, as people copy the beginning of one, with or without its hyphens."""
    digits = prefix.replace("-", "")
    if not PREFIX.fullmatch(digits):
        raise InvalidInputError(
            field, f"{prefix!r} is not a run id (a UUID), nor the beginning of one", code="bad_run_id"
        )
    return RunId(bytes.fromhex(digits.ljust(32, "0"))), RunId(bytes.fromhex(digits.ljust(32, "f")))


def born_at_millis(run: bytes) -> int:
    """The millisecond of acceptance that a run id carries; that of an id which is none may lie beyond all dates."""
    return min(int.from_bytes(run[:6], "big"), MILLIS_MAX)


def first_at(instant: datetime) -> RunId:
    """Not above any id that was made at that instant or later, and above all that were made before its millisecond."""
    millis = max(0, int(instant.timestamp() * 1000))
    return RunId(min(millis, MILLIS_MAX).to_bytes(6, "big") + bytes(10))

"""Passwords as argon2id hashes, made in threads: each takes long, and much memory, on purpose."""

import asyncio
import re

import msgspec
from cryptography.exceptions import InvalidKey
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

from mainspring.domain.ids import Entropy

SALT, LENGTH = 16, 32
# Others wait, and sign-ins cannot use up the memory.
AT_ONCE = 2
"""So many hashes at a time."""
PARAMETERS = re.compile(r"\$argon2id\$v=19\$m=([0-9]+),t=([0-9]+),p=([0-9]+)\$")


class Cost(msgspec.Struct, frozen=True):
    """RFC 9106, second recommendation: 64 MiB, three passes, four lanes."""

    memory: int = 65536
    passes: int = 3
    lanes: int = 4


class Passwords:
    """Hashes passwords, and compares them with hashes."""

    def __init__(self, entropy: Entropy, cost: Cost | None = None) -> None:
        self._entropy = entropy
        self._cost = cost or Cost()
        self._room = asyncio.Semaphore(AT_ONCE)
        self._decoy = ""

    async def hash(self, password: str) -> str:
        """The hash with its parameters and its salt."""
        async with self._room:
            return await asyncio.to_thread(self._derive, password)

    async def matches(self, password: str, kept: str) -> bool:
        """Whether the hash is that of the password; without a hash it takes as long to say no."""
        if not kept:
            self._decoy = self._decoy or await self.hash("nobody's")
        async with self._room:
            return await asyncio.to_thread(verify, password, kept or self._decoy) and bool(kept)

    def is_outdated(self, kept: str) -> bool:
        """Whether the hash was made with other parameters than new ones are."""
        found = PARAMETERS.match(kept)
        return found is None or Cost(*map(int, found.groups())) != self._cost

    def _derive(self, password: str) -> str:
        cost = self._cost
        kind = Argon2id(
            salt=self._entropy(SALT),
            length=LENGTH,
            iterations=cost.passes,
            lanes=cost.lanes,
            memory_cost=cost.memory,
        )
        return kind.derive_phc_encoded(password.encode())


def verify(password: str, kept: str) -> bool:
    try:
        Argon2id.verify_phc_encoded(password.encode(), kept)
    except (InvalidKey, ValueError):
        return False
    return True

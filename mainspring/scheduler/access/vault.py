"""Secrets that have to be read again, such as those that webhooks are signed with, are sealed before they are stored.

AES-256-GCM, bound to the trigger or channel that a secret is for; each seal names its key, so that keys can be exchanged
while both are known, and a server that lacks one can say so.
"""

from collections.abc import Sequence

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from mainspring.domain.ids import Entropy
from mainspring.domain.webhooks.webhook import Hook
from mainspring.errors import UnavailableError
from mainspring.settings.keys import NAME_BYTES, SEAL_MARK, name_of

NONCE = 12
NAMED = len(SEAL_MARK) + NAME_BYTES
HEAD = NAMED + NONCE


class SecretLockedError(UnavailableError):
    """This server does not have the key that a secret was sealed with."""

    code = "secret_locked"


class Vault:
    """Seals with the first key, and opens with any."""

    def __init__(self, keys: Sequence[bytes] = ()) -> None:
        self._keys = {name_of(key): AESGCM(key) for key in keys}

    @property
    def has_key(self) -> bool:
        return bool(self._keys)

    @property
    def marks(self) -> frozenset[bytes]:
        """How the secrets begin that it can open."""
        return frozenset(SEAL_MARK + name for name in self._keys)

    def open_sealed(self, sealed: bytes, about: int | str) -> bytes:
        """The same for what comes from outside: nothing that is not sealed passes. Raises SecretLockedError."""
        if not sealed.startswith(SEAL_MARK):
            raise SecretLockedError("it is not sealed")
        return self.open(sealed, about)

    def seal(self, secret: bytes, about: int | str, entropy: Entropy) -> bytes:
        """Without a key, as in simulations, the secret as it is."""
        if not self._keys:
            return secret
        name, cipher = next(iter(self._keys.items()))
        nonce = entropy(NONCE)
        return SEAL_MARK + name + nonce + cipher.encrypt(nonce, secret, bound(about))

    def open(self, sealed: bytes, about: int | str) -> bytes:
        """Raises SecretLockedError; a value stored before there were seals is returned as it is."""
        if not sealed.startswith(SEAL_MARK):
            return sealed
        cipher = self._keys.get(sealed[len(SEAL_MARK) : NAMED])
        if cipher is None:
            raise SecretLockedError(
                "the secret was sealed with a key that this server does not have: give all servers the same "
                "secret_keys, or the webhook or channel a new secret"
            )
        try:
            return cipher.decrypt(sealed[NAMED:HEAD], sealed[HEAD:], bound(about))
        except InvalidTag:
            raise SecretLockedError("the secret was changed in the database: give it a new one") from None

    def opened(self, hook: Hook, trigger: int) -> Hook:
        """The webhook with its secrets as they can be compared."""
        old = None if hook.old_secret is None else self.open(hook.old_secret, trigger)
        return msgspec.structs.replace(hook, secret=self.open(hook.secret, trigger), old_secret=old)


def bound(about: int | str) -> bytes:
    """The trigger, by its id, or the channel, by namespace and name, that alone may use the secret."""
    return b"hook of trigger %d" % about if isinstance(about, int) else f"channel {about}".encode()

"""The keys with which a server seals secrets before it stores them."""

import base64
import binascii
import hashlib
import os
import secrets
from pathlib import Path

from mainspring.errors import ConfigError
from mainspring.settings.home import ensure_home, read_token
from mainspring.settings.sections import ServerSettings

SEAL_MARK = b"\x00ms1"
"""Prefix of sealed values, followed by the name of the key; no unsealed value begins with it."""
NAME_BYTES = 4
KEY_FILE = "secret.key"
KEY_BYTES = 32


def secret_keys(settings: ServerSettings) -> list[bytes]:
    """Those of the settings; if there are none, the one in home, which is made at the first start."""
    texts = settings.secret_keys or (home_key(settings.home),)
    return [read_key(text) for text in texts]


def kept_keys(settings: ServerSettings) -> list[bytes]:
    """Those that are there, without making one."""
    texts = settings.secret_keys or (read_token(settings.home, KEY_FILE),)
    return [read_key(text) for text in texts if text]


def name_of(key: bytes) -> bytes:
    return hashlib.sha256(b"mainspring key" + key).digest()[:NAME_BYTES]


def read_key(text: str) -> bytes:
    try:
        key = base64.b64decode(text.translate(str.maketrans("-_", "+/")), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if len(key) != KEY_BYTES:
        raise ConfigError("secret_keys: a key is 32 random bytes in base64, as of 'openssl rand -base64 32'")
    return key


def home_key(home: str) -> str:
    """The key that is kept at home; servers that share a home and start together make one."""
    if kept := read_token(home, KEY_FILE):
        return kept
    path = ensure_home(home) / KEY_FILE
    draft = path.with_name(f"{KEY_FILE}.{os.getpid()}")
    try:
        write_private(draft, base64.b64encode(secrets.token_bytes(KEY_BYTES)).decode())
        # A link, not a move: it is there whole or not at all, and never in place of another's.
        os.link(draft, path)
    except FileExistsError:
        pass
    except OSError as error:
        raise ConfigError(f"{path} cannot be written: {error.strerror}") from None
    finally:
        draft.unlink(missing_ok=True)
    return read_token(home, KEY_FILE)


def write_private(path: Path, text: str) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        file.write(text + "\n")
        file.flush()
        os.fsync(file.fileno())

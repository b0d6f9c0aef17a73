"""The home directory: the embedded database and the tokens that were generated for it."""

import os
import secrets
from pathlib import Path

from mainspring.errors import ConfigError

TOKEN_API = "api.token"  # noqa: S105
TOKEN_EXECUTOR = "executor.token"  # noqa: S105


def ensure_home(home: str) -> Path:
    path = Path(home)
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(f"home {home!r} cannot be made: {error.strerror}") from None
    return path


def ensure_token(home: str, name: str) -> str:
    """The token kept under that name, generated on first use and readable only by its owner."""
    path = ensure_home(home) / name
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return read_token(home, name)
    except OSError as error:
        raise ConfigError(f"{path} cannot be written: {error.strerror}") from None
    token = f"ms_{secrets.token_urlsafe(32)}"
    with os.fdopen(handle, "w") as file:
        file.write(token + "\n")
    return token


def read_token(home: str, name: str) -> str:
    """The token kept under that name, or nothing."""
    try:
        return (Path(home) / name).read_text().strip()
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise ConfigError(f"{Path(home) / name} cannot be read: {error.strerror}") from None

"""The home directory: the embedded database, and the tokens with which this machine reaches its server."""

import os
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


def keep_token(home: str, name: str, token: str) -> Path:
    """Store a token under that name, readable by its owner only, replacing an older one atomically."""
    path = ensure_home(home) / name
    draft = path.with_name(f"{name}.new")
    try:
        draft.unlink(missing_ok=True)
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w") as file:
            file.write(token + "\n")
        draft.replace(path)
    except OSError as error:
        raise ConfigError(f"{path} cannot be written: {error.strerror}") from None
    return path


def read_token(home: str, name: str) -> str:
    """The token kept under that name, or nothing."""
    try:
        return (Path(home) / name).read_text().strip()
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise ConfigError(f"{Path(home) / name} cannot be read: {error.strerror}") from None

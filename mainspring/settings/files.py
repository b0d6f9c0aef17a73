"""Files that settings are read from: TOML tables, and secrets on their own."""

import stat
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from mainspring.domain.suggest import did_you_mean
from mainspring.errors import ConfigError

OTHERS = stat.S_IRWXG | stat.S_IRWXO


def read_toml(path: str | Path, what: str) -> dict[str, Any]:
    """Raises ConfigError, which names the file by its role."""
    import tomllib  # noqa: PLC0415 most commands read no file

    try:
        return tomllib.loads(Path(path).read_text())
    except OSError as error:
        raise ConfigError(f"{what} {str(path)!r} cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{what} {str(path)!r}: {error}") from None


def read_tables(path: str, known: Iterable[str]) -> dict[str, dict[str, Any]]:
    """The tables of a configuration file; raises ConfigError for one that is not known."""
    tables = read_toml(path, "configuration file")
    for name, table in tables.items():
        if name not in known or not isinstance(table, dict):
            raise ConfigError(f"configuration file {path!r}: unknown table [{name}]{did_you_mean(name, known)}")
    return tables


def read_secret(path: str, origin: str) -> str:
    try:
        secret = Path(path).read_text().strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        raise ConfigError(f"{origin}: {path!r} cannot be read: {reason}") from None
    if not secret:
        raise ConfigError(f"{origin}: {path!r} is empty")
    return secret


def read_private(path: str, origin: str) -> str:
    """A secret from a user's own file; raises ConfigError if others may read it."""
    secret = read_secret(path, origin)
    refuse_shared(Path(path), origin)
    return secret


def refuse_shared(path: Path, origin: str) -> None:
    if path.stat().st_mode & OTHERS:
        raise ConfigError(f"{origin}: {path} can be read by others, so its token is not used: run chmod 600 {path}")

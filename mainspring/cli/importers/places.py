"""The files, modules and zone of this machine."""

import os
import sys
from pathlib import Path

from mainspring.errors import ConfigError

SIZE_MAX = 16 * 1024 * 1024
LOCALTIME = Path("/etc/localtime")
TIMEZONE = Path("/etc/timezone")


def read(file: str) -> str:
    try:
        raw = sys.stdin.buffer.read(SIZE_MAX + 1) if file == "-" else Path(file).read_bytes()
        if len(raw) > SIZE_MAX:
            raise ConfigError(f"{file}: is over the limit of {SIZE_MAX // 1024 // 1024} MB")
        return raw.decode()
    except OSError as error:
        raise ConfigError(f"{file}: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise ConfigError(f"{file}: is not UTF-8 at byte {error.start}") from None


def module_file(module: str) -> str:
    """Where a module is, without importing it."""
    inside = Path(*module.split("."))
    for place in (Path.cwd(), *map(Path, sys.path)):
        for candidate in (place / inside.with_suffix(".py"), place / inside / "__init__.py"):
            if candidate.is_file():
                return str(candidate)
    raise ConfigError(f"{module}: there is no such file, and no such module here")


def local_zone() -> str:
    """The zone that cron goes by on this machine. Raises ConfigError if it has no name."""
    if named := os.environ.get("TZ", "").removeprefix(":"):
        return named
    if LOCALTIME.is_symlink() and "zoneinfo/" in (target := str(LOCALTIME.readlink())):
        return target.rpartition("zoneinfo/")[2]
    if TIMEZONE.is_file() and (named := TIMEZONE.read_text(encoding="utf-8", errors="replace").strip()):
        return named
    if LOCALTIME.exists():
        raise ConfigError(f"{LOCALTIME} does not say the name of this machine's zone: say --zone")
    return "UTC"

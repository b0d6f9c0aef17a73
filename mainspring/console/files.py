"""The built files of the console, compressed once and kept in memory."""

import gzip
import hashlib
import mimetypes
from dataclasses import dataclass
from functools import cache
from pathlib import Path

STATIC = Path(__file__).parent / "static"
PAGE = "index.html"
PACKED = frozenset({"text/css", "text/html", "text/javascript", "image/svg+xml", "text/plain"})
"""What compresses well; fonts are compressed already."""


@dataclass(frozen=True)
class File:
    """One file: its bytes as they are, and as they are sent to a browser that takes gzip."""

    kind: str
    plain: bytes
    packed: bytes | None


@dataclass(frozen=True)
class Files:
    """All of them; `version` changes with any byte, and is part of their addresses, so that browsers keep them for ever."""

    version: str
    page: str
    files: dict[str, File]


@cache
def load() -> Files:
    """Read the folder once per process."""
    contents = {path.relative_to(STATIC).as_posix(): path.read_bytes() for path in folder()}
    digest = hashlib.sha256()
    for name, content in contents.items():
        digest.update(f"{name}:{len(content)}:".encode())
        digest.update(content)
    version = digest.hexdigest()[:12]
    page = contents.pop(PAGE).decode().replace("{static}", f"/console/static/{version}")
    return Files(version, page, {name: packed(name, content) for name, content in contents.items()})


def folder() -> list[Path]:
    return sorted(path for path in STATIC.rglob("*") if path.is_file())


def packed(name: str, content: bytes) -> File:
    kind = "font/woff2" if name.endswith(".woff2") else mimetypes.guess_type(name)[0] or "application/octet-stream"
    # The time is left out, so that equal files are equal bytes on every server.
    small = gzip.compress(content, mtime=0) if kind in PACKED else None
    return File(kind, content, small)

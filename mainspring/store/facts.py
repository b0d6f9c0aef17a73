"""Turns what a database says of itself into facts."""

import shutil
from pathlib import Path

import msgspec

from mainspring.domain.cluster.database_facts import StoreFacts
from mainspring.store.tx import Row


def facts_row(row: Row) -> StoreFacts:
    """Facts without those that stand in tables of ours: these take a schema that fits."""
    return StoreFacts(
        product=row["product"],
        version=version_of(row["version"]),
        size=size_on_disk(Path(row["file"])) if row["file"] else row["size"],
        settings=msgspec.json.decode(row["settings"], type=dict[str, str]),
        connections=row["connections"],
        room=room_beside(Path(row["file"])) if row["file"] else None,
    )


def version_of(found: int | str) -> tuple[int, ...]:
    """Both numbers of PostgreSQL's one, or those of SQLite's text."""
    return divmod(found, 10_000) if isinstance(found, int) else tuple(map(int, found.split(".")))


def size_on_disk(file: Path) -> int:
    """With its write-ahead log."""
    return sum(each.stat().st_size for each in (file, file.with_name(file.name + "-wal")) if each.exists())


def room_beside(file: Path) -> int:
    return shutil.disk_usage(file.parent).free

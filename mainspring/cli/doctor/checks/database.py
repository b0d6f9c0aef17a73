"""Checks of the database, on a machine that is configured to use it."""

import asyncio
from collections.abc import Iterator
from datetime import datetime, timedelta

from mainspring.cli.doctor.checks.finding import Finding, fail, ok, warn
from mainspring.domain.cluster.watch import DatabaseWatch
from mainspring.errors import ConfigError, StoreUnavailableError
from mainspring.settings import ServerSettings
from mainspring.settings.keys import SEAL_MARK, kept_keys, name_of
from mainspring.settings.origins import hidden
from mainspring.store import look_at
from mainspring.store.database_facts import StoreFacts

POSTGRES_MIN = 14
SPARE = 3
"""Connections of a server outside its pool."""
ROOM_MIN, ROOM_LOW = 100 * 1024**2, 1024**3
APART_MAX = timedelta(seconds=5)

MUST_BE = {"fsync": "on", "full_page_writes": "on", "autovacuum": "on"}


def check_database(settings: ServerSettings, now: datetime) -> Iterator[Finding]:
    """Check the database; yields only a failure if it is unreachable."""
    try:
        facts = asyncio.run(look_at(settings.store_url))
    except (StoreUnavailableError, ConfigError) as error:
        yield fail("database", f"{hidden(settings.store_url)}: {error}", "see database_url and whether it is running")
        return
    version = ".".join(map(str, facts.version))
    yield ok("database", f"{facts.product} {version}, {in_words(facts.size)}")
    yield check_schema(facts)
    yield check_seals(facts, settings)
    yield from check_postgres(facts, settings, now) if facts.product == "PostgreSQL" else check_sqlite(facts)


def check_schema(facts: StoreFacts) -> Finding:
    if facts.schema:
        return fail("schema", facts.schema, "take a backup, then run 'mainspring migrate', or upgrade mainspring")
    return ok("schema", "fits this version")


def check_seals(facts: StoreFacts, settings: ServerSettings) -> Finding:
    """Check that a server with these settings can decrypt the secrets of webhooks."""
    try:
        known = {SEAL_MARK + name_of(key) for key in kept_keys(settings)}
    except ConfigError as error:
        return fail("secrets", str(error), "see secret_keys")
    plain = [seal for seal in facts.seals if not seal.startswith(SEAL_MARK)]
    if any(seal not in known for seal in facts.seals if seal not in plain):
        found = "some secrets of webhooks were sealed with a key that is not here: their callers are refused"
        return fail("secrets", found, "give all servers the same secret_keys, or those webhooks new secrets")
    if plain:
        return warn(
            "secrets", "some secrets of webhooks are not sealed", "rotate them: mainspring triggers secret NAME"
        )
    return ok("secrets", "sealed, with keys that are here" if facts.seals else "none")


def check_postgres(facts: StoreFacts, settings: ServerSettings, now: datetime) -> Iterator[Finding]:
    if facts.version[0] < POSTGRES_MIN:
        found = f"PostgreSQL {facts.version[0]} is too old"
        yield fail("postgresql", found, f"{POSTGRES_MIN} is the least that is supported")
    yield from check_durability(facts)
    yield check_connections(facts, settings)
    if facts.watch is not None:
        yield check_vacuum(facts.watch)
        yield from check_watch(facts.watch, now, settings.scheduler.retention_days)
    if facts.now is not None and abs(facts.now - now) > APART_MAX:
        yield warn("database clock", f"{abs(facts.now - now).total_seconds():.0f} s from here", "follow a time server")


def check_vacuum(watch: DatabaseWatch) -> Finding:
    if watch.holder is not None and watch.trouble:
        return warn("vacuum", watch.trouble, watch.holder.remedy)
    return ok("vacuum", f"not held back, {sum(watch.dead_rows.values())} dead rows")


def check_watch(watch: DatabaseWatch, now: datetime, retention_days: int) -> Iterator[Finding]:
    """Check replication slots and the days of history."""
    found = {one.subject: one for one in watch.faults(now.date(), retention_days) if one.words != watch.trouble}
    for one in found.values():
        yield warn(one.subject, one.words, one.remedy)
    if watch.slots and not any(slot.is_trouble for slot in watch.slots):
        yield ok("slots", f"{len(watch.slots)} without a reader, which keep little of the log")
    if watch.oldest_day is not None and "history" not in found:
        yield ok("history", f"days from {watch.oldest_day} to {watch.newest_day}")


def check_durability(facts: StoreFacts) -> Iterator[Finding]:
    wrong = [name for name, value in MUST_BE.items() if facts.settings[name] != value]
    for name in wrong:
        yield fail("durability", f"{name} is {facts.settings[name]}", f"set {name} to {MUST_BE[name]}")
    if facts.settings["synchronous_commit"] == "off":
        found = "synchronous_commit is off: a crash can lose what was accepted a moment before"
        yield warn("durability", found, "set synchronous_commit to on, unless you accept that")
    elif not wrong:
        found = "" if facts.watch is None else f"{facts.watch.durability}: "
        yield ok("durability", f"{found}commits are kept (synchronous_commit {facts.settings['synchronous_commit']})")


def check_connections(facts: StoreFacts, settings: ServerSettings) -> Finding:
    most, needed = int(facts.settings["max_connections"]), settings.pool_size + SPARE
    found = f"{facts.connections} of {most} in use; a server takes up to {needed}"
    if most - facts.connections < needed:
        return warn("connections", found, "raise max_connections, lower pool_size, or put PgBouncer between")
    return ok("connections", found)


def check_sqlite(facts: StoreFacts) -> Iterator[Finding]:
    mode = facts.settings["journal_mode"]
    if mode == "wal":
        yield ok("durability", "write-ahead log, every commit synced")
    else:
        yield warn("durability", f"journal_mode is {mode}", "a server changes it to wal when it opens the file")
    room = facts.room if facts.room is not None else ROOM_LOW
    if room < ROOM_LOW:
        verdict = fail if room < ROOM_MIN else warn
        yield verdict("disk", f"{in_words(room)} left", "make room: no run can be accepted on a full disk")
    else:
        yield ok("disk", f"{in_words(room)} left")


def in_words(size: int) -> str:
    if size < 1024**2:
        return f"{size / 1024:.0f} KiB"
    return f"{size / 1024**2:.0f} MiB" if size < 1024**3 else f"{size / 1024**3:.1f} GiB"

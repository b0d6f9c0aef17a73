"""The doctor's checks of a database: from facts about it to findings, on the machine of an operator and in a server."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from mainspring.domain.cluster.database_facts import StoreFacts
from mainspring.domain.cluster.finding import Finding, fail, ok, warn
from mainspring.domain.cluster.watch import DatabaseWatch

POSTGRES_MIN = 14
SPARE = 3
"""Connections of a server outside its pool."""
ROOM_MIN, ROOM_LOW = 100 * 1024**2, 1024**3
APART_MAX = timedelta(seconds=5)
MUST_BE = {"fsync": "on", "full_page_writes": "on", "autovacuum": "on"}
SYNC_OFF = "synchronous_commit is off: a crash can lose what was accepted a moment before"


def check_product(facts: StoreFacts) -> Finding:
    version = ".".join(map(str, facts.version))
    found = f"{facts.product} {version}, {in_words(facts.size)}"
    return ok("database", found, "product", product=facts.product, version=version, size=facts.size)


def check_schema(facts: StoreFacts) -> Finding:
    if facts.schema:
        return fail("schema", facts.schema, "take a backup, then run 'mainspring migrate', or upgrade mainspring")
    return ok("schema", "fits this version", "schema")


def check_running(facts: StoreFacts, now: datetime, *, pool_size: int, retention_days: int) -> Iterator[Finding]:
    """All checks of a database whose schema fits."""
    if facts.product == "PostgreSQL":
        return check_postgres(facts, now, pool_size=pool_size, retention_days=retention_days)
    return check_sqlite(facts)


def check_postgres(facts: StoreFacts, now: datetime, *, pool_size: int, retention_days: int) -> Iterator[Finding]:
    if facts.version[0] < POSTGRES_MIN:
        found = f"PostgreSQL {facts.version[0]} is too old"
        advice = f"{POSTGRES_MIN} is the least that is supported"
        yield fail("postgresql", found, advice, "too_old", version=facts.version[0], least=POSTGRES_MIN)
    yield from check_durability(facts)
    yield check_connections(facts, pool_size)
    if facts.watch is not None:
        yield check_vacuum(facts.watch)
        yield from check_watch(facts.watch, now, retention_days)
    if facts.now is not None and abs(facts.now - now) > APART_MAX:
        apart = abs(facts.now - now).total_seconds()
        found, advice = f"{apart:.0f} s from here", "follow a time server"
        yield warn("database clock", found, advice, "clock_apart", seconds=apart)


def check_vacuum(watch: DatabaseWatch) -> Finding:
    held = watch.holder
    if held is not None and watch.trouble:
        who = {"name": held.name, "pid": held.pid or "", "user": held.user, "state": held.state}
        return warn("vacuum", watch.trouble, held.remedy, "vacuum_held", seconds=held.seconds, **who)
    dead = sum(watch.dead_rows.values())
    return ok("vacuum", f"not held back, {dead} dead rows", "vacuum_free", dead=dead)


def check_watch(watch: DatabaseWatch, now: datetime, retention_days: int) -> Iterator[Finding]:
    """Check replication slots and the days of history."""
    found = {one.subject: one for one in watch.faults(now.date(), retention_days) if one.words != watch.trouble}
    for one in found.values():
        yield warn(one.subject, one.words, one.remedy, one.code, **one.values)
    if watch.slots and not any(slot.is_trouble for slot in watch.slots):
        words = f"{len(watch.slots)} without a reader, which keep little of the log"
        yield ok("slots", words, "slots_idle", slots=len(watch.slots))
    if watch.oldest_day is not None and "history" not in found:
        days = {"oldest": str(watch.oldest_day), "newest": str(watch.newest_day)}
        yield ok("history", f"days from {watch.oldest_day} to {watch.newest_day}", "history", **days)


def check_durability(facts: StoreFacts) -> Iterator[Finding]:
    wrong = [name for name, value in MUST_BE.items() if facts.settings[name] != value]
    for name in wrong:
        found, value = f"{name} is {facts.settings[name]}", MUST_BE[name]
        yield fail("durability", found, f"set {name} to {value}", "setting", setting=name, value=value)
    commit = facts.settings["synchronous_commit"]
    if commit == "off":
        yield warn("durability", SYNC_OFF, "set synchronous_commit to on, unless you accept that", "commits_unsynced")
    elif not wrong:
        kept = "" if facts.watch is None else facts.watch.durability.value
        found = f"{kept and f'{kept}: '}commits are kept (synchronous_commit {commit})"
        yield ok("durability", found, "commits_kept", durability=kept, commit=commit)


def check_connections(facts: StoreFacts, pool_size: int) -> Finding:
    most, needed = int(facts.settings["max_connections"]), pool_size + SPARE
    found = f"{facts.connections} of {most} in use; a server takes up to {needed}"
    values = {"connections": facts.connections, "most": most, "needed": needed}
    if most - facts.connections < needed:
        advice = "raise max_connections, lower pool_size, or put PgBouncer between"
        return warn("connections", found, advice, "connections_few", **values)
    return ok("connections", found, "connections", **values)


def check_sqlite(facts: StoreFacts) -> Iterator[Finding]:
    mode = facts.settings["journal_mode"]
    if mode == "wal":
        yield ok("durability", "write-ahead log, every commit synced", "wal")
    else:
        advice = "a server changes it to wal when it opens the file"
        yield warn("durability", f"journal_mode is {mode}", advice, "journal", mode=mode)
    room = facts.room if facts.room is not None else ROOM_LOW
    if room < ROOM_LOW:
        verdict = fail if room < ROOM_MIN else warn
        advice = "make room: no run can be accepted on a full disk"
        yield verdict("disk", f"{in_words(room)} left", advice, "disk_low", room=room)
    else:
        yield ok("disk", f"{in_words(room)} left", "disk", room=room)


def in_words(size: int) -> str:
    if size < 1024**2:
        return f"{size / 1024:.0f} KiB"
    return f"{size / 1024**2:.0f} MiB" if size < 1024**3 else f"{size / 1024**3:.1f} GiB"

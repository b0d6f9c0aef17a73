"""Who stands where: one place for each machine that a fleet would have; and the timers that all of them go by."""

import os

from mainspring.settings import SchedulerSettings

DATABASES = ("pg1", "pg2")
POOLER = "pb"
SERVERS = ("s1", "s2", "s3")
EXECUTORS = ("e1", "e2", "e3")
CLIENT = "cl"
PLACES = (*DATABASES, POOLER, *SERVERS, *EXECUTORS, CLIENT)

DATABASE = OWNER = "mainspring"
STRANGER = "stranger"
"""Roles without privileges: what PostgreSQL keeps back for its operator is not for them."""

POSTGRES_PORT = 5432
POOLER_PORT = 6432
SERVER_PORT = 8484

PROXIED_SERVER = "s3"
"""Reaches PostgreSQL through our proxy; s1 dials both hosts itself, and s2 goes through PgBouncer."""
PROXIED_EXECUTOR = "e3"
"""Reaches the servers through our proxy."""
CLOCKED = ("s1",)
"""Whose wall clocks can be set: they run with libfaketime loaded. With it Python's own sleep fails, so no executor does."""

TIMERS = "CHAOS_TIMERS"
"""The variable that says `default` where the product's own timers are to be used, and not such as make a trial short."""
DEFAULTS = SchedulerSettings()
LEASE, BEAT, GRACE = (
    (DEFAULTS.lease, DEFAULTS.beat, DEFAULTS.grace) if os.environ.get(TIMERS) == "default" else (3.0, 0.6, 0.5)
)
DRAIN_GRACE = 5 * LEASE
"""Of an executor that is told to end: longer than the longest handler."""


def number(place: str) -> int:
    """The last byte of its address."""
    return 11 + PLACES.index(place)

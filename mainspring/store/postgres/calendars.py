"""Calendars and their versions, on PostgreSQL."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import asyncpg
import msgspec

from mainspring.domain.access.permissions import Actor
from mainspring.domain.calendars.spec import (
    USERS_NAMED,
    ApproveCalendar,
    CalendarDraft,
    CalendarSpec,
    CalendarVersion,
    Computed,
    ReviseCalendar,
    calendar_entry,
    next_version,
    refuse_used,
)
from mainspring.store.interface.calendars import CalendarFilter
from mainspring.store.postgres.audit import write_audit
from mainspring.store.postgres.connection import Database
from mainspring.store.sql import Queries

KEY = ("namespace", "name", "version")


class PostgresCalendars:
    """See `store/interface/` for what each method promises."""

    def __init__(self, database: Database, queries: Queries) -> None:
        self._database = database
        self._sql = queries

    async def define(
        self, namespace: str, name: str, revise: ReviseCalendar, *, actor: Actor, note: str, now: datetime
    ) -> CalendarVersion:
        async def work(connection: "asyncpg.Connection[Any]") -> CalendarVersion:
            await connection.execute(self._sql["add_calendar"], namespace, name)
            row, present = await self._hold(connection, namespace, name)
            draft = revise(present)
            if present is not None and CalendarDraft(present.spec, present.computed) == draft:
                return present
            made = next_version(namespace, row["version"], draft, author=actor.name, note=note, at=now)
            await self._write(connection, row["id"], made)
            await connection.execute(self._sql["touch_triggers"], namespace, name, now)
            said = calendar_entry(namespace, name, "calendar.define", made.version, actor, note, now)
            await write_audit(connection, self._sql, said)
            return made

        return await self._database.transaction(work)

    async def delete(
        self, namespace: str, name: str, approve: ApproveCalendar, *, actor: Actor, note: str, now: datetime
    ) -> None:
        async def work(connection: "asyncpg.Connection[Any]") -> None:
            row, present = await self._hold(connection, namespace, name)
            approve(present)
            if present is None:
                return
            users = await connection.fetch(self._sql["calendar_users"], namespace, name, USERS_NAMED + 1)
            refuse_used(name, [user["name"] for user in users])
            await connection.execute(self._sql["delete_calendar"], row["id"])
            said = calendar_entry(namespace, name, "calendar.delete", present.version, actor, note, now)
            await write_audit(connection, self._sql, said)

        await self._database.transaction(work)

    async def marks(self) -> Mapping[tuple[str, str], int]:
        rows = await self._database.fetch(self._sql["calendar_marks"])
        return {(row["namespace"], row["name"]): row["version"] for row in rows}

    async def get(self, namespace: str, name: str) -> CalendarVersion | None:
        rows = await self._database.fetch(self._sql["get_calendar"], namespace, name)
        return self._sql.aside.one("calendar_versions", rows[0], version_row, *KEY) if rows else None

    async def versions(self, namespace: str, name: str, *, before: int | None, limit: int) -> list[CalendarVersion]:
        rows = await self._database.fetch(self._sql["calendar_versions"], namespace, name, before, limit)
        return self._sql.aside.read("calendar_versions", rows, version_row, *KEY)

    async def version(self, namespace: str, name: str, number: int) -> CalendarVersion | None:
        rows = await self._database.fetch(self._sql["calendar_version"], namespace, name, number)
        return self._sql.aside.one("calendar_versions", rows[0], version_row, *KEY) if rows else None

    async def _hold(
        self, connection: "asyncpg.Connection[Any]", namespace: str, name: str
    ) -> tuple[asyncpg.Record, CalendarVersion | None]:
        """The calendar's row, locked, and its present version."""
        row = await connection.fetchrow(self._sql["hold_calendar"], namespace, name)
        if row is None or row["deleted"]:
            return row, None
        present = await connection.fetch(self._sql["get_calendar"], namespace, name)
        # One that cannot be read counts as none: the next definition takes its place.
        return row, next(iter(self._sql.aside.read("calendar_versions", present, version_row, *KEY)), None)

    async def _write(self, connection: "asyncpg.Connection[Any]", calendar: int, made: CalendarVersion) -> None:
        await connection.execute(
            self._sql["add_calendar_version"],
            calendar,
            made.version,
            made.author,
            made.note,
            made.at,
            msgspec.json.encode(made.spec),
            msgspec.json.encode(made.computed),
        )
        await connection.execute(self._sql["update_calendar"], calendar, made.version)

    async def list(self, query: CalendarFilter) -> list[CalendarVersion]:
        return await self._sql.aside.first(
            "calendar_versions",
            query.limit,
            lambda limit: self._database.fetch(self._sql["list_calendars"], query.namespace, query.after, limit),
            version_row,
            *KEY,
        )


def version_row(row: asyncpg.Record) -> CalendarVersion:
    return CalendarVersion(
        namespace=row["namespace"],
        version=row["version"],
        spec=msgspec.json.decode(row["spec"], type=CalendarSpec),
        computed=msgspec.json.decode(row["computed"], type=Computed),
        author=row["author"],
        note=row["note"],
        at=row["at"],
    )

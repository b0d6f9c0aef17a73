"""Calendars and their versions."""

import sqlite3
from collections.abc import Mapping, Sequence
from datetime import datetime

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
from mainspring.store.sql import Queries
from mainspring.store.sqlite.audit import write_audit
from mainspring.store.sqlite.connection import Connection
from mainspring.store.sqlite.rows import instant, micros

KEY = ("namespace", "name", "version")


class SqliteCalendars:
    """See `store/interface/` for what each method promises."""

    def __init__(self, connection: Connection, queries: Queries) -> None:
        self._connection = connection
        self._sql = queries

    async def define(
        self, namespace: str, name: str, revise: ReviseCalendar, *, actor: Actor, note: str, now: datetime
    ) -> CalendarVersion:
        def work(c: sqlite3.Connection) -> CalendarVersion:
            row = c.execute(self._sql.get_calendar, {"namespace": namespace, "name": name}).fetchall()
            # One that cannot be read counts as none: the next definition takes its place.
            present = next(iter(self._sql.aside.read("calendar_versions", row, version_row, *KEY)), None)
            draft = revise(present)
            if present is not None and CalendarDraft(present.spec, present.computed) == draft:
                return present
            named = {"namespace": namespace, "name": name}
            c.execute(self._sql.add_calendar, named)
            row = c.execute(self._sql.hold_calendar, named).fetchone()
            made = next_version(namespace, row["version"], draft, author=actor.name, note=note, at=now)
            self._write(c, row["id"], made)
            c.execute(self._sql.touch_triggers, {"namespace": namespace, "calendar": name, "now": micros(now)})
            write_audit(
                c, self._sql, calendar_entry(namespace, name, "calendar.define", made.version, actor, note, now)
            )
            return made

        return await self._connection.write(work)

    async def delete(
        self, namespace: str, name: str, approve: ApproveCalendar, *, actor: Actor, note: str, now: datetime
    ) -> None:
        def work(c: sqlite3.Connection) -> None:
            present = self._get(c, namespace, name)
            approve(present)
            if present is None:
                return
            asked = {"namespace": namespace, "calendar": name, "limit": USERS_NAMED + 1}
            refuse_used(name, [user["name"] for user in c.execute(self._sql.calendar_users, asked)])
            row = c.execute(self._sql.hold_calendar, {"namespace": namespace, "name": name}).fetchone()
            c.execute(self._sql.delete_calendar, {"calendar": row["id"]})
            said = calendar_entry(namespace, name, "calendar.delete", present.version, actor, note, now)
            write_audit(c, self._sql, said)

        await self._connection.write(work)

    async def marks(self) -> Mapping[tuple[str, str], int]:
        return await self._connection.read(
            lambda c: {(row["namespace"], row["name"]): row["version"] for row in c.execute(self._sql.calendar_marks)}
        )

    async def get(self, namespace: str, name: str) -> CalendarVersion | None:
        return await self._connection.read(lambda c: self._get(c, namespace, name))

    async def versions(self, namespace: str, name: str, *, before: int | None, limit: int) -> list[CalendarVersion]:
        asked = {"namespace": namespace, "name": name, "before": before, "limit": limit}
        rows = await self._connection.read(lambda c: c.execute(self._sql.calendar_versions, asked).fetchall())
        return self._sql.aside.read("calendar_versions", rows, version_row, *KEY)

    async def version(self, namespace: str, name: str, number: int) -> CalendarVersion | None:
        asked = {"namespace": namespace, "name": name, "number": number}
        rows = await self._connection.read(lambda c: c.execute(self._sql.calendar_version, asked).fetchall())
        return self._sql.aside.one("calendar_versions", rows[0], version_row, *KEY) if rows else None

    def _get(self, c: sqlite3.Connection, namespace: str, name: str) -> CalendarVersion | None:
        row = c.execute(self._sql.get_calendar, {"namespace": namespace, "name": name}).fetchone()
        return None if row is None else self._sql.aside.one("calendar_versions", row, version_row, *KEY)

    def _write(self, c: sqlite3.Connection, calendar: int, made: CalendarVersion) -> None:
        parameters = {
            "calendar": calendar,
            "version": made.version,
            "author": made.author,
            "note": made.note,
            "at": micros(made.at),
            "spec": msgspec.json.encode(made.spec),
            "computed": msgspec.json.encode(made.computed),
        }
        c.execute(self._sql.add_calendar_version, parameters)
        c.execute(self._sql.update_calendar, parameters)

    async def list(self, query: CalendarFilter) -> list[CalendarVersion]:
        asked = msgspec.structs.asdict(query)

        async def fetch(limit: int) -> Sequence[sqlite3.Row]:
            wanted = asked | {"limit": limit}
            return await self._connection.read(lambda c: c.execute(self._sql.list_calendars, wanted).fetchall())

        return await self._sql.aside.first("calendar_versions", query.limit, fetch, version_row, *KEY)


def version_row(row: sqlite3.Row) -> CalendarVersion:
    return CalendarVersion(
        namespace=row["namespace"],
        version=row["version"],
        spec=msgspec.json.decode(row["spec"], type=CalendarSpec),
        computed=msgspec.json.decode(row["computed"], type=Computed),
        author=row["author"],
        note=row["note"],
        at=instant(row["at"]),
    )

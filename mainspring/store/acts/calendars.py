"""Calendars and their versions."""

from collections.abc import Mapping
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
from mainspring.store.acts.audit import write_audit
from mainspring.store.interface.calendars import CalendarFilter
from mainspring.store.tx import Acts, Row, Tx, reads, writes

TABLE = "calendar_versions"
KEY = ("namespace", "name", "version")


class CalendarActs(Acts):
    """The contracts are in `store/interface/`."""

    @writes
    async def define(
        self,
        tx: Tx,
        namespace: str,
        name: str,
        revise: ReviseCalendar,
        *,
        actor: Actor,
        note: str,
        now: datetime,
        owner: str | None = None,
    ) -> CalendarVersion:
        await tx.run("add_calendar", namespace=namespace, name=name)
        row, present = await lock(tx, namespace, name)
        draft = revise(present)
        if present is not None and CalendarDraft(present.spec, present.computed) == draft:
            return await own(tx, row["id"], present, owner)
        made = next_version(namespace, row["version"], draft, present, author=actor.name, note=note, at=now)
        await write_version(tx, row["id"], made)
        made = await own(tx, row["id"], made, owner)
        await tx.run("touch_triggers", namespace=namespace, calendar=name, now=now)
        await write_audit(tx, calendar_entry(namespace, name, "calendar.define", made.version, actor, note, now))
        return made

    @writes
    async def delete(
        self, tx: Tx, namespace: str, name: str, approve: ApproveCalendar, *, actor: Actor, note: str, now: datetime
    ) -> None:
        row, present = await lock(tx, namespace, name)
        approve(present)
        if present is None:
            return
        users = await tx.all("calendar_users", namespace=namespace, calendar=name, limit=USERS_NAMED + 1)
        refuse_used(name, [user["name"] for user in users])
        await tx.run("delete_calendar", calendar=row["id"])
        await write_audit(tx, calendar_entry(namespace, name, "calendar.delete", present.version, actor, note, now))

    @reads
    async def present_versions(self, tx: Tx) -> Mapping[tuple[str, str], int]:
        return {(row["namespace"], row["name"]): row["version"] for row in await tx.all("present_versions")}

    @reads
    async def get(self, tx: Tx, namespace: str, name: str, *, version: int | None = None) -> CalendarVersion | None:
        statement = "get_calendar" if version is None else "calendar_version"
        row = await tx.one(statement, namespace=namespace, name=name, number=version)
        return None if row is None else tx.aside.one(TABLE, row, version_row, *KEY)

    @reads
    async def versions(
        self, tx: Tx, namespace: str, name: str, *, before: int | None, limit: int
    ) -> list[CalendarVersion]:
        rows = await tx.all("calendar_versions", namespace=namespace, name=name, before=before, limit=limit)
        return tx.aside.read(TABLE, rows, version_row, *KEY)

    @reads
    async def list(self, tx: Tx, query: CalendarFilter) -> list[CalendarVersion]:
        wanted = {"namespace": query.namespace, "after": query.after}
        return await tx.aside.first(
            TABLE, query.limit, lambda limit: tx.all("list_calendars", **wanted, limit=limit), version_row, *KEY
        )


async def lock(tx: Tx, namespace: str, name: str) -> tuple[Row, CalendarVersion | None]:
    """Lock a calendar's row; its present version."""
    row = await tx.one("lock_calendar", namespace=namespace, name=name)
    if row is None or row["deleted"]:
        return row, None  # type: ignore[return-value] # without a version nobody asks for the row
    present = await tx.all("get_calendar", namespace=namespace, name=name)
    # One that cannot be read counts as none: the next definition takes its place.
    return row, next(iter(tx.aside.read(TABLE, present, version_row, *KEY)), None)


async def write_version(tx: Tx, calendar: int, made: CalendarVersion) -> None:
    await tx.run(
        "add_calendar_version",
        calendar=calendar,
        version=made.version,
        author=made.author,
        note=made.note,
        at=made.at,
        spec=msgspec.json.encode(made.spec),
        computed=msgspec.json.encode(made.computed),
    )
    await tx.run("update_calendar", calendar=calendar, version=made.version)


async def own(tx: Tx, calendar: int, made: CalendarVersion, owner: str | None) -> CalendarVersion:
    """The same version, applied from the set of an owner if one is named."""
    if owner is None:
        return made
    await tx.run("own_calendar", calendar=calendar, owner=owner, version=made.version)
    return msgspec.structs.replace(made, owner=owner, applied=made.version)


def version_row(row: Row) -> CalendarVersion:
    return CalendarVersion(
        namespace=row["namespace"],
        version=row["version"],
        spec=msgspec.json.decode(row["spec"], type=CalendarSpec),
        computed=msgspec.json.decode(row["computed"], type=Computed),
        author=row["author"],
        note=row["note"],
        at=row["at"],
        owner=row["owner"],
        applied=row["applied"],
    )

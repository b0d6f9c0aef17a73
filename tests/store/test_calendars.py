"""Calendars and their versions, on each database."""

import pytest

from mainspring.domain.access.permissions import SYSTEM, AuditEntry
from mainspring.domain.calendars.spec import CalendarDraft, CalendarSpec, CalendarVersion, Computed, Holidays
from mainspring.errors import ConflictError, StaleError
from mainspring.store.interface import AuditFilter, CalendarFilter, Store
from mainspring.testing.clock import START
from tests.factories import NAMESPACE, add_namespace
from tests.store.scene import Scene
from tests.store.trigger_samples import add, get, trigger
from tests.words import ANNA, SECOND

COMPUTED = Computed(2026, 2027, {"2026-12-25": "Christmas Day"})


def draft(*dates: str, name: str = "office") -> CalendarDraft:
    holidays = (Holidays(country="DE"),)
    return CalendarDraft(CalendarSpec(name=name, holidays=holidays, dates=dict.fromkeys(dates, "closed")), COMPUTED)


async def save(store: Store, wanted: CalendarDraft, *, note: str = "") -> CalendarVersion:
    return await store.calendars.define(NAMESPACE, wanted.spec.name, lambda _: wanted, actor=ANNA, note=note, now=START)


async def test_a_change_makes_a_version_and_all_are_kept(store: Store) -> None:
    first = await save(store, draft())
    second = await save(store, draft("2026-12-24"), note="Christmas Eve")

    assert first == CalendarVersion(
        namespace=NAMESPACE, version=1, spec=draft().spec, computed=COMPUTED, author="anna", at=START
    )
    assert (second.version, second.note) == (2, "Christmas Eve")
    assert await store.calendars.get(NAMESPACE, "office") == second
    assert await store.calendars.versions(NAMESPACE, "office", before=None, limit=9) == [second, first]
    assert await store.calendars.versions(NAMESPACE, "office", before=2, limit=9) == [first]
    assert await store.calendars.get(NAMESPACE, "office", version=1) == first
    assert await store.calendars.get(NAMESPACE, "office", version=3) is None
    assert await store.calendars.present_versions() == {(NAMESPACE, "office"): 2}


async def test_what_stays_as_it_is_makes_none(store: Store) -> None:
    first = await save(store, draft())

    assert await save(store, draft(), note="again") == first
    assert len(await store.access.audit(AuditFilter(kind="calendar"))) == 1


async def test_a_change_and_the_end_are_audited(store: Store) -> None:
    await save(store, draft(), note="new")
    await store.calendars.delete(NAMESPACE, "office", lambda _: None, actor=ANNA, note="old", now=START)

    entries = [entry for _, entry in reversed(await store.access.audit(AuditFilter(kind="calendar")))]
    assert [(entry.act, entry.key, entry.actor) for entry in entries] == [
        ("calendar.define", "office", ANNA),
        ("calendar.delete", "office", ANNA),
    ]
    assert entries[0].details == b'{"version":1,"note":"new"}'


async def test_what_the_rule_refuses_changes_nothing(store: Store) -> None:
    def refuse(present: CalendarVersion | None) -> CalendarDraft:
        raise StaleError("calendar", "office", f"is {present}")

    with pytest.raises(StaleError):
        await store.calendars.define(NAMESPACE, "office", refuse, actor=ANNA, note="", now=START)

    assert await store.calendars.present_versions() == {}
    assert await store.calendars.get(NAMESPACE, "office") is None


async def test_numbers_go_on_after_a_calendar_was_deleted(store: Store) -> None:
    await save(store, draft())
    await store.calendars.delete(NAMESPACE, "office", lambda _: None, actor=ANNA, note="", now=START)

    assert await store.calendars.get(NAMESPACE, "office") is None
    assert await store.calendars.list(CalendarFilter(namespace=NAMESPACE)) == []
    assert (await save(store, draft())).version == 2


async def test_calendars_are_listed_by_name_a_page_at_a_time(store: Store) -> None:
    for name in ("office", "Market", "shop"):
        await save(store, draft(name=name))

    first = await store.calendars.list(CalendarFilter(namespace=NAMESPACE, limit=2))
    second = await store.calendars.list(CalendarFilter(namespace=NAMESPACE, limit=2, after=first[-1].name))
    assert [[each.name for each in page] for page in (first, second)] == [["Market", "office"], ["shop"]]
    assert await store.calendars.list(CalendarFilter(namespace="other")) == []


async def test_a_calendar_that_triggers_use_is_not_deleted(scene: Scene) -> None:
    store = scene.store
    await save(store, draft())
    await add(scene, *(trigger(f"tick-{number}", calendar="office") for number in range(4)), trigger("free"))

    with pytest.raises(ConflictError, match="'tick-0', 'tick-1', 'tick-2' and others") as caught:
        await store.calendars.delete(NAMESPACE, "office", lambda _: None, actor=ANNA, note="", now=START)
    assert caught.value.code == "calendar_used"
    assert await store.calendars.get(NAMESPACE, "office") is not None


async def test_a_change_has_the_triggers_that_use_it_looked_at_again(scene: Scene) -> None:
    store = scene.store
    await save(store, draft())
    await add(scene, trigger("tick", calendar="office"), trigger("free"))
    assert await store.triggers.next_act() == START + 30 * SECOND

    await save(store, draft("2026-12-24"))
    assert await store.triggers.next_act() == START
    assert (await get(scene, "free")).act_at == START + 30 * SECOND


async def test_the_calendars_of_a_namespace_go_with_it(store: Store) -> None:
    await add_namespace(store, "short")
    wanted = draft()
    await store.calendars.define("short", "office", lambda _: wanted, actor=ANNA, note="", now=START)
    await save(store, draft())

    entry = AuditEntry(at=START, actor=SYSTEM, namespace="short", act="namespace.delete", kind="namespace", key="short")
    await store.access.delete_namespace("short", now=START, entry=entry)
    assert await store.calendars.present_versions() == {(NAMESPACE, "office"): 1}

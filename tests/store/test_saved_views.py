"""Saved views: kept by owner and name, counted, deleted, and written down."""

import msgspec
import pytest

from mainspring.domain.access.permissions import NAMESPACE_ALL, Role
from mainspring.domain.access.preferences import Preferences
from mainspring.domain.access.user import NewUser, make_user
from mainspring.domain.insights.saved_view import SHARED_BY_ALL, VIEWS_MAX, SavedView, owner_named
from mainspring.errors import ConflictError
from mainspring.store.interface import Store
from mainspring.testing.clock import START
from tests.store.access_samples import acts, entry

ANNA = owner_named("anna")


def view(name: str, owner: str = ANNA, **fields: str) -> SavedView:
    made = SavedView(namespace="default", owner=owner, name=name, query="state:failed", author="anna", updated_at=START)
    return msgspec.structs.replace(made, **fields)


async def test_a_person_sees_own_views_and_shared_ones_by_name(store: Store) -> None:
    others = [view("b", SHARED_BY_ALL), view("a", owner_named("ben")), view("c", namespace="other")]
    for each in (view("z"), view("late mail"), *others):
        await store.saved_views.save(each, entry=entry("view.save"))

    found = await store.saved_views.list("default", ANNA)
    assert [(one.owner, one.name) for one in found] == [(ANNA, "late mail"), (ANNA, "z"), (SHARED_BY_ALL, "b")]
    assert found[0] == view("late mail")


async def test_a_view_of_the_same_name_is_replaced(store: Store) -> None:
    for query in ("state:failed", "job:charge"):
        await store.saved_views.save(view("mine", query=query), entry=entry("view.save"))

    assert [one.query for one in await store.saved_views.list("default", ANNA)] == ["job:charge"]


async def test_a_view_is_deleted_once(store: Store) -> None:
    await store.saved_views.save(view("mine"), entry=entry("view.save"))

    gone = [
        await store.saved_views.delete("default", owner, "mine", entry=entry("view.delete"))
        for owner in (SHARED_BY_ALL, ANNA, ANNA)
    ]
    assert gone == [False, True, False]
    assert [act for act, _ in await acts(store)].count("view.delete") == 1


async def test_an_owner_has_so_many_and_may_still_change_them(store: Store) -> None:
    for number in range(VIEWS_MAX):
        await store.saved_views.save(view(f"view {number}"), entry=entry("view.save"))

    with pytest.raises(ConflictError, match="delete one first"):
        await store.saved_views.save(view("one more"), entry=entry("view.save"))
    await store.saved_views.save(view("view 7", query="job:charge"), entry=entry("view.save"))
    await store.saved_views.save(view("one more", SHARED_BY_ALL), entry=entry("view.save"))


async def test_the_views_and_choices_of_a_deleted_user_go_too(store: Store) -> None:
    for name in ("anna", "ben"):
        person = make_user(NewUser(name=name, roles={NAMESPACE_ALL: Role.ADMIN}), f"id-{name}", by="x", now=START)
        await store.users.create(person, entry("user.create"))
        await store.saved_views.save(view("mine", owner_named(name)), entry=entry("view.save"))
        await store.preferences.set(owner_named(name), Preferences(theme="dark"))
    await store.users.delete("anna", now=START, entry=entry("user.delete"))

    assert await store.saved_views.list("default", ANNA) == []
    assert len(await store.saved_views.list("default", owner_named("ben"))) == 1
    assert await store.preferences.get(ANNA) == Preferences()
    assert await store.preferences.get(owner_named("ben")) == Preferences(theme="dark")


async def test_choices_are_kept_whole_and_replaced(store: Store) -> None:
    chosen = Preferences(language="zh", density="roomy", zone="", own_zone="Asia/Tokyo", keys=False, range="24h")
    await store.preferences.set(ANNA, Preferences(theme="light"))
    await store.preferences.set(ANNA, chosen)

    assert await store.preferences.get(ANNA) == chosen

"""Users, invitations and sign-ins: made, changed one after the other, numbered, and written down."""

import os
from datetime import timedelta

import msgspec
import pytest

from mainspring.domain.access.permissions import NAMESPACE_ALL, Role
from mainspring.domain.access.sign_in import SIGN_IN_LIFE, SignIn, sign_in_id, write_sign_in
from mainspring.domain.access.token import digest_of
from mainspring.domain.access.user import FIRST_USER, Invitation, NewUser, User, UserChange, make_user, new_user_id
from mainspring.errors import ConflictError, NotFoundError
from mainspring.store.interface import Store
from mainspring.testing.clock import START
from tests.store.access_samples import acts, entry

LATER = START + timedelta(hours=1)
CODE = b"c" * 32


def user(name: str = "anna", **roles: str) -> User:
    found = {space.replace("every", NAMESPACE_ALL): Role(role) for space, role in roles.items()}
    return make_user(
        NewUser(name=name, roles=found or {NAMESPACE_ALL: Role.ADMIN}), new_user_id(os.urandom), by="x", now=START
    )


def sign_in(person: User) -> SignIn:
    text = write_sign_in(os.urandom)
    return SignIn(
        id=sign_in_id(text) or "",
        digest=digest_of(text),
        user=person.id,
        address="10.0.0.1",
        browser="Firefox",
        created_at=START,
        expires_at=START + SIGN_IN_LIFE,
        seen_at=START,
    )


def invitation(person: str) -> Invitation:
    return Invitation(digest=CODE, user=person, created_by="anna", expires_at=LATER)


async def test_a_user_is_kept_as_it_was_made(store: Store) -> None:
    anna = user(default="editor", other="viewer")
    await store.users.create(anna, entry("user.create"))

    assert await store.users.get("anna") == anna
    assert await store.users.list(after="", limit=5) == [anna]
    assert await store.users.list(after="anna", limit=5) == []
    assert await acts(store) == [("user.create", "k")]
    with pytest.raises(NotFoundError, match="user 'ben'"):
        await store.users.get("ben")


async def test_a_name_is_used_once(store: Store) -> None:
    await store.users.create(user(), entry("user.create"))

    with pytest.raises(ConflictError, match="exists already"):
        await store.users.create(user(), entry("user.create"))
    assert len(await acts(store)) == 1


async def test_changes_of_users_and_sign_ins_are_told_once(store: Store) -> None:
    anna = user()
    before = await store.access.changes(since=0)
    await store.users.create(anna, entry("user.create"))
    first = await store.access.changes(since=before.version)
    made = sign_in(anna)
    await store.users.sign_in(made, [], entry("user.sign-in"))
    second = await store.access.changes(since=first.version)
    await store.users.end_sign_in(made.id, now=LATER, entry=entry("user.sign-out"))
    third = await store.access.changes(since=second.version)

    assert (first.users, first.sign_ins) == ([anna], [])
    assert (second.users, second.sign_ins) == ([], [made])
    assert [each.ended_at for each in third.sign_ins] == [LATER]


async def test_the_last_admin_stays(store: Store) -> None:
    await store.users.create(user(), entry("user.create"))
    for change in (UserChange(disabled=True), UserChange(roles={"default": Role.ADMIN})):
        with pytest.raises(ConflictError, match="last admin"):
            await store.users.change("anna", change, now=LATER, entry=entry("user.change"))
    with pytest.raises(ConflictError, match="last admin"):
        await store.users.delete("anna", now=LATER, entry=entry("user.delete"))
    await store.users.create(user("ben"), entry("user.create"))
    await store.users.delete("anna", now=LATER, entry=entry("user.delete"))

    assert [each.name for each in await store.users.list(after="", limit=5)] == ["ben"]


async def test_a_deleted_user_is_signed_out(store: Store) -> None:
    anna, ben = user(), user("ben")
    for each in (anna, ben):
        await store.users.create(each, entry("user.create"))
    made = sign_in(ben)
    await store.users.sign_in(made, [], entry("user.sign-in"))
    await store.users.delete("ben", now=LATER, entry=entry("user.delete"))
    found = await store.users.find_sign_in(made.id)

    assert found is not None
    assert found.ended_at == LATER


async def test_an_invitation_is_used_once(store: Store) -> None:
    ben = user("ben", default="viewer")
    await store.users.create(ben, entry("user.create"), invitation(ben.id))
    old, new, late = sign_in(ben), sign_in(ben), sign_in(ben)
    await store.users.sign_in(old, [], entry("user.sign-in"))
    kept = msgspec.structs.replace(ben, password="hash", password_at=START)
    found = await store.users.find_invitation(CODE, now=START)
    first = await store.users.accept(CODE, kept, new, tries=[], now=START, entries=[entry("user.accept")])
    second = await store.users.accept(CODE, kept, late, tries=[], now=START, entries=[entry("user.accept")])

    assert found == (invitation(ben.id), ben)
    assert (first, second) == (True, False)
    assert await store.users.get("ben") == kept
    ended = {each.id: each.ended_at is not None for each in await store.users.sign_ins(ben.id, limit=9)}
    assert ended == {old.id: True, new.id: False}


async def test_an_invitation_runs_out(store: Store) -> None:
    ben = user("ben")
    await store.users.create(ben, entry("user.create"), invitation(ben.id))

    assert await store.users.find_invitation(CODE, now=LATER) is None
    assert not await store.users.accept(CODE, ben, sign_in(ben), tries=[], now=LATER, entries=[])


async def test_the_first_admin_is_made_by_one_of_two_links(store: Store) -> None:
    other = msgspec.structs.replace(invitation(FIRST_USER), digest=b"d" * 32)
    for each in (invitation(FIRST_USER), other):
        await store.users.invite(each, entry("user.invite"))
    anna, ben = user(), user("ben")
    first = await store.users.accept(CODE, anna, sign_in(anna), tries=[], now=START, entries=[])
    second = await store.users.accept(b"d" * 32, ben, sign_in(ben), tries=[], now=START, entries=[])

    assert (first, second) == (True, False)
    assert await store.users.list(after="", limit=5) == [anna]


async def test_a_new_password_ends_the_other_sign_ins(store: Store) -> None:
    anna = user()
    await store.users.create(anna, entry("user.create"))
    own, other = sign_in(anna), sign_in(anna)
    for each in (own, other):
        await store.users.sign_in(each, [], entry("user.sign-in"))
    await store.users.set_password(anna, "new", but=own.id, tries=[], now=LATER, entry=entry("user.password"))
    await store.users.rehash(anna, "outdated")

    assert (await store.users.get("anna")).password == "new"
    ended = {each.id: each.ended_at is not None for each in await store.users.sign_ins(anna.id, limit=9)}
    assert ended == {own.id: False, other.id: True}


async def test_tries_lead_to_waits_until_they_are_forgiven(store: Store) -> None:
    anna = user()
    await store.users.create(anna, entry("user.create"))
    keys = ["name anna", "address 10.0.0.1"]
    free = [await store.users.count_try(keys, now=START) for _ in range(5)]
    blocked = await store.users.count_try(keys, now=START)
    elsewhere = await store.users.count_try(["name anna", "address 10.0.0.2"], now=START)
    await store.users.sign_in(sign_in(anna), ["name anna"], entry("user.sign-in"))
    forgiven = await store.users.count_try(["name anna"], now=START)

    assert free == [None] * 5
    assert blocked == elsewhere == START + timedelta(seconds=30)
    assert forgiven is None


async def test_the_last_use_of_a_sign_in_only_grows(store: Store) -> None:
    anna = user()
    await store.users.create(anna, entry("user.create"))
    made = sign_in(anna)
    await store.users.sign_in(made, [], entry("user.sign-in"))
    for at in (LATER, START):
        await store.users.note_seen({made.id: at})
    [found] = await store.users.sign_ins(anna.id, limit=5)

    assert found.seen_at == LATER

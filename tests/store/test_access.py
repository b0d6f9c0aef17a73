"""Access tokens: made, changed one after the other, numbered, and written down."""

import asyncio
from datetime import timedelta

import pytest

from mainspring.domain.access.permissions import Role
from mainspring.errors import ConflictError, NotFoundError
from mainspring.store import open_store
from mainspring.store.interface import Store, TokenFilter
from mainspring.testing.clock import START
from tests.factories import add_namespace
from tests.store.access_samples import acts, add, entry, token

LATER = START + timedelta(hours=1)
DIGEST = b"d" * 32


async def test_a_token_is_kept_as_it_was_made(store: Store) -> None:
    made = token(Role.EXECUTOR, "default", queues=("mail", "slow"), expires_at=LATER)
    await add(store, made)

    assert await store.access.tokens(TokenFilter(id=made.id)) == [made]
    assert await store.access.tokens(TokenFilter(id="nobody")) == []
    assert await acts(store) == [("token.create", made.id)]


async def test_an_id_is_used_once(store: Store) -> None:
    made = token()
    await add(store, made)

    with pytest.raises(ConflictError, match="exists already"):
        await add(store, made)
    assert len(await acts(store)) == 1


async def test_a_token_for_a_namespace_that_is_not_there_is_refused(store: Store) -> None:
    with pytest.raises(NotFoundError, match="namespace 'nowhere'"):
        await add(store, token(namespace="nowhere"))

    assert await acts(store) == []


async def test_changes_are_told_once(store: Store) -> None:
    before = await store.access.changes(since=0)
    one, two = token(), token()
    await add(store, one)
    first = await store.access.changes(since=before.version)
    await add(store, two)
    second = await store.access.changes(since=first.version)
    await store.access.revoke_token(one.id, now=LATER, entry=entry("token.revoke"))
    third = await store.access.changes(since=second.version)
    nothing = await store.access.changes(since=third.version)

    assert [before.tokens, first.tokens, second.tokens] == [[], [one], [two]]
    assert [(each.id, each.revoked_at) for each in third.tokens] == [(one.id, LATER)]
    assert (nothing.version, nothing.tokens, nothing.namespaces) == (third.version, [], None)
    assert third.namespaces == ["default"]
    assert {each.id for each in (await store.access.changes(since=0)).tokens} == {one.id, two.id}


async def test_several_servers_found_one_set_of_tokens(store: Store, store_url: str, database: str) -> None:
    # A SQLite file has one server; its calls may still come together.
    stores = [store] * 8 if database == "sqlite" else [await open_store(store_url) for _ in range(4)]
    pairs = [[token(), token(Role.EXECUTOR)] for _ in stores]
    founded = await asyncio.gather(
        *(
            each.access.create_tokens(pair, [entry(key=one.id) for one in pair], first=True)
            for each, pair in zip(stores, pairs, strict=True)
        )
    )
    kept = {each.id for each in await store.access.tokens(TokenFilter())}
    for each in stores:
        await each.close()

    assert sum(founded) == 1
    assert kept == {one.id for one in pairs[founded.index(True)]}


async def test_a_store_that_has_had_a_token_is_not_founded_again(store: Store) -> None:
    made = token(Role.VIEWER)
    await add(store, made)
    await store.access.revoke_token(made.id, now=START, entry=entry("token.revoke"))

    assert not await store.access.create_tokens([token()], [entry()], first=True)
    assert [each.id for each in await store.access.tokens(TokenFilter())] == [made.id]


async def test_a_rotated_token_has_a_new_secret_and_keeps_the_last_one_for_a_while(store: Store) -> None:
    made = token()
    await add(store, made)
    rotated = await store.access.rotate_token(
        made.id, DIGEST, overlap_until=LATER, now=START, entry=entry("token.rotate")
    )

    assert (rotated.digest, rotated.replaced_digest, rotated.replaced_until) == (DIGEST, made.digest, LATER)
    assert rotated.rotated_at == START
    assert await store.access.tokens(TokenFilter(id=made.id)) == [rotated]
    assert (await acts(store))[-1][0] == "token.rotate"


async def test_only_an_active_token_is_rotated(store: Store) -> None:
    expired, revoked = token(expires_at=LATER), token()
    await add(store, token(), expired, revoked)
    await store.access.revoke_token(revoked.id, now=START, entry=entry("token.revoke"))
    before = await acts(store)

    for each, state in ((expired, "expired"), (revoked, "revoked")):
        with pytest.raises(ConflictError, match=f"is {state}"):
            await store.access.rotate_token(each.id, DIGEST, overlap_until=LATER, now=LATER, entry=entry())
    with pytest.raises(NotFoundError):
        await store.access.rotate_token("nobody", DIGEST, overlap_until=LATER, now=LATER, entry=entry())
    assert await acts(store) == before


async def test_revoking_twice_changes_nothing_the_second_time(store: Store) -> None:
    made = token(Role.VIEWER)
    await add(store, made)
    first = await store.access.revoke_token(made.id, now=START, entry=entry("token.revoke"))
    second = await store.access.revoke_token(made.id, now=LATER, entry=entry("token.revoke"))

    assert first == second
    assert first.revoked_at == START
    assert [act for act, _ in await acts(store)] == ["token.create", "token.revoke"]


async def test_the_last_active_admin_of_all_namespaces_stays(store: Store) -> None:
    await add_namespace(store, "team")
    first, second = token(), token()
    others = [token(expires_at=LATER), token(namespace="team"), token(Role.EDITOR), token(Role.EXECUTOR)]
    await add(store, first, second, *others)
    after = LATER + timedelta(seconds=1)
    await store.access.revoke_token(first.id, now=after, entry=entry("token.revoke"))

    with pytest.raises(ConflictError, match="last admin token"):
        await store.access.revoke_token(second.id, now=after, entry=entry("token.revoke"))
    for each in others:
        await store.access.revoke_token(each.id, now=after, entry=entry("token.revoke"))
    [found] = await store.access.tokens(TokenFilter(id=second.id))
    assert found.revoked_at is None


async def test_two_admins_that_revoke_each_other_leave_one(store: Store) -> None:
    pair = [token(), token()]
    await add(store, *pair)
    answers = await asyncio.gather(
        *(store.access.revoke_token(each.id, now=START, entry=entry("token.revoke")) for each in pair),
        return_exceptions=True,
    )

    assert sum(isinstance(answer, ConflictError) for answer in answers) == 1


async def test_tokens_are_listed_newest_first_in_pages(store: Store) -> None:
    await add_namespace(store, "team")
    made = [
        token(
            name=str(number), namespace="team" if number % 2 else "*", created_at=START + timedelta(seconds=number // 2)
        )
        for number in range(6)
    ]
    await add(store, *made)
    everything = await store.access.tokens(TokenFilter())
    first = await store.access.tokens(TokenFilter(limit=4))
    rest = await store.access.tokens(TokenFilter(limit=4, before=(first[-1].created_at, first[-1].id)))

    assert first + rest == everything
    assert [each.created_at for each in everything] == sorted((each.created_at for each in made), reverse=True)
    assert {each.namespace for each in await store.access.tokens(TokenFilter(namespace="team"))} == {"team"}
    assert await store.access.tokens(TokenFilter(role="viewer")) == []


async def test_only_active_tokens_may_be_asked_for(store: Store) -> None:
    active, expired, revoked = token(), token(expires_at=LATER), token()
    await add(store, active, expired, revoked)
    await store.access.revoke_token(revoked.id, now=START, entry=entry("token.revoke"))

    assert await store.access.tokens(TokenFilter(active_at=LATER)) == [active]


async def test_the_last_use_is_kept_and_is_no_change(store: Store) -> None:
    made = token()
    await add(store, made)
    version = (await store.access.changes(since=0)).version
    await store.access.note_uses({made.id: LATER, "gone": LATER})
    await store.access.note_uses({made.id: START})
    [found] = await store.access.tokens(TokenFilter(id=made.id))

    assert found.last_used_at == LATER
    assert (await store.access.changes(since=version)).tokens == []


async def test_tokens_that_are_long_dead_are_forgotten(store: Store) -> None:
    active, expired, revoked, mortal = token(), token(expires_at=START), token(), token(expires_at=LATER)
    await add(store, active, expired, revoked, mortal)
    await store.access.revoke_token(revoked.id, now=START, entry=entry("token.revoke"))
    await store.cluster.prune(before=START + timedelta(seconds=1))

    assert {each.id for each in await store.access.tokens(TokenFilter())} == {active.id, mortal.id}

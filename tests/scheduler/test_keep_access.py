"""Tokens and namespaces as a server keeps them: at once where they are changed, within a poll elsewhere."""

import asyncio
from datetime import timedelta

import pytest

from mainspring.domain.access.permissions import NAMESPACE_ALL, SYSTEM, Actor, Role
from mainspring.domain.access.token import AccessToken, Grant, NewToken, digest_of
from mainspring.domain.ids import Ids
from mainspring.errors import (
    AccessDeniedError,
    ConflictError,
    ForbiddenError,
    InvalidInputError,
    NotFoundError,
    StoreUnavailableError,
)
from mainspring.scheduler.access.cache import REFRESHES_MAX, USE_EVERY, AccessCache
from mainspring.scheduler.access.tokens import Issued
from mainspring.scheduler.facts import Facts
from mainspring.settings import SchedulerSettings
from mainspring.store.interface import AccessChanges, AuditFilter, Store, TokenFilter
from mainspring.testing.clock import START, FakeClock
from tests.factories import add_namespace

NEVER = f"ms_{'a' * 13}_{'a' * 52}"


def keep(store: Store, clock: FakeClock) -> AccessCache:
    return AccessCache(store, SchedulerSettings(), clock, Ids(), Facts())


@pytest.fixture
async def access(store: Store, clock: FakeClock) -> AccessCache:
    made = keep(store, clock)
    await made.tick()
    return made


async def make(
    access: AccessCache, role: Role = Role.ADMIN, namespace: str = NAMESPACE_ALL, *, lasts: float | None = None
) -> Issued:
    ends = None if lasts is None else START + timedelta(seconds=lasts)
    wanted = NewToken(name=f"a {role}", role=role, namespace=namespace, expires_at=ends)
    return await access.tokens.create_as(wanted, by=SYSTEM)


async def refusal(access: AccessCache, text: str) -> str:
    with pytest.raises(AccessDeniedError) as refused:
        await access.admit(text)
    assert text not in str(refused.value)
    return refused.value.code


async def test_a_token_opens_what_it_was_made_for_and_only_its_hash_is_kept(access: AccessCache, store: Store) -> None:
    issued = await make(access, Role.VIEWER)
    grant = await access.admit(issued.text)
    [kept] = await store.access.tokens(TokenFilter())

    assert (grant.token.id, grant.token.role, grant.actor) == (kept.id, Role.VIEWER, Actor("a viewer", kept.id))
    assert kept.digest == digest_of(issued.text)
    assert issued.text.startswith(f"ms_{kept.id}_")
    assert issued.text.rpartition("_")[2] not in str(kept)


async def test_every_token_has_a_secret_of_its_own(access: AccessCache) -> None:
    texts = [(await make(access, Role.VIEWER)).text for _ in range(20)]

    assert len({text.rpartition("_")[2] for text in texts}) == 20
    assert {len(text) for text in texts} == {69}


async def test_revoking_counts_at_once(access: AccessCache) -> None:
    admin, issued = await make(access), await make(access, Role.OPERATOR)
    await access.tokens.revoke(issued.token.id, by=await access.admit(admin.text))

    assert await refusal(access, issued.text) == "token_revoked"


async def test_expiry_counts_to_the_instant(access: AccessCache, clock: FakeClock) -> None:
    issued = await make(access, lasts=60)
    clock.advance(59.999)
    await access.admit(issued.text)
    clock.advance(0.001)

    assert await refusal(access, issued.text) == "token_expired"


async def test_after_a_rotation_the_old_secret_lives_as_long_as_it_was_given(
    access: AccessCache, clock: FakeClock
) -> None:
    first = await make(access)
    by = await access.admit(first.text)
    second = await access.tokens.rotate(first.token.id, overlap=timedelta(seconds=30), by=by)
    clock.advance(29)
    both = [(await access.admit(text)).token.id for text in (first.text, second.text)]
    clock.advance(1)

    assert both == [first.token.id] * 2
    assert await refusal(access, first.text) == "token_expired"
    assert (await access.admit(second.text)).token.id == first.token.id


async def test_without_an_overlap_the_old_secret_ends_at_once_and_a_second_rotation_ends_all_before(
    access: AccessCache,
) -> None:
    first = await make(access)
    by = await access.admit(first.text)
    second = await access.tokens.rotate(first.token.id, overlap=timedelta(hours=1), by=by)
    third = await access.tokens.rotate(first.token.id, overlap=timedelta(0), by=by)

    assert await refusal(access, first.text) == "token_unknown"
    assert await refusal(access, second.text) == "token_expired"
    assert (await access.admit(third.text)).token.id == first.token.id


async def test_another_server_knows_a_change_after_its_poll(
    access: AccessCache, store: Store, clock: FakeClock
) -> None:
    other = keep(store, clock)
    admin, issued = await make(access), await make(access, Role.VIEWER)
    await other.tick()
    await other.admit(issued.text)
    await access.tokens.revoke(issued.token.id, by=await access.admit(admin.text))
    before = await other.admit(issued.text)
    await other.tick()

    assert before.token.id == issued.token.id
    assert await refusal(other, issued.text) == "token_revoked"
    assert other.period <= 1.0


async def test_a_token_or_a_namespace_made_elsewhere_a_moment_ago_is_known(
    access: AccessCache, store: Store, clock: FakeClock
) -> None:
    other = keep(store, clock)
    await other.tick()
    issued = await make(access)
    await access.namespaces.create("team", by=SYSTEM)
    grant = await other.admit(issued.text)
    await other.check_namespace("team")

    assert grant.token.id == issued.token.id


async def test_guessing_does_not_keep_the_store_busy(
    access: AccessCache, store: Store, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads = 0
    real = store.access.changes

    async def counted(*, since: int) -> AccessChanges:
        nonlocal reads
        reads += 1
        return await real(since=since)

    monkeypatch.setattr(store.access, "changes", counted)
    for _ in range(100):
        assert await refusal(access, NEVER) == "token_unknown"
    in_one_second = reads
    clock.advance(1)
    await refusal(access, NEVER)
    for _ in range(100):
        assert await refusal(access, "not one of ours") == "token_unknown"

    assert (in_one_second, reads) == (REFRESHES_MAX, REFRESHES_MAX + 1)


async def test_an_unknown_namespace_is_refused_with_a_way_out(access: AccessCache, store: Store) -> None:
    await add_namespace(store, "team-blue")

    with pytest.raises(NotFoundError) as refused:
        await access.check_namespace("team-bleu")
    assert str(refused.value) == (
        "unknown namespace 'team-bleu': make it with 'mainspring namespaces create team-bleu'; did you mean team-blue?"
    )


async def test_uses_are_written_together_and_at_most_once_a_minute(
    access: AccessCache, store: Store, clock: FakeClock
) -> None:
    issued = await make(access)

    async def last_use() -> object:
        [found] = await store.access.tokens(TokenFilter())
        return found.last_used_at

    await access.admit(issued.text)
    on_the_way = await last_use()
    await access.tick()
    first = await last_use()
    clock.advance(USE_EVERY.total_seconds() - 1)
    await access.admit(issued.text)
    await access.tick()
    too_soon = await last_use()
    clock.advance(1)
    await access.admit(issued.text)
    await access.tick()

    assert (on_the_way, first, too_soon) == (None, START, START)
    assert await last_use() == START + USE_EVERY


async def test_an_answer_that_was_overtaken_brings_nothing_back(
    access: AccessCache, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    admin, issued = await make(access), await make(access, Role.VIEWER)
    by = await access.admit(admin.text)
    real, read, go_on = store.access.changes, asyncio.Event(), asyncio.Event()

    async def late(*, since: int) -> AccessChanges:
        found = await real(since=0)
        read.set()
        await go_on.wait()
        return found

    monkeypatch.setattr(store.access, "changes", late)
    reading = asyncio.create_task(access.tick())
    await read.wait()
    monkeypatch.setattr(store.access, "changes", real)
    revoking = asyncio.create_task(access.tokens.revoke(issued.token.id, by=by))
    go_on.set()
    await asyncio.gather(reading, revoking)

    assert await refusal(access, issued.text) == "token_revoked"


async def test_a_token_that_was_made_is_told_even_if_the_store_goes_away_right_then(
    access: AccessCache, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = store.access.changes

    async def away(*, since: int) -> AccessChanges:
        raise StoreUnavailableError("gone")

    monkeypatch.setattr(store.access, "changes", away)
    issued = await make(access)
    woken = access.wake.is_set()
    monkeypatch.setattr(store.access, "changes", real)
    await access.tick()

    assert woken
    assert (await access.admit(issued.text)).token.id == issued.token.id


async def test_a_token_that_nobody_knows_while_the_store_is_away_is_no_verdict(
    access: AccessCache, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def away(*, since: int) -> AccessChanges:
        raise StoreUnavailableError("gone")

    monkeypatch.setattr(store.access, "changes", away)

    with pytest.raises(StoreUnavailableError):
        await access.admit(NEVER)


async def test_a_database_that_was_brought_back_is_believed(
    access: AccessCache, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    backup = await store.access.changes(since=0)
    issued = await make(access)

    async def restored(*, since: int) -> AccessChanges:
        return backup

    monkeypatch.setattr(store.access, "changes", restored)
    await access.tick()

    assert await refusal(access, issued.text) == "token_unknown"


async def test_it_is_awake_when_the_next_token_expires(access: AccessCache, clock: FakeClock) -> None:
    await make(access, lasts=0.3)
    await access.tick()
    soon = access.period
    clock.advance(0.3)
    await access.tick()

    assert soon == pytest.approx(0.3)
    assert access.period == 1.0


async def test_tokens_that_are_long_dead_are_forgotten_here_and_in_the_store(
    access: AccessCache, store: Store, clock: FakeClock
) -> None:
    issued = await make(access, lasts=60)
    clock.advance(timedelta(days=29).total_seconds())
    await access.tick()
    assert await refusal(access, issued.text) == "token_expired"

    clock.advance(timedelta(days=2).total_seconds())
    await access.tick()
    assert await refusal(access, issued.text) == "token_unknown"
    await store.cluster.prune(before=clock.now() - timedelta(days=30))
    assert await store.access.tokens(TokenFilter()) == []


def holder(role: Role, namespace: str) -> Grant:
    token = AccessToken(
        id="m", name="maker", role=role, namespace=namespace, digest=b"", created_by="x", created_at=START
    )
    return Grant(token, b"")


@pytest.mark.parametrize(
    ("maker", "wanted"),
    [
        ((Role.ADMIN, "default"), (Role.VIEWER, NAMESPACE_ALL)),
        ((Role.ADMIN, "default"), (Role.EXECUTOR, NAMESPACE_ALL)),
        ((Role.ADMIN, "default"), (Role.VIEWER, "team")),
        ((Role.EDITOR, NAMESPACE_ALL), (Role.ADMIN, "team")),
    ],
)
async def test_a_token_cannot_grant_more_than_its_maker_has(
    access: AccessCache, store: Store, maker: tuple[Role, str], wanted: tuple[Role, str]
) -> None:
    await access.namespaces.create("team", by=SYSTEM)
    role, namespace = wanted

    with pytest.raises(ForbiddenError):
        await access.tokens.create(NewToken(name="x", role=role, namespace=namespace), by=holder(*maker))
    assert await store.access.tokens(TokenFilter()) == []


async def test_an_admin_of_one_namespace_manages_the_tokens_of_that_one_alone(access: AccessCache) -> None:
    await access.namespaces.create("team", by=SYSTEM)
    by = holder(Role.ADMIN, "team")
    inside = await access.tokens.create(NewToken(name="x", role=Role.ADMIN, namespace="team"), by=by)
    outside = [await make(access), await make(access, Role.VIEWER, "default")]
    await access.tokens.rotate(inside.token.id, overlap=timedelta(0), by=by)
    await access.tokens.revoke(inside.token.id, by=by)

    for each in outside:
        for act in (access.tokens.get, access.tokens.revoke):
            with pytest.raises(NotFoundError):
                await act(each.token.id, by=by)
        with pytest.raises(NotFoundError):
            await access.tokens.rotate(each.token.id, overlap=timedelta(0), by=by)
        assert (await access.admit(each.text)).token.id == each.token.id


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": "tab\there"}, "name"),
        ({"name": "\u0430dmin"}, "name"),
        ({"name": "n" * 101}, "name"),
        ({"queues": ("a",)}, "queues"),
        ({"role": Role.EXECUTOR, "queues": ("a\0",)}, "queues"),
        ({"role": Role.EXECUTOR, "queues": ("",)}, "queues"),
        ({"role": Role.EXECUTOR, "queues": ("q",) * 101}, "queues"),
        ({"expires_at": START}, "expires_in"),
        ({"expires_at": START + timedelta(days=4000)}, "expires_in"),
    ],
    ids=str,
)
async def test_a_token_that_makes_no_sense_is_refused(
    access: AccessCache, store: Store, changes: dict[str, object], field: str
) -> None:
    fields = {"name": "x", "role": Role.VIEWER, "namespace": "default"} | changes

    with pytest.raises(InvalidInputError) as refused:
        await access.tokens.create_as(NewToken(**fields), by=SYSTEM)  # type: ignore[arg-type]
    assert refused.value.field == field
    assert await store.access.tokens(TokenFilter()) == []


async def test_what_was_done_is_written_down_without_secrets(access: AccessCache, store: Store) -> None:
    admin = await make(access)
    by = await access.admit(admin.text)
    issued = await access.tokens.create(NewToken(name="ci", role=Role.VIEWER, namespace="default"), by=by)
    rotated = await access.tokens.rotate(issued.token.id, overlap=timedelta(seconds=5), by=by)
    await access.tokens.revoke(issued.token.id, by=by)
    await access.namespaces.create("team", description="ours", by=by.actor)
    await access.namespaces.delete("team", by=by.actor)
    entries = [entry for _, entry in reversed(await store.access.audit(AuditFilter()))]
    acts = [(entry.act, entry.key, entry.namespace, entry.actor.token) for entry in entries]

    assert acts == [
        ("token.create", admin.token.id, "", ""),
        ("token.create", issued.token.id, "default", admin.token.id),
        ("token.rotate", issued.token.id, "default", admin.token.id),
        ("token.revoke", issued.token.id, "default", admin.token.id),
        ("namespace.create", "team", "team", admin.token.id),
        ("namespace.delete", "team", "team", admin.token.id),
    ]
    assert not any(secret.rpartition("_")[2] in str(entries) for secret in (admin.text, issued.text, rotated.text))


async def test_the_default_namespace_cannot_be_deleted(access: AccessCache) -> None:
    with pytest.raises(ConflictError, match="always there"):
        await access.namespaces.delete("default", by=SYSTEM)


@pytest.mark.parametrize("name", ["", "Team", "-a", "a" * 64, "a b", "\u0430", "*", "a\n"])
async def test_a_namespace_has_a_plain_name(access: AccessCache, name: str) -> None:
    with pytest.raises(InvalidInputError, match="1 to 63"):
        await access.namespaces.create(name, by=SYSTEM)

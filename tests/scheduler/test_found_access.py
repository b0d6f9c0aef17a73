"""The first tokens of a database, and what becomes of those kept at home."""

import asyncio
import logging
import os
import stat
from pathlib import Path

import pytest

from mainspring.domain.access.permissions import NAMESPACE_ALL, SYSTEM, Role
from mainspring.domain.access.token import NewToken, write_token
from mainspring.domain.ids import Ids
from mainspring.scheduler.access.bootstrap_tokens import Bootstrapped, bootstrap_tokens
from mainspring.scheduler.access.cache import AccessCache
from mainspring.scheduler.facts import Facts
from mainspring.settings import SchedulerSettings, ServerSettings, keep_token
from mainspring.store import open_store
from mainspring.store.interface import AuditFilter, Store, TokenFilter
from mainspring.testing.clock import FakeClock

FIXED_API, FIXED_EXECUTOR = "a" * 32, "e" * 32
SOMEBODY = NewToken(name="somebody", role=Role.ADMIN, namespace=NAMESPACE_ALL)


class Machine:
    """A server's home, and the database that it is started on."""

    def __init__(self, store: Store, clock: FakeClock, home: Path) -> None:
        self.access = AccessCache(store, SchedulerSettings(), clock, Ids(), Facts())
        self.home = home

    async def start(self, *, api: str = "", executor: str = "", with_executor: bool = False) -> Bootstrapped:
        settings = ServerSettings(
            home=str(self.home), api_token=api, executor_token=executor, scheduler=SchedulerSettings(name="s1")
        )
        return await bootstrap_tokens(settings, self.access, with_executor=with_executor)

    def kept(self, name: str) -> str:
        path = self.home / name
        return path.read_text().strip() if path.exists() else ""

    def keep(self, name: str, text: str) -> None:
        keep_token(str(self.home), name, text)


@pytest.fixture
def machine(store: Store, clock: FakeClock, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> Machine:
    caplog.set_level(logging.INFO)
    return Machine(store, clock, tmp_path / "home")


async def roles(store: Store) -> list[Role]:
    return sorted(token.role for token in await store.access.tokens(TokenFilter()))


async def test_a_new_database_gets_an_admin_and_an_executor_token(machine: Machine, store: Store) -> None:
    settled = await machine.start()
    admin = await machine.access.admit(settled.settings.api_token)
    executor = await machine.access.admit(settled.settings.executor_token)
    acts = [(entry.act, entry.actor) for _, entry in await store.access.audit(AuditFilter())]

    assert (admin.token.role, admin.token.namespace) == (Role.ADMIN, NAMESPACE_ALL)
    assert (executor.token.role, executor.token.namespace, executor.token.queues) == (Role.EXECUTOR, NAMESPACE_ALL, ())
    assert settled.new_admin == settled.settings.api_token == machine.kept("api.token")
    assert settled.settings.executor_token == machine.kept("executor.token")
    assert {stat.S_IMODE(path.stat().st_mode) for path in machine.home.iterdir()} == {0o600}
    assert acts == [("token.create", SYSTEM)] * 2


async def test_the_second_start_finds_them_at_home_and_shows_nothing(machine: Machine, store: Store) -> None:
    first = await machine.start()
    second = await machine.start()

    assert second == Bootstrapped(first.settings)
    assert len(await roles(store)) == 2


async def test_a_new_database_takes_over_the_tokens_that_home_has(
    machine: Machine, store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    api, executor = write_token(os.urandom), write_token(os.urandom)
    machine.keep("api.token", api)
    machine.keep("executor.token", executor)
    settled = await machine.start()

    assert (settled.settings.api_token, settled.settings.executor_token, settled.new_admin) == (api, executor, "")
    assert (await machine.access.admit(api)).token.role is Role.ADMIN
    assert "was taken over as its admin token" in caplog.text


async def test_what_is_no_token_of_ours_is_replaced(machine: Machine, caplog: pytest.LogCaptureFixture) -> None:
    machine.keep("api.token", "something else")
    settled = await machine.start()

    assert settled.new_admin == machine.kept("api.token") != "something else"
    assert "api.token did not hold a token of this version" in caplog.text


async def test_a_home_without_tokens_beside_a_database_that_has_some_is_told_so(
    machine: Machine, store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    await machine.access.tokens.create_as(SOMEBODY, by=SYSTEM)
    settled = await machine.start()

    assert (settled.settings.api_token, settled.settings.executor_token, settled.new_admin) == ("", "", "")
    assert await roles(store) == [Role.ADMIN]
    assert "api.token is not there" in caplog.text
    assert not machine.home.exists()


@pytest.mark.parametrize("revoked", [False, True])
async def test_a_token_at_home_that_opens_nothing_is_named(
    machine: Machine, caplog: pytest.LogCaptureFixture, revoked: bool
) -> None:
    admin = await machine.access.tokens.create_as(SOMEBODY, by=SYSTEM)
    text = write_token(os.urandom)
    if revoked:
        issued = await machine.access.tokens.create_as(SOMEBODY, by=SYSTEM)
        await machine.access.tokens.revoke(issued.token.id, by=await machine.access.admit(admin.text))
        text = issued.text
    machine.keep("api.token", text)
    settled = await machine.start()

    assert settled.settings.api_token == ""
    assert machine.kept("api.token") == text
    why = "was revoked" if revoked else "is not known here"
    assert any("api.token opens nothing in this database" in line and why in line for line in caplog.messages)


async def test_an_executor_that_is_started_beside_the_server_always_gets_a_token(
    machine: Machine, store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    await machine.access.tokens.create_as(SOMEBODY, by=SYSTEM)
    machine.keep("executor.token", write_token(os.urandom))
    settled = await machine.start(with_executor=True)
    again = await machine.start(with_executor=True)

    assert (await machine.access.admit(settled.settings.executor_token)).token.role is Role.EXECUTOR
    assert settled.settings.executor_token == machine.kept("executor.token") == again.settings.executor_token
    assert await roles(store) == [Role.ADMIN, Role.EXECUTOR]
    assert "a new token was made for the executor" in caplog.text


async def test_tokens_from_the_settings_are_enough(machine: Machine, store: Store) -> None:
    settled = await machine.start(api=FIXED_API, executor=FIXED_EXECUTOR, with_executor=True)

    assert (settled.settings.api_token, settled.settings.executor_token) == (FIXED_API, FIXED_EXECUTOR)
    assert await roles(store) == []
    assert not machine.home.exists()


async def test_only_the_token_that_is_not_given_is_made(machine: Machine, store: Store) -> None:
    settled = await machine.start(api=FIXED_API)

    assert (settled.settings.api_token, settled.new_admin) == (FIXED_API, "")
    assert settled.settings.executor_token == machine.kept("executor.token") != ""
    assert machine.kept("api.token") == ""
    assert await roles(store) == [Role.EXECUTOR]


async def test_a_database_that_nobody_can_administer_says_how_to_get_in(
    machine: Machine, clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    await machine.start(api=FIXED_API)
    await machine.start()

    assert "this server has no active admin token" in caplog.text
    assert "mainspring tokens create --role admin --all-namespaces --database-url" in caplog.text


@pytest.mark.postgres
@pytest.mark.parametrize("database", ["postgres"], indirect=True)
async def test_servers_that_start_together_make_one_pair(
    store: Store, store_url: str, clock: FakeClock, tmp_path: Path
) -> None:
    stores = [await open_store(store_url) for _ in range(4)]
    machines = [Machine(each, clock, tmp_path / str(number)) for number, each in enumerate(stores)]
    settled = await asyncio.gather(*(machine.start() for machine in machines))
    for each in stores:
        await each.close()

    assert await roles(store) == [Role.ADMIN, Role.EXECUTOR]
    assert [bool(one.new_admin) for one in settled].count(True) == 1
    assert [machine.kept("api.token") != "" for machine in machines].count(True) == 1

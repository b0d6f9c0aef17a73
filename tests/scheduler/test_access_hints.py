"""A token that is revoked on one server is known to the others before their next poll."""

import asyncio

import pytest

from mainspring.domain.access.permissions import NAMESPACE_ALL, SYSTEM, Role
from mainspring.domain.access.token import NewToken
from mainspring.domain.ids import Ids
from mainspring.errors import AccessDeniedError
from mainspring.scheduler.engine import Scheduler
from mainspring.settings import SchedulerSettings
from mainspring.store import open_store
from mainspring.testing.clock import FakeClock
from tests.support.postgres import Postgres

ANYTHING = NewToken(name="x", role=Role.ADMIN, namespace=NAMESPACE_ALL)


@pytest.mark.postgres
async def test_other_servers_hear_of_a_change_at_once(postgres: Postgres, clock: FakeClock) -> None:
    url = await postgres.create_migrated()
    here, there = await open_store(url), await open_store(url)
    first, second = (Scheduler(one, SchedulerSettings(name="s"), clock, Ids()) for one in (here, there))
    for scheduler in (first, second, first):
        await scheduler.joining.tick()
        await scheduler.hints.tick()
    admin = await first.access.tokens.create_as(ANYTHING, by=SYSTEM)
    doomed = await first.access.tokens.create_as(ANYTHING, by=SYSTEM)
    await second.access.admit(doomed.text)
    second.access.wake.clear()
    await first.access.tokens.revoke(doomed.token.id, by=await first.access.admit(admin.text))
    sending = asyncio.create_task(first.hints.tick())
    await second.access.wake.wait()
    await second.access.tick()

    with pytest.raises(AccessDeniedError, match="was revoked"):
        await second.access.admit(doomed.text)
    sending.cancel()
    await here.close()
    await there.close()
    await postgres.drop_database(url)

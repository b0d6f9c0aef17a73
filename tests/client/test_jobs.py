"""Jobs and executors from a program: the same through both clients, with errors that say what happened."""

import asyncio

import msgspec
import pytest

from mainspring import ConflictError, InvalidInputError, NotFoundError
from mainspring.client.calls import ask, if_match, if_new
from mainspring.contract.jobs import ChangeInfo
from mainspring.contract.operations.jobs import CHANGE_JOB, PUT_JOB
from mainspring.errors import StaleError
from tests.client.conftest import Shop
from tests.support.limits import HANG

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_job_of_the_app_is_found_changed_and_brought_back(shop: Shop) -> None:
    jobs = shop.app.client.jobs
    before = await jobs.get("add")
    changed = await jobs.change("add", before.version, priority=9, retry={"attempts": 4}, note="busy")
    diff = await jobs.diff("add")
    back = await jobs.roll_back("add", before.version, version=changed.version)
    page = await jobs.versions("add", limit=2)

    assert (before.queue, before.drifted, before.code is not None) == ("slow", False, True)
    assert (changed.priority, changed.retry.attempts, changed.drifted) == (9, 4, True)
    assert diff.changes == [ChangeInfo("priority", 2, 9), ChangeInfo("retry.attempts", 1, 4)]
    assert (diff.before, diff.after) == (before.version, changed.version)
    assert (back.priority, back.version, back.drifted) == (2, changed.version + 1, False)
    assert [version.note for version in page.versions] == ["", "busy"]
    assert (await jobs.version("add", changed.version)).source.origin == "api"


async def test_a_change_on_the_ground_of_an_old_version_is_stale(shop: Shop) -> None:
    jobs = shop.app.client.jobs
    seen = await jobs.create("stale", handler="greet")
    await jobs.change("stale", seen.version, priority=1)
    with pytest.raises(StaleError, match="is at version 2 by now") as stale:
        await jobs.change("stale", seen.version, priority=2)
    with pytest.raises(StaleError, match="is there already"):
        await jobs.create("stale", handler="greet")

    assert (stale.value.kind, stale.value.key, stale.value.code) == ("job", "stale", "job_stale")
    assert (await jobs.get("stale")).priority == 1


async def test_people_s_own_job_runs_with_its_defaults(shop: Shop) -> None:
    await shop.app.client.jobs.create("greet/anna", handler="greet", input={"name": "Anna", "times": 2})
    handle = await shop.app.client.enqueue("greet/anna", {"times": 1})

    assert await handle.result(timeout=HANG) == "hello Anna"


async def test_plain_code_does_the_same(shop: Shop) -> None:
    jobs = shop.app.sync_client.jobs

    def work() -> tuple[object, ...]:
        made = jobs.create("plain", handler="greet", input={"name": "x"})
        put = jobs.put("plain", made.version, handler="greet", queue="other")
        changed = jobs.change("plain", put.version, description="Greets")
        listed = [job.name for job in jobs.list(prefix="pla", handler="greet", queue="other").jobs]
        seen = [version.version for version in jobs.versions("plain").versions]
        differing = [change.path for change in jobs.diff("plain", 1, 3).changes]
        back = jobs.roll_back("plain", 1)
        jobs.delete("plain", version=back.version, note="done")
        return put.input, changed.description, listed, seen, differing, jobs.list(prefix="pla").jobs

    assert await asyncio.to_thread(work) == (
        {},
        "Greets",
        ["plain"],
        [3, 2, 1],
        ["description", "input.name", "queue"],
        [],
    )


async def test_errors_come_back_as_they_were_raised(shop: Shop) -> None:
    jobs = shop.app.client.jobs
    with pytest.raises(NotFoundError, match="unknown job"):
        await jobs.get("nobody")
    with pytest.raises(InvalidInputError, match="priority"):
        await jobs.create("bad", handler="greet", priority=99)
    with pytest.raises(ConflictError, match="code of executor"):
        await jobs.delete("greet")
    with pytest.raises(InvalidInputError, match="JSON"):
        await jobs.create("bad", handler="greet", input={"x": object()})


async def test_requests_name_what_was_seen() -> None:
    created = ask(PUT_JOB, "a/b", body={"handler": "h"}, headers=if_new())
    changed = ask(CHANGE_JOB, "a", body={"priority": 1}, headers=if_match(7))

    assert (created.method, created.path, created.headers) == ("PUT", "/api/v1/jobs/a%2Fb", {"if-none-match": "*"})
    assert (changed.headers, changed.body) == ({"if-match": '"7"'}, b'{"priority":1}')


async def test_an_executor_is_seen_cordoned_and_uncordoned(shop: Shop) -> None:
    executors = shop.app.client.executors
    [shown] = (await executors.list()).executors
    held = await executors.cordon(shown.name, reason="look")
    drained = await asyncio.to_thread(shop.app.sync_client.executors.drain, shown.name, grace=5)
    run = await shop.greet.enqueue(name="x")
    waiting = await run.get()
    free = await executors.uncordon(shown.name)

    assert held.cordon is not None
    assert (held.cordon.reason, held.sessions[0].state) == ("look", "cordoned")
    assert drained.cordon is not None
    assert drained.cordon.grace == 5.0
    assert (waiting.state, waiting.reason) == ("waiting", "cordoned")
    assert (free.cordon, free.sessions[0].state) == (None, "live")
    assert await run.result(timeout=HANG) == "hello x"
    assert set(free.handlers) >= {"greet", "add", "fail"}


async def test_plain_code_sees_executors_too(shop: Shop) -> None:
    def work() -> tuple[object, ...]:
        executors = shop.app.sync_client.executors
        [shown] = executors.list(limit=10).executors
        detail = executors.get(shown.name)
        executors.cordon(shown.name)
        executors.uncordon(shown.name)
        return shown.session, [session.session for session in detail.sessions], detail.more

    session, sessions, more = await asyncio.to_thread(work)
    assert (sessions, more) == ([session], False)
    with pytest.raises(NotFoundError):
        await shop.app.client.executors.drain("nobody")


async def test_unset_sides_of_a_change_stay_unset() -> None:
    assert msgspec.json.decode(b'{"path": "a", "after": null}', type=ChangeInfo) == ChangeInfo("a", msgspec.UNSET, None)

"""Definitions between code and people, as a server keeps them: what counts, for whom, and from when on."""

from collections.abc import AsyncIterator

import msgspec
import pytest

from mainspring.domain.access.permissions import Actor
from mainspring.domain.jobs.definition import SILENCE
from mainspring.domain.jobs.job import Job, JobSpec, RetryPolicy
from mainspring.domain.runs.birth import RunRequest
from mainspring.errors import ConflictError, InvalidInputError, NotFoundError, StaleError
from mainspring.scheduler.operations.jobs import ANY, Expected, Words
from mainspring.store.interface import Store
from mainspring.testing.clock import FakeClock
from mainspring.wire.messages import Goodbye, Refused, Start
from tests.scheduler.scene import NAMESPACE, Scene, ScriptedExecutor

ANNA = Words(actor=Actor("anna"))
ABSENT = Expected(absent=True)
OLD = JobSpec(name="report", handler="report", retry=RetryPolicy(attempts=2, backoff=4))
NEW = msgspec.structs.replace(OLD, priority=7)
SCHEMA = b'{"type":"object","properties":{"url":{"type":"string"},"times":{"type":"integer"}},"required":["url"]}'
SCHEMA_NEWER = (
    b'{"type":"object","properties":{"url":{"type":"string"},"tries":{"type":"integer"}},'
    b'"required":["url"],"additionalProperties":false}'
)
HTTP = JobSpec(name="http", handler="http", schema=SCHEMA)


def at(version: int) -> Expected:
    return Expected(versions=frozenset({version}))


@pytest.fixture
async def other(store: Store, clock: FakeClock) -> AsyncIterator[Scene]:
    """A second server on the same store."""
    made = Scene(store, clock)
    await made.start()
    yield made
    await made.stop()


async def speak(scene: Scene, spec: JobSpec, name: str = "e1") -> ScriptedExecutor:
    """An executor starts with this code."""
    executor = scene.executor(name, handlers=[spec.handler])
    executor.jobs = [spec]
    await executor.connect()
    return executor


async def leave(executor: ScriptedExecutor) -> None:
    executor.link.say(Goodbye())
    assert executor.serving is not None
    await executor.serving


async def set_priority(scene: Scene, priority: int, expected: Expected = ANY) -> Job:
    edit = lambda spec: msgspec.structs.replace(spec, priority=priority)  # noqa: E731
    return await scene.scheduler.jobs.change(NAMESPACE, "report", edit, expected, ANNA)


async def test_an_edit_counts_at_once_for_the_runs_that_come_and_not_for_those_that_are_there(scene: Scene) -> None:
    await speak(scene, OLD)
    [before] = await scene.enqueue()
    await set_priority(scene, 9)
    [after] = await scene.enqueue()

    assert [(await scene.run(run)).priority for run in (before, after)] == [5, 9]


async def test_another_server_follows_with_its_next_poll(scene: Scene, other: Scene) -> None:
    await speak(scene, OLD)
    await other.scheduler.catalog.tick()
    await set_priority(scene, 9)
    await other.scheduler.catalog.tick()
    [run] = await other.enqueue()

    assert (await other.run(run)).priority == 9


async def test_an_edit_on_the_ground_of_an_old_version_is_refused(scene: Scene) -> None:
    await speak(scene, OLD)
    await set_priority(scene, 6, at(1))
    with pytest.raises(StaleError, match="is at version 2 by now"):
        await set_priority(scene, 7, at(1))

    assert (await scene.scheduler.jobs.get(NAMESPACE, "report")).spec.priority == 6


async def test_a_reconnect_with_the_same_code_leaves_an_edit_alone(scene: Scene) -> None:
    executor = await speak(scene, OLD)
    await set_priority(scene, 9)
    await executor.disconnect()
    await executor.connect()
    job = await scene.scheduler.jobs.get(NAMESPACE, "report")

    assert (job.version, job.spec.priority, job.drifted) == (2, 9, True)


async def test_new_code_takes_effect_over_an_edit(scene: Scene) -> None:
    await speak(scene, OLD)
    await set_priority(scene, 9)
    await speak(scene, NEW, "e2")
    job = await scene.scheduler.jobs.get(NAMESPACE, "report")

    assert (job.version, job.spec, job.drifted) == (3, NEW, False)


async def test_a_rolling_release_settles_on_the_new_code_whoever_connects_where(scene: Scene, other: Scene) -> None:
    old, new = await speak(scene, OLD, "old"), await speak(other, NEW, "new")
    for _ in range(3):
        for executor in (old, new):
            await executor.disconnect()
            await executor.connect()
        for server in (scene, other):
            await server.scheduler.catalog.tick()
            await server.scheduler.sessions.following.tick()
        scene.clock.advance(60)

    job = await scene.scheduler.jobs.get(NAMESPACE, "report")
    assert (job.version, job.spec) == (2, NEW)


async def test_after_a_rollback_the_code_that_stayed_is_followed_though_it_says_no_hello(
    scene: Scene, other: Scene
) -> None:
    await speak(scene, OLD, "old")
    new = await speak(other, NEW, "new")
    scene.clock.advance(1)
    await leave(new)
    await scene.scheduler.catalog.tick()
    await scene.scheduler.sessions.following.tick()
    assert (await scene.scheduler.jobs.get(NAMESPACE, "report")).spec == NEW, "it may only be restarting"

    scene.clock.advance(SILENCE.total_seconds())
    await scene.scheduler.sessions.following.tick()
    job = await scene.scheduler.jobs.get(NAMESPACE, "report")
    assert (job.version, job.spec) == (3, OLD)


async def test_following_asks_the_store_nothing_while_all_speak_alike(scene: Scene) -> None:
    await speak(scene, OLD)
    await scene.scheduler.sessions.following.tick()
    before = scene.scheduler.catalog.version
    await scene.scheduler.sessions.following.tick()

    assert scene.scheduler.sessions.following._behind == {}
    assert scene.scheduler.catalog.version == before


async def test_a_retry_policy_counts_for_runs_that_are_there_already(scene: Scene) -> None:
    executor = await speak(scene, OLD)
    [run] = await scene.enqueue()
    await scene.dispatch()
    start = await executor.link.expect(Start)
    once = lambda spec: msgspec.structs.replace(spec, retry=RetryPolicy(attempts=1))  # noqa: E731
    await scene.scheduler.jobs.change(NAMESPACE, "report", once, ANY, ANNA)
    await executor.settled(executor.report_failure(start))

    assert (await scene.run(run)).reason == "attempts_spent"


async def test_people_s_own_job_runs_on_the_handler_it_names_and_takes_its_arguments(scene: Scene) -> None:
    executor = await speak(scene, HTTP)
    ping = JobSpec(name="ping", handler="http", input=b'{"url":"https://a.example","times":3}')
    await scene.scheduler.jobs.put(NAMESPACE, ping, ABSENT, ANNA)
    await scene.accept(RunRequest(job="ping", input=b'{"times":1}'))
    await scene.dispatch()
    start = await executor.link.expect(Start)

    assert (start.names, start.inputs) == (["http"], [b'{"url":"https://a.example","times":1}'])
    with pytest.raises(InvalidInputError, match="times"):
        await scene.accept(RunRequest(job="ping", input=b'{"times":"often"}'))


@pytest.mark.parametrize("raw", [b"[]", b"{", b'{"a":1', b"null", b'{"a":' + b"[" * 100 + b"]" * 100 + b"}"])
async def test_defaults_do_not_soften_what_an_input_must_be(scene: Scene, raw: bytes) -> None:
    await speak(scene, HTTP)
    ping = JobSpec(name="ping", handler="http", input=b'{"url":"https://a.example"}')
    await scene.scheduler.jobs.put(NAMESPACE, ping, ABSENT, ANNA)

    with pytest.raises(InvalidInputError, match="input"):
        await scene.accept(RunRequest(job="ping", input=raw))


async def test_a_key_names_the_same_run_whatever_the_defaults_are_by_then(scene: Scene) -> None:
    await speak(scene, HTTP)
    ping = JobSpec(name="ping", handler="http", input=b'{"url":"https://a.example"}')
    await scene.scheduler.jobs.put(NAMESPACE, ping, ABSENT, ANNA)
    [first] = await scene.accept(RunRequest(job="ping", key="k"))
    other = msgspec.structs.replace(ping, input=b'{"url":"https://b.example"}')
    await scene.scheduler.jobs.put(NAMESPACE, other, at(1), ANNA)
    [second] = await scene.accept(RunRequest(job="ping", key="k"))

    assert (second.id, second.existing) == (first.id, True)


async def test_a_whole_definition_is_made_where_none_is_and_replaces_the_version_that_was_seen(scene: Scene) -> None:
    jobs = scene.scheduler.jobs
    made, is_new = await jobs.put(NAMESPACE, JobSpec(name="ping", handler="http"), ABSENT, ANNA)
    with pytest.raises(StaleError, match="is there already"):
        await jobs.put(NAMESPACE, JobSpec(name="ping", handler="other"), ABSENT, ANNA)
    with pytest.raises(NotFoundError):
        await jobs.put(NAMESPACE, JobSpec(name="pong", handler="http"), at(1), ANNA)
    changed, newer = await jobs.put(NAMESPACE, JobSpec(name="ping", handler="other"), at(1), ANNA)

    assert (is_new, newer) == (True, False)
    assert (made.version, changed.version, changed.spec.handler) == (1, 2, "other")


async def test_the_handler_and_arguments_of_a_job_of_code_are_for_its_code_to_say(scene: Scene) -> None:
    await speak(scene, HTTP)
    jobs = scene.scheduler.jobs
    with pytest.raises(InvalidInputError, match="handler"):
        await jobs.put(NAMESPACE, JobSpec(name="http", handler="other"), at(1), ANNA)
    changed, _ = await jobs.put(NAMESPACE, JobSpec(name="http", handler="http", queue="slow"), at(1), ANNA)

    assert (changed.spec.queue, changed.spec.schema) == ("slow", SCHEMA)


async def test_a_roll_back_is_a_new_version_that_equals_the_old_one(scene: Scene) -> None:
    await speak(scene, OLD)
    await set_priority(scene, 9)
    jobs = scene.scheduler.jobs
    back = await jobs.roll_back(NAMESPACE, "report", 1, at(2), Words(actor=ANNA.actor, note="too much"))

    assert (back.version, back.spec) == (3, OLD)
    assert [change.path for change in await jobs.diff(NAMESPACE, "report", 2, 3)] == ["priority"]
    assert await jobs.diff(NAMESPACE, "report", 1, 3) == []
    [last, *_] = await jobs.versions(NAMESPACE, "report", before=None, limit=10)
    assert last.note == "too much"


@pytest.mark.parametrize(
    ("given", "field"),
    [
        (b'{"urll":"https://a.example"}', "input.urll"),
        (b'{"tries":"often"}', "input.tries"),
        (b'{"zzz":1}', "input.zzz"),
    ],
)
@pytest.mark.parametrize("name", ["http", "ping"])
async def test_defaults_that_no_run_could_bring_are_refused(scene: Scene, name: str, given: bytes, field: str) -> None:
    await speak(scene, msgspec.structs.replace(HTTP, schema=SCHEMA_NEWER))
    jobs, spec = scene.scheduler.jobs, JobSpec(name=name, handler="http", input=b'{"tries":3}')
    await jobs.put(NAMESPACE, spec, ANY if name == "http" else ABSENT, ANNA)
    edit = lambda spec: msgspec.structs.replace(spec, input=given)  # noqa: E731
    with pytest.raises(InvalidInputError) as refused:
        await jobs.change(NAMESPACE, name, edit, ANY, ANNA)

    assert (refused.value.field, refused.value.code) == (field, "bad_arguments")
    assert (await jobs.get(NAMESPACE, name)).spec.input == b'{"tries":3}', "what is missing may come with the run"


async def test_a_roll_back_to_defaults_that_the_code_no_longer_takes_is_refused(scene: Scene) -> None:
    await speak(scene, HTTP)
    edit = lambda spec: msgspec.structs.replace(spec, input=b'{"times":3}')  # noqa: E731
    await scene.scheduler.jobs.change(NAMESPACE, "http", edit, ANY, ANNA)
    await speak(scene, msgspec.structs.replace(HTTP, schema=SCHEMA_NEWER), "e2")

    with pytest.raises(InvalidInputError, match=r"input\.times"):
        await scene.scheduler.jobs.roll_back(NAMESPACE, "http", 2, ANY, ANNA)


async def test_a_roll_back_leaves_the_handler_and_arguments_that_the_code_has_now(scene: Scene) -> None:
    await speak(scene, HTTP)
    newer = msgspec.structs.replace(HTTP, handler="http2", schema=SCHEMA_NEWER, priority=7)
    await speak(scene, newer, "e2")
    jobs = scene.scheduler.jobs
    back = await jobs.roll_back(NAMESPACE, "http", 1, at(2), ANNA)
    [accepted] = await scene.accept(RunRequest(job="http", input=b'{"url":"https://a.example","tries":1}'))

    assert (back.spec.priority, back.spec.handler, back.spec.schema) == (5, "http2", SCHEMA_NEWER)
    assert (await scene.run(accepted.id)).handler == "http2"
    with pytest.raises(InvalidInputError, match="times"):
        await scene.accept(RunRequest(job="http", input=b'{"url":"https://a.example","times":1}'))


async def test_an_edit_brings_back_what_the_code_says_where_a_job_has_lost_it(scene: Scene) -> None:
    await speak(scene, HTTP)
    newer = msgspec.structs.replace(HTTP, handler="http2", schema=SCHEMA_NEWER)
    await speak(scene, newer, "e2")
    await scene.store.jobs.define(
        NAMESPACE, "http", lambda _: HTTP, act="job.rollback", actor=ANNA.actor, note="", now=scene.clock.now()
    )
    slow = lambda spec: msgspec.structs.replace(spec, queue="slow")  # noqa: E731
    changed = await scene.scheduler.jobs.change(NAMESPACE, "http", slow, at(3), ANNA)

    assert changed.spec == msgspec.structs.replace(newer, queue="slow")


@pytest.mark.parametrize("number", [0, 3, -1, 2**40])
async def test_a_version_that_never_was_is_not_found(scene: Scene, number: int) -> None:
    await speak(scene, OLD)
    await set_priority(scene, 9)
    with pytest.raises(NotFoundError, match="versions up to 2"):
        await scene.scheduler.jobs.roll_back(NAMESPACE, "report", number, ANY, ANNA)

    assert (await scene.scheduler.jobs.get(NAMESPACE, "report")).version == 2


async def test_a_job_whose_code_is_running_cannot_be_deleted_and_afterwards_can(scene: Scene) -> None:
    executor = await speak(scene, OLD)
    jobs = scene.scheduler.jobs
    with pytest.raises(ConflictError, match="code of executor 'e1'"):
        await jobs.delete(NAMESPACE, "report", ANY, ANNA)
    await leave(executor)
    await jobs.delete(NAMESPACE, "report", at(1), ANNA)

    with pytest.raises(NotFoundError):
        await jobs.get(NAMESPACE, "report")
    with pytest.raises(NotFoundError):
        await scene.enqueue()


async def test_a_deleted_job_comes_back_with_its_code(scene: Scene) -> None:
    await leave(await speak(scene, OLD))
    await scene.scheduler.jobs.delete(NAMESPACE, "report", ANY, ANNA)
    await speak(scene, OLD, "e2")

    assert (await scene.scheduler.jobs.get(NAMESPACE, "report")).version == 2
    assert len(await scene.enqueue()) == 1


async def test_a_run_accepted_elsewhere_in_the_moment_of_deletion_keeps_its_policies(
    scene: Scene, other: Scene
) -> None:
    executor = await speak(other, OLD, "e2")
    await other.scheduler.catalog.tick()
    await leave(executor)
    await scene.scheduler.jobs.delete(NAMESPACE, "report", ANY, ANNA)
    [run] = await other.enqueue()
    await other.scheduler.catalog.tick()
    [accepted] = [one for one in other.scheduler.catalog.jobs_by_id.values() if one.deleted]

    assert accepted.spec.retry == OLD.retry
    assert (await other.run(run)).job == "report"


async def test_an_executor_with_a_definition_that_cannot_be_used_is_refused_for_good(scene: Scene) -> None:
    executor = scene.executor()
    executor.jobs = [OLD, msgspec.structs.replace(OLD, name="p\u0430ypal")]
    executor.link.say(executor.hello())
    await scene.scheduler.attach(executor.link)
    refused = await executor.link.expect(Refused)

    assert refused.code == "config"
    assert "look alike" in refused.reason
    assert await scene.store.jobs.all() == []
    assert await scene.store.cluster.sessions() == []


async def test_an_executor_s_name_is_checked_too(scene: Scene) -> None:
    executor = scene.executor("e\x1b1")
    executor.link.say(executor.hello())
    await scene.scheduler.attach(executor.link)

    assert (await executor.link.expect(Refused)).code == "config"


async def test_a_job_that_only_another_server_has_heard_of_is_run_by_its_own_rules(scene: Scene, other: Scene) -> None:
    """Here its handler is known, and its line: a claim finds its runs before the next look at definitions."""
    executor = await scene.attach()
    await scene.enqueue()
    await scene.dispatch()
    await executor.settled(executor.report(await executor.link.expect(Start)))
    await scene.scheduler.catalog.tick()
    strict = JobSpec(name="strict", handler="report", timeout=0.3, retry=RetryPolicy(attempts=5))
    scene.clock.advance(1)
    await other.scheduler.catalog.tick()
    job, _ = await other.scheduler.jobs.put(NAMESPACE, strict, ABSENT, ANNA)
    [run] = await other.enqueue("strict")
    await scene.dispatch()
    start = await executor.link.expect(Start)
    assert start.timeouts == [0.3]

    del scene.scheduler.catalog.jobs_by_id[job.id]
    scene.clock.advance(1)
    await executor.settled(executor.report_failure(start))

    assert (await scene.run(run)).reason == "retry"

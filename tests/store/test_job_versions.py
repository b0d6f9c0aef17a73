"""Every change of a definition is a version: by code, by people, and back; counted without a gap, whichever comes first."""

import asyncio
from datetime import datetime, timedelta

import msgspec
import pytest

from mainspring.domain.access.permissions import Actor, AuditEntry
from mainspring.domain.cluster.session import Session
from mainspring.domain.jobs.definition import SILENCE, Revise, digest
from mainspring.domain.jobs.job import Job, JobSpec, JobVersion, Origin, Speaker, VersionSource
from mainspring.errors import ConflictError, NotFoundError
from mainspring.store.interface import AuditFilter, JobFilter, Store
from mainspring.testing.clock import START
from tests.factories import NAMESPACE, job_spec, session
from tests.store.scene import Scene
from tests.words import ANNA, SECOND

OLD, NEW = job_spec(), job_spec(queue="reports")


async def edit(store: Store, revise: Revise, *, note: str = "", now: datetime = START) -> Job:
    return await store.jobs.define(NAMESPACE, "report", revise, act="job.define", actor=ANNA, note=note, now=now)


def urgent(job: Job | None) -> JobSpec:
    """A rule that makes a job more urgent than it is."""
    present = job.spec if job is not None else job_spec()
    return msgspec.structs.replace(present, priority=present.priority + 1)


async def versions(store: Store) -> list[JobVersion]:
    (job,) = await store.jobs.all()
    return (await store.jobs.versions(job.id, before=None, limit=100))[::-1]


async def audited(store: Store) -> list[AuditEntry]:
    return [entry for _, entry in await store.access.audit(AuditFilter())][::-1]


async def speak(store: Store, spec: JobSpec, executor: str = "e1", *, now: datetime = START) -> Session:
    """An executor is started with this code, and says hello."""
    started = session(executor, lease_until=now + timedelta(seconds=10))
    await store.cluster.open_session(started, specs={spec.name: digest(spec)}, now=now)
    await say_again(store, started, spec, since=now, now=now)
    return started


async def say_again(store: Store, started: Session, spec: JobSpec, *, since: datetime, now: datetime) -> Job:
    speaker = Speaker(executor=started.executor, session=started.id, since=since)
    return (await store.jobs.register(NAMESPACE, [spec], by=speaker, now=now))[0]


async def test_what_code_says_first_is_version_1_with_its_source(store: Store) -> None:
    speaker = Speaker(executor="e1", code_version="2030.1")
    (job,) = await store.jobs.register(NAMESPACE, [OLD], by=speaker, now=START)

    assert (job.version, job.spec, job.code, job.drifted, job.updated_at) == (1, OLD, OLD, False, START)
    source = VersionSource(Origin.CODE, "e1", "2030.1")
    assert await versions(store) == [JobVersion(version=1, spec=OLD, source=source, note="", at=START)]


async def test_the_same_word_again_makes_no_version(store: Store) -> None:
    (before,) = await store.jobs.register(NAMESPACE, [OLD], now=START)
    (after,) = await store.jobs.register(NAMESPACE, [OLD], now=START + SECOND)

    assert after == before
    assert len(await versions(store)) == 1
    assert len(await audited(store)) == 1


async def test_an_edit_is_a_version_of_its_author_and_outlives_the_same_word_of_code(store: Store) -> None:
    await store.jobs.register(NAMESPACE, [OLD], now=START)
    edited = await edit(store, urgent, note="they complain", now=START + SECOND)
    (heard,) = await store.jobs.register(NAMESPACE, [OLD], now=START + 2 * SECOND)

    assert heard == edited == await store.jobs.get(NAMESPACE, "report")
    assert (edited.version, edited.spec.priority, edited.code, edited.drifted) == (2, 6, OLD, True)
    last = (await versions(store))[-1]
    assert (last.source, last.note, last.at) == (VersionSource(Origin.API, "anna"), "they complain", START + SECOND)


async def test_a_new_word_of_code_takes_effect_over_an_edit(store: Store) -> None:
    await store.jobs.register(NAMESPACE, [OLD], now=START)
    await edit(store, urgent)
    (job,) = await store.jobs.register(NAMESPACE, [NEW], now=START)

    assert (job.version, job.spec, job.code) == (3, NEW, NEW)
    assert await store.jobs.all() == [job]


async def test_a_word_of_code_that_equals_an_edit_is_noted_as_code_s(store: Store) -> None:
    await store.jobs.register(NAMESPACE, [OLD], now=START)
    edited = await edit(store, urgent)
    (job,) = await store.jobs.register(NAMESPACE, [edited.spec], now=START)

    assert (job.version, job.drifted, job.code) == (3, False, edited.spec)


async def test_an_edit_that_changes_nothing_makes_no_version_and_no_entry(store: Store) -> None:
    await store.jobs.register(NAMESPACE, [OLD], now=START)
    job = await edit(store, lambda job: job.spec if job else OLD)

    assert job.version == 1
    assert [entry.act for entry in await audited(store)] == ["job.register"]


async def test_what_a_rule_raises_is_raised_and_nothing_is_changed(store: Store) -> None:
    def refuse(_job: Job | None) -> JobSpec:
        raise ConflictError("job", "report", "no")

    await store.jobs.register(NAMESPACE, [OLD], now=START)
    before = await store.jobs.all()
    with pytest.raises(ConflictError):
        await edit(store, refuse)

    assert await store.jobs.all() == before
    assert len(await audited(store)) == 1


async def test_people_make_a_job_of_their_own_and_code_that_comes_to_it_takes_over(store: Store) -> None:
    made = await edit(store, urgent)
    (heard,) = await store.jobs.register(NAMESPACE, [OLD], now=START)

    assert (made.version, made.code, made.drifted) == (1, None, False)
    assert (heard.id, heard.version, heard.spec) == (made.id, 2, OLD)


async def test_every_version_is_in_the_audit_log_with_its_number(store: Store) -> None:
    await store.jobs.register(NAMESPACE, [OLD], by=Speaker(executor="e1"), now=START)
    await edit(store, urgent, note="why", now=START + SECOND)

    first, second = await audited(store)
    assert (first.actor, first.act, first.kind, first.key) == (Actor("executor e1"), "job.register", "job", "report")
    assert (second.actor, second.act, second.at, second.namespace) == (ANNA, "job.define", START + SECOND, NAMESPACE)
    assert [msgspec.json.decode(entry.details) for entry in (first, second)] == [
        {"version": 1},
        {"version": 2, "note": "why"},
    ]


async def test_edits_that_compete_are_made_one_after_the_other(store: Store) -> None:
    await store.jobs.register(NAMESPACE, [msgspec.structs.replace(OLD, priority=0)], now=START)
    await asyncio.gather(*(edit(store, urgent) for _ in range(8)))

    made = await versions(store)
    assert [one.version for one in made] == list(range(1, 10))
    assert [one.spec.priority for one in made] == list(range(9))


async def test_of_those_who_make_one_job_at_once_one_does_and_the_others_find_it(store: Store) -> None:
    def make(job: Job | None) -> JobSpec:
        if job is not None:
            raise ConflictError("job", "report", "is there already")
        return OLD

    answers = await asyncio.gather(*(edit(store, make) for _ in range(8)), return_exceptions=True)

    assert sorted(type(answer).__name__ for answer in answers) == ["ConflictError"] * 7 + ["Job"]
    assert len(await versions(store)) == 1


async def test_executors_that_say_hello_at_once_make_each_version_once(store: Store) -> None:
    await asyncio.gather(*(speak(store, spec, f"e{turn}") for turn, spec in enumerate([OLD, NEW] * 5)))

    assert len(await versions(store)) == 2


async def test_two_releases_side_by_side_settle_on_the_newer_however_often_they_say_hello(store: Store) -> None:
    old = await speak(store, OLD, "old")
    new = await speak(store, NEW, "new", now=START + SECOND)
    for turn in range(5):
        later = START + SECOND * (2 + turn)
        await say_again(store, old, OLD, since=START, now=later)
        await say_again(store, new, NEW, since=START + SECOND, now=later)
        await speak(store, OLD, f"old-{turn}", now=later)
    (job,) = await store.jobs.all()

    assert (job.version, job.spec) == (2, NEW)


async def test_a_release_that_is_rolled_back_gives_the_older_word_its_effect_again(store: Store) -> None:
    old = await speak(store, OLD, "old")
    new = await speak(store, NEW, "new", now=START + SECOND)
    ended = START + 5 * SECOND
    await store.cluster.close_session(new.id, now=ended)

    beside = await say_again(store, old, OLD, since=START, now=ended + SILENCE - SECOND)
    assert (beside.version, beside.spec) == (2, NEW), "a restart takes a moment"
    back = await say_again(store, old, OLD, since=START, now=ended + SILENCE)
    assert (back.version, back.spec) == (3, OLD)


async def test_one_started_after_the_newer_release_had_ended_replaces_it_at_once(store: Store) -> None:
    await speak(store, OLD, "old")
    new = await speak(store, NEW, "new", now=START + SECOND)
    await store.cluster.close_session(new.id, now=START + 2 * SECOND)
    await speak(store, OLD, "old", now=START + 3 * SECOND)
    (job,) = await store.jobs.all()

    assert (job.version, job.spec) == (3, OLD)


async def test_after_a_rollback_the_newer_release_comes_back_at_once_and_stays(store: Store) -> None:
    old = await speak(store, OLD, "old")
    new = await speak(store, NEW, "new")
    await store.cluster.close_session(new.id, now=START)
    later = START + SILENCE + SECOND
    await say_again(store, old, OLD, since=START, now=later)
    await speak(store, NEW, "new", now=later + SECOND)
    await say_again(store, old, OLD, since=START, now=later + 2 * SECOND)
    (job,) = await store.jobs.all()

    assert (job.version, job.spec) == (4, NEW)


async def test_an_executor_of_another_namespace_speaks_for_nobody_here(store: Store) -> None:
    old = await speak(store, OLD, "old")
    new = await speak(store, NEW, "new")
    elsewhere = session("other", namespace="other")
    await store.cluster.open_session(elsewhere, specs={"report": digest(NEW)}, now=START)
    await store.cluster.close_session(new.id, now=START)
    back = await say_again(store, old, OLD, since=START, now=START + SILENCE + SECOND)

    assert back.spec == OLD


async def test_a_deleted_job_is_gone_but_for_its_history(scene: Scene) -> None:
    store = scene.store
    (run,) = await scene.add()
    await scene.succeed(await scene.claimed())
    await store.jobs.delete(NAMESPACE, "report", lambda _: None, actor=ANNA, note="unused", now=START + SECOND)

    assert await store.jobs.get(NAMESPACE, "report") is None
    assert await store.jobs.list(JobFilter(namespace=NAMESPACE)) == []
    assert [(job.name, job.deleted, job.code) for job in await store.jobs.all()] == [("report", True, None)]
    assert (await scene.get(run)).job == "report"
    last = (await audited(store))[-1]
    assert (last.act, last.key, msgspec.json.decode(last.details)) == (
        "job.delete",
        "report",
        {"version": 1, "note": "unused"},
    )


async def test_a_job_with_a_live_run_stays(scene: Scene) -> None:
    await scene.add()
    with pytest.raises(ConflictError, match="not over"):
        await scene.store.jobs.delete(NAMESPACE, "report", lambda _: None, actor=ANNA, note="", now=START)

    assert await scene.store.jobs.get(NAMESPACE, "report") == scene.job


async def test_deleting_what_is_not_there_is_left_to_the_rule(store: Store) -> None:
    def expect(job: Job | None) -> None:
        if job is None:
            raise NotFoundError("job", "report")

    with pytest.raises(NotFoundError):
        await store.jobs.delete(NAMESPACE, "report", expect, actor=ANNA, note="", now=START)
    await store.jobs.delete(NAMESPACE, "report", lambda _: None, actor=ANNA, note="", now=START)
    assert await audited(store) == []


@pytest.mark.parametrize("by", ["code", "people"])
async def test_a_deleted_job_that_comes_back_keeps_its_id_and_goes_on_counting(scene: Scene, by: str) -> None:
    store = scene.store
    await store.jobs.delete(NAMESPACE, "report", lambda _: None, actor=ANNA, note="", now=START)
    if by == "code":
        (back,) = await store.jobs.register(NAMESPACE, [OLD], now=START)
    else:
        back = await edit(store, lambda job: OLD if job is None else NEW)

    assert (back.id, back.version, back.spec, back.deleted) == (scene.job.id, 2, OLD, False)
    assert await store.jobs.get(NAMESPACE, "report") == back


async def test_versions_are_paged_from_the_newest_and_found_by_number(store: Store) -> None:
    await store.jobs.register(NAMESPACE, [msgspec.structs.replace(OLD, priority=0)], now=START)
    for _ in range(4):
        job = await edit(store, urgent)
    first = await store.jobs.versions(job.id, before=None, limit=2)
    rest = await store.jobs.versions(job.id, before=first[-1].version, limit=10)

    assert [one.version for one in first + rest] == [5, 4, 3, 2, 1]
    assert await store.jobs.version(job.id, 4) == first[1]
    assert await store.jobs.version(job.id, 6) is None


async def test_jobs_are_listed_by_name_and_filtered(store: Store) -> None:
    specs = [
        job_spec(name, queue=queue) for name, queue in (("b", "x"), ("ab", "y"), ("Z", "x"), ("aa", "x"), ("ä", "x"))
    ]
    await store.jobs.register(NAMESPACE, specs, now=START)
    await store.jobs.register("other", [job_spec("a")], now=START)

    async def names(**query: object) -> list[str]:
        return [job.name for job in await store.jobs.list(JobFilter(namespace=NAMESPACE, **query))]  # type: ignore[arg-type]

    assert await names() == ["Z", "aa", "ab", "b", "ä"]
    assert await names(prefix="a") == ["aa", "ab"]
    assert await names(queue="x") == ["Z", "aa", "b", "ä"]
    assert await names(handler="ab") == ["ab"]
    assert await names(after="aa", limit=2) == ["ab", "b"]
    assert await names(prefix="a%") == await names(prefix="_") == []

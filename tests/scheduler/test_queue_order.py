"""Ageing and deadlines in the hand of dispatch, and groups of lines that share slots."""

from collections import Counter
from datetime import datetime

from mainspring.domain.ids import RunId
from mainspring.domain.jobs.job import JobSpec
from mainspring.domain.limits.policy import Policy
from mainspring.domain.runs.birth import RunRequest
from mainspring.scheduler.dispatch.claim_groups import LineGroup, Share
from mainspring.scheduler.dispatch.take_turns import TakeTurns
from mainspring.testing.clock import FakeClock
from mainspring.wire.messages import Start
from tests.scheduler.scene import NAMESPACE, Scene, ScriptedExecutor
from tests.words import ANNA, HOUR, MINUTE


async def enqueue(scene: Scene, *, priority: int = 5, deadline: datetime | None = None, job: str = "report") -> RunId:
    [accepted] = await scene.accept(RunRequest(job=job, priority=priority, deadline_at=deadline))
    return accepted.id


async def next_started(scene: Scene, executor: ScriptedExecutor) -> RunId:
    """The run that the executor's one slot gets; the slot is free again after that."""
    await scene.dispatch()
    start = await executor.link.expect(Start)
    [run] = start.runs
    await executor.settled(executor.report(start))
    return run


async def with_backlog(scene: Scene) -> ScriptedExecutor:
    """An executor with one slot, which is taken."""
    executor = await scene.attach(room=1)
    await enqueue(scene)
    await scene.dispatch()
    return executor


async def test_an_old_run_of_low_priority_starts_though_urgent_ones_keep_coming(scene: Scene, clock: FakeClock) -> None:
    executor = await with_backlog(scene)
    await scene.scheduler.queues.change(NAMESPACE, "default", {"ageing": 60.0}, actor=ANNA)
    low = await enqueue(scene, priority=0)
    clock.advance(120)
    started = [await next_started(scene, executor)]
    for _ in range(4):
        await enqueue(scene, priority=9)
        await enqueue(scene, priority=9)
        started.append(await next_started(scene, executor))

    assert low in started


async def test_without_ageing_it_starves(scene: Scene, clock: FakeClock) -> None:
    executor = await with_backlog(scene)
    low = await enqueue(scene, priority=0)
    clock.advance(120)
    started = [await next_started(scene, executor)]
    for _ in range(4):
        await enqueue(scene, priority=9)
        await enqueue(scene, priority=9)
        started.append(await next_started(scene, executor))

    assert low not in started


async def test_the_nearest_deadline_starts_first_once_the_queue_hurries(scene: Scene, clock: FakeClock) -> None:
    executor = await with_backlog(scene)
    await scene.scheduler.queues.change(NAMESPACE, "default", {"hurry": 600.0}, actor=ANNA)
    calm = await enqueue(scene)
    later = await enqueue(scene, deadline=clock.now() + 5 * MINUTE)
    sooner = await enqueue(scene, deadline=clock.now() + 2 * MINUTE)
    far = await enqueue(scene, deadline=clock.now() + HOUR)
    await next_started(scene, executor)

    assert [await next_started(scene, executor) for _ in range(4)] == [sooner, later, calm, far]


async def test_a_change_counts_for_runs_that_wait_and_is_taken_away_again(scene: Scene, clock: FakeClock) -> None:
    executor = await with_backlog(scene)
    first = await enqueue(scene)
    urgent = await enqueue(scene, deadline=clock.now() + MINUTE)
    second = await enqueue(scene)
    await next_started(scene, executor)
    await scene.scheduler.queues.change(NAMESPACE, "default", {"hurry": 600.0}, actor=ANNA)
    assert await next_started(scene, executor) == urgent
    state = await scene.scheduler.queues.change(NAMESPACE, "default", {"hurry": None}, actor=ANNA)

    assert state.rule.policy.hurry is None
    assert [await next_started(scene, executor) for _ in range(2)] == [first, second]


async def test_groups_of_lines_that_share_a_slot_take_turns(scene: Scene, clock: FakeClock) -> None:
    executor = scene.executor(room=1, handlers=("report", "other"))
    executor.jobs = [
        JobSpec(name="report", handler="report"),
        JobSpec(name="other", handler="other", policy=Policy(at_once=10)),
    ]
    await executor.connect()
    await scene.scheduler.limits.own_lines.tick()
    await enqueue(scene)
    mine = {await enqueue(scene) for _ in range(4)}
    others = {await enqueue(scene, job="other") for _ in range(4)}
    await scene.scheduler.limits.gates.tick()
    clock.advance(1)
    await next_started(scene, executor)
    started = {await next_started(scene, executor) for _ in range(4)}

    assert len(started & mine) == len(started & others) == 2


async def test_a_late_queue_gets_three_turns_for_one_of_another(scene: Scene, clock: FakeClock) -> None:
    executor = scene.executor(room=1, handlers=("report", "other"))
    executor.jobs = [
        JobSpec(name="report", handler="report"),
        JobSpec(name="other", handler="other", policy=Policy(at_once=10)),
    ]
    await executor.connect()
    await scene.scheduler.queues.change(NAMESPACE, "default", {"late_after": 60.0}, actor=ANNA)
    await scene.scheduler.limits.own_lines.tick()
    mine = {await enqueue(scene) for _ in range(12)}
    others = {await enqueue(scene, job="other") for _ in range(12)}
    await scene.scheduler.limits.gates.tick()
    await scene.dispatch()
    dispatch = scene.scheduler.dispatch
    [late] = [group for group in dispatch._groups if not group.gates]
    late.late = True
    await next_started(scene, executor)
    started = [await next_started(scene, executor) for _ in range(8)]

    assert (len(mine.intersection(started)), len(others.intersection(started))) == (6, 2)


async def test_lateness_is_read_from_the_survey(scene: Scene, clock: FakeClock) -> None:
    await with_backlog(scene)
    await scene.scheduler.queues.change(NAMESPACE, "default", {"late_after": 60.0}, actor=ANNA)
    await enqueue(scene)
    await scene.dispatch()
    [group] = scene.scheduler.dispatch._groups
    await scene.scheduler.observation.surveying.tick()
    assert not group.late
    clock.advance(61)
    await scene.scheduler.observation.surveying.tick()

    assert group.late


async def with_jobs(scene: Scene, *jobs: JobSpec) -> ScriptedExecutor:
    """An executor with one slot, and twelve runs of each job that wait; the first run of them has the slot."""
    executor = scene.executor(room=1, handlers=[job.handler for job in jobs])
    executor.queues = sorted({job.queue for job in jobs})
    executor.jobs = list(jobs)
    await executor.connect()
    await scene.scheduler.limits.own_lines.tick()
    for job in jobs:
        for _ in range(12):
            await enqueue(scene, job=job.name)
    await scene.dispatch()
    return executor


async def started_jobs(scene: Scene, executor: ScriptedExecutor, count: int) -> Counter[str]:
    runs = [await scene.store.runs.get(NAMESPACE, await next_started(scene, executor)) for _ in range(count)]
    return Counter(run.job for run in runs if run is not None)


async def test_jobs_of_a_queue_share_its_slots_by_their_weights(scene: Scene) -> None:
    heavy = JobSpec(name="heavy", handler="heavy", policy=Policy(weight=3))
    executor = await with_jobs(scene, JobSpec(name="light", handler="light"), heavy)
    await started_jobs(scene, executor, 3)
    found = await started_jobs(scene, executor, 8)

    assert found == {"heavy": 6, "light": 2}


async def test_a_weight_that_is_changed_counts_for_what_waits(scene: Scene) -> None:
    jobs = [JobSpec(name=name, handler=name, queue=name) for name in ("mail", "report")]
    executor = await with_jobs(scene, *jobs)
    assert await started_jobs(scene, executor, 4) == {"mail": 2, "report": 2}

    await scene.scheduler.queues.change(NAMESPACE, "mail", {"weight": 0.5}, actor=ANNA)
    await started_jobs(scene, executor, 4)
    assert await started_jobs(scene, executor, 6) == {"mail": 2, "report": 4}
    await scene.scheduler.queues.change(NAMESPACE, "mail", {"weight": None}, actor=ANNA)
    await next_started(scene, executor)
    assert await started_jobs(scene, executor, 4) == {"mail": 2, "report": 2}


async def test_a_queue_keeps_its_part_however_many_jobs_it_has(scene: Scene) -> None:
    many = [JobSpec(name=f"m{n}", handler=f"m{n}", queue="many", policy=Policy(weight=n + 1)) for n in range(2)]
    executor = await with_jobs(scene, JobSpec(name="one", handler="one", queue="one"), *many)
    await scene.scheduler.queues.change(NAMESPACE, "one", {"weight": 1.0}, actor=ANNA)
    await started_jobs(scene, executor, 3)

    assert await started_jobs(scene, executor, 12) == {"one": 6, "m0": 2, "m1": 4}


def test_who_comes_back_begins_where_the_others_are() -> None:
    turns = TakeTurns()
    busy, idle = (LineGroup([number], [], shares=shares(name)) for number, name in enumerate(("busy", "idle")))
    groups = [busy, idle]
    for _ in range(100):
        claim(turns, groups, busy)
    idle.backlog = True
    claims = []
    for _ in range(6):
        claims.append(groups[0])
        claim(turns, groups, groups[0])

    assert (claims.count(idle), claims.count(busy)) == (3, 3)


def shares(queue: str) -> tuple[Share, ...]:
    return Share(("shop",), 1.0), Share(("shop", queue), 1.0), Share(("shop", "", ""), 1.0)


def claim(turns: TakeTurns, groups: list[LineGroup], group: LineGroup) -> None:
    group.took, group.backlog = 1, True
    turns.served(groups, group)

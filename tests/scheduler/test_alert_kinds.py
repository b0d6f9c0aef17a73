"""Every kind of alert fires from facts as the parts of a server leave them, on both databases."""

from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any

import msgspec
import pytest

from mainspring.domain.access.permissions import Role
from mainspring.domain.access.token import NewToken
from mainspring.domain.alerts.alert import Alert, AlertState
from mainspring.domain.alerts.channel import ChannelKind, ChannelSpec
from mainspring.domain.alerts.findings import Fault
from mainspring.domain.alerts.rule import AlertKind, AlertSpec
from mainspring.domain.batches.batch import BatchSpec
from mainspring.domain.cluster.durability import Durability
from mainspring.domain.cluster.server import Server
from mainspring.domain.cluster.watch import DatabaseWatch, Holder, ReplicationSlot
from mainspring.domain.ids import ServerId
from mainspring.domain.jobs.job import JobSpec, RetryPolicy
from mainspring.domain.runs.attempt import Ended, Outcome
from mainspring.domain.runs.run import Failure, RunState
from mainspring.domain.triggers.fire_times.misfires import Misfire
from mainspring.domain.triggers.spec import Every, TriggerSpec
from mainspring.scheduler.facts import DatabaseWatched, ServersSeen
from mainspring.wire.messages import Start
from tests.scheduler.scene import NAMESPACE, Scene
from tests.scheduler.test_alerts import FAILS, OPS, Watched
from tests.scheduler.test_breakers import tripped
from tests.scheduler.test_waits import begun
from tests.scheduler.test_workflows import CHAIN
from tests.scheduler.workflow_scene import WorkflowScene
from tests.words import ANNA

MINUTE, HOUR, DAY = 60.0, 3600.0, 86_400.0


@pytest.fixture
def watched(scene: Scene) -> Watched:
    return Watched(scene)


async def set_rule(watched: Watched, kind: AlertKind, **fields: Any) -> None:
    await watched.define(AlertSpec(kind=kind, notify=("ops",), **fields), name="rule")


async def firing(watched: Watched, rule: str = "rule") -> dict[str, Alert]:
    """By subject."""
    found = await watched.scene.store.alerts.open()
    return {one.subject: one for one in found if one.rule == rule and one.state is AlertState.FIRING}


async def lonely(scene: Scene, count: int = 3) -> None:
    """Runs of a queue that no executor listens to."""
    await scene.store.jobs.register(
        NAMESPACE, [JobSpec(name="lonely", handler="x", queue="quiet")], now=scene.clock.now()
    )
    await scene.scheduler.catalog.tick()
    await scene.enqueue("lonely", count=count)


@pytest.mark.parametrize(
    ("kind", "fields", "words"),
    [
        (AlertKind.QUEUE_AGE, {"older_than": MINUTE}, "the oldest run has waited for"),
        (AlertKind.QUEUE_DEPTH, {"at_least": 3}, "3 runs due and not started"),
        (AlertKind.EXECUTORS_FEW, {"at_least": 1}, "0 executors of at least 1 listen to it"),
        (AlertKind.BUDGET_NEAR, {}, "3 of at most 3 runs are queued"),
    ],
)
async def test_a_queue_in_trouble_is_told(
    watched: Watched, scene: Scene, kind: AlertKind, fields: dict[str, Any], words: str
) -> None:
    await set_rule(watched, kind, queue="quiet", **fields)
    await lonely(scene)
    await scene.scheduler.queues.set_budget(NAMESPACE, "quiet", 3, actor=ANNA)
    await scene.scheduler.catalog.tick()
    await watched.let_pass(90)

    assert (await firing(watched))["queue quiet"].words.startswith(words)


async def test_most_runs_of_a_job_that_fail_are_told(watched: Watched) -> None:
    await set_rule(watched, AlertKind.FAILURE_RATE, job="night*", above=0.5, at_least=2)
    await watched.fail("nightly")
    await watched.fail("nightly")
    await watched.let_pass(90)

    assert (await firing(watched))["job nightly"].words == "100% of 2 runs failed in 15 min"


async def test_triggers_that_are_late_paused_or_skip_are_told(watched: Watched, scene: Scene) -> None:
    await scene.attach()
    spec = TriggerSpec(name="minutely", job="report", when=Every(every=60.0), misfire=Misfire.SKIP)
    paused = msgspec.structs.replace(spec, name="held")
    await scene.scheduler.triggers.define(NAMESPACE, [spec, paused], actor=ANNA)
    await scene.scheduler.triggers.pause(NAMESPACE, "held", reason="", actor=ANNA)
    for kind in (AlertKind.TRIGGER_LATE, AlertKind.TRIGGER_PAUSED):
        await watched.define(AlertSpec(kind=kind, trigger="*", older_than=MINUTE), name=kind.value)
    await watched.define(AlertSpec(kind=AlertKind.FIRES_SKIPPED, job="report"), name="skipped")
    await watched.let_pass(300)
    late, held = await firing(watched, "trigger_late"), await firing(watched, "trigger_paused")
    while await scene.scheduler.timing.firing.tick():
        pass
    await watched.let_pass(10)

    assert list(late) == ["trigger minutely"]
    assert list(held) == ["trigger held"]
    assert (await firing(watched, "skipped"))["trigger minutely"].words.startswith("skipped ")


async def test_an_attempt_that_takes_too_long_is_named(watched: Watched, scene: Scene) -> None:
    await set_rule(watched, AlertKind.RUN_LONG, job="report", older_than=MINUTE)
    await scene.attach()
    [run] = await scene.enqueue()
    await scene.dispatch()
    await watched.let_pass(90)
    [alert] = (await firing(watched)).values()

    assert alert.run.replace("-", "") == run.hex()


async def test_an_attempt_is_too_long_against_the_history_of_its_job(watched: Watched, scene: Scene) -> None:
    await set_rule(watched, AlertKind.RUN_LONG, job="report")
    executor = await scene.attach()
    await scene.enqueue(count=25)
    await scene.dispatch()
    done = 0
    while done < 25:
        start = await executor.link.expect(Start)
        await executor.settled(executor.report(start))
        done += len(start.runs)
    await watched.let_pass(HOUR + 120)
    before = await firing(watched)
    await scene.enqueue()
    await scene.dispatch()
    await watched.let_pass(30)

    assert before == {}
    assert list(await firing(watched)) == ["job report"]


async def test_a_new_kind_of_failure_is_told_once(watched: Watched) -> None:
    await set_rule(watched, AlertKind.DEAD_LETTERS, job="*")
    await watched.fail("nightly")
    await watched.fail("nightly")
    await watched.let_pass(15)
    [(subject, alert)] = (await firing(watched)).items()

    assert subject.startswith("job nightly ")
    assert alert.words.startswith("a new kind of failure, 2 times: ")


async def test_an_executor_whose_lease_lapses_is_lost(watched: Watched, scene: Scene) -> None:
    await set_rule(watched, AlertKind.EXECUTOR_LOST, executor="*")
    await scene.attach("silent")
    for _ in range(60):
        scene.clock.advance(1)
        await scene.scheduler.sessions.reclaiming.tick()
    await watched.let_pass(10)

    assert list(await firing(watched)) == ["executor silent"]


async def test_a_breaker_that_opened_is_told(watched: Watched, scene: Scene) -> None:
    await set_rule(watched, AlertKind.BREAKER_OPEN, breaker="*")
    await tripped(scene)
    await watched.let_pass(10)

    assert list(await firing(watched)) == ["breaker sms-gateway"]


async def test_a_workflow_run_that_does_not_move_is_stuck(watched: Watched, scene: Scene) -> None:
    stage = await WorkflowScene.make(scene, {"flow": CHAIN})
    await set_rule(watched, AlertKind.WORKFLOW_STUCK, job="flow", older_than=10 * MINUTE)
    run = await stage.enqueue()
    # Its first step is queued, and no executor takes it.
    while await scene.scheduler.workflows.beginning.tick():
        pass
    await watched.let_pass(11 * MINUTE)
    [alert] = (await firing(watched)).values()

    assert alert.run.replace("-", "") == run.hex()


async def step_under_way(scene: Scene) -> None:
    stage = await WorkflowScene.make(scene, {"flow": CHAIN})
    await stage.enqueue()
    await stage.tick()
    assert stage.taken()


async def step_tried_again_later(scene: Scene) -> None:
    stage = await WorkflowScene.make(scene, {"flow": CHAIN})
    retried = JobSpec(name="a", handler="a", retry=RetryPolicy(attempts=2))
    await scene.scheduler.catalog.register(NAMESPACE, [retried])
    run = await stage.enqueue()
    await stage.tick()
    [start] = stage.taken()
    failure = Failure(error="ValueError", message="broke")
    end = Ended(run=start.runs[0], token=start.token, outcome=Outcome.FAILED, failure=failure, after=HOUR)
    stage.executor.say_outcomes([], [], [], [end])
    await stage.settle()
    assert (await stage.run(start.runs[0])).state is RunState.QUEUED
    assert (await stage.run(run)).state is RunState.WAITING


async def paused(scene: Scene) -> None:
    stage = await WorkflowScene.make(scene, {"flow": CHAIN})
    run = await stage.enqueue()
    while await scene.scheduler.workflows.beginning.tick():
        pass
    await scene.scheduler.workflows.operations.pause(NAMESPACE, run, actor=ANNA)
    await scene.scheduler.workflows.advancing.tick()


async def asleep(scene: Scene) -> None:
    await begun(scene, sleep="3d")


async def wants_approval(scene: Scene) -> None:
    await begun(scene, approval="A large order", approvers=("anna",))


async def open_batch(scene: Scene) -> None:
    await scene.scheduler.workflows.batches.create(NAMESPACE, BatchSpec(name="december"), actor=ANNA)


@pytest.mark.parametrize("stands", [step_under_way, step_tried_again_later, paused, asleep, wants_approval, open_batch])
async def test_a_workflow_run_that_has_something_to_wait_for_is_not_stuck(
    watched: Watched, scene: Scene, stands: Callable[[Scene], Awaitable[None]]
) -> None:
    await stands(scene)
    await set_rule(watched, AlertKind.WORKFLOW_STUCK, job="*", older_than=10 * MINUTE)
    await watched.let_pass(11 * MINUTE)

    assert await firing(watched) == {}


async def test_a_held_back_vacuum_names_its_session_and_the_clock_is_told(watched: Watched, scene: Scene) -> None:
    await watched.define(channel=msgspec.structs.replace(OPS, cluster=True))
    holder = Holder(kind="session", name="metabase", pid=4711, seconds=2460.0)
    slot = ReplicationSlot(name="standby", kept=5 * 1024**3)
    scene.scheduler.facts.publish(DatabaseWatched(DatabaseWatch(size=1, holder=holder, slots=(slot,))))
    scene.scheduler.facts.publish(ServersSeen([], 7.5))
    await watched.let_pass(10)
    found = await firing(watched, "mainspring.store")

    assert found["database"].words.startswith("session 4711 of metabase has held back vacuum for 41 min: ")
    assert found["slot standby"].words.startswith("replication slot standby, which has no reader, keeps 5.0 GiB")
    assert found["clock"].words.startswith("this server's clock is +7.5 s from the database's")
    assert watched.inbox.got[0].rule == "mainspring.store"


async def test_a_database_that_is_less_durable_than_required_and_a_full_disk_are_told(watched: Watched) -> None:
    cluster = watched.alerting.evaluating._gather._cluster
    cluster._required, cluster._own = Durability.SYNC, lambda _: [Fault("disk", "12 MiB are left")]
    watched.scene.scheduler.facts.publish(DatabaseWatched(DatabaseWatch(size=1, durability=Durability.SINGLE)))
    await watched.let_pass(10)

    assert set(await firing(watched, "mainspring.store")) == {"durability", "disk"}


async def test_a_server_that_goes_without_a_word_is_lost_and_one_that_leaves_is_not(
    watched: Watched, scene: Scene
) -> None:
    now = scene.clock.now()
    dead, gone, here = (
        Server(id=ServerId(name.encode()), name=name, lease_until=now + timedelta(seconds=after))
        for name, after in (("dead", 7), ("gone", 60), ("here", 60))
    )
    scene.scheduler.facts.publish(ServersSeen([dead, gone, here]))
    await watched.let_pass(5)
    scene.scheduler.facts.publish(ServersSeen([here]))
    await watched.let_pass(10)
    lost = list(await firing(watched, "mainspring.servers"))
    scene.scheduler.facts.publish(ServersSeen([here, dead]))
    await watched.let_pass(40)

    assert lost == ["server dead"]
    assert await firing(watched, "mainspring.servers") == {}


async def test_a_token_and_a_certificate_that_end_soon_are_told(watched: Watched, scene: Scene) -> None:
    cluster = watched.alerting.evaluating._gather._cluster
    cluster._own = lambda _: [Fault("certificate /tls.pem", "ends on 2030-01-05: renew it")]
    ends = scene.clock.now() + timedelta(days=3)
    wanted = NewToken(name="ci", role=Role.VIEWER, namespace=NAMESPACE, expires_at=ends)
    await scene.scheduler.access.tokens.create_as(wanted, by=ANNA)
    await watched.let_pass(10)
    found = await firing(watched, "mainspring.expiring")

    assert sorted(subject.split()[0] for subject in found) == ["certificate", "token"]


async def test_a_channel_that_fails_for_a_day_is_told_to_the_others(watched: Watched, scene: Scene) -> None:
    await watched.define()
    other = ChannelSpec(kind=ChannelKind.SLACK, url="https://hooks.example.com/y", cluster=True)
    await watched.alerting.definitions.set_channel(NAMESPACE, "other", other, actor=ANNA, is_admin=True)
    watched.inbox.away = True
    await watched.fail("nightly")
    await watched.let_pass(70 * MINUTE)
    watched.inbox.away = False
    scene.clock.advance(DAY)
    await watched.let_pass(15)
    found = await firing(watched, "mainspring.channels")

    assert list(found) == [f"channel ops of {NAMESPACE}"]
    assert "mainspring.channels" in [one.rule for one in watched.inbox.got]


async def test_nothing_resolves_on_old_facts_and_that_is_told(watched: Watched, scene: Scene) -> None:
    await watched.define(FAILS)
    await watched.fail("nightly")
    await watched.let_pass(15)
    for _ in range(200):
        scene.clock.advance(5)
        await watched.alerting.evaluating.tick()

    assert list(await firing(watched, "fails")) == ["job nightly"]
    assert list(await firing(watched, "mainspring.unwatched")) == ["cluster"]

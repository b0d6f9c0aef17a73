"""One row of each table is spoilt: every duty goes on for the others, it is named, and mending it ends that."""

import re
from datetime import timedelta
from typing import Any

import pytest

from mainspring.domain.access.permissions import Role
from mainspring.domain.access.preferences import Preferences
from mainspring.domain.access.sign_in import Browser
from mainspring.domain.access.token import NewToken
from mainspring.domain.access.user import NewUser
from mainspring.domain.bulk.backfill import Backfill
from mainspring.domain.bulk.backfill_checks import BackfillRequest
from mainspring.domain.bulk.operation import Sweep, SweepAct, SweepFilter
from mainspring.domain.calendars.spec import CalendarSpec
from mainspring.domain.cluster.session import PoolSize
from mainspring.domain.ids import RunId, Token, id_text
from mainspring.domain.jobs.job import JobSpec, Pool, RetryPolicy
from mainspring.domain.runs.attempt import Ended, Outcome
from mainspring.domain.runs.birth import RunRequest
from mainspring.domain.runs.checkpoints import Memory, MemoryKind
from mainspring.domain.runs.log import LogEntry, Progress
from mainspring.domain.runs.run import Failure, RunState
from mainspring.domain.triggers.fire_times.misfires import SkipReason, Span
from mainspring.domain.triggers.spec import AnyRule, Cron, Event, HookAuth, TriggerSpec, Webhook
from mainspring.domain.triggers.trigger import TriggerChanges, TriggerMove
from mainspring.domain.workflows.spec import StepSpec
from mainspring.scheduler.operations.jobs import Expected, Words
from mainspring.scheduler.triggers.events import PublishedEvent
from mainspring.store.acts.review import READERS as POSTGRES_READERS
from mainspring.store.interface import (
    AuditFilter,
    CalendarFilter,
    JobFilter,
    PresenceFilter,
    RunFilter,
    TokenFilter,
    TriggerFilter,
)
from mainspring.store.sqlite.review import READERS as SQLITE_READERS
from mainspring.wire.messages import Start
from tests.architecture.source import PACKAGE
from tests.factories import add_namespace
from tests.scheduler.poison import Poison
from tests.scheduler.poison_alerts import Alarms
from tests.scheduler.poison_limits import Limits
from tests.scheduler.poison_waits import WaitingSteps
from tests.scheduler.scene import NAMESPACE, Scene, ScriptedExecutor, until_idle
from tests.scheduler.workflow_scene import WorkflowScene, echo, workflow
from tests.words import ANNA, MINUTE

MINUTELY = Cron(expressions=("* * * * *",))
TWO_STEPS = workflow("$.second", first=StepSpec(job="first"), second=StepSpec(job="second", after=("first",)))

EXEMPT = {
    "audit": "append-only: the database refuses to change a row",
    "functions": "read when a server starts, which refuses a database that it does not know",
    "lines_to_make": "empty outside of transactions",
    "bundles": "only while hundreds of runs are claimed at once; its rows are copies of those of runs",
    "fires_default": "a part of fires",
    "payloads": "inputs, which only handlers read, each found by its key alone",
    "payloads_default": "a part of payloads",
    "subscriptions": "has only a key, and names that are looked up by it",
    "hook_calls": "notes that one page shows and nothing acts on; each goes when 50 newer ones have come",
    "marks": "has only a key",
    "forgotten": "has only keys",
    "keys": "read by its key alone",
    "batches": "has only keys: the run of a batch, and the name that it is found by",
    "access": "one number",
    "surveys": "rewritten by every survey",
    "depths": "rewritten by every survey",
    "notes": "there only between a settlement and the move that follows it",
    "gate_lines": "has only a key",
}
AT_ONCE = 2
"""Tables whose instants, and tables whose content, are spoilt in one life."""


def tables() -> list[str]:
    """Every table of either schema, but for the days of history."""
    found = re.findall(r"^CREATE TABLE (?:mainspring\.)?(\w+) ", migrations(), re.MULTILINE)
    return sorted(set(found) - EXEMPT.keys())


def migrations() -> str:
    return "".join(file.read_text() for file in (PACKAGE / "store").glob("*/migrations/*.sql"))


async def define(scene: Scene, name: str, when: AnyRule = MINUTELY, **more: Any) -> None:
    spec = TriggerSpec(**{"name": name, "job": "report", "when": when, **more})
    await scene.scheduler.triggers.define(NAMESPACE, [spec], actor=ANNA)


async def suspended(scene: Scene) -> RunId:
    [run] = await scene.enqueue()
    until = scene.clock.now() + MINUTE
    await scene.scheduler.suspending.suspend(NAMESPACE, run, actor=ANNA, reason="later", resume_at=until)
    return run


async def late(scene: Scene) -> RunId:
    """A run whose deadline comes before anybody starts it."""
    deadline = scene.clock.now() + MINUTE
    [accepted] = await scene.accept(RunRequest(job="report", queue="nobody", deadline_at=deadline, key=str(deadline)))
    return accepted.id


class Life:
    """Twice of everything: the first is spoilt, the second is to get on."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.suspended: list[RunId] = []
        self.late: list[RunId] = []
        self.failed: list[RunId] = []
        self.flows: list[RunId] = []
        self.limits = Limits(scene)
        self.alarms = Alarms(scene)
        self.waits = WaitingSteps(scene)

    async def begin(self) -> ScriptedExecutor:
        scene, engine = self.scene, self.scene.scheduler
        spoilt = JobSpec(name="aged", handler="aged")
        await engine.jobs.put(NAMESPACE, spoilt, Expected(absent=True), Words(actor=ANNA))
        old = await scene.attach("aged", handlers=("aged",))
        executor = await scene.attach()
        await scene.accept(RunRequest(job="aged", queue="dusty"))
        for name in ("aged", "good"):
            await add_namespace(scene.store, name)
            await engine.access.tokens.create_as(NewToken(name=name, role=Role.VIEWER, namespace=NAMESPACE), by=ANNA)
            await self._sign_in(name)
            await engine.access.saved_views.save(NAMESPACE, "anna", name, "state:failed", actor=ANNA)
            await engine.access.preferences.set(name, Preferences(theme="dark"))
            await engine.calendars.put(
                NAMESPACE, CalendarSpec(name=name, weekdays=("sat",)), Expected(absent=True), Words(actor=ANNA)
            )
            await engine.queues.pause(NAMESPACE, f"paused-{name}", reason="why not", actor=ANNA, new=True)
            await define(scene, name)
            await define(scene, f"{name}-hook", Webhook(auth=HookAuth.BEARER))
            await define(scene, f"{name}-event", Event(type=f"{name}.happened"))
            await engine.called.secrets.rotate(
                NAMESPACE, f"{name}-hook", grace=timedelta(0), new_address=False, actor=ANNA
            )
            await engine.called.events.tell(NAMESPACE, [PublishedEvent(type=f"{name}.unheard")])
            await self._live(old if name == "aged" else executor, "aged" if name == "aged" else "report")
        await self._note()
        await self._bulk()
        await self._count()
        await self.alarms.begin()
        await self.limits.begin()
        await self._flow()
        await self.waits.begin()
        await works(scene, executor)
        return executor

    async def _sign_in(self, name: str) -> None:
        """A user with an invitation, who is signed in and has tried before."""
        access, now = self.scene.scheduler.access, self.scene.clock.now()
        invited = await access.users.create(NewUser(name=name, roles={NAMESPACE: Role.VIEWER}), by=ANNA)
        await access.sign_ins.for_subject(invited.user, Browser("10.0.0.1", "Firefox"))
        await self.scene.store.users.count_try([f"name {name}"], now=now)

    async def _flow(self) -> None:
        """Two workflow runs that have ended, and two with a step under way."""
        stage = await WorkflowScene.make(self.scene, {"flow": TWO_STEPS})
        for _ in range(2):
            await stage.enqueue()
            await stage.play(echo)
        self.flows = [await stage.enqueue() for _ in range(2)]
        await stage.tick()
        self.stage = stage

    async def _count(self) -> None:
        """What is left out and what has finished."""
        scene, now = self.scene, self.scene.clock.now()
        trigger = await scene.store.triggers.get(NAMESPACE, "good")
        assert trigger is not None
        moves = [TriggerMove(trigger=trigger, skips=(Span(now, now, SkipReason.PAUSED),))]
        await scene.store.triggers.change(NAMESPACE, ["good"], lambda _: TriggerChanges(moves=moves), now=now)
        scene.clock.advance(11)
        while await scene.scheduler.observation.rolling.tick():
            pass

    async def _live(self, executor: ScriptedExecutor, job: str) -> None:
        scene = self.scene
        self.suspended.append(await suspended(scene))
        self.late.append(await late(scene))
        [failed] = await scene.enqueue(job)
        for _ in range(2):
            await scene.dispatch()
            start = await executor.link.expect(Start)
            if not self.failed or self.failed[-1] != failed:
                await self._telemetry(start)
                self.failed.append(failed)
            await executor.settled(executor.report_failure(start, Outcome.FAILED))
            scene.clock.advance(10)
        [done] = await scene.enqueue(job)
        await scene.dispatch()
        await executor.settled(executor.report(await executor.link.expect(Start)))
        assert done

    async def _telemetry(self, start: Start) -> None:
        store, now = self.scene.store, self.scene.clock.now()
        run = start.runs[0]
        await store.runs.append_logs([LogEntry(run, start.token, 0, 1, 20, "hello")], now=now)
        await store.runs.report_progress([Progress(run, start.token, 0.5, "half")], now=now)
        await store.runs.save_checkpoints([Memory(run, start.token, MemoryKind.STEP, "one", b"1")], now=now)

    async def _note(self) -> None:
        for group in await self.scene.store.bulk.dead_groups(NAMESPACE, limit=2):
            await self.scene.scheduler.dead.notes.mute(
                NAMESPACE, group.fingerprint.hex(), until=None, reason="known", actor=ANNA
            )

    async def _bulk(self) -> None:
        engine, now = self.scene.scheduler, self.scene.clock.now()
        await engine.executors.cordon(NAMESPACE, "aged", actor=ANNA, reason="old")
        sizes = {Pool.LOOP: PoolSize(Pool.LOOP, 0, 50, 50)}
        await engine.executors.resize(NAMESPACE, "aged", sizes, actor=ANNA, reason="old")
        for name, job in (("aged", "aged"), ("good", "report")):
            wanted = BackfillRequest(since=now - 9 * MINUTE, until=now - 5 * MINUTE, concurrency=9)
            await engine.backfills.begin(NAMESPACE, name, wanted, actor=ANNA)
            chosen = SweepFilter(job=job)
            await engine.dead.sweep(NAMESPACE, SweepAct.DISCARD, chosen, actor=ANNA, reason="old", everything=False)


async def perform(scene: Scene) -> None:
    """Every duty, several times, while time goes on."""
    for _ in range(3):
        scene.clock.advance(31)
        for duty in scene.scheduler.duties:
            for _ in range(5):
                if not await duty.tick():
                    break
        await until_idle()


async def read_lists(scene: Scene) -> None:
    store = scene.store
    await store.runs.list(RunFilter(namespace=NAMESPACE, limit=100))
    await store.triggers.list(TriggerFilter(namespace=NAMESPACE))
    listed = await store.jobs.list(JobFilter(namespace=NAMESPACE, queue="default", handler="report"))
    assert [job.name for job in listed] == ["report"]
    await store.access.tokens(TokenFilter())
    await store.users.list(after="", limit=10)
    await store.saved_views.list(NAMESPACE, "anna")
    await store.calendars.list(CalendarFilter(namespace=NAMESPACE))
    await store.executors.list(PresenceFilter(namespace=NAMESPACE))
    await store.access.audit(AuditFilter())
    await store.bulk.list(Sweep, NAMESPACE, before=None, limit=10)
    await store.bulk.list(Backfill, NAMESPACE, trigger=None, before=None, limit=10)
    await store.bulk.dead_groups(NAMESPACE, limit=10)
    await store.bulk.failure_notes(NAMESPACE)
    await store.webhooks.event_counts(NAMESPACE, after="", limit=10)


async def works(scene: Scene, executor: ScriptedExecutor) -> bool:
    """Whether a run still passes through the whole server."""
    [run] = await scene.enqueue()
    await scene.dispatch()
    while (await scene.run(run)).state is not RunState.SUCCEEDED:
        start = await executor.link.expect(Start)
        await executor.settled(executor.report(start))
    return True


async def named(scene: Scene) -> list[str]:
    found = await scene.store.cluster.violations(now=scene.clock.now())
    return [example for one in found if one.name in ("readable", "years") for example in one.examples]


def lives() -> list[tuple[list[str], list[str]]]:
    """Each table once for its instants and once for its content; as many at a time as still tell who is to blame."""
    found = tables()
    half = len(found) // 2
    others = found[half:] + found[:half]
    return [(found[at : at + AT_ONCE], others[at : at + AT_ONCE]) for at in range(0, len(found), AT_ONCE)]


async def spoil(scene: Scene, table: str, *, instants: bool) -> bool:
    """Spoil a row; False if this database has no such table, or does not let such a column of it be spoilt."""
    poison = Poison(scene.store)
    there = await poison.tables()
    days = [name for name in there if name.rpartition("_")[0] == table and name[-8:].isdigit()]
    place = days[0] if days else table
    return place in there and await poison.spoil(place, instants=instants)


@pytest.mark.parametrize(("when", "what"), lives(), ids="-".join)
async def test_a_spoilt_row_stops_nobody_else(scene: Scene, when: list[str], what: list[str]) -> None:
    life = Life(scene)
    executor = await life.begin()
    for duty in scene.scheduler.duties:
        await duty.tick()
    assert await works(scene, executor)  # its end is what a gate is told last
    spoilt = [await spoil(scene, table, instants=True) for table in when]
    spoilt += [await spoil(scene, table, instants=False) for table in what]

    assert any(spoilt)
    await perform(scene)
    await read_lists(scene)
    await life.limits.read_lists()
    assert await works(scene, executor)
    assert (await scene.run(life.suspended[1])).state is not RunState.WAITING or "runs" in (*when, *what)
    assert (await scene.run(life.late[1])).state is RunState.FAILED
    runs = await scene.store.runs.list(RunFilter(namespace=NAMESPACE, limit=500))
    assert {run.trigger for run in runs.runs if run.fire_at} >= {"good"}
    assert any(run.backfill for run in runs.runs if run.trigger == "good")
    await life.stage.play(echo)
    assert await life.stage.state(life.flows[1]) is RunState.SUCCEEDED
    await life.limits.hold()
    await life.alarms.hold()
    await life.waits.hold()


async def test_a_spoilt_row_is_named_until_it_is_mended(scene: Scene) -> None:
    poison = Poison(scene.store)
    await Life(scene).begin()
    there = await poison.tables()
    assert await named(scene) == []
    tried = 0
    for table in sorted(POSTGRES_READERS.keys() | SQLITE_READERS.keys()):
        days = [name for name in there if name.rpartition("_")[0] == table and name[-8:].isdigit()]
        place = days[0] if days else table
        for instants in (True, False):
            if place not in there or not await poison.spoil(place, instants=instants):
                continue
            spoilt = await named(scene)
            await poison.mend()

            assert any(example.startswith(table) for example in spoilt), (table, spoilt)
            assert await named(scene) == [], table
            tried += 1
    assert tried > len(POSTGRES_READERS)


def test_no_exemption_is_of_a_table_that_is_gone() -> None:
    texts = migrations()

    assert [table for table in EXEMPT if f"{table} (" not in texts and f"{table} PARTITION" not in texts] == []


async def test_a_run_whose_row_cannot_be_moved_keeps_no_other_success_of_its_batch(scene: Scene) -> None:
    executor = await scene.attach()
    runs = [run for _ in range(3) for run in await scene.enqueue()]
    await scene.dispatch()
    done: dict[RunId, Token] = {}
    while len(done) < len(runs):
        start = await executor.link.expect(Start)
        done |= dict.fromkeys(start.runs, start.token)
    await Poison(scene.store).never_ends(runs[1])
    answer = await executor.settled(executor.say_outcomes(list(done), list(done.values()), [b"1"] * 3, [], wait=1))

    states = [(await scene.run(run)).state for run in (runs[0], runs[2])]
    assert (answer.stale, states) == ([runs[1]], [RunState.SUCCEEDED] * 2)
    assert any(id_text(runs[1]) in example for example in await named(scene))


async def test_a_spoilt_trigger_can_be_deleted_with_what_was_prepared_for_it(scene: Scene) -> None:
    await scene.attach()
    await define(scene, "aged")
    scene.clock.advance(45)
    await scene.scheduler.timing.firing.tick()
    prepared = await scene.store.runs.list(RunFilter(namespace=NAMESPACE))
    assert await Poison(scene.store).spoil("triggers", instants=False, only="spec")
    await scene.scheduler.triggers.delete(NAMESPACE, "aged", actor=ANNA, reason="damaged")

    assert len(prepared.runs) == 1
    assert (await scene.store.runs.list(RunFilter(namespace=NAMESPACE))).runs == []
    assert await scene.store.triggers.get(NAMESPACE, "aged") is None
    [(_, entry)] = await scene.store.access.audit(AuditFilter(namespace=NAMESPACE, kind="trigger", key="aged", limit=1))
    assert (entry.act, b'"unreadable":true' in entry.details) == ("trigger.delete", True)


async def test_a_policy_that_leads_nowhere_fails_its_own_run_alone(scene: Scene) -> None:
    executor = await scene.attach()
    wild = RetryPolicy(attempts=5, backoff=1e300, backoff_max=1e300)
    await scene.store.jobs.register(
        NAMESPACE, [JobSpec(name="wild", handler="report", retry=wild)], now=scene.clock.now()
    )
    await scene.scheduler.catalog.tick()
    runs = [*await scene.enqueue("wild"), *await scene.enqueue("report")]
    await scene.dispatch()
    ended: list[Ended] = []
    while len(ended) < len(runs):
        start = await executor.link.expect(Start)
        broke = Failure(error="ValueError")
        ended += [Ended(run=run, token=start.token, outcome=Outcome.FAILED, failure=broke) for run in start.runs]
    await executor.settled(executor.say_outcomes([], [], [], ended))

    assert [(await scene.run(run)).state for run in runs] == [RunState.FAILED, RunState.QUEUED]
    assert any("runs" in example for example in await named(scene))

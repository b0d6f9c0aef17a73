"""Triggers whose runs do not succeed, servers that are few and executors with strays are told, on both databases."""

from datetime import UTC, datetime, timedelta

import pytest

from mainspring.domain.alerts.rule import AlertKind, AlertSpec
from mainspring.domain.cluster.server import Server
from mainspring.domain.ids import ServerId
from mainspring.domain.triggers.fire_times.intervals import longest_interval
from mainspring.domain.triggers.spec import AnyRule, At, Cron, Delay, Event, Every, TriggerSpec
from mainspring.domain.triggers.trigger import Trigger
from mainspring.errors import InvalidInputError
from mainspring.scheduler.facts import ServersSeen
from mainspring.wire.messages import Beat, Load, Start
from tests.scheduler.scene import NAMESPACE, Scene, ScriptedExecutor, until_idle
from tests.scheduler.test_alert_kinds import firing, set_rule
from tests.scheduler.test_alerts import Watched
from tests.words import ANNA

MINUTE, DAY = 60.0, 86_400.0
MONDAY = datetime(2026, 11, 16, 12, tzinfo=UTC)


@pytest.fixture
def watched(scene: Scene) -> Watched:
    return Watched(scene)


async def define(scene: Scene, *names: str) -> None:
    specs = [TriggerSpec(name=name, job="report", when=Every(every=MINUTE)) for name in names]
    await scene.scheduler.triggers.define(NAMESPACE, specs, actor=ANNA)


async def fire(scene: Scene) -> None:
    """A minute passes, and triggers fire."""
    scene.clock.advance(MINUTE)
    while await scene.scheduler.timing.firing.tick():
        pass
    await scene.dispatch()


async def succeed(executor: ScriptedExecutor) -> None:
    await executor.settled(executor.report(await executor.link.expect(Start)))


async def test_a_trigger_whose_runs_do_not_succeed_is_stale_after_two_of_its_intervals(
    watched: Watched, scene: Scene
) -> None:
    executor = await scene.attach()
    await define(scene, "minutely")
    await set_rule(watched, AlertKind.STALE, trigger="minutely")
    await fire(scene)
    await succeed(executor)
    await watched.let_pass(100)
    before = await firing(watched)
    await watched.let_pass(60)

    assert before == {}
    assert (await firing(watched))["trigger minutely"].words == "no run of it has succeeded for 2 min"


async def test_only_a_success_of_its_own_run_ends_the_alert_of_a_trigger(watched: Watched, scene: Scene) -> None:
    executor = await scene.attach()
    await define(scene, "minutely")
    await set_rule(watched, AlertKind.STALE, trigger="*", older_than=3 * MINUTE)
    await watched.let_pass(200)
    await scene.enqueue("report")
    await scene.dispatch()
    await succeed(executor)
    await watched.let_pass(60)
    found = await firing(watched)
    await fire(scene)
    await succeed(executor)
    await watched.let_pass(60)

    assert found["trigger minutely"].words == "no run of it has succeeded"
    assert await firing(watched) == {}


async def test_a_paused_trigger_is_not_stale(watched: Watched, scene: Scene) -> None:
    await scene.attach()
    await define(scene, "minutely", "held")
    await scene.scheduler.triggers.pause(NAMESPACE, "held", reason="", actor=ANNA)
    await set_rule(watched, AlertKind.STALE, trigger="*", older_than=3 * MINUTE)
    await watched.let_pass(200)

    assert list(await firing(watched)) == ["trigger minutely"]


async def test_runs_of_a_trigger_that_is_well_are_looked_at_seldom(watched: Watched, scene: Scene) -> None:
    executor = await scene.attach()
    await define(scene, "minutely")
    await set_rule(watched, AlertKind.STALE, trigger="*", older_than=DAY)
    await fire(scene)
    await succeed(executor)
    await watched.let_pass(300)
    [(looked_at, succeeded_at)] = watched.alerting.evaluating._gather._triggers._looks.values()

    assert succeeded_at is not None
    assert scene.clock.now() - looked_at > timedelta(seconds=290)


@pytest.mark.parametrize(
    ("when", "seconds"),
    [
        (Every(every=90.0), 90.0),
        (Cron(expressions=("0 9 * * mon-fri",)), 3 * DAY),
        (At(at=MONDAY + timedelta(days=1)), None),
        (Delay(delay=60.0), None),
        (Event(type="paid"), None),
    ],
)
def test_the_longest_interval_has_the_weekend_in_it(when: AnyRule, seconds: float | None) -> None:
    spec = TriggerSpec(name="t", job="report", when=when)
    trigger = Trigger(namespace=NAMESPACE, spec=spec, created_at=MONDAY, updated_at=MONDAY)

    assert longest_interval(trigger, None, MONDAY) == seconds


async def test_a_job_that_is_stale_needs_a_length_and_a_trigger_does_not(watched: Watched) -> None:
    with pytest.raises(InvalidInputError, match="older_than: is missing: stale of a job has no default for it"):
        await watched.define(AlertSpec(kind=AlertKind.STALE, job="report"))


async def test_servers_that_are_fewer_than_wanted_are_told(watched: Watched, scene: Scene) -> None:
    now = scene.clock.now()
    one, two = (
        Server(id=ServerId(name.encode()), name=name, lease_until=now + timedelta(seconds=seconds))
        for name, seconds in (("one", 300), ("two", 12))
    )
    await set_rule(watched, AlertKind.SERVERS_FEW, at_least=2)
    scene.scheduler.facts.publish(ServersSeen([one, two]))
    await watched.let_pass(10)
    before = await firing(watched)
    await watched.let_pass(10)

    assert before == {}
    assert (await firing(watched))["cluster"].words == "1 server of at least 2 left"


async def test_an_executor_with_attempts_that_go_on_after_they_were_given_up_is_told(
    watched: Watched, scene: Scene
) -> None:
    executor = await scene.attach()
    await set_rule(watched, AlertKind.STRAYS, executor="*", at_least=2)
    for strays in (1, 2):
        executor.link.say(Beat(strays, Load(0, 0, 0.0, 0, strays)))
        await until_idle()
        await scene.scheduler.sessions.renewing.tick()
        await watched.let_pass(5)
    found = await firing(watched)

    assert found["executor e1"].words == "handlers that were given up still hold 2 threads"

"""From a run that fails to a message, on both databases: rules, alerts, notices and channels."""

import json
from datetime import timedelta
from typing import Any, cast

import msgspec
import pytest

from mainspring.channels.courier import Courier
from mainspring.domain.alerts.alert import AlertState, NoticeKind
from mainspring.domain.alerts.channel import Channel, ChannelKind, ChannelSpec
from mainspring.domain.alerts.notice import Delivery, NoticeState, NoticeText
from mainspring.domain.alerts.rule import AlertKind, AlertSpec, Severity
from mainspring.domain.jobs.job import JobSpec, RetryPolicy
from mainspring.domain.networks import read_networks
from mainspring.domain.runs.attempt import Outcome
from mainspring.domain.slos.slo import Indicator, SloSpec
from mainspring.errors import ConflictError, InvalidInputError
from mainspring.scheduler.alerts.known_definitions import KnownDefinitions
from mainspring.scheduler.engine import Scheduler
from mainspring.settings import SchedulerSettings
from mainspring.store.interface import AlertFilter, NoticeFilter, Store
from mainspring.testing.clock import START
from mainspring.wire.messages import Start
from tests.channels.stubs import Receiver
from tests.scheduler.scene import NAMESPACE, Scene
from tests.words import ANNA

OPS = ChannelSpec(kind=ChannelKind.WEBHOOK, url="https://hooks.example.com/x", secret="hush")
FAILS = AlertSpec(kind=AlertKind.RUN_FAILED, job="*", notify=("ops",))
ESCALATES: dict[str, Any] = {"escalate_to": ("ops",), "escalate_after": 3600.0}


class Inbox:
    """A channel's other end, which keeps what it gets."""

    def __init__(self) -> None:
        self.got: list[NoticeText] = []
        self.secrets: list[dict[str, str]] = []
        self.away = False

    async def send(self, channel: Channel, secrets: dict[str, str], message: NoticeText) -> Delivery:
        if self.away:
            return Delivery(ok=False, words="away")
        self.got.append(message)
        self.secrets.append(secrets)
        return Delivery(ok=True, words="200")

    def warnings(self, channel: Channel) -> list[str]:
        return []


class Watched:
    """A server with a channel, and executors that fail when told."""

    def __init__(self, scene: Scene) -> None:
        self.scene, self.inbox = scene, Inbox()
        self.alerting = scene.scheduler.alerting
        self.alerting.sending._courier = self.inbox

    async def define(self, rule: AlertSpec = FAILS, *, name: str = "fails", channel: ChannelSpec = OPS) -> None:
        definitions = self.alerting.definitions
        await definitions.set_channel(NAMESPACE, "ops", channel, actor=ANNA, is_admin=True)
        await definitions.set_rule(NAMESPACE, name, rule, actor=ANNA)

    async def fail(self, *jobs: str) -> None:
        """One run of each job fails for good."""
        specs = [JobSpec(name=job, handler="report", retry=RetryPolicy(attempts=1)) for job in jobs]
        await self.scene.store.jobs.register(NAMESPACE, specs, now=self.scene.clock.now())
        await self.scene.scheduler.catalog.tick()
        executor = await self.scene.attach("failing")
        for job in jobs:
            await self.scene.enqueue(job)
        await self.scene.dispatch()
        left = len(jobs)
        while left:
            start = await executor.link.expect(Start)
            left -= len(start.runs)
            await executor.settled(executor.report_failure(start, Outcome.FAILED))
        await executor.disconnect()

    async def let_pass(self, seconds: float, *, step: int = 5) -> None:
        """Time passes, and the duties that watch do their work every five seconds, or as rarely as a test can bear."""
        scheduler = self.scene.scheduler
        for _ in range(int(seconds // step)):
            self.scene.clock.advance(step)
            await scheduler.observation.surveying.tick()
            while await scheduler.observation.rolling.tick():
                pass
            await self.alerting.evaluating.tick()
            await self.alerting.sending.tick()

    async def alerts(self) -> list[AlertState]:
        return [one.state for one in await self.scene.store.alerts.list(AlertFilter(namespace=NAMESPACE))]

    @property
    def kinds(self) -> list[NoticeKind]:
        return [one.kind for one in self.inbox.got]


@pytest.fixture
def watched(scene: Scene) -> Watched:
    return Watched(scene)


async def test_a_run_that_fails_for_good_is_told_and_so_is_the_end(watched: Watched) -> None:
    await watched.define()
    await watched.fail("nightly")
    await watched.let_pass(15)
    [message] = watched.inbox.got
    await watched.let_pass(10 * 60)

    assert (message.kind, message.rule) == (NoticeKind.FIRE, "fails")
    assert message.lines == (
        f"job nightly: 1 run failed for good in 5 min: ValueError (for 5 s, since {START:%Y-%m-%d %H:%M}Z)",
        "what to do: mainspring dead list --job nightly",
    )
    assert watched.kinds == [NoticeKind.FIRE, NoticeKind.RECOVER]
    assert await watched.alerts() == [AlertState.RESOLVED]


@pytest.mark.parametrize(("wakes", "told"), [({"severity": Severity.PAGE}, 2), (ESCALATES, 2), ({}, 1)])
async def test_what_wakes_somebody_is_told_at_once_although_another_was_told_a_moment_ago(
    watched: Watched, wakes: dict[str, Any], told: int
) -> None:
    await watched.define(msgspec.structs.replace(FAILS, **wakes))
    for job in ("nightly", "weekly"):
        await watched.fail(job)
        await watched.let_pass(15)

    assert watched.kinds == [NoticeKind.FIRE] * told


async def test_what_was_over_before_it_was_told_is_not_said_to_fire(watched: Watched) -> None:
    await watched.define(msgspec.structs.replace(FAILS, over=60.0))
    for job in ("nightly", "weekly"):
        await watched.fail(job)
        await watched.let_pass(15)
    await watched.let_pass(6 * 60)
    late = watched.inbox.got[-1] if watched.inbox.got[-1].kind is NoticeKind.FIRE else watched.inbox.got[-2]

    assert late.title == "Fired, and over again: fails in default: job weekly"


async def test_the_class_of_an_error_is_still_known_once_roll_ups_have_counted_it(watched: Watched) -> None:
    await watched.define()
    await watched.fail("nightly")
    await watched.let_pass(120)
    await watched.define(name="again")
    await watched.let_pass(10)

    assert {one.rule: one.words for one in await watched.scene.store.alerts.open()} == dict.fromkeys(
        ("fails", "again"), "1 run failed for good in 5 min: ValueError"
    )


async def test_a_channel_that_asks_for_details_is_told_the_words_of_the_newest_error(watched: Watched) -> None:
    detailed = msgspec.structs.replace(OPS, details=True)
    await watched.define(channel=detailed)
    new = AlertSpec(kind=AlertKind.DEAD_LETTERS, job="*", notify=("ops",))
    await watched.define(new, name="new", channel=detailed)
    await watched.fail("nightly")
    await watched.let_pass(15)
    lines = {one.rule: one.lines[0] for one in watched.inbox.got}

    assert lines["fails"].startswith("job nightly: 1 run failed for good in 5 min: ValueError (for 5 s, since ")
    assert lines["fails"].endswith("): it broke")
    assert "a new kind of failure, 1 time: ValueError (for 5 s, since " in lines["new"]


async def test_secrets_are_sealed_in_the_database_and_opened_for_the_channel(watched: Watched) -> None:
    await watched.define()
    await watched.fail("nightly")
    await watched.let_pass(15)
    [channel] = await watched.scene.store.alerts.channels()

    assert b"hush" not in channel.secrets
    assert (channel.spec.url, channel.spec.secret) == ("sealed:", "sealed:")
    assert watched.inbox.secrets == [{"url": OPS.url, "secret": "hush"}]


async def test_jobs_that_fail_together_are_one_message(watched: Watched) -> None:
    await watched.define()
    await watched.fail(*(f"job-{number}" for number in range(30)))
    await watched.let_pass(15)
    [message] = watched.inbox.got

    assert len(message.alerts) == 30
    assert message.lines[-2:] == ("and 20 more", "what to do: mainspring alerts findings")


async def test_many_rules_that_fire_at_once_are_one_digest(watched: Watched) -> None:
    for number in range(20):
        rule = msgspec.structs.replace(FAILS, job=f"job-{number}")
        await watched.define(rule, name=f"rule-{number}")
    await watched.fail(*(f"job-{number}" for number in range(20)))
    await watched.let_pass(15)
    [message] = watched.inbox.got
    notices = await watched.scene.store.notices.list(NoticeFilter(namespace=NAMESPACE))

    assert (message.kind, len(message.alerts)) == (NoticeKind.DIGEST, 20)
    assert sorted(one.state for one in notices) == [NoticeState.MERGED] * 20 + [NoticeState.SENT]


async def test_a_digest_says_once_what_several_rules_say_of_a_job(watched: Watched) -> None:
    for number in range(4):
        await watched.define(name=f"rule-{number}")
    await watched.fail("nightly")
    await watched.let_pass(15)
    [message] = watched.inbox.got

    assert (message.kind, len(message.alerts)) == (NoticeKind.DIGEST, 4)
    assert [line for line in message.lines if line.startswith("job nightly")] == [message.lines[4]]


async def test_a_digest_of_ends_asks_for_nothing(watched: Watched) -> None:
    for number in range(4):
        await watched.define(name=f"rule-{number}")
    await watched.fail("nightly")
    await watched.let_pass(10 * 60)
    message = watched.inbox.got[-1]

    assert message.title == "4 alerts in default, all over"
    assert not any(line.startswith("what to do") for line in message.lines)


async def test_a_channel_that_was_away_gets_everything_in_order_and_grouped(watched: Watched, scene: Scene) -> None:
    local = SchedulerSettings(alert_networks=("127.0.0.0/8",))
    watched.alerting.sending._courier = Courier(local, scene.clock)
    watched.alerting.definitions._networks = read_networks(local.alert_networks)
    async with Receiver(lambda _: (503, "away")) as receiver:
        await watched.define(channel=ChannelSpec(kind=ChannelKind.WEBHOOK, url=receiver.url))
        await watched.fail("nightly", "hourly", "daily")
        await watched.let_pass(30 * 60, step=60)
        tries = len(receiver.got)
        receiver.judge = lambda _: (200, "ok")
        await watched.let_pass(30 * 60, step=60)
        taken = [got.json for got in receiver.got[tries:]]

    assert tries >= 5
    assert [(one["kind"], len(one["alerts"])) for one in taken] == [("fire", 3), ("recover", 3)]
    assert {json.loads(got.body)["id"] for got in receiver.got[:tries]} == {taken[0]["id"]}


async def test_a_notice_is_given_up_after_an_hour(watched: Watched) -> None:
    await watched.define(msgspec.structs.replace(FAILS, recovery=False))
    watched.inbox.away = True
    await watched.fail("nightly")
    await watched.let_pass(70 * 60)
    [notice] = await watched.scene.store.notices.list(NoticeFilter(namespace=NAMESPACE))

    assert (notice.state, notice.tries, notice.answer) == (NoticeState.FAILED, 9, "away")


async def test_acknowledged_alerts_are_not_repeated(watched: Watched) -> None:
    await watched.define(msgspec.structs.replace(FAILS, over=7 * 86_400.0))
    await watched.fail("nightly")
    await watched.let_pass(15)
    [alert] = await watched.scene.store.alerts.open()
    acked = await watched.alerting.operations.acknowledge(NAMESPACE, alert.id, note="on it", actor=ANNA)
    watched.scene.clock.advance(5 * 3600)
    await watched.let_pass(10)

    assert (acked.acked_by, acked.note) == (ANNA.name, "on it")
    assert watched.kinds == [NoticeKind.FIRE]


async def test_two_servers_that_both_believe_to_hold_the_lease_tell_once(watched: Watched, scene: Scene) -> None:
    await watched.define()
    await watched.fail("nightly")
    other = Scheduler(scene.store, SchedulerSettings(name="s2"), scene.clock, scene.ids)
    await other.catalog.tick()
    other.alerting.sending._courier = watched.inbox
    other.alerting.sending._vault = watched.alerting.sending._vault
    for server in (scene.scheduler, other):
        server.alerting.evaluating._store = cast("Store", Leased(scene.store))
    for _ in range(6):
        scene.clock.advance(5)
        for server in (scene.scheduler, other):
            await server.alerting.evaluating.tick()
            await server.alerting.sending.tick()

    assert watched.kinds == [NoticeKind.FIRE]
    assert await watched.alerts() == [AlertState.FIRING]


class Leased:
    """A store that gives every server the lease."""

    def __init__(self, store: Any) -> None:
        self._store, self.alerts = store, self

    async def hold(self, *_lease: object, **_until: object) -> bool:
        return True

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store.alerts if hasattr(self._store.alerts, name) else self._store, name)


async def test_a_queue_without_an_executor_is_found_by_the_survey(watched: Watched, scene: Scene) -> None:
    await watched.define(AlertSpec(kind=AlertKind.NO_EXECUTOR, queue="*", notify=("ops",)))
    await scene.store.jobs.register(NAMESPACE, [JobSpec(name="lonely", handler="x")], now=scene.clock.now())
    await scene.scheduler.catalog.tick()
    await scene.enqueue("lonely")
    await watched.let_pass(120)

    assert [one.alerts[0].subject for one in watched.inbox.got] == ["queue default"]


async def test_a_job_that_has_not_succeeded_is_stale(watched: Watched, scene: Scene) -> None:
    await watched.define(AlertSpec(kind=AlertKind.STALE, job="report", older_than=600.0, notify=("ops",)))
    executor = await scene.attach()
    await scene.enqueue()
    await scene.dispatch()
    await executor.settled(executor.report(await executor.link.expect(Start)))
    await watched.let_pass(300)
    before = list(watched.inbox.got)
    await watched.let_pass(600)

    assert before == []
    assert watched.inbox.got[0].alerts[0].words.startswith("has not succeeded for 1")


async def test_an_slo_with_few_runs_counts_the_bad_ones(watched: Watched) -> None:
    await watched.define()
    slo = SloSpec(job="nightly", objective=0.99, notify=("ops",))
    await watched.alerting.definitions.set_slo(NAMESPACE, "nightly-good", slo, actor=ANNA)
    await watched.fail("nightly")
    await watched.let_pass(120)
    found = {alert.rule: alert.words for alert in await watched.scene.store.alerts.open()}

    assert "slo.nightly-good.slow" not in found
    assert found["slo.nightly-good.fast"] == "1 of 1 runs were bad: 0% of the error budget is left"
    with pytest.raises(ConflictError, match="is named by the rules fails, nightly-good"):
        await watched.alerting.definitions.delete(NAMESPACE, "channel", "ops", actor=ANNA)


async def test_rules_and_channels_are_checked(watched: Watched) -> None:
    definitions = watched.alerting.definitions

    with pytest.raises(InvalidInputError, match="there is no channel 'ops'"):
        await definitions.set_rule(NAMESPACE, "fails", FAILS, actor=ANNA)
    await watched.define()
    with pytest.raises(ConflictError, match="is named by the rules fails"):
        await definitions.delete(NAMESPACE, "channel", "ops", actor=ANNA)
    with pytest.raises(InvalidInputError, match="until: is in the future, up to 90 days"):
        await watched.alerting.operations.silence(
            NAMESPACE,
            rule="*",
            subject="*",
            until=watched.scene.clock.now() + timedelta(days=91),
            reason="",
            actor=ANNA,
        )


async def test_a_finding_says_since_when_and_what_to_do_without_any_rule(watched: Watched, scene: Scene) -> None:
    await watched.fail("nightly")
    lonely = JobSpec(name="lonely", handler="x", queue="quiet")
    await scene.store.jobs.register(NAMESPACE, [lonely], now=scene.clock.now())
    await scene.scheduler.catalog.tick()
    await scene.enqueue("lonely")
    since = scene.clock.now()
    await watched.let_pass(120)
    look = await watched.alerting.looking.look(NAMESPACE)
    found = {one.kind: one for one in look.findings}

    assert look.findings[0].kind is AlertKind.NO_EXECUTOR
    assert found[AlertKind.NO_EXECUTOR].since_at == since
    assert found[AlertKind.NO_EXECUTOR].remedy == "start an executor that listens to queue quiet"
    assert found[AlertKind.RUN_FAILED].remedy == "mainspring dead list --job nightly"
    assert found[AlertKind.RUN_FAILED].rule == ""
    assert look.fresh
    assert watched.inbox.got == []


async def test_a_finding_that_has_an_alert_is_told_once_and_names_it(watched: Watched) -> None:
    await watched.define(msgspec.structs.replace(FAILS, runbook="https://wiki.example.com/fails"))
    await watched.fail("nightly")
    await watched.let_pass(15)
    [alert] = await watched.scene.store.alerts.open()
    look = await watched.alerting.looking.look(NAMESPACE)
    [found] = [one for one in look.findings if one.kind is AlertKind.RUN_FAILED]

    assert (found.rule, found.alert, found.since_at) == ("fails", alert.id, alert.since_at)
    assert found.remedy == "https://wiki.example.com/fails"


async def test_a_namespace_sees_only_its_own_findings(watched: Watched) -> None:
    await watched.fail("nightly")
    await watched.let_pass(15)

    assert (await watched.alerting.looking.look("other")).findings == []


async def test_rules_are_read_again_only_once_one_of_them_has_changed(watched: Watched, scene: Scene) -> None:
    await watched.define()
    known = KnownDefinitions(scene.store, scene.clock)
    first, again = await known.read(), await known.read()
    await watched.define(msgspec.structs.replace(FAILS, at_least=7))
    changed = await known.read()
    await watched.alerting.definitions.delete(NAMESPACE, "rule", "fails", actor=ANNA)

    assert again is first
    assert changed.rules[0].spec.at_least == 7
    assert (await known.read()).rules == []


async def test_changes_that_hide_each_other_are_seen_within_a_minute(watched: Watched, scene: Scene) -> None:
    await watched.define()
    known = KnownDefinitions(scene.store, scene.clock)
    await known.read()
    await watched.alerting.definitions.delete(NAMESPACE, "rule", "fails", actor=ANNA)
    await watched.define(name="other")
    scene.clock.advance(61)

    assert [one.name for one in (await known.read()).rules] == ["other"]


async def test_an_slo_of_freshness_counts_minutes_since_the_last_success(watched: Watched, scene: Scene) -> None:
    slo = SloSpec(job="report", indicator=Indicator.FRESH, within=600.0, objective=0.9)
    await watched.alerting.definitions.set_slo(NAMESPACE, "fresh", slo, actor=ANNA)
    executor = await scene.attach()
    await scene.enqueue()
    await scene.dispatch()
    await executor.settled(executor.report(await executor.link.expect(Start)))
    await watched.let_pass(1800)
    [stored] = await watched.alerting.definitions.slos(NAMESPACE)
    found = await watched.alerting.standings.read(stored, scene.clock.now())

    assert found is not None
    assert (found.whole.good, found.whole.bad) == (10, found.whole.total - 10)
    assert found.whole.bad >= 18


async def test_a_set_that_would_make_too_many_rules_is_refused_whole(watched: Watched) -> None:
    wanted: dict[Any, Any] = {
        ("rule", f"rule-{number}"): AlertSpec(kind=AlertKind.RUN_FAILED, job="*") for number in range(10_001)
    }
    with pytest.raises(InvalidInputError, match="there would be more than 10,000") as raised:
        await watched.alerting.definitions.apply(NAMESPACE, "ops", wanted, adopt=False, actor=ANNA, is_admin=True)

    assert raised.value.code == "too_many_alerts"
    assert await watched.scene.store.alerts.rules() == []

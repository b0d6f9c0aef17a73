"""What messages about alerts say, and to whom, on both databases."""

from datetime import timedelta

import msgspec
import pytest

from mainspring.domain.alerts.alert import Alert, NoticeKind
from mainspring.domain.alerts.channel import ChannelKind, ChannelSpec
from mainspring.domain.alerts.notice import Notice, NoticeId, NoticeState
from mainspring.domain.alerts.rule import AlertKind, AlertSpec
from mainspring.domain.jobs.job import JobSpec, RetryPolicy
from mainspring.domain.runs.attempt import Outcome
from mainspring.wire.messages import Start
from tests.scheduler.scene import NAMESPACE, Scene
from tests.scheduler.test_alert_kinds import firing, lonely
from tests.scheduler.test_alerts import FAILS, OPS, Watched
from tests.words import ANNA

DAY = timedelta(days=1)
DUTY = ChannelSpec(kind=ChannelKind.PAGERDUTY, routing_key="R" * 32)
MANAGER = ChannelSpec(kind=ChannelKind.ALERTMANAGER, url="https://am.example.com")
WAITS = AlertSpec(kind=AlertKind.QUEUE_AGE, queue="quiet", older_than=60.0, notify=("ops",))


@pytest.fixture
def watched(scene: Scene) -> Watched:
    return Watched(scene)


async def add_channel(watched: Watched, name: str, spec: ChannelSpec) -> None:
    await watched.alerting.definitions.set_channel(NAMESPACE, name, spec, actor=ANNA, is_admin=True)


async def acknowledge(watched: Watched, alert: Alert) -> None:
    await watched.alerting.operations.acknowledge(NAMESPACE, alert.id, note="", actor=ANNA)


async def test_a_channel_with_incidents_of_its_own_is_told_who_has_taken_one_on(watched: Watched) -> None:
    await add_channel(watched, "duty", DUTY)
    await watched.define(msgspec.structs.replace(FAILS, over=3600.0, notify=("ops", "duty"), recovery=False))
    await watched.fail("nightly")
    await watched.let_pass(15)
    [alert] = await watched.scene.store.alerts.open()
    for _ in range(2):
        await acknowledge(watched, alert)
    await watched.let_pass(10)
    told = [one for one in watched.inbox.got if one.kind is NoticeKind.ACKNOWLEDGE]

    assert [one.kind for one in watched.inbox.got].count(NoticeKind.FIRE) == 2
    assert [one.title for one in told] == ["Acknowledged: fails in default: job nightly"]
    assert watched.inbox.secrets[-1] == {"routing_key": "R" * 32}


async def test_an_acknowledgement_is_not_told_before_the_alert(watched: Watched) -> None:
    await add_channel(watched, "duty", DUTY)
    await watched.define(msgspec.structs.replace(FAILS, notify=("duty",)))
    await watched.fail("nightly")
    await watched.alerting.evaluating.tick()
    [alert] = await watched.scene.store.alerts.open()
    await acknowledge(watched, alert)
    await watched.let_pass(15)

    assert watched.kinds == [NoticeKind.FIRE, NoticeKind.ACKNOWLEDGE]


async def test_a_repeat_says_how_things_are_now(watched: Watched, scene: Scene) -> None:
    await watched.define(WAITS)
    await lonely(scene)
    await watched.let_pass(90)
    scene.clock.advance(4 * 3600)
    await watched.let_pass(30)
    first, again = watched.inbox.got
    look = await watched.alerting.looking.look(NAMESPACE)
    [found] = [one for one in look.findings if one.rule == "fails"]

    assert first.lines[0].startswith("queue quiet: the oldest run has waited for 1 min")
    assert (again.kind, again.lines[0][:51]) == (
        NoticeKind.REPEAT,
        "queue quiet: the oldest run has waited for 4 h (for",
    )
    assert found.words == "the oldest run has waited for 4 h"


async def test_a_new_kind_of_failure_is_found_with_the_instant_of_the_first(watched: Watched, scene: Scene) -> None:
    await watched.fail("nightly")
    failed_at = scene.clock.now()
    scene.clock.advance(600)
    look = await watched.alerting.looking.look(NAMESPACE)
    [found] = [one for one in look.findings if one.kind is AlertKind.DEAD_LETTERS]

    assert found.since_at == failed_at


async def test_the_words_of_an_error_are_sent_without_secrets(watched: Watched, scene: Scene) -> None:
    await watched.define(channel=msgspec.structs.replace(OPS, details=True))
    spec = JobSpec(name="nightly", handler="report", retry=RetryPolicy(attempts=1))
    await scene.store.jobs.register(NAMESPACE, [spec], now=scene.clock.now())
    await scene.scheduler.catalog.tick()
    executor = await scene.attach()
    await scene.enqueue("nightly")
    await scene.dispatch()
    start = await executor.link.expect(Start)
    words = "no door for Bearer abcdefabcdef, password=letmein"
    await executor.settled(executor.report_failure(start, Outcome.FAILED, words))
    await watched.let_pass(15)

    assert "no door for Bearer ***, password=***" in watched.inbox.got[0].lines[0]


async def test_a_message_leads_to_the_alerts_of_its_namespace(watched: Watched) -> None:
    watched.alerting.sending._console = "https://jobs.example.com/console"
    await watched.define()
    await watched.fail("nightly")
    await watched.let_pass(15)

    assert watched.inbox.got[0].link == f"https://jobs.example.com/console/{NAMESPACE}/alerts"


async def test_an_alertmanager_that_is_told_again_keeps_runbook_and_remedy(watched: Watched) -> None:
    await add_channel(watched, "manager", MANAGER)
    rule = msgspec.structs.replace(FAILS, notify=("manager",), runbook="https://wiki.example.com/fails")
    await watched.define(rule)
    await watched.fail("nightly")
    await watched.let_pass(90)
    again = [one for one in watched.inbox.got if one.kind is NoticeKind.REFRESH]
    hints = [one.hint(one.alerts[0]) for one in again]

    assert {one.runbook for one in hints} == {"https://wiki.example.com/fails"}
    assert {one.remedy for one in hints} == {"mainspring dead list --job nightly"}


async def test_an_alertmanager_that_an_alert_was_escalated_to_is_told_again(watched: Watched) -> None:
    await add_channel(watched, "manager", MANAGER)
    await watched.define(msgspec.structs.replace(FAILS, over=3600.0, escalate_to=("manager",), escalate_after=60.0))
    await watched.fail("nightly")
    await watched.let_pass(55)
    before = watched.kinds
    await watched.let_pass(90)

    assert before == [NoticeKind.FIRE]
    assert NoticeKind.REFRESH in watched.kinds[watched.kinds.index(NoticeKind.ESCALATE) :]


async def given_up(watched: Watched, name: str, days_ago: float, *, sent: bool = False) -> None:
    """A notice of the log that was made so long ago, and sent at once or given up."""
    made_at = watched.scene.clock.now() - days_ago * DAY
    notice = Notice(
        id=NoticeId(watched.scene.ids.noise(16)),
        namespace=NAMESPACE,
        channel=name,
        kind=NoticeKind.FIRE,
        group="fails",
        alerts=(),
        state=NoticeState.SENT if sent else NoticeState.FAILED,
        next_at=made_at,
        made_at=made_at,
        sent_at=made_at if sent else None,
    )
    await watched.scene.store.notices.add(notice)


async def test_a_channel_fails_from_the_first_notice_that_was_given_up_since_its_last_success(watched: Watched) -> None:
    await watched.define()
    course = {
        "steady": [(3.0, False), (2.5, True), (0.5, False)],
        "broken": [(7.0, False), (4.0, True), (2.5, False), (0.1, False)],
        "mended": [(2.0, False), (0.1, True)],
        "never": [(6.0, False)],
    }
    for name, notices in course.items():
        for days_ago, sent in notices:
            await given_up(watched, name, days_ago, sent=sent)
    await watched.let_pass(10)
    found = await firing(watched, "mainspring.channels")

    assert {subject: one.words for subject, one in found.items()} == {
        "channel broken of default": "has taken no notice for 2 d",
        "channel never of default": "has taken no notice for 6 d",
    }

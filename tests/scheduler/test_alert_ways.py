"""Ways by which alerts reach people or wait: links, quiet calendars, a database that is away; and SLOs of triggers."""

from datetime import timedelta

import msgspec
import pytest

from mainspring.domain.access.permissions import Actor
from mainspring.domain.alerts.alert import NoticeKind
from mainspring.domain.alerts.channel import Channel
from mainspring.domain.alerts.rule import AlertKind, Quiet
from mainspring.domain.calendars.spec import Blackout, CalendarSpec
from mainspring.domain.slos.slo import Indicator, SloSpec
from mainspring.domain.triggers.fire_times.misfires import Misfire
from mainspring.domain.triggers.spec import Every, TriggerSpec
from mainspring.errors import InvalidInputError, NotFoundError
from mainspring.scheduler.access.vault import Vault
from mainspring.scheduler.alerts.ack_links import AckLinks
from mainspring.scheduler.alerts.tell_store_away import TellStoreAway
from mainspring.scheduler.operations.jobs import Expected, Words
from tests.scheduler.scene import NAMESPACE, Scene
from tests.scheduler.test_alert_kinds import firing, set_rule
from tests.scheduler.test_alerts import FAILS, OPS, Watched
from tests.scheduler.test_waits import begun
from tests.words import ANNA

MINUTE, HOUR = 60.0, 3600.0
CONSOLE = "https://jobs.example.com/console"


@pytest.fixture
def watched(scene: Scene) -> Watched:
    return Watched(scene)


async def linked(watched: Watched, scene: Scene) -> tuple[AckLinks, str]:
    """Links of a server that people reach, and the one in a message."""
    links = AckLinks(Vault([bytes(32)]), scene.ids, scene.clock, CONSOLE)
    watched.alerting.sending._links = watched.alerting.operations._links = links
    await watched.define(FAILS)
    await watched.fail("nightly")
    await watched.let_pass(30)
    return links, watched.inbox.got[0].acknowledge


async def test_a_link_in_a_message_acknowledges_its_alert_and_no_other(watched: Watched, scene: Scene) -> None:
    _, url = await linked(watched, scene)
    text = url.removeprefix("https://jobs.example.com/acknowledge/")
    before = await watched.alerting.operations.linked(text)
    after = await watched.alerting.operations.acknowledge_linked(text)

    assert before.acked_at is None
    assert (after.id, after.acked_by) == (before.id, "link in channel ops")
    assert (await watched.alerting.operations.acknowledge_linked(text)).acked_at == after.acked_at


async def test_a_link_that_is_changed_forged_or_too_old_is_refused(watched: Watched, scene: Scene) -> None:
    links, url = await linked(watched, scene)
    text = url.rpartition("/")[2]
    other = AckLinks(Vault([bytes(31) + b"x"]), scene.ids, scene.clock, CONSOLE)
    [alert] = await scene.store.alerts.open()
    channel = Channel(namespace=NAMESPACE, name="ops", spec=OPS, updated_at=scene.clock.now())
    foreign = other.url(channel, alert).rpartition("/")[2]
    plain = "eyJuYW1lc3BhY2UiOiJkZWZhdWx0In0"
    for bad in (text[:-4] + "AAAA", foreign, plain, "", "%%%"):
        with pytest.raises(NotFoundError):
            links.read(bad)
    scene.clock.advance(86_401)
    with pytest.raises(NotFoundError):
        links.read(text)
    assert AckLinks(Vault(), scene.ids, scene.clock, CONSOLE).url(channel, alert) == ""


async def test_notices_wait_while_the_calendar_of_their_rule_asks_for_quiet(watched: Watched, scene: Scene) -> None:
    now = scene.clock.now()
    free = Blackout(since=now - timedelta(minutes=1), until=now + timedelta(minutes=3))
    words = Words(actor=Actor("anna"))
    await scene.scheduler.calendars.put(
        NAMESPACE, CalendarSpec(name="holidays", blackouts=(free,)), Expected(absent=True), words
    )
    await watched.define(msgspec.structs.replace(FAILS, quiet=Quiet(calendar="holidays")))
    await watched.fail("nightly")
    await watched.let_pass(120)
    during = list(watched.inbox.got)
    found = await firing(watched, "fails")
    await watched.let_pass(120)

    assert during == []
    assert list(found) == ["job nightly"]
    assert [one.kind for one in watched.inbox.got] == [NoticeKind.FIRE]


async def test_a_calendar_that_does_not_exist_is_refused(watched: Watched) -> None:
    with pytest.raises(InvalidInputError, match="there is no calendar 'holidys'"):
        await watched.define(msgspec.structs.replace(FAILS, quiet=Quiet(calendar="holidys")))


async def test_a_workflow_run_that_waits_for_an_approver_is_not_stuck(watched: Watched, scene: Scene) -> None:
    await begun(scene, approval="A large order")
    await set_rule(watched, AlertKind.WORKFLOW_STUCK, job="*", older_than=10 * MINUTE)
    await watched.let_pass(11 * MINUTE)

    assert await firing(watched) == {}


async def test_a_database_that_is_away_is_told_by_the_server_itself_and_so_is_its_return(
    watched: Watched, scene: Scene
) -> None:
    await watched.define(channel=msgspec.structs.replace(OPS, cluster=True))
    known = watched.alerting.evaluating._definitions
    await known.read()
    reason = ["cannot connect"]
    telling = TellStoreAway(scene.clock, known, watched.alerting.sending, lambda: reason[0])
    for _ in range(20):
        await telling.tick()
        scene.clock.advance(5)
    away = list(watched.inbox.got)
    reason[0] = ""
    await telling.tick()

    assert [one.title for one in away] == ["The database is away"]
    assert away[0].lines[0].startswith("cannot connect: accepted runs are safe")
    assert watched.inbox.got[-1].kind is NoticeKind.RECOVER
    assert watched.inbox.got[-1].lines == ("it was away for 1 min",)


async def test_a_fail_over_is_not_told(watched: Watched, scene: Scene) -> None:
    await watched.define(channel=msgspec.structs.replace(OPS, cluster=True))
    known = watched.alerting.evaluating._definitions
    await known.read()
    reason = ["cannot connect"]
    telling = TellStoreAway(scene.clock, known, watched.alerting.sending, lambda: reason[0])
    await telling.tick()
    scene.clock.advance(30)
    reason[0] = ""
    await telling.tick()

    assert watched.inbox.got == []


async def test_an_slo_of_a_trigger_counts_fire_times_that_were_skipped(watched: Watched, scene: Scene) -> None:
    await scene.attach()
    spec = TriggerSpec(name="minutely", job="report", when=Every(every=60.0), misfire=Misfire.SKIP)
    await scene.scheduler.triggers.define(NAMESPACE, [spec], actor=ANNA)
    slo = SloSpec(trigger="minutely", indicator=Indicator.FIRED, objective=0.9)
    await watched.alerting.definitions.set_slo(NAMESPACE, "fires", slo, actor=ANNA)
    scene.clock.advance(600)
    while await scene.scheduler.timing.firing.tick():
        pass
    await watched.let_pass(60)
    [made] = await watched.alerting.definitions.slos(NAMESPACE)
    standing = await watched.alerting.standings.read(made, scene.clock.now())

    assert standing is not None
    assert standing.whole.bad >= 1
    assert "slo.fires.fast" in [one.rule for one in await scene.store.alerts.open()]


async def test_an_slo_is_about_a_job_or_a_trigger(watched: Watched) -> None:
    for spec in (SloSpec(), SloSpec(job="a", trigger="b"), SloSpec(job="a", indicator=Indicator.FIRED)):
        with pytest.raises(InvalidInputError):
            await watched.alerting.definitions.set_slo(NAMESPACE, "bad", spec, actor=ANNA)


async def test_an_slo_of_a_trigger_counts_late_starts_of_its_runs(watched: Watched, scene: Scene) -> None:
    await scene.store.jobs.register(NAMESPACE, [], now=scene.clock.now())
    await scene.attach()
    spec = TriggerSpec(name="minutely", job="report", when=Every(every=60.0))
    await scene.scheduler.triggers.define(NAMESPACE, [spec], actor=ANNA)
    slo = SloSpec(trigger="minutely", indicator=Indicator.START, within=30.0, objective=0.9)
    await watched.alerting.definitions.set_slo(NAMESPACE, "starts", slo, actor=ANNA)
    for _ in range(5):
        scene.clock.advance(60)
        while await scene.scheduler.timing.firing.tick():
            pass
    [made] = await watched.alerting.definitions.slos(NAMESPACE)
    standing = await watched.alerting.standings.read(made, scene.clock.now())

    assert standing is not None
    assert standing.whole.bad >= 3

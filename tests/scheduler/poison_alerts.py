"""Alerts of the poison test's life: two rules that fire, each with a channel of its own; of each, the first row is spoilt."""

from datetime import timedelta

from mainspring.domain.alerts.channel import ChannelKind, ChannelSpec
from mainspring.domain.alerts.rule import AlertKind, AlertSpec
from mainspring.store.interface import AlertFilter, NoticeFilter
from tests.scheduler.scene import NAMESPACE, Scene
from tests.words import ANNA

JOBS = {"aged": "aged", "good": "report"}


class Alarms:
    def __init__(self, scene: Scene) -> None:
        self._scene = scene

    async def begin(self) -> None:
        alerting, now = self._scene.scheduler.alerting, self._scene.clock.now()
        channel = ChannelSpec(kind=ChannelKind.WEBHOOK, url="https://hooks.example.com", secret="hush")
        for name, job in JOBS.items():
            await alerting.definitions.set_channel(NAMESPACE, name, channel, actor=ANNA, is_admin=True)
            rule = AlertSpec(kind=AlertKind.RUN_FAILED, job=job, over=3600, notify=(name,))
            await alerting.definitions.set_rule(NAMESPACE, name, rule, actor=ANNA)
            until = now + timedelta(days=1)
            await alerting.operations.silence(
                NAMESPACE, rule=f"{name}-quiet", subject="*", until=until, reason="", actor=ANNA
            )
        await alerting.evaluating.tick()

    async def hold(self) -> None:
        """The second rule's alert fires, and its channel was tried."""
        store = self._scene.store
        [alert] = await store.alerts.list(AlertFilter(namespace=NAMESPACE, rule="good"))
        notices = await store.notices.list(NoticeFilter(namespace=NAMESPACE, channel="good"))

        assert alert.fired_at is not None
        assert any(one.tries for one in notices)

"""Applies the triggers of the executor's code for `mainspring up`, and lists them."""

import logging
import threading
from collections.abc import Callable, Collection

import click

from mainspring.cli.client import open_client
from mainspring.cli.commands.triggers.plan_output import summary
from mainspring.cli.commands.triggers.sources import Written, read_app
from mainspring.cli.commands.triggers.zones import zoned
from mainspring.cli.output.terminal import escape
from mainspring.client.client import Client
from mainspring.contract.triggers import PlanInfo, TriggerInfo
from mainspring.errors import MainspringError
from mainspring.settings import ExecutorSettings
from mainspring.wire.messages import Welcome

log = logging.getLogger("mainspring.up")

SHOWN_MAX = 10
AGAIN = 30.0
"""Seconds until what was blocked is tried again."""


class ApplyOnce:
    """Applies the triggers once, after the first welcome of a server."""

    def __init__(
        self,
        apps: str,
        settings: ExecutorSettings,
        *,
        home: str | None,
        config: str | None,
        pause: Callable[[float], object] | None = None,
    ) -> None:
        self._pause = pause or threading.Event().wait
        self._apps = apps.split()
        self._target = {
            "url": ",".join(settings.servers),
            "namespace": settings.namespace,
            "home": home,
            "config": config,
        }
        self._begun = False

    def __call__(self, _welcome: Welcome) -> None:
        if not self._begun:
            self._begun = True
            # Not on the link's loop, which has leases to keep.
            threading.Thread(target=self.apply, name="mainspring-apply", daemon=True).start()

    def apply(self) -> None:
        """Until nothing is blocked any more: the calendar of a trigger may come later."""
        blocked: Collection[str] | None = None
        while blocked is None or blocked:
            if blocked is not None:
                self._pause(AGAIN)
            blocked = self._apply(told=blocked)

    def _apply(self, *, told: Collection[str] | None) -> Collection[str]:
        """The names of blocked definitions, without those that were logged before."""
        try:
            with open_client(**self._target) as client:
                return {name for app in self._apps for name in apply_app(client, app, told=told)}
        except MainspringError as error:
            log.warning("could not apply the triggers of the code: %s", error)
            return told or ()


def apply_app(client: Client, app: str, *, told: Collection[str] | None = None) -> list[str]:
    """Apply the app's definitions, and remove those that left the code; return the names of the blocked ones."""
    written = read_app(app)
    plan = client.plans.apply(written.owner, written.triggers, **written.parts, note="mainspring up")
    for item in plan.of("blocked"):
        if item.name not in (told or ()):
            log.warning("%s is not applied yet: %s", escape(item.name), escape(item.reason))
    if told is None or plan.of("add", "change", "remove"):
        tell(client, written, plan)
    return [item.name for item in plan.of("blocked")]


def tell(client: Client, written: Written, plan: PlanInfo) -> None:
    if plan.items:
        log.info("definitions of %s: %s", plan.owner, summary(plan))
    if written.triggers:
        shown = client.triggers.list(owner=written.owner, limit=SHOWN_MAX).triggers
        click.echo(announcement(shown, len(written.triggers)))


def announcement(triggers: list[TriggerInfo], count: int) -> str:
    head = f"{count} trigger{'s' if count != 1 else ''}:"
    lines = [f"  {escape(each.name)}: {escape(each.words)}{following(each)}" for each in triggers]
    more = [f"  and {count - len(triggers)} more: mainspring triggers list"] if count > len(triggers) else []
    return "\n".join([head, *lines, *more])


def following(trigger: TriggerInfo) -> str:
    if trigger.state == "paused":
        return "; paused"
    return "" if trigger.next_due is None else f"; next {zoned(trigger, trigger.next_due)}"

"""Applies the triggers of the executor's code for `mainspring up`, and lists them."""

import logging
import threading

import click

from mainspring.cli.client import open_client
from mainspring.cli.commands.triggers.plan_output import summary
from mainspring.cli.commands.triggers.sources import read_app
from mainspring.cli.commands.triggers.zones import zoned
from mainspring.cli.output.terminal import escape
from mainspring.client.client import Client
from mainspring.contract.triggers import TriggerInfo
from mainspring.errors import MainspringError
from mainspring.settings import ExecutorSettings
from mainspring.wire.messages import Welcome

log = logging.getLogger("mainspring.up")

SHOWN_MAX = 10


class ApplyOnce:
    """Applies the triggers once, after the first welcome of a server."""

    def __init__(self, apps: str, settings: ExecutorSettings, *, home: str | None, config: str | None) -> None:
        self._apps = apps.split()
        self._target = {
            "url": settings.servers[0],
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
        try:
            with open_client(**self._target) as client:
                for app in self._apps:
                    apply_app(client, app)
        except MainspringError as error:
            log.warning("could not apply the triggers of the code: %s", error)


def apply_app(client: Client, app: str) -> None:
    """Apply the app's triggers, and remove those that left the code."""
    written = read_app(app)
    plan = client.plans.apply(written.owner, written.triggers, note="mainspring up")
    if plan.triggers:
        log.info("triggers of %s: %s", plan.owner, summary(plan))
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

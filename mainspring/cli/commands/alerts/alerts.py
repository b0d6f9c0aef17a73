"""`mainspring alerts`."""

from collections.abc import Sequence
from datetime import timedelta

import click

from mainspring.cli.commands.alerts.apply import apply_alerts, plan_alerts
from mainspring.cli.commands.alerts.fields import field_options, read_fields, written
from mainspring.cli.durations import read_seconds
from mainspring.cli.groups import NounGroup
from mainspring.cli.output.sheets import Sheet
from mainspring.cli.output.tables import cell, note
from mainspring.cli.verbs import calls, deletes_one, lists, prints
from mainspring.client.client import Client
from mainspring.clock import SystemClock
from mainspring.contract.alerts.views import (
    AlertInfo,
    AlertPage,
    AlertRuleInfo,
    AlertRulePage,
    FindingPage,
    SilenceInfo,
    SilencePage,
)
from mainspring.domain.alerts.check_rule import CODE
from mainspring.domain.alerts.rule import AlertSpec
from mainspring.domain.alerts.written import read_written

SUBJECTS = ("job", "queue", "trigger", "executor", "breaker", "slo")


def about(rule: AlertRuleInfo) -> str:
    return ", ".join(f"{field} {rule.spec[field]}" for field in SUBJECTS if rule.spec.get(field))


ALERTS = Sheet(
    "alert",
    columns=("id", "severity", "state", "rule", "subject", ("since", "since_at"), "words", ("acked by", "acked_by")),
    facts=(
        ("alert", "id"),
        *("rule", "subject", "severity", "state", "words", "run", "value"),
        ("since", "since_at"),
        ("fired", "fired_at"),
        ("ended", "ended_at"),
        "notices",
        ("acknowledged", "acked_at"),
        ("by", "acked_by"),
        "note",
    ),
)
FINDINGS = Sheet(
    "finding",
    columns=("severity", "subject", ("found", "words"), ("since", "since_at"), ("what to do", "remedy"), "rule"),
    facts=("severity", "kind", "subject", "words", ("since", "since_at"), "remedy", "rule", "alert", "run"),
)
RULES = Sheet(
    "alert_rule",
    columns=(
        "name",
        ("kind", lambda rule: rule.spec.get("kind")),
        ("about", about),
        ("severity", lambda rule: rule.spec.get("severity", "warn")),
        ("notify", lambda rule: ", ".join(rule.spec.get("notify", ()))),
        "owner",
    ),
    facts=("name", ("rule", lambda rule: written(rule.spec)), "version", "owner", "author", ("updated", "updated_at")),
)
SILENCES = Sheet(
    "silence",
    columns=("id", "rule", "subject", "until", "author", "reason"),
    facts=("id", "rule", "subject", "until", "author", "reason"),
)


@click.group(cls=NounGroup)
def alerts() -> None:
    """Inspect, acknowledge and silence alerts; define their rules."""


alerts.add_command(plan_alerts)
alerts.add_command(apply_alerts)


@alerts.command("list")
@click.option(
    "--state",
    "states",
    type=click.Choice(("pending", "firing", "resolved")),
    multiple=True,
    help="Only alerts in this state. Repeatable.",
)
@click.option("--rule", help="Only alerts of this rule.")
@lists(ALERTS)
def list_alerts(
    client: Client, *, states: Sequence[str], rule: str | None, limit: int, cursor: str | None
) -> AlertPage:
    """List alerts, the newest first."""
    return client.alerts.list(states=states, rule=rule, limit=limit, cursor=cursor)


@alerts.command("findings")
@prints(FINDINGS)
def list_findings(client: Client) -> FindingPage:
    """List what is wrong now, since when, and what to do, the worst first."""
    return client.alerts.findings()


@alerts.command("show")
@click.argument("alert")
@prints(ALERTS)
def show_alert(client: Client, *, alert: str) -> AlertInfo:
    """Show an alert."""
    return client.alerts.get(alert)


@alerts.command("ack")
@click.argument("alert")
@click.option("--note", "words", default="", help="Note, shown with the alert.")
@prints(ALERTS)
def acknowledge_alert(client: Client, *, alert: str, words: str) -> AlertInfo:
    """Acknowledge an alert: no repeats, no escalation."""
    return client.alerts.acknowledge(alert, note=words)


@alerts.command("rules")
@prints(RULES)
def list_rules(client: Client) -> AlertRulePage:
    """List the alert rules of the namespace."""
    return client.alert_rules.list()


@alerts.command("rule")
@click.argument("name")
@prints(RULES)
def show_rule(client: Client, *, name: str) -> AlertRuleInfo:
    """Show an alert rule."""
    return client.alert_rules.get(name)


@alerts.command("set")
@click.argument("name")
@field_options
@prints(RULES)
def set_rule(client: Client, *, name: str, kind: str, fields: Sequence[str]) -> AlertRuleInfo:
    """Define an alert rule, or replace it: --kind stale --set job=nightly --set older_than=26h --set notify=ops."""
    return client.alert_rules.set(name, read_written(read_fields(kind, fields), AlertSpec, code=CODE))


@alerts.command("delete")
@deletes_one("alert rule")
def delete_rule(client: Client, name: str) -> None:
    """Delete an alert rule; its alerts end."""
    client.alert_rules.delete(name)


@alerts.command("silence")
@click.option("--rule", default="*", show_default=True, help="Rule, or a pattern.")
@click.option("--subject", default="*", show_default=True, help="Subject such as 'job nightly', or a pattern.")
@click.option("--for", "seconds", required=True, callback=read_seconds, metavar="TIME", help="How long, up to 90d.")
@click.option("--reason", default="", help="Reason, shown with the silence.")
@prints(SILENCES)
def silence_alerts(client: Client, *, rule: str, subject: str, seconds: float, reason: str) -> SilenceInfo:
    """Send no notices about matching alerts for a while."""
    until = SystemClock().now() + timedelta(seconds=seconds)
    return client.silences.create(rule=rule, subject=subject, until=until, reason=reason)


@alerts.command("silences")
@prints(SILENCES)
def list_silences(client: Client) -> SilencePage:
    """List the silences that have not ended."""
    return client.silences.list()


@alerts.command("unsilence")
@click.argument("silence")
@calls
def end_silence(client: Client, *, silence: str) -> None:
    """End a silence before its time."""
    client.silences.end(silence)
    note(f"silence {cell(silence)} has ended")

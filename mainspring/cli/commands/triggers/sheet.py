"""How triggers are printed."""

from collections.abc import Iterable
from datetime import datetime

from mainspring.cli.commands.triggers.zones import zoned
from mainspring.cli.output.sheets import Fact, Sheet, nonzero
from mainspring.cli.output.tables import cell, compact_json
from mainspring.clock import SystemClock
from mainspring.contract.triggers import TriggerInfo

SHOWN = ("name", "job", "when")
"""Fields of the definition that have facts of their own."""


def show_state(trigger: TriggerInfo) -> str:
    pause = trigger.paused
    if pause is None:
        return trigger.state
    why = f": {cell(pause.reason)}" if pause.reason else ""
    return f"paused by {cell(pause.by)} at {cell(pause.at)}{why}"


def show_owner(trigger: TriggerInfo) -> str | None:
    return (f"{trigger.owner}, changed since" if trigger.drifted else trigger.owner) or None


def show_replays(trigger: TriggerInfo) -> str | None:
    """What a repeated call of a webhook does."""
    rule = trigger.spec["when"]
    if rule["kind"] != "webhook":
        return None
    if rule.get("remember_calls"):
        return "start no second run: signed calls are remembered"
    if rule.get("key"):
        return f"start no second run with the same {cell(rule['key'])}"
    timed = rule.get("timestamp_header")
    when = f"within {rule.get('tolerance', 300.0):g} s of signing" if timed else "at any time"
    return f"start another run {when}; remember_calls prevents that"


def definition_facts(trigger: TriggerInfo) -> list[Fact]:
    rest = [(name, value) for name, value in trigger.spec.items() if name not in SHOWN and value]
    return [(name.replace("_", " "), value if isinstance(value, str) else compact_json(value)) for name, value in rest]


TRIGGERS = Sheet(
    "trigger",
    columns=(
        *("name", ("job", lambda trigger: trigger.spec["job"]), ("fires", "words"), "state"),
        ("next", lambda trigger: zoned(trigger, trigger.next_due)),
        ("last", lambda trigger: zoned(trigger, trigger.last_fire_at)),
        "fired",
    ),
    facts=(
        *(("trigger", "name"), ("job", lambda trigger: trigger.spec["job"]), ("fires", "words")),
        ("rule", lambda trigger: compact_json(trigger.spec["when"])),
        ("repeated calls", show_replays),
        ("state", show_state),
        *("revision", ("changed", "updated_at")),
        ("owner", show_owner),
        "fired",
        ("last", lambda trigger: zoned(trigger, trigger.last_fire_at)),
        *(("failures", nonzero("failures")), "pending"),
        ("held", lambda trigger: fire_times(trigger, trigger.held)),
        ("skipped", lambda trigger: fire_times(trigger, ahead(trigger.skips))),
    ),
    more_facts=definition_facts,
    outcome=show_state,
    by_prefix=True,
)
WRITTEN = Sheet(
    "trigger",
    facts=(
        *(("trigger", "name"), "revision", ("job", lambda trigger: trigger.spec["job"]), ("fires", "words"), "state"),
        ("next", lambda trigger: zoned(trigger, trigger.next_due)),
    ),
)
"""A trigger after an operator created or changed it."""


def fire_times(trigger: TriggerInfo, times: Iterable[datetime]) -> str | None:
    return ", ".join(str(zoned(trigger, at)) for at in times) or None


def ahead(times: Iterable[datetime]) -> list[datetime]:
    now = SystemClock().now()
    return [at for at in times if at > now]

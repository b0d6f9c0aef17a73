"""Why a trigger has not fired: its pause, the runs that it waits for, its last skipped fire time, its next one."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from mainspring.domain.ids import id_text
from mainspring.domain.limits.obstacles import Obstacle, quoted
from mainspring.domain.triggers.fire_times.expected import Instant
from mainspring.domain.triggers.fire_times.misfires import SkipReason
from mainspring.domain.triggers.spec import is_timed
from mainspring.domain.triggers.trigger import Trigger, TriggerState

SKIPPED: dict[SkipReason, str] = {
    SkipReason.MISSED: "no server was running then, and its misfire policy lets missed fire times go",
    SkipReason.TOO_LATE: "its start deadline had passed before a server could fire it",
    SkipReason.TOO_MANY: "more fire times were due than may fire at once",
    SkipReason.OVERLAP: "the run of an earlier fire time was under way (overlap policy)",
    SkipReason.HELD_FULL: "as many fire times as may wait for the run under way did so already",
    SkipReason.PAUSED: "the trigger was paused",
    SkipReason.ASKED: "an operator skipped it",
    SkipReason.CALENDAR: "its calendar leaves that day out",
    SkipReason.REPLACED: "a later fire time took its place while it waited",
    SkipReason.JOB_GONE: "its job does not exist any more",
    SkipReason.DELETED: "the trigger was deleted before it fired",
}


def trigger_reasons(trigger: Trigger, past: Sequence[Instant], now: datetime) -> list[Obstacle]:
    """The weightiest reason first; `past` are its fire times of late, oldest first."""
    return [*standing(trigger), *skipped(trigger, past), *upcoming(trigger, now)]


def standing(trigger: Trigger) -> Iterator[Obstacle]:
    if (pause := trigger.paused) is not None:
        yield Obstacle(
            code="trigger_paused",
            reason=None,
            text=f"Trigger {trigger.name} is paused by {pause.by or 'an operator'}{quoted(pause.reason)}",
            remedy=f"mainspring triggers resume {trigger.name}",
            since=pause.at,
            facts={"by": pause.by, "reason": pause.reason},
        )
    elif trigger.state is TriggerState.ENDED:
        text = f"Trigger {trigger.name} has no fire time left; it fired {trigger.fired} times"
        yield Obstacle(code="ended", reason=None, text=text, facts={"fired": trigger.fired})
    if trigger.held:
        runs = [id_text(run) for run in trigger.pending]
        text = f"{len(trigger.held)} fire times wait for runs that are under way (overlap policy)"
        yield Obstacle(code="overlap", reason=None, text=text, since=trigger.held[0], facts={"runs": runs})


def skipped(trigger: Trigger, past: Sequence[Instant]) -> Iterator[Obstacle]:
    """The last fire time that was skipped, unless the trigger has fired since."""
    last = next((one for one in reversed(past) if one.reason is not None), None)
    if last is None or last.reason is None or (trigger.last_fire_at is not None and trigger.last_fire_at > last.at):
        return
    text = f"It skipped {last.at:%Y-%m-%d %H:%M:%S} UTC: {SKIPPED[last.reason]}"
    yield Obstacle(code=f"skipped_{last.reason}", reason=None, text=text, since=last.at)


def upcoming(trigger: Trigger, now: datetime) -> Iterator[Obstacle]:
    if not is_timed(trigger.spec):
        yield Obstacle(code="not_timed", reason=None, text="It fires when it is called, or when its event comes")
    elif trigger.paused is None and trigger.next_due is not None:
        late = trigger.next_due <= now
        text = "Its fire time has come; a server is about to fire it" if late else "Its next fire time has not come"
        yield Obstacle(code="not_due", reason=None, text=text, until=trigger.next_due)

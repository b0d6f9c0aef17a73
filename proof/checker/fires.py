"""Due instants: each is fired or skipped exactly once, never early, and never by a trigger that stands still."""

from collections import Counter, defaultdict
from collections.abc import Iterator

from proof.checker.fires_story import Firing, Step, firing_of, is_timed, lasting, rule_of, spec_of
from proof.checker.fires_walker import EVER, MICROS
from proof.checker.story import Story
from proof.checker.verdict import Violation
from proof.records import FireChange, TriggerChange

ROUNDED = 1e-3
"""Seconds that an instant may lose on its way through the records."""


def misaccounted(story: Story) -> Iterator[Violation]:
    """S11: a move accounts for exactly the instants that it passes: fired, skipped or held, and each once."""
    firing = firing_of(story)
    for step in firing.steps:
        before, after = step.before, step.after
        if after is None or after.gone or not is_timed(after) or (before is not None and not is_timed(before)):
            continue
        passed, due = expected(firing, step, before, after)
        # What lies days ahead is not walked to.
        found = [at for at in accounted(firing, step) if at < firing.span[1]]
        if Counter(passed) != Counter(found):
            missing, more = Counter(passed) - Counter(found), Counter(found) - Counter(passed)
            message = f"of trigger {after.name} {told(firing, missing)} got lost, {told(firing, more)} came up"
            yield story.blame("S11", message, lines=step.lines)
        elif due is not None and after.next_due != due:
            message = f"trigger {after.name} goes on at {after.next_due}, and its rule at {due}"
            yield story.blame("S11", message, lines=step.lines)


def expected(
    firing: Firing, step: Step, before: TriggerChange | None, after: TriggerChange
) -> tuple[list[int], int | None]:
    """The instants that the step has to account for, and the one at which the trigger goes on, if that is known."""
    until = EVER if after.next_due is None else after.next_due
    if before is None or rule_of(before) != rule_of(after):
        # What came until now is accounted for by the rule before; the new one begins behind now.
        passed = [] if before is None else firing.open(step, before, step.first_open, after.updated_at + 1)
        first = after.updated_at + (0 if spec_of(after)["when"]["kind"] == "once" else 1)
        ahead = firing.open(step, after, first, EVER)
        return passed, ahead[0] if ahead and not is_exhausted(after) and after.next_due is not None else None
    passed = firing.open(step, after, step.first_open, until)
    if is_exhausted(after):
        last = max(accounted(firing, step), default=0)
        passed = [at for at in passed if at <= last]
    return [at for at in passed if not is_entered_before(firing, step, at)], regained(firing, step, before, after)


def regained(firing: Firing, step: Step, before: TriggerChange, after: TriggerChange) -> int | None:
    """The instant that takes the place of one that waited and was dropped, of a trigger that may fire so often only."""
    if step.by_people or after.paused or not step.skips or not is_exhausted(before) or is_exhausted(after):
        return None
    ahead = firing.open(step, after, max(step.skips[0].now, *before.held) + 1, EVER)
    return ahead[0] if ahead else None


def is_exhausted(row: TriggerChange) -> bool:
    most = spec_of(row).get("fires_max")
    return most is not None and row.fired + len(row.held) >= most


def is_entered_before(firing: Firing, step: Step, at: int) -> bool:
    """A rule that begins anew when clocks were set back may name what had its run already."""
    line = firing.ledger[step.trigger].get(at)
    return line is not None and line.seq < step.seq


def accounted(firing: Firing, step: Step) -> list[int]:
    """Instants for which the step found a place, without those that had been waiting for one."""
    waited = set(step.before.held) if step.before is not None else set()
    now_held = [at for at in (step.after.held if step.after is not None else []) if at not in waited]
    fires = [line.fire_at for line in step.fires]
    return [at for at in [*fires, *skipped(firing, step)] if at not in waited] + now_held


def skipped(firing: Firing, step: Step) -> list[int]:
    """Each instant of the spans that were left out; a span's own ends count even if no rule names them."""
    rule = step.before or step.after
    found: list[int] = []
    for line in step.skips:
        if line.reason == "calendar":
            # No place among those that the calendar lets count; what else lies within has one of its own.
            continue
        within = firing.open(step, rule, line.first, line.last + 1) if rule is not None and is_timed(rule) else []
        found += sorted({*within, line.first, line.last})
    return found


def told(firing: Firing, instants: Counter[int]) -> str:
    return ", ".join(f"{firing.time_of(at):.3f}" for at in sorted(instants)) or "nothing"


def forgotten_while_held(story: Story) -> Iterator[Violation]:
    """S11: an instant that waits is fired or skipped in the end, and not just gone."""
    firing = firing_of(story)
    for step in firing.steps:
        if step.before is None or step.after is None or step.before.gone:
            continue
        placed = {*skipped(firing, step), *(line.fire_at for line in step.fires)}
        placed |= set() if step.after.gone else set(step.after.held)
        for at in set(step.before.held) - placed:
            message = f"the instant {firing.time_of(at):.3f} of trigger {step.after.name} waited, and is gone"
            yield story.blame("S11", message, lines=step.lines)


def fired_although_skipped(story: Story) -> Iterator[Violation]:
    """S11: what people wanted left out is not fired, whatever becomes of the rule."""
    firing = firing_of(story)
    for trigger, lines in firing.asked.items():
        for line in lines:
            if line.first in firing.ledger[trigger]:
                message = f"the instant {firing.time_of(line.first):.3f} was skipped when a caller asked, and fired"
                yield story.blame("S11", message, lines=[line, firing.ledger[trigger][line.first]])


def twice(story: Story) -> Iterator[Violation]:
    """S11: no instant has two places, as long as the rule is the same."""
    firing = firing_of(story)
    for trigger, steps in firing.by_trigger.items():
        rules = {str(rule_of(step.after)) for step in steps if step.after is not None}
        places = Counter(at for step in steps for at in skipped(firing, step))
        places.update(firing.ledger[trigger].keys())
        for at in (at for at, count in places.items() if count > 1 and len(rules) == 1):
            lines = [line for step in steps for line in step.lines if not isinstance(line, TriggerChange)]
            yield story.blame("S11", f"the instant {firing.time_of(at):.3f} has two places", lines=lines)


def executed_twice(story: Story) -> Iterator[Violation]:
    """S11: by the handlers' own word no instant has two runs, unless a fail-over has forgotten one of them."""
    owner = {line.run: line.trigger for line in story.records.fires}
    lost = {line.run for line in story.records.fires if line.lost}
    runs: dict[tuple[str, int], set[str]] = defaultdict(set)
    for start in story.records.executions:
        if start.event == "start" and start.fire_at is not None and start.run not in lost:
            runs[start.trigger, start.fire_at].add(start.run)
    for (name, at), several in runs.items():
        # A trigger that was taken away and made anew under its name is another one.
        owners = [owner.get(run, 0) for run in several]
        if len(several) > 1 and (0 in owners or len(set(owners)) < len(several)):
            lines = [line for run in sorted(several) for line in story.executions[run]]
            message = f"the instant {firing_of(story).time_of(at):.3f} of trigger {name} was executed twice"
            yield story.blame("S11", message, lines=lines)


def unledgered(story: Story) -> Iterator[Violation]:
    """S11: the ledger and the runs say the same."""
    firing = firing_of(story)
    entered = {line.run: line for _, _, line in lasting(firing)}
    rows = {row.run: row for row in story.records.run_rows}
    for row in rows.values():
        if row.fire_at is not None and row.run not in entered:
            yield story.blame("S11", f"a run of trigger {row.trigger} that the ledger does not have", row.run, [row])
    for run, line in entered.items():
        found = rows.get(run)
        if found is None or found.fire_at != line.fire_at:
            yield story.blame("S11", f"the ledger has {firing.time_of(line.fire_at):.3f}, and no run", run, [line])


def early_fire(story: Story) -> Iterator[Violation]:
    """S12: no run of a trigger is due, or executed, before its instant."""
    firing = firing_of(story)
    margin = story.setup.clocks_apart + story.setup.slack + ROUNDED
    for line in story.records.fires:
        chain = story.all_chains.get(line.run)
        if line.on and chain and chain[0].due_at < firing.time_of(line.fire_at) - ROUNDED:
            yield story.blame("S12", "its run is due before the instant", line.run, [line, chain[0]])
    for done in story.records.executions:
        if done.fire_at is not None and done.at < firing.time_of(done.fire_at) - margin:
            yield story.blame("S12", "executed before the instant of its trigger", done.run, [done])


def fired_while_paused(story: Story) -> Iterator[Violation]:
    """S19: a trigger that is paused or gone fires at nothing."""
    for step in firing_of(story).steps:
        still = step.before is not None and (step.before.gone or step.before.paused)
        resumed = step.after is not None and not step.after.paused and not step.after.gone and step.by_people
        if still and not resumed and step.fires:
            yield story.blame("S19", "fired by a trigger that stands still", step.fires[0].run, step.lines)


def left_prepared(story: Story) -> Iterator[Violation]:
    """S19: what was prepared for a trigger does not outlive its pause, its end, or another definition."""
    firing = firing_of(story)
    for steps in firing.by_trigger.values():
        entered: dict[int, FireChange] = {}
        for step in steps:
            for line in step.withdrawn:
                entered.pop(line.fire_at, None)
            if is_a_change(step):
                yield from still_prepared(firing, step, list(entered.values()))
            entered |= {line.fire_at: line for line in step.fires}


def is_a_change(step: Step) -> bool:
    before, after = step.before, step.after
    if before is None or after is None:
        return False
    return after.gone or (after.paused and not before.paused) or after.revision != before.revision


def still_prepared(firing: Firing, step: Step, entered: list[FireChange]) -> Iterator[Violation]:
    story, after = firing.story, step.after
    assert after is not None
    # When it went, or paused by itself, nobody wrote down; and a server's clock may be off.
    margin = story.setup.clocks_apart + story.setup.slack + ROUNDED
    untold = after.gone or (step.before is not None and step.before.updated_at == after.updated_at)
    now = (story.setup.epoch + step.at + margin) * MICROS if untold else after.updated_at
    for line in entered:
        chain = [one for one in story.chains.get(line.run, []) if one.seq < step.seq]
        waits = bool(chain) and chain[-1].state == "queued" and chain[-1].attempt == 0
        if line.fire_at > now and waits:
            message = f"its run of {firing.time_of(line.fire_at):.3f} was left behind"
            yield story.blame("S19", message, line.run, [line, after])

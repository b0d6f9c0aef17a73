"""What was done to triggers, transaction by transaction."""

from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property
from typing import Any

import msgspec

from proof.checker.fires_walker import MICROS, walk
from proof.checker.story import Story
from proof.records import FireChange, SkipChange, TriggerChange

EVER = 1 << 62
MARGIN = 100 * MICROS
FARTHEST = 7200 * MICROS
"""How far from the trial instants are looked for, however far off a clock is."""


class Step(msgspec.Struct, kw_only=True):
    """What one transaction did to one trigger."""

    at: float
    seq: int
    before: TriggerChange | None
    """None: it is new."""
    after: TriggerChange | None = None
    """None: its row was not touched."""
    fires: list[FireChange] = []
    withdrawn: list[FireChange] = []
    skips: list[SkipChange] = []

    @property
    def trigger(self) -> int:
        return self.lines[0].trigger

    @property
    def lines(self) -> list[TriggerChange | FireChange | SkipChange]:
        rows = [row for row in (self.before, self.after) if row is not None]
        return [*rows, *self.withdrawn, *self.fires, *self.skips]

    @property
    def first_open(self) -> int:
        """The first instant that was not accounted for, once what was prepared is withdrawn."""
        due = EVER if self.before is None or self.before.next_due is None else self.before.next_due
        return min([due, *(line.fire_at for line in self.withdrawn)])

    @property
    def by_people(self) -> bool:
        """Whether somebody asked for it; what servers do by themselves leaves these as they are."""
        if self.before is None or self.after is None or self.after.gone:
            return True
        asked = any(line.reason == "asked" for line in self.skips)
        edited = (self.before.updated_at, self.before.revision) != (self.after.updated_at, self.after.revision)
        return asked or bool(self.withdrawn) or edited

    @property
    def follows(self) -> bool:
        """Whether runs that it waited for were found to be over."""
        if self.before is None or self.after is None:
            return False
        return not set(self.before.pending) <= set(self.after.pending)


class Firing:
    """All steps of all triggers, and the instants of their rules."""

    def __init__(self, story: Story) -> None:
        self.story = story
        self._walked: dict[tuple[str, int], list[int]] = {}

    @cached_property
    def steps(self) -> list[Step]:
        """What the store remembers, in the order of commits."""
        records = self.story.records
        every: list[TriggerChange | FireChange | SkipChange] = [*records.triggers, *records.fires, *records.skips]
        lines = sorted(every, key=lambda line: line.seq)
        rows: dict[int, TriggerChange] = {}
        found: dict[tuple[int, int], Step] = {}
        for line in lines:
            if line.lost:
                continue
            key = line.commit, line.trigger
            if key not in found:
                found[key] = Step(at=line.at, seq=line.seq, before=rows.get(line.trigger))
            step = found[key]
            if isinstance(line, TriggerChange):
                step.after = rows[line.trigger] = line
            elif isinstance(line, SkipChange):
                step.skips = [*step.skips, line]
            elif line.on:
                step.fires = [*step.fires, line]
            else:
                step.withdrawn = [*step.withdrawn, line]
        return list(found.values())

    @cached_property
    def by_trigger(self) -> dict[int, list[Step]]:
        found: dict[int, list[Step]] = defaultdict(list)
        for step in self.steps:
            found[step.trigger].append(step)
        return found

    @cached_property
    def ledger(self) -> dict[int, dict[int, FireChange]]:
        """Instants with their runs, by trigger, as they are in the end."""
        found: dict[int, dict[int, FireChange]] = defaultdict(dict)
        for line in self.story.records.fires:
            if not line.lost and line.on:
                found[line.trigger][line.fire_at] = line
            elif not line.lost:
                found[line.trigger].pop(line.fire_at, None)
        return found

    @cached_property
    def asked(self) -> dict[int, list[SkipChange]]:
        """Instants that people wanted left out, by trigger."""
        found: dict[int, list[SkipChange]] = defaultdict(list)
        for line in self.story.records.skips:
            if not line.lost and line.reason == "asked":
                found[line.trigger].append(line)
        return found

    @cached_property
    def span(self) -> tuple[int, int]:
        """From when to when instants are looked for."""
        records, epoch = self.story.records, round(self.story.setup.epoch * MICROS)
        last = max((line.at for line in records.operations), default=0.0)
        low, high = epoch - MARGIN, epoch + round(last * MICROS) + MARGIN
        dues = [line.fire_at for line in records.fires] + [line.last for line in records.skips]
        dues += [line.next_due for line in records.triggers if line.next_due is not None]
        near = [due for due in dues if epoch - FARTHEST < due < high + FARTHEST]
        return min([low, *near]), max([high, *near]) + 1

    def named(self, row: TriggerChange, since: int, until: int) -> list[int]:
        """The instants of its rule that count, from one to before another."""
        quiet = self._quiet(row)
        return [at for at in self._plain(row, since, until) if not is_within(quiet, at)]

    def left_out(self, row: TriggerChange, since: int, until: int) -> list[int]:
        """Those that its calendar does not let count."""
        quiet = self._quiet(row)
        return [at for at in self._plain(row, since, until) if is_within(quiet, at)]

    def _quiet(self, row: TriggerChange) -> list[tuple[int, int]]:
        return self.story.setup.calendars.get(spec_of(row).get("calendar", ""), [])

    def _plain(self, row: TriggerChange, since: int, until: int) -> list[int]:
        key = row.spec, row.created_at // MICROS
        if key not in self._walked:
            self._walked[key] = walk(spec_of(row), row.created_at, *self.span)
        return [at for at in self._walked[key] if since <= at < until]

    def open(self, step: Step, row: TriggerChange, since: int, until: int) -> list[int]:
        """The same without what had been left out before the step, because people wanted that."""
        asked = {line.first for line in self.asked[step.trigger] if line.seq < step.seq}
        return [at for at in self.named(row, since, until) if at not in asked]

    def time_of(self, at: int) -> float:
        """On the trial's own scale."""
        return at / MICROS - self.story.setup.epoch


def firing_of(story: Story) -> Firing:
    found: Firing | None = story.__dict__.get("_firing")
    if found is None:
        found = story.__dict__["_firing"] = Firing(story)
    return found


_specs: dict[str, dict[str, Any]] = {}


def spec_of(row: TriggerChange) -> dict[str, Any]:
    if row.spec not in _specs:
        _specs[row.spec] = msgspec.json.decode(row.spec)
    return _specs[row.spec]


def rule_of(row: TriggerChange) -> tuple[Any, ...]:
    """What decides which instants are named."""
    spec = spec_of(row)
    return spec["when"], spec.get("start_at"), spec.get("end_at"), spec.get("calendar")


def is_within(spans: list[tuple[int, int]], at: int) -> bool:
    return any(since <= at < until for since, until in spans)


def is_timed(row: TriggerChange) -> bool:
    """Whether its instants can be written down beforehand."""
    return bool(spec_of(row)["when"]["kind"] != "delay")


def is_followed(spec: dict[str, Any]) -> bool:
    return spec.get("overlap", "allow") != "allow" or "pause_after" in spec or spec["when"]["kind"] == "delay"


def lasting(firing: Firing) -> Iterator[tuple[int, int, FireChange]]:
    for trigger, instants in firing.ledger.items():
        for at, line in instants.items():
            yield trigger, at, line

"""What was done to triggers, transaction by transaction."""

from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property
from typing import Any

import msgspec

from proof.checker.fires_walker import EVER, MICROS, walk, within_bounds
from proof.checker.story import Story
from proof.records import FireChange, SkipChange, TriggerChange

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
        """Whether a caller asked for it; what servers do by themselves leaves these as they are."""
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
        self._under: dict[tuple[str, int], list[int]] = {}
        """The instants of triggers that go by a calendar."""

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
        return [at for at in self._counted(row) if since <= at < until]

    def left_out(self, row: TriggerChange, since: int, until: int) -> list[int]:
        """Those that its calendar does not let count: none where they only come later."""
        quiet = [] if is_put_off(row) else self._quiet(row)
        return [at for at in self._plain(row) if since <= at < until and is_within(quiet, at)]

    def ends(self, row: TriggerChange) -> set[int]:
        """When the times are over at which its calendar lets nothing start."""
        return {until for _, until in self._quiet(row)}

    def _quiet(self, row: TriggerChange) -> list[tuple[int, int]]:
        return self.story.setup.calendars.get(spec_of(row).get("calendar", ""), [])

    def _counted(self, row: TriggerChange) -> list[int]:
        quiet, key = self._quiet(row), (row.spec, row.created_at // MICROS)
        if not quiet:
            return self._plain(row)
        if key not in self._under:
            if is_put_off(row):
                found = within_bounds(spec_of(row), {put_off(quiet, at) for at in self._plain(row, bounds=False)})
            else:
                found = [at for at in self._plain(row) if not is_within(quiet, at)]
            self._under[key] = found
        return self._under[key]

    def _plain(self, row: TriggerChange, *, bounds: bool = True) -> list[int]:
        """The same without a calendar."""
        spec, key = spec_of(row), (row.spec, row.created_at // MICROS)
        if key not in self._walked:
            self._walked[key] = walk(spec, row.created_at, *self.span)
        return within_bounds(spec, self._walked[key]) if bounds else self._walked[key]

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
    return spec["when"], *(spec.get(name) for name in ("start_at", "end_at", "calendar", "roll"))


def is_within(spans: list[tuple[int, int]], at: int) -> bool:
    return any(since <= at < until for since, until in spans)


def put_off(spans: list[tuple[int, int]], at: int) -> int:
    """The instant itself, or when the last of the spans ends that lie on each other around it."""
    while is_within(spans, at):
        at = max(until for since, until in spans if since <= at < until)
    return at


def is_put_off(row: TriggerChange) -> bool:
    """Whether instants at which nothing may start come when that is over."""
    return bool(spec_of(row).get("roll", "skip") == "next")


def is_timed(row: TriggerChange) -> bool:
    """Whether its instants can be written down beforehand."""
    return bool(spec_of(row)["when"]["kind"] != "delay")


def is_followed(spec: dict[str, Any]) -> bool:
    return spec.get("overlap", "allow") != "allow" or "pause_after" in spec or spec["when"]["kind"] == "delay"


def lasting(firing: Firing) -> Iterator[tuple[int, int, FireChange]]:
    for trigger, instants in firing.ledger.items():
        for at, line in instants.items():
            yield trigger, at, line

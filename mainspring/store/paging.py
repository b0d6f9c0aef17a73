"""How a page of runs is put together from several places, each read in the order of ids; no SQL."""

from collections.abc import Sequence

import msgspec

from mainspring.domain.ids import RunId, first_at
from mainspring.domain.runs.run import RunState
from mainspring.store.interface import RunFilter

ID_FIRST, ID_LAST = RunId(bytes(16)), RunId(b"\xff" * 16)
BODY_MAX = 64 * 1024
"""Bodies up to this size come with a list that asks for them."""
LIVE = tuple(state for state in RunState if not state.final)
PAST = tuple(state for state in RunState if state.final)


class Effort(msgspec.Struct, frozen=True, kw_only=True):
    """How much is looked at for one page, at most; so each filter takes some hundredths of a second."""

    glance: int = 500
    """Candidates of the first look ..."""
    glance_pages: int = 4
    """... or so many pages, if that is more."""
    look: int = 6000
    """Candidates of the longer look."""
    steps: int = 1300
    """Jobs times days that are looked into."""
    held: int = 3000
    """Running candidates, shared among the sessions that have them."""
    rounds: tuple[int, ...] = (300, 300)
    """Candidates that have a mark, after a first few ..."""
    live_only: int = 4
    """... or so many times that, if only live runs are asked for: they are looked up in one place."""
    count: int = 3000
    """How far runs with a mark are counted, to begin with the rarest."""

    def first(self, limit: int) -> int:
        return max(self.glance, self.glance_pages * limit)

    def sizes(self, more: int, *, past: bool) -> list[int]:
        """How many candidates with a mark are looked at in each round."""
        return [4 * more, *(size * (1 if past else self.live_only) for size in self.rounds)]


class IdSpan(msgspec.Struct, frozen=True):
    """The ids to look at, the first included and the last not, and in which order."""

    low: RunId
    high: RunId
    newest: bool

    def overlaps(self, low: RunId, high: RunId) -> bool:
        return self.low < high and low < self.high

    def enters(self, run: RunId) -> bool:
        """Whether reading up to that run is a step into the span at all."""
        return run < self.high if self.newest else run >= self.low

    def beyond(self, run: RunId) -> "IdSpan":
        """The runs after that one."""
        return msgspec.structs.replace(self, high=run) if self.newest else msgspec.structs.replace(self, low=above(run))

    def up_to(self, run: RunId) -> "IdSpan":
        """The runs up to that one."""
        return msgspec.structs.replace(self, low=run) if self.newest else msgspec.structs.replace(self, high=above(run))


class Found(msgspec.Struct, frozen=True):
    """Runs that match, in order, and how far they are complete: `reach` included, None being the end of the span."""

    runs: list[RunId]
    reach: RunId | None = None

    def is_enough(self, limit: int) -> bool:
        return self.reach is None or len(self.runs) >= limit


class Day(msgspec.Struct, frozen=True):
    """A day's table of settled runs: its name, and between which ids it holds them, the first included and the last not."""

    name: str
    low: RunId
    high: RunId


def span_of(query: RunFilter) -> IdSpan:
    low = ID_FIRST if query.since is None else first_at(query.since)
    high = ID_LAST if query.until is None else first_at(query.until)
    if query.ids is not None:
        low, high = max(low, query.ids[0]), min(high, above(query.ids[1]))
    span = IdSpan(low, high, not query.oldest_first)
    return span if query.after is None else span.beyond(query.after)


def merge(parts: Sequence[Found], span: IdSpan, limit: int) -> Found:
    """The runs of all parts in one order, as far as every part is complete."""
    reaches = [part.reach for part in parts if part.reach is not None]
    reach = (max if span.newest else min)(reaches, default=None)
    runs = sorted({run for part in parts for run in part.runs}, reverse=span.newest)
    if reach is not None:
        runs = [run for run in runs if (run >= reach if span.newest else run <= reach)]
    return Found(runs, reach) if len(runs) <= limit else Found(runs[:limit], runs[limit - 1])


def days_in_order(days: Sequence[Day], span: IdSpan) -> list[Day]:
    """The days that can hold something, in the order of the page."""
    within = [day for day in days if span.overlaps(day.low, day.high)]
    return sorted(within, key=lambda day: day.high if span.newest else day.low, reverse=span.newest)


def before_day(day: Day, span: IdSpan) -> RunId:
    """How far everything is known once all days are read that come before this one."""
    return day.high if span.newest else below(day.low)


def above(run: RunId) -> RunId:
    return RunId(min(int.from_bytes(run, "big") + 1, (1 << 128) - 1).to_bytes(16, "big"))


def below(run: RunId) -> RunId:
    return RunId(max(int.from_bytes(run, "big") - 1, 0).to_bytes(16, "big"))

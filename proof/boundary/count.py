"""What became of every instant, by two records that know nothing of each other: the ledger, and the handlers' own."""

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from pathlib import Path

import asyncpg
import msgspec

SECOND = timedelta(seconds=1)
FIRES = "SELECT t.name, f.fire_at FROM mainspring.fires AS f JOIN mainspring.triggers AS t ON t.id = f.trigger"
SKIPS = (
    "SELECT t.name, s.first_at, s.last_at FROM mainspring.skips AS s JOIN mainspring.triggers AS t ON t.id = s.trigger"
)

Instant = tuple[str, datetime]


class Done(msgspec.Struct, frozen=True):
    """One execution, by the handler's own word."""

    trigger: str
    fire_at: datetime
    run: str
    attempt: int
    at: datetime

    @property
    def delay(self) -> float:
        return (self.at - self.fire_at).total_seconds()


class Count(msgspec.Struct, frozen=True, kw_only=True):
    """Of how many instants; the rest ought to be nothing."""

    due: int
    lost: int
    """Neither fired nor skipped, by the ledger."""
    unexecuted: int
    """Fired, and no handler knows of it."""
    twice: int
    """Instants that several runs were executed for."""
    unknown: int
    """Executed, and not in the ledger."""
    skipped: int
    repeated: int
    """Executions beyond the first of a run."""

    @property
    def held(self) -> bool:
        return not (self.lost or self.unexecuted or self.twice or self.unknown)


def seconds_between(name: str, since: datetime, until: datetime) -> Iterable[Instant]:
    """Every second behind the one, up to the other."""
    at = since.replace(microsecond=0) + SECOND
    while at <= until:
        yield name, at
        at += SECOND


async def entered(url: str) -> tuple[set[Instant], set[Instant]]:
    """Instants that were fired and skipped, as PostgreSQL has them."""
    connection = await asyncpg.connect(url)
    try:
        fired = {(row["name"], row["fire_at"]) for row in await connection.fetch(FIRES)}
        spans = await connection.fetch(SKIPS)
    finally:
        await connection.close()
    skipped = {
        found for row in spans for found in seconds_between(row["name"], row["first_at"] - SECOND, row["last_at"])
    }
    return fired, skipped


def executed(path: Path) -> list[Done]:
    lines = (line.split(" ") for line in path.read_text().splitlines())
    return [
        Done(trigger, datetime.fromisoformat(fire_at), run, int(attempt), datetime.fromisoformat(at))
        for trigger, fire_at, run, attempt, at in lines
    ]


def count(
    spans: Mapping[str, tuple[datetime, datetime]], fired: set[Instant], skipped: set[Instant], done: list[Done]
) -> Count:
    due = {found for name, span in spans.items() for found in seconds_between(name, *span)}
    runs = Counter(key for key, _ in {((one.trigger, one.fire_at), one.run) for one in done})
    return Count(
        due=len(due),
        lost=len(due - fired - skipped),
        unexecuted=len(fired - runs.keys()),
        twice=sum(number > 1 for number in runs.values()),
        unknown=len(runs.keys() - fired),
        skipped=len(due & skipped),
        repeated=len(done) - len({one.run for one in done}),
    )

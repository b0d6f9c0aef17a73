"""Ends and begins the runs of workflows' steps, on PostgreSQL."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import asyncpg

from mainspring.domain.ids import RunId, SessionId, Token
from mainspring.domain.runs.attempt import Successes
from mainspring.domain.runs.run import NewRun
from mainspring.domain.workflows.flow import pack_maps
from mainspring.domain.workflows.move import Begun, Move
from mainspring.errors import LeaseLostError
from mainspring.store.acts.workflows.rows import Taken
from mainspring.store.postgres.hot.bundles import SIZE, Sorted, named
from mainspring.store.postgres.hot.runs import PostgresRuns
from mainspring.store.postgres.tx import PostgresTx

OUTDATED = "MSFLW"
"""The state of a hop that was undone: an attempt was given up, or a session is gone."""
CARRIED_MAX = 1_000
"""A larger input is kept apart from its run, by a trigger that looks at rows only."""
NONE = Sorted([], [], [], [])
"""Of successes that are in no bundle that is remembered."""


class PostgresSteps:
    """What acts on workflow runs need of the store's hot path."""

    def __init__(self, runs: PostgresRuns) -> None:
        self._runs = runs

    async def take(self, tx: PostgresTx, flows: Sequence[RunId], done: Successes, now: datetime) -> Taken:
        """By one statement: a hop from step to step is as quick as its round trips."""
        found = self._runs.bundles.sort(done, parting=False) or NONE
        head, *rows = await tx.all(
            "take_steps",
            flows=flows,
            runs=done.runs,
            tokens=done.tokens,
            results=done.results,
            waits=done.waits,
            durations=done.durations,
            now=now,
            owners=found.tokens(done),
            whole=[one.token for one in found.whole],
            whole_parts=[one.part for one in found.whole],
            count=found.bundled,
            torn=[one.token for one in found.undone],
            torn_parts=[one.part for one in found.undone],
        )
        self._runs.bundles.over(found, now)
        notes = [row for row in rows if row["step"] is not None]
        return Taken(head["moved"], [row for row in rows if row["step"] is None], notes)

    async def write(
        self, tx: PostgresTx, moves: Sequence[Move], begun: Sequence[tuple[RunId, Begun]], now: datetime
    ) -> None:
        """Raises LeaseLostError if a session that was to run some of them is gone."""
        owners = owners_of(begun)
        row = await tx.one("write_steps", **step_columns(moves, begun), owners=owners, now=now)
        if row is None or row["living"] < len(owners):
            raise LeaseLostError("the session that was to run these is gone")

    async def hop(
        self,
        tx: PostgresTx,
        _places: Sequence[tuple[RunId, int]],
        done: Successes,
        moves: Sequence[Move],
        begun: Sequence[tuple[RunId, Begun]],
        now: datetime,
        bundled: bool,  # noqa: FBT001 as the acts call it
    ) -> bool:
        """By one statement that commits itself; False, and nothing is done, if something is not as it was."""
        bundles = self._runs.bundles
        found = bundles.sort(done, parting=False) or NONE
        together = {}
        if bundled and bundles.worthwhile(now):
            together = by_token([begin.run for _, begin in begun])
        columns = (
            *hop_columns(done, done.tokens if found is NONE else found.tokens(done), moves, begun, now),
            numbered(together, len(begun)),
            *named(found.whole),
            found.bundled,
            *named(found.undone),
        )
        try:
            await tx.connection.fetchval(tx.queries["hop"], *columns)
        except asyncpg.PostgresError as error:
            if error.sqlstate != OUTDATED:
                raise
            bundles.over(Sorted([], [], [], [*found.whole, *found.undone]), now)
            return False
        bundles.over(found, now)
        for token, places in together.items():
            bundles.add(token, [begun[at][1].run.id for at in places], sizes(len(places)), now)
        return True


def hop_columns(
    done: Successes,
    owners: Sequence[Token | None],
    moves: Sequence[Move],
    begun: Sequence[tuple[RunId, Begun]],
    now: datetime,
) -> tuple[object, ...]:
    """In the order of the statement."""
    # Not by the names of its parameters: their encoding looks at every element, and here none is a text.
    was = [one.live for one in moves]
    over = [one for one in moves if one.end is not None]
    return (
        [bytes(live.flow.states) for live in was],
        [pack_maps(live.flow) for live in was],
        [live.flow.requests for live in was],
        [live.flow.stage for live in was],
        [live.version for live in was],
        done.runs,
        owners,
        done.results,
        done.waits,
        done.durations,
        *step_columns(moves, begun).values(),
        owners_of(begun),
        [one.live.run for one in over],
        [one.result for one in over],
        now,
    )


def by_token(runs: Sequence[NewRun]) -> dict[Token, list[int]]:
    """Positions of the attempts that are to be born in bundles, by their token."""
    places: dict[Token, list[int]] = {}
    for at, run in enumerate(runs):
        if run.token is not None and len(run.input) <= CARRIED_MAX:
            places.setdefault(run.token, []).append(at)
    return places


def numbered(together: Mapping[Token, Sequence[int]], count: int) -> list[int | None]:
    """The number of each one's bundle under its token; none where nothing is bundled."""
    if not together:
        return []
    parts: list[int | None] = [None] * count
    for places in together.values():
        for turn, at in enumerate(places):
            parts[at] = turn // SIZE
    return parts


def sizes(count: int) -> list[tuple[int, int]]:
    """Numbers and sizes of bundles of so many attempts."""
    return [(part, min(SIZE, count - part * SIZE)) for part in range(-(-count // SIZE))]


def owners_of(begun: Sequence[tuple[RunId, Begun]]) -> list[SessionId]:
    return sorted({begin.run.session for _, begin in begun if begin.run.session is not None})


def step_columns(moves: Sequence[Move], begun: Sequence[tuple[RunId, Begun]]) -> dict[str, Any]:
    runs = [begin.run for _, begin in begun]
    return {
        "flows": [one.live.run for one in moves],
        "states": [bytes(one.flow.states) for one in moves],
        "maps": [pack_maps(one.flow) for one in moves],
        "requests": [one.flow.requests for one in moves],
        "stages": [one.flow.stage for one in moves],
        "runs": [run.id for run in runs],
        "due": [run.due_at for run in runs],
        "lines": [run.line for run in runs],
        "jobs": [run.job for run in runs],
        "priorities": [run.priority for run in runs],
        "tokens": [run.token for run in runs],
        "sessions": [run.session for run in runs],
        "extras": [run.extra for run in runs],
        "inputs": [run.input for run in runs],
        "deadlines": [run.deadline_at for run in runs],
        "workflows": [workflow for workflow, _ in begun],
        "steps": [begin.step for _, begin in begun],
        "items": [begin.item for _, begin in begun],
    }

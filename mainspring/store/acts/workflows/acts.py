"""Workflow runs: how they begin, move and end."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from mainspring.domain.bulk.operation import SweepStep
from mainspring.domain.ids import RunId
from mainspring.domain.metadata import deadline_of, read_metadata
from mainspring.domain.runs.attempt import Successes
from mainspring.domain.runs.cancel import Operator
from mainspring.domain.workflows.changes.versions import TargetVersion
from mainspring.domain.workflows.flow import SUCCEEDED
from mainspring.domain.workflows.move import (
    ITEM_NONE,
    REQUEST_STEP,
    Advanced,
    Begun,
    ChangeFlow,
    LiveFlow,
    Move,
    MoveFlow,
    UnreadError,
)
from mainspring.domain.workflows.moves.moved import End
from mainspring.domain.workflows.values import list_of
from mainspring.store.acts.audit import write_audit
from mainspring.store.acts.bulk.operations import move_sweep
from mainspring.store.acts.workflows.change import forget_shared, fork, move_version, reopened, write_marks
from mainspring.store.acts.workflows.graphs import KnownGraphs
from mainspring.store.acts.workflows.handler_waits import go_on
from mainspring.store.acts.workflows.mend import mend_flow
from mainspring.store.acts.workflows.reads import FlowReads, room_within
from mainspring.store.acts.workflows.rows import (
    Results,
    Taken,
    cancel_steps,
    flow_fields,
    known_results,
    live_flow,
    read_ends,
    read_graph,
    reading,
    retry_items,
    retry_steps,
    take_request,
    wait_fields,
    waits_of,
    wanted_with,
    write_ends,
    write_refusals,
)
from mainspring.store.acts.workflows.waits import begin_waits
from mainspring.store.interface.workflows import RunsAtOnce
from mainspring.store.tx import Transactions, Tx, writes, writes_history, writes_history_once

AUDITED_MAX = 50
"""Steps named in an audit entry."""
LOOKS_MAX = 1_000
"""Results asked for by one workflow run before the act gives up on it."""

Take = Callable[[Any, Sequence[RunId], Successes, datetime], Awaitable[Taken]]
"""Locks workflow runs, moves runs of their steps to history as succeeded, and takes up what is noted of them."""
Write = Callable[[Any, Sequence[Move], Sequence[tuple[RunId, Begun]], datetime], Awaitable[None]]
"""Writes how far workflow runs have come, and creates the runs of steps that begin; raises LeaseLostError if a session that was
to run some of them is gone."""

Hop = Callable[
    [Any, Sequence[tuple[RunId, int]], Successes, Sequence[Move], Sequence[tuple[RunId, Begun]], datetime, bool],
    Awaitable[bool],
]
"""Writes moves that were decided from memory, with the successes that they follow from; False if something is not as it was."""


class WorkflowActs(FlowReads):
    """See `store/interface/` for what each method promises."""

    def __init__(self, transactions: Transactions, take: Take, write: Write, hop: Hop, *, places: bool = True) -> None:
        """Without `places`, acts run on a thread from which executors cannot be given anything."""
        super().__init__(transactions)
        self._take = take
        self._write_steps = write
        self._hop = hop
        self._places = places
        self._graphs = KnownGraphs()

    @writes_history
    async def begin(
        self,
        tx: Tx,
        lines: Sequence[int],
        move: MoveFlow,
        *,
        now: datetime,
        limit: int,
        within: RunsAtOnce | None = None,
    ) -> Advanced:
        if within is not None:
            limit = min(limit, await room_within(tx, within))
        if limit <= 0:
            return Advanced()
        rows = await tx.all("due_workflows", lines=list(lines), now=now, limit=limit) if lines else []
        if not rows:
            return Advanced()
        graphs = {row["run"]: read_graph(row["spec"]) for row in rows}
        lives = [live_flow(row, graphs[row["run"]]) for row in rows]
        for live, row in zip(lives, rows, strict=True):
            # From its start on the column holds the deadline, and no more the instant by which it has to start.
            about = read_metadata(row["extra"])
            live.deadline_at = deadline_of(about, row["deadline_at"])
            if about.fork_of:
                await fork(tx, live, about, self._graphs)
        # One that was run before, and is run again from its beginning, has new runs for all its steps.
        before = [{"run": row["run"]} for row in rows if row["attempt"]]
        for statement in ("forget_steps", "forget_past_flow"):
            await tx.batch(statement, before)
        await tx.run("begin_flows", rows=[flow_fields(live) for live in lives], now=now)
        await tx.run("wait_for_steps", rows=[wait_fields(live.run, live.deadline_at) for live in lives], now=now)
        return await self._write(tx, lives, {}, {}, move, now, look=True)

    @writes_history
    async def advance(
        self, tx: Tx, flows: Sequence[RunId], move: MoveFlow, *, now: datetime, look: bool = False
    ) -> Advanced:
        ids = sorted(set(flows))
        if not ids:
            return Advanced()
        rows = await tx.all("lock_flows", ids=ids)
        # A statement of its own behind the locks: it sees what was noted while they were waited for.
        notes = await tx.all("take_notes", ids=ids)
        return await self._advance(tx, Taken(0, rows, notes), {}, move, now, look=look)

    @writes_history
    async def succeed(
        self, tx: Tx, places: Sequence[tuple[RunId, str]], successes: Successes, move: MoveFlow, *, now: datetime
    ) -> Advanced:
        # Flows before runs, as the duties that take up notes or cancel lock them.
        taken = await self._take(tx, sorted({workflow for workflow, _ in places}), successes, now)
        given = zip(places, successes.results, strict=True) if taken.moved == len(successes) else ()
        done = await self._advance(tx, taken, dict(given), move, now)
        done.known = taken.moved
        return done

    @writes_history_once
    async def hop(
        self,
        tx: Tx,
        places: Sequence[tuple[RunId, int]],
        successes: Successes,
        moves: Sequence[Move],
        *,
        now: datetime,
        bundled: bool = False,
    ) -> bool:
        begun = [(one.live.run, begin) for one in moves for begin in one.begun]
        return await self._hop(tx, places, successes, moves, begun, now, bundled)

    async def _advance(
        self,
        tx: Tx,
        taken: Taken,
        given: Mapping[tuple[RunId, str], bytes],
        move: MoveFlow,
        now: datetime,
        *,
        look: bool = False,
    ) -> Advanced:
        """`given` are results that need not be read, by workflow run and step."""
        lives = [live_flow(row, await self._graphs.of(tx, row)) for row in taken.rows]
        results = known_results(lives, given)
        ends: dict[RunId, list[End]] = {}
        asked: set[RunId] = set()
        flows = {live.run: live.flow for live in lives}
        for note in taken.notes:
            if note["step"] != REQUEST_STEP:
                ends.setdefault(note["workflow"], []).append(End(note["step"], note["state"], note["runs"]))
            elif note["workflow"] in flows:
                take_request(flows[note["workflow"]], note["state"])
                asked.add(note["workflow"])
        moving = [live for live in lives if look or live.run in ends or live.run in asked]
        return await self._write(tx, moving, ends, results, move, now, look=look, asked=asked)

    async def _write(
        self,
        tx: Tx,
        lives: Sequence[LiveFlow],
        ends: Mapping[RunId, Sequence[End]],
        results: Results,
        move: MoveFlow,
        now: datetime,
        *,
        look: bool,
        asked: Iterable[RunId] = (),
    ) -> Advanced:
        looked = {live.run for live in lives if look} | set(asked)
        moves = await self._decide(tx, lives, ends, results, move, look=looked)
        if not moves:
            return Advanced()
        begun = [(one.live.run, begin) for one in moves for begin in one.begun]
        if self._places:
            # A wait is no executor's, although it stands in the line of its handler.
            move.place([begin.run for one in moves for begin in one.begun if begin.step not in one.waits])
        await self._write_steps(tx, moves, begun, now)
        await begin_waits(tx, [wait for one in moves if one.waits for wait in waits_of(one, now)], now)
        lines = [line for one in moves if one.again for line in await retry_steps(tx, one, now)]
        await write_refusals(tx, moves, now)
        cancels = [request for one in moves if one.cancels for request in await cancel_steps(tx, one, now)]
        await write_ends(tx, moves, now)
        lines += [await go_on(tx, one, now) for one in moves if one.goes_on]
        return Advanced(moves, cancels, lines)

    async def _decide(
        self,
        tx: Tx,
        lives: Sequence[LiveFlow],
        ends: Mapping[RunId, Sequence[End]],
        results: Results,
        move: MoveFlow,
        *,
        look: set[RunId],
    ) -> list[Move]:
        """Decide about each; results that are wanted are read for all of them together."""
        moves: dict[RunId, Move] = {}
        pending = list(lives)
        for _ in range(LOOKS_MAX):
            wanted: dict[tuple[RunId, int], None] = {}
            for live in pending:
                try:
                    moves[live.run] = move(live, ends.get(live.run, ()), reading(live, results), live.run in look)
                except UnreadError as missing:
                    wanted.update(dict.fromkeys((live.run, step) for step in wanted_with(live, ends, missing.step)))
            pending = [live for live in pending if live.run not in moves]
            if not pending:
                break
            await self._read(tx, [pair for pair in wanted if pair not in results], pending, results)
        return [moves[live.run] for live in lives]

    async def _read(
        self, tx: Tx, pairs: Sequence[tuple[RunId, int]], lives: Sequence[LiveFlow], results: Results
    ) -> None:
        items: dict[tuple[RunId, int], dict[int, bytes | None]] = {}
        for end in await read_ends(tx, pairs):
            items.setdefault(end.place[:2], {})[end.place[2]] = end.result if end.state == SUCCEEDED else None
        maps = {live.run: live.flow.maps for live in lives}
        graphs = {live.run: live.graph for live in lives}
        for pair in pairs:
            run, step = pair
            found = items.get(pair, {})
            if graphs[run].steps[step].each is None:
                results[pair] = found.get(ITEM_NONE) or b"null"
            else:
                size = maps[run][step].size if step in maps[run] else 0
                results[pair] = list_of([found.get(item) for item in range(size)])

    @writes
    async def request(self, tx: Tx, run: RunId, request: int, by: Operator, *, act: str) -> bool:
        if not await tx.run("note_request", workflow=run, state=int(request)):
            return False
        await write_audit(tx, by.entry(act, run))
        return True

    @writes
    async def mend(self, tx: Tx, flows: Sequence[RunId], *, now: datetime) -> int:  # noqa: ARG002 as all acts
        found = 0
        for row in await tx.all("lock_flows", ids=sorted(set(flows))):
            graph = await self._graphs.of(tx, row)
            found += await mend_flow(tx, live_flow(row, graph))
        return found

    @writes_history
    async def change(
        self,
        tx: Tx,
        run: RunId,
        change: ChangeFlow,
        move: MoveFlow,
        by: Operator,
        *,
        act: str,
        now: datetime,
        target: TargetVersion | None = None,
        beside: SweepStep | None = None,
    ) -> Advanced | None:
        row = await reopened(tx, run, by)
        if row is None:
            return None
        if beside is not None:
            await move_sweep(tx, beside)
        live = live_flow(row, await self._graphs.of(tx, row))
        ends = [] if target is None else await move_version(tx, live, target)
        again = change(live.graph, live.flow)
        await write_marks(tx, live, again.marks, move, now)
        await forget_shared(tx, live)
        known = {(run, step): result for step, result in again.marks.items()}
        lines = await retry_items(tx, live, again.items, now)
        done = await self._write(tx, [live], {run: ends}, known, move, now, look=True)
        done.lines += lines
        await write_audit(tx, by.entry(act, run, steps=again.steps[:AUDITED_MAX]))
        return done

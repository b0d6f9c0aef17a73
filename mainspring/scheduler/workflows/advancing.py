"""Runs the store's acts on workflow runs, and tells the server what followed."""

from collections.abc import Awaitable, Callable
from datetime import datetime

from mainspring.clock import Clock
from mainspring.domain.ids import Ids
from mainspring.domain.runs.run import NewRun
from mainspring.domain.workflows.move import Advanced
from mainspring.errors import LeaseLostError
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.dispatch.dispatch_runs import DispatchRuns
from mainspring.scheduler.facts import DeadlineSet, Facts, FlowsEnded, FlowsMoved, RunsQueued, RunsSettled
from mainspring.scheduler.hints import ExchangeHints
from mainspring.scheduler.sessions.relay_requests import RelayRequests
from mainspring.scheduler.workflows.mover import MissingLinesError, Mover

TRIES = 5

Act = Callable[[Mover, datetime], Awaitable[Advanced]]


class Advancing:
    """Makes lines that are missing, and starts what idle executors can take."""

    def __init__(
        self,
        clock: Clock,
        ids: Ids,
        catalog: Catalog,
        dispatch: DispatchRuns,
        hints: ExchangeHints,
        relaying: RelayRequests,
        facts: Facts,
    ) -> None:
        self._clock = clock
        self._ids = ids
        self._catalog = catalog
        self._dispatch = dispatch
        self._hints = hints
        self._relaying = relaying
        self._facts = facts

    async def run(self, act: Act) -> Advanced:
        """Raises what the store raises."""
        direct = True
        for _ in range(TRIES):
            now = self._clock.now()
            mover = Mover(self._catalog, self._ids, self._dispatch, now, direct=direct)
            try:
                done = await act(mover, now)
            except MissingLinesError as missing:
                mover.abandon()
                await self._catalog.make_lines(missing.lines)
            except LeaseLostError:
                mover.abandon()
                direct = False
            except BaseException:
                mover.abandon()
                raise
            else:
                mover.start()
                self._publish(done, now)
                return done
        raise RuntimeError("lines of steps kept going missing")

    def _publish(self, done: Advanced, now: datetime) -> None:
        runs = [begun.run for move in done.moves for begun in move.begun]
        queued = [run for run in runs if run.token is None]
        lines = {run.line for run in queued} | set(done.lines)
        if lines:
            # Steps stand in their lines at the time at which their workflow run fell due, and runs that go on at their own.
            dues = [run.due_at for run in queued] + [move.live.due_at for move in done.moves if move.goes_on]
            self._facts.publish(RunsQueued(lines, min(dues, default=None)))
        if deadline := earliest(runs):
            self._facts.publish(DeadlineSet(deadline))
        if done.cancels and not self._relaying.cancel(done.cancels):
            self._hints.add_all()
        if refused := [one.run.id for move in done.moves for one in move.refused]:
            self._facts.publish(RunsSettled(refused))
        if ended := [move for move in done.moves if move.end is not None]:
            self._facts.publish(RunsSettled([move.live.run for move in ended]))
            self._facts.publish(FlowsEnded(ended, now))
        if moving := [move for move in done.moves if move.end is None]:
            self._facts.publish(FlowsMoved(moving))


def earliest(runs: list[NewRun]) -> datetime | None:
    return min((run.deadline_at for run in runs if run.deadline_at is not None), default=None)

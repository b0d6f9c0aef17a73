"""What a store promises, in as few lines as will do: one dictionary of runs, and no thought for speed.

The stores are compared with it, and so with each other: whatever is done, they must answer alike.
"""

from collections.abc import Sequence
from datetime import datetime

import msgspec

from mainspring.domain.cluster.session import SessionState
from mainspring.domain.ids import RunId, SessionId, Token
from mainspring.domain.runs.attempt import Decision, Ended, Held, Outcome, Verdict
from mainspring.domain.runs.cancel import may_retry
from mainspring.domain.runs.run import NewRun, RunState
from mainspring.store.interface import Decide

Pair = tuple[RunId, Token]
CONFLICT, LEASE_LOST = "conflict", "lease_lost"
"""What a refusal is answered with here."""


class ModelRun(msgspec.Struct):
    new: NewRun
    state: RunState
    attempt: int = 0
    failures: int = 0
    losses: int = 0
    due_at: datetime | None = None
    deadline_at: datetime | None = None
    token: Token | None = None
    session: SessionId | None = None
    wanted_cancelled: str | None = None
    result: bytes | None = None

    @property
    def shown(self) -> tuple[object, ...]:
        """What everybody can see of it."""
        return self.state, self.attempt, self.failures, self.losses, self.due_at, self.deadline_at, self.result


class Model:
    """Each method is named after what it stands for in `store/interface/`."""

    def __init__(self) -> None:
        self.runs: dict[RunId, ModelRun] = {}
        self._keys: dict[str, RunId] = {}
        self._sessions: dict[SessionId, tuple[SessionState, datetime]] = {}
        self._rested: set[SessionId] = set()
        self._ended_by: dict[Pair, Outcome] = {}

    # Sessions

    def open_session(self, session: SessionId, lease_until: datetime) -> None:
        self._sessions[session] = (SessionState.LIVE, lease_until)

    def renew(self, session: SessionId, lease_until: datetime) -> list[SessionId]:
        state, until = self._sessions[session]
        if state is SessionState.DEAD:
            return []
        self._sessions[session] = (state, max(until, lease_until))
        return [session]

    def drain_session(self, session: SessionId) -> None:
        state, until = self._sessions[session]
        if state is SessionState.LIVE:
            self._sessions[session] = (SessionState.DRAINING, until)

    def close_session(self, session: SessionId) -> None:
        self._sessions[session] = (SessionState.DEAD, self._sessions[session][1])

    def expire_sessions(self, before: datetime) -> list[SessionId]:
        for session, (_, until) in self._sessions.items():
            if until < before:
                self.close_session(session)
        return sorted(one for one in self._sessions if self._is_dead(one) and one not in self._rested)

    def mark_reclaimed(self) -> None:
        holders = {run.session for run in self.runs.values()}
        self._rested |= {one for one in self._sessions if self._is_dead(one) and one not in holders}

    def _is_dead(self, session: SessionId) -> bool:
        return self._sessions[session][0] is SessionState.DEAD

    def _is_live(self, session: SessionId) -> bool:
        return self._sessions[session][0] is SessionState.LIVE

    # Runs

    def create(self, new: NewRun) -> RunId | str:
        """The run that stands for the request, or why there is none."""
        if new.session is not None and not self._is_live(new.session):
            return LEASE_LOST
        holder = self._keys.setdefault(new.key, new.id) if new.key else new.id
        if holder != new.id:
            return holder if self.runs[holder].new.digest == new.digest else CONFLICT
        born = ModelRun(new, RunState.QUEUED, due_at=new.due_at, deadline_at=new.deadline_at)
        self.runs[new.id] = born
        if new.token is not None:
            self._give(born, new.token, new.session)
        return new.id

    def claim(self, slots: Sequence[SessionId], token: Token, now: datetime) -> list[tuple[RunId, SessionId, int]]:
        wanted = [slot for slot in slots if self._is_live(slot)]
        due = [run for run in self.runs.values() if self._is_claimable(run, now)]
        due.sort(key=lambda run: (-run.new.priority, run.due_at, run.new.id))
        for run, slot in zip(due, wanted, strict=False):
            self._give(run, token, slot)
        return sorted((run.new.id, slot, run.attempt) for run, slot in zip(due, wanted, strict=False))

    def unclaim(self, session: SessionId, token: Token) -> int:
        taken = [run for run in self.runs.values() if (run.session, run.token) == (session, token)]
        taken = [run for run in taken if run.wanted_cancelled is None]
        for run in taken:
            self._put_back(run)
        return len(taken)

    def succeed(self, pairs: Sequence[Pair], result: bytes) -> int:
        matched = [self.runs[run] for run, token in pairs if self._owns(run, token)]
        for run in matched:
            self._note(run, Outcome.SUCCEEDED)
            self._end(run, RunState.SUCCEEDED)
            run.result = result
        return len(matched)

    def settle(self, ended: Sequence[Ended], decide: Decide) -> dict[RunId, RunState]:
        states: dict[RunId, RunState] = {}
        for end in ended:
            if self._owns(end.run, end.token):
                run = self.runs[end.run]
                decision = decide(held_of(run), end)
                self._note(run, end.outcome)
                self._apply(run, decision)
                states[end.run] = decision.state
        return states

    def verdict(self, pair: Pair) -> Verdict:
        """Whether this very outcome was applied before; that a server gave it up as lost is not its own word."""
        outcome = self._ended_by.get(pair, Outcome.LOST)
        return Verdict.STALE if outcome is Outcome.LOST else Verdict.DUPLICATE

    def tally(self, session: SessionId) -> dict[Token, int]:
        tokens = [run.token for run in self.runs.values() if run.session == session and run.token is not None]
        return {token: tokens.count(token) for token in tokens}

    # Steering

    def cancel(self, wanted: RunId, reason: str) -> RunState:
        run = self.runs[wanted]
        if run.state < RunState.RUNNING:
            self._end(run, RunState.CANCELLED)
        elif run.state is RunState.RUNNING and run.wanted_cancelled is None:
            run.wanted_cancelled = reason
        return run.state

    def retry(self, wanted: RunId, now: datetime, *, force: bool) -> RunState:
        """The state that it was in."""
        run = self.runs[wanted]
        before = run.state
        if before.final and may_retry(before, force=force):
            run.state, run.due_at, run.failures, run.losses, run.result = RunState.QUEUED, now, 0, 0, None
            if run.deadline_at is not None and run.deadline_at <= now:
                run.deadline_at = None
        return before

    def expire_runs(self, now: datetime) -> list[RunId]:
        idle = [run for run in self.runs.values() if run.state < RunState.RUNNING and run.deadline_at is not None]
        late = [run for run in idle if run.deadline_at is not None and run.deadline_at <= now]
        for run in late:
            self._end(run, RunState.FAILED)
        return sorted(run.new.id for run in late)

    # What changes a run

    def _is_claimable(self, run: ModelRun, now: datetime) -> bool:
        in_time = run.deadline_at is None or run.deadline_at > now
        return run.state is RunState.QUEUED and run.due_at is not None and run.due_at <= now and in_time

    def _owns(self, run: RunId, token: Token) -> bool:
        return run in self.runs and self.runs[run].token == token

    def _give(self, run: ModelRun, token: Token, session: SessionId | None) -> None:
        run.state, run.token, run.session = RunState.RUNNING, token, session
        run.attempt += 1

    def _put_back(self, run: ModelRun) -> None:
        run.state, run.token, run.session = RunState.QUEUED, None, None

    def _apply(self, run: ModelRun, decision: Decision) -> None:
        run.failures += decision.failures
        run.losses += decision.losses
        if decision.state.final:
            self._end(run, decision.state)
            return
        self._put_back(run)
        run.due_at = decision.due_at or run.due_at

    def _end(self, run: ModelRun, state: RunState) -> None:
        run.state, run.token, run.session, run.wanted_cancelled = state, None, None, None

    def _note(self, run: ModelRun, outcome: Outcome) -> None:
        # An attempt that was handed back leaves no record: its outcome, should it come again, is as stale as any.
        if run.token is not None and outcome is not Outcome.RELEASED:
            self._ended_by[run.new.id, run.token] = outcome


def held_of(run: ModelRun) -> Held:
    assert run.token is not None
    return Held(
        run=run.new.id,
        token=run.token,
        job=run.new.job,
        attempt=run.attempt,
        failures=run.failures,
        losses=run.losses,
        cancel=run.wanted_cancelled,
        deadline_at=run.deadline_at,
    )

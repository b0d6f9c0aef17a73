"""The life of a trigger, written down move by move: as it should be, or spoiled on purpose."""

import json
from collections.abc import Sequence
from typing import Any

from proof.checker.fires_walker import MICROS
from proof.records import (
    Execution,
    FireChange,
    Line,
    Records,
    RunRow,
    SkipChange,
    Transition,
    TriggerChange,
)
from tests.proof.histories import SESSION, history

EPOCH = 1_893_499_200
"""Noon of the first day of 2030, at which these trials begin."""
EVERY_TEN = {"kind": "cron", "expressions": ["*/10 * * * * *"]}


def us(seconds: float) -> int:
    return round((EPOCH + seconds) * MICROS)


class Life:
    """One trigger that is due every ten seconds, made at 5 s; instants are seconds since the beginning."""

    def __init__(self, when: dict[str, Any] | None = None, **policy: Any) -> None:
        self.spec = {"name": "t1", "job": "job", "when": when or EVERY_TEN, **policy}
        self.lines: list[Line] = []
        self._seq = 100
        self._commit = 0
        self.state: dict[str, Any] = {}
        self.move(5.0, next_due=10, updated_at=us(5))

    def move(
        self,
        at: float,
        *,
        fires: Sequence[float] = (),
        skips: Sequence[tuple[float, float, str]] = (),
        withdrawn: Sequence[float] = (),
        rows: bool = True,
        early: float = 0.0,
        **changes: Any,
    ) -> "Life":
        """One transaction: what becomes of the row, and what is entered with it."""
        self._commit += 1
        for instant in withdrawn:
            self._enter(at, instant, on=False)
        for instant in fires:
            self._enter(at, instant)
            self.change(at, instant, "queued", due_at=instant - early, instant=at)
        for first, last, reason in skips:
            self._note(SkipChange, at, first=us(first), last=us(last), reason=reason, now=us(at))
        if changes.get("next_due") is not None:
            changes["next_due"] = us(changes["next_due"])
        changes["held"] = [us(instant) for instant in changes.get("held", ())]
        self.state |= changes
        if rows:
            base = {"name": "t1", "spec": json.dumps(self.spec), "created_at": us(5)}
            self._note(TriggerChange, at, **{**base, **self.state})
        return self

    def _enter(self, at: float, instant: float, *, on: bool = True) -> None:
        self._note(FireChange, at, fire_at=us(instant), run=named(instant), on=on)

    def _note(self, kind: Any, at: float, **fields: Any) -> None:
        self._seq += 1
        self.lines.append(kind(at=at, seq=self._seq, commit=self._commit, trigger=1, **fields))

    def change(self, at: float, due: float, state: str, before: str = "", **fields: Any) -> "Life":
        """One more line in the life of an instant's run."""
        self._seq += 1
        base: dict[str, Any] = {"due_at": due, "queue": "default", "job": "job", **fields}
        self.lines.append(Transition(at=at, seq=self._seq, run=named(due), state=state, before=before, **base))
        return self

    def begin(self, instant: float, at: float) -> "Life":
        claimed = {"attempt": 1, "token": named(instant), "session": SESSION, "instant": at}
        self.change(at, instant, "running", "queued", **claimed)
        self.lines.append(self.started(instant, at + 0.01))
        return self

    def started(self, instant: float, at: float, run: str = "") -> Execution:
        named_run = run or named(instant)
        told: dict[str, Any] = {"trigger": "t1", "fire_at": us(instant)}
        return Execution(at=at, event="start", run=named_run, attempt=1, executor="e1", token=named(instant), **told)

    def end(self, instant: float, at: float, state: str = "succeeded") -> "Life":
        over: dict[str, Any] = {
            "attempt": 1,
            "token": named(instant),
            "instant": at,
            "failures": int(state == "failed"),
        }
        self.lines.append(
            Execution(
                at=at - 0.01,
                event="end",
                run=named(instant),
                attempt=1,
                executor="e1",
                token=named(instant),
                outcome=state,
            )
        )
        self.change(at, instant, state, "running", reason="gave_up" if state == "failed" else "", **over)
        self.lines.append(self.row(instant, state))
        return self

    def row(self, instant: float, state: str = "succeeded", **fields: Any) -> RunRow:
        base: dict[str, Any] = {"run": named(instant), "attempt": 1, "failures": int(state == "failed"), "losses": 0}
        base |= {"due_at": instant, "job": "job", "mark": "t1", "trigger": "t1", "fire_at": us(instant)}
        return RunRow(at=60.0, state=state, **{**base, **fields})

    def runs(self, *instants: float) -> "Life":
        """Each is executed at its instant, and has succeeded half a second later."""
        for instant in instants:
            self.begin(instant, instant + 0.1).end(instant, instant + 0.5)
        return self

    def deleted(self, at: float, *withdrawn: float) -> "Life":
        return self.move(at, gone=True, withdrawn=withdrawn)

    def records(self, *more: Line, **setup: Any) -> Records:
        return history(*self.lines, *more, epoch=float(EPOCH), **setup)


def named(instant: float) -> str:
    return f"fire-{instant:g}"

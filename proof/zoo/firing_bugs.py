"""Bugs in what becomes of due instants."""

from collections.abc import Sequence
from datetime import datetime

import msgspec

from mainspring.domain.calendars import policy as calendars
from mainspring.domain.cron.zoned import Zoned
from mainspring.domain.triggers import evaluate as moving
from mainspring.domain.triggers.evaluate import Evaluation
from mainspring.domain.triggers.fire_times import misfires
from mainspring.domain.triggers.inputs import Inputs
from mainspring.domain.triggers.trigger import Decide, MovedTriggers, Trigger, TriggerMove
from mainspring.scheduler.triggers.attendance import AttendInstants
from mainspring.scheduler.triggers.follow_trigger_runs import FollowTriggerRuns
from mainspring.store.sqlite.rows import micros
from mainspring.store.sqlite.triggers import fire as firing
from mainspring.store.sqlite.triggers import prepared
from mainspring.store.sqlite.triggers import triggers as stored
from mainspring.store.sqlite.triggers.rows import fetch, trigger_row
from mainspring.store.sqlite.triggers.triggers import SqliteTriggers
from proof.zoo.bug import Bug
from proof.zoo.changing import requeries, rewrites, sets, together

TRIGGERS = frozenset({"define"})
CALENDARS = frozenset({"define_calendar"})
PAUSES = frozenset({"pause_trigger"})
SERVERS = frozenset({"kill_server", "pause_server", "stop_server"})
ENTERED = 'before = set(_integers(c.execute(sql.entered, {"rows": array(instants)}).fetchone()[0]))'

WAITING = (
    'live = {run for run in runs if c.execute("SELECT 1 FROM runs WHERE id = ? AND state < 2", (run,)).fetchone()}'
)


async def in_two_transactions(self: SqliteTriggers, decide: Decide, *, now: datetime, limit: int) -> MovedTriggers:
    """The row is moved first, and the runs are made behind that."""
    await self._days.at(now)
    moves: list[TriggerMove] = []

    def move(c: object) -> None:
        rows = fetch(c, self._sql, self._sql.due_triggers, {"now": micros(now), "limit": limit})  # type: ignore[arg-type]
        moves[:] = [decide(trigger_row(row)) for row in rows]
        bare = [msgspec.structs.replace(each, fires=[], skips=[]) for each in moves]
        firing.write_moves(c, self._sql, bare, now)  # type: ignore[arg-type]

    await self._connection.write(move)
    return await self._connection.write(lambda c: firing.write_moves(c, self._sql, moves, now)[0])


async def without_lock(self: SqliteTriggers, decide: Decide, *, now: datetime, limit: int) -> MovedTriggers:
    """What is written is decided by what was read a moment ago."""
    await self._days.at(now)
    parameters: dict[str, object] = {"now": micros(now), "limit": limit}
    rows = await self._connection.read(lambda c: fetch(c, self._sql, self._sql.due_triggers, parameters))
    moves = [decide(trigger_row(row)) for row in rows]
    return await self._connection.write(lambda c: firing.write_moves(c, self._sql, moves, now)[0])


def nothing_withdrawn(
    _c: object, _sql: object, _triggers: Sequence[Trigger], _now: datetime, **_since: datetime
) -> dict[int, Trigger]:
    return {}


def nobody_cancelled(*_: object) -> tuple[list[object], list[object]]:
    return [], []


BUGS = [
    Bug(
        name="a trigger moves on before its runs are made",
        origin="a crash between two transactions that are meant as one",
        breaks="S11: each due instant is fired or skipped exactly once",
        needs=TRIGGERS,
        change=sets(SqliteTriggers, "fire", in_two_transactions),
    ),
    Bug(
        name="a trigger is moved by what was read before its lock",
        origin="https://github.com/quartz-scheduler/quartz/issues/107",
        breaks="S11: each due instant is fired or skipped exactly once",
        needs=PAUSES | SERVERS,
        change=sets(SqliteTriggers, "fire", without_lock),
    ),
    Bug(
        name="what was prepared outlives the pause of its trigger",
        origin="a look-ahead that nobody takes back",
        breaks="S19: a trigger that stands still fires at nothing",
        needs=PAUSES,
        change=sets(stored, "withdraw", nothing_withdrawn),
    ),
    Bug(
        name="what was withdrawn stays in the ledger",
        origin="two tables, and one of the deletes forgotten",
        breaks="S11: the ledger and the runs say the same",
        needs=PAUSES,
        change=rewrites(prepared, "take_back", ('c.execute(sql.withdraw_fires, {"rows": found})', "pass")),
    ),
    Bug(
        name="a look-ahead fires once, however short the period",
        origin="a scheduler that reads ahead and takes what it read for all there is",
        breaks="S11: no instant gets lost",
        needs=TRIGGERS,
        change=rewrites(Evaluation, "prepare", ("timer.next(self.next_due)", "timer.next(horizon)")),
    ),
    Bug(
        name="what was missed is counted from now",
        origin="https://github.com/kubernetes/kubernetes/issues/42649",
        breaks="S11: what is left out is written down",
        needs=SERVERS | {"store_outage"},
        change=rewrites(
            moving,
            "fire",
            (
                "skipped = skipped_before(timer, due, wanted[0] if wanted else now + TICK, now, policy)",
                "skipped = None",
            ),
        ),
    ),
    Bug(
        name="a lapse is caught up with without a bound",
        origin="a lapse of a night that becomes a flood in the morning",
        breaks="S13: what was missed is treated as its policy says",
        needs=frozenset({"clock_jump"}),
        change=rewrites(misfires, "latest", ("len(found) < policy.catch_up_max", "len(found) < 10_000")),
    ),
    Bug(
        name="what was to be left out when it is missed is fired late",
        origin="a policy that is read, and then treated like the usual one",
        breaks="S13: what was missed is treated as its policy says",
        needs=frozenset({"clock_jump"}),
        change=rewrites(
            misfires, "is_unwanted", ("return policy.misfire is Misfire.SKIP and late > LATE", "return False")
        ),
    ),
    Bug(
        name="what was prepared starts however late it is",
        origin="a look-ahead that asks no policy any more when its instant was missed",
        breaks="S13: what was missed is treated as its policy says",
        needs=frozenset({"clock_jump"}),
        change=rewrites(AttendInstants, "_look", ("if before is not None and lapsed:", "if False:")),
    ),
    Bug(
        name="what a calendar leaves out is not written down",
        origin="a day without runs, and nobody can say why",
        breaks="S11: what is left out is written down",
        needs=CALENDARS,
        change=rewrites(Evaluation, "calendar_skip_between", ("if self.calendar is None:", "if True:")),
    ),
    Bug(
        name="what is prepared goes by no calendar",
        origin="a look-ahead that knows the rule, and not the days on which it counts",
        breaks="S11: nothing is fired that a calendar leaves out",
        needs=CALENDARS,
        change=rewrites(
            Evaluation,
            "prepare",
            ("timer = self.timer", "timer = timer_of(self.spec, created_at=self.trigger.created_at)"),
        ),
    ),
    Bug(
        name="what a calendar puts off never comes",
        origin="a freeze that is over, and the run that was to come behind it is forgotten",
        breaks="S11: what is put off comes when the blackout is over",
        needs=CALENDARS,
        change=rewrites(calendars, "under", ("if roll is Roll.NEXT:", "if False:")),
    ),
    Bug(
        name="a run that has begun does not count as an overlap",
        origin="an overlap that looks at what waits, and not at what runs",
        breaks="S13: no two runs of a trigger live that must not overlap",
        needs=TRIGGERS,
        change=together(
            rewrites(
                stored,
                "find_ended",
                ("live = set(cut_ids(c.execute(sql.live_states, batch(runs)).fetchone()[0]))", WAITING),
            ),
            requeries(
                "followed_triggers",
                (
                    "WHERE r.id = substr(p.pending, p.start, 16)",
                    "WHERE r.state < 2 AND r.id = substr(p.pending, p.start, 16)",
                ),
            ),
        ),
    ),
    Bug(
        name="a time of day that comes twice is fired twice",
        origin="https://github.com/kubernetes/kubernetes/issues/121594",
        breaks="S11: of two instants of a wall time the one counts that was declared",
        needs=frozenset({"back"}),
        change=rewrites(Zoned, "_within", ("if self._fold is Fold.FIRST:", "if False:")),
    ),
    Bug(
        name="a clock that is set back fires again",
        origin="a clock that is looked at, instead of what was done already",
        breaks="S11: no instant is executed twice",
        needs=frozenset({"clock_jump"}),
        change=together(
            rewrites(
                Evaluation,
                "account",
                (
                    "self.record_calendar_skip(self.next_due)",
                    "self.next_due = self.timer.previous(self.inputs.now + TICK) or self.next_due",
                ),
                (
                    "if self.next_due is None or self.next_due > self.inputs.now:",
                    "if self.next_due is None or self.timer.previous(self.inputs.now + TICK) is None:",
                ),
            ),
            rewrites(firing, "enter", (ENTERED, "before = set()")),
            requeries("enter", ("INSERT INTO fires", "INSERT OR REPLACE INTO fires")),
        ),
    ),
    Bug(
        name="the end of a run is heard only by who made it",
        origin="a follow-up that dies with the server that meant to do it",
        breaks="L3: no trigger waits for a run that is over",
        needs=TRIGGERS,
        change=together(
            rewrites(FollowTriggerRuns, "_changed", ("self.wake.set()", "self._heard = True\n        self.wake.set()")),
            rewrites(
                FollowTriggerRuns,
                "tick",
                (
                    "self._awaited = frozenset(await self._store.triggers.pending(limit=KNOWN_MAX))",
                    "heard = self.__dict__.pop('_heard', False)",
                ),
                ("if not self._awaited:", "if not heard:"),
            ),
        ),
    ),
    Bug(
        name="a run that is to be replaced is not told",
        origin="an overlap that waits politely",
        breaks="S13: what is to be replaced is cancelled",
        needs=TRIGGERS,
        change=sets(firing, "cancel_replaced", nobody_cancelled),
    ),
    Bug(
        name="a run that was prepared is due at once",
        origin="a look-ahead that forgets what it looked ahead to",
        breaks="S12: never early",
        needs=TRIGGERS,
        change=rewrites(Inputs, "new_run", ("due_at=due_at", "due_at=self.now")),
    ),
]

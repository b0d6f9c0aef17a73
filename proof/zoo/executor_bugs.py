"""Bugs in what an executor keeps, stops and says."""

from mainspring.domain.ids import SessionId
from mainspring.executor.attempts.holdings import Holdings
from mainspring.executor.attempts.stops import Stops
from mainspring.executor.link.lease import Lease
from mainspring.executor.link.link import Link
from mainspring.executor.link.outbox import Outbox
from mainspring.executor.link.session import ExecutorSession
from proof.zoo.bug import CUT_OFF, DEATHS, Bug
from proof.zoo.changing import rewrites, sets, together


def same_for_ever(self: ExecutorSession) -> SessionId:
    return SessionId(self._identity.name.encode().ljust(16, b"-")[:16])


WALL = "self._clock.machine.wall().timestamp()"
ON_ARRIVAL = """if seq in self.lease._sent:
        self.lease._sent[seq] = self._clock.monotonic()
    self.lease.renew(seq)"""
PUT_OFF = """if now >= self._beat_at and len(self.runner.holdings):
        self._beat_at = now + self._period
        return []
    if now < self._beat_at:"""

BUGS = [
    Bug(
        name="a start that comes twice is executed twice",
        origin="https://github.com/celery/kombu/issues/337",
        breaks="S6: an attempt is executed at most once",
        needs=frozenset({"doubles"}),
        change=together(
            rewrites(Holdings, "is_repeat", ("if key in self._starts:", "if False:")),
            rewrites(Holdings, "admit", ("if run not in held and", "if")),
        ),
    ),
    Bug(
        name="a session is named after its host",
        origin="a name that outlives the process that it stands for",
        breaks="L5: an executor that was given up can come back",
        needs=CUT_OFF | DEATHS,
        change=sets(ExecutorSession, "id", property(same_for_ever, lambda _self, _value: None)),
    ),
    Bug(
        name="a new connection says nothing of what is held",
        origin="https://github.com/celery/celery/issues/8082",
        breaks="S9: nobody else works on it while it is held here",
        needs=CUT_OFF | DEATHS,
        change=rewrites(ExecutorSession, "hello", ("holding=self.runner.inventory()", "holding=[]")),
    ),
    Bug(
        name="outcomes are forgotten with the connection that was to carry them",
        origin="a message that is taken for delivered when it is sent",
        breaks="S8: what a handler came to is settled",
        needs=CUT_OFF | DEATHS,
        change=rewrites(
            Outbox,
            "resend",
            (
                "self._unsent = list(self._unsettled)",
                "self._unsent, self._fresh = [], []\n    for seq in list(self._unsettled):\n        self.settle(seq)",
            ),
        ),
    ),
    Bug(
        name="an executor goes on when its lease is over",
        origin="https://martin.kleppmann.com/2016/02/08/how-to-do-distributed-locking.html",
        breaks="S9: nobody else works on it while it is held here",
        needs=CUT_OFF,
        change=rewrites(Lease, "lapsed", ("return self.held and", "return False and")),
    ),
    Bug(
        name="what is stale goes on and is reported",
        origin="https://github.com/apache/airflow/issues/12396",
        breaks="S9: nobody else works on it while it is held here",
        needs=CUT_OFF,
        change=together(
            rewrites(ExecutorSession, "welcome", ("self._forget(welcome.stale)", "pass")),
            rewrites(ExecutorSession, "fence", ("self.runner.abandon(held)", "pass")),
        ),
    ),
    Bug(
        name="a lease is counted from when the answer came",
        origin="https://github.com/riverqueue/river/pull/1213",
        breaks="S9: nobody else works on it while it is held here",
        needs=frozenset({"fade"}),
        change=together(
            rewrites(
                ExecutorSession,
                "_renew",
                ("self.lease.renew(seq)", ON_ARRIVAL),
            ),
            rewrites(ExecutorSession, "welcome", ("sent_at=self._greeted_at", "sent_at=self._clock.monotonic()")),
        ),
    ),
    Bug(
        name="a lease is counted by the wall clock",
        origin="a clock that an operator sets",
        breaks="S16: nothing is lost where nothing went wrong",
        needs=frozenset({"machine_jump"}),
        change=together(
            rewrites(ExecutorSession, "hello", ("self._clock.monotonic()", WALL)),
            rewrites(ExecutorSession, "_beat_if_due", ("self.lease.beat(now)", f"self.lease.beat({WALL})")),
            rewrites(
                Link,
                "watch",
                ("lease.lapsed(now)", f"lease.lapsed({WALL})"),
                ("lease.silent(now)", f"lease.silent({WALL})"),
            ),
        ),
    ),
    Bug(
        name="an executor that was given up keeps its session",
        origin="https://github.com/oban-bg/oban/issues/1488",
        breaks="L11: an executor that comes back is given runs",
        needs=CUT_OFF,
        change=rewrites(ExecutorSession, "fence", ("self.id = self._ids.session()", "pass")),
    ),
    Bug(
        name="a cancel is heeded only by what has not begun",
        origin="a wish that is looked at when an attempt starts, and not again",
        breaks="S18: an attempt that was to be cancelled is stopped",
        needs=frozenset({"cancel"}),
        change=rewrites(
            Stops,
            "cancel",
            (
                "if attempt.stops_as is Outcome.RELEASED]",
                "if attempt.stops_as is Outcome.RELEASED and not attempt.started]",
            ),
        ),
    ),
    Bug(
        name="beats wait until everything else was said",
        origin="heartbeats that share a queue with the work",
        breaks="S16: nothing is lost where nothing went wrong",
        change=rewrites(
            ExecutorSession,
            "_beat_if_due",
            ("if now < self._beat_at:", PUT_OFF),
        ),
    ),
]

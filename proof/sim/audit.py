"""Channel A of a simulation: triggers of the database write down every change, apart from the product's own word.

They belong to the connection, not to the schema, and are rolled back with the transaction that fired them.
"""

import sqlite3
from collections.abc import Iterator
from typing import Any

import msgspec

from mainspring.domain.cluster.session import SessionState
from mainspring.domain.ids import id_text
from mainspring.domain.runs.run import RunState
from proof.records import RuleChange, SessionChange, Transition
from proof.sim.fires_audit import KINDS, FiringChange, firing_change, firing_watches

TABLE = """
CREATE TEMP TABLE changes (
  kind TEXT, id BLOB, name TEXT, state INTEGER, attempt INTEGER, failures INTEGER, losses INTEGER, token BLOB,
  session BLOB, reason TEXT, due_at INTEGER, deadline_at INTEGER, instant INTEGER, line INTEGER, job INTEGER, body TEXT
)"""
LIVE = """
INSERT INTO changes VALUES (
  'run', new.id, NULL, new.state, new.attempt, new.failures, new.losses, new.token, new.session, new.reason, new.due_at,
  new.deadline_at, {instant}, new.line, new.job, NULL
);"""
PAST = """
INSERT INTO changes VALUES (
  'run', new.id, NULL, new.state, new.attempt, new.failures, new.losses, new.token, NULL, new.reason, new.due_at,
  new.deadline_at, new.finished_at, new.line, new.job, NULL
);"""
SESSION = """
INSERT INTO changes (kind, id, name, state, instant) VALUES ('session', new.id, new.executor, new.state, new.lease_until);
"""
RULE = "INSERT INTO changes (kind, name, state) VALUES ('{kind}', {name}, {on});"
CLAIMED = "CASE new.state WHEN 2 THEN new.claimed_at END"
MICROS = 1_000_000

Change = Transition | SessionChange | RuleChange | FiringChange


def install(connection: sqlite3.Connection) -> None:
    """Watch the tables."""
    connection.execute(TABLE)
    for number, (event, table, body) in enumerate(triggers(connection)):
        connection.execute(f"CREATE TEMP TRIGGER watch_{number} AFTER {event} ON main.{table} BEGIN {body} END")


def remove(connection: sqlite3.Connection) -> None:
    """Let go of the tables: before the database is replaced, for triggers do not survive that."""
    for row in connection.execute("SELECT name FROM temp.sqlite_master WHERE type = 'trigger'").fetchall():
        connection.execute(f"DROP TRIGGER temp.{row['name']}")
    connection.execute("DROP TABLE temp.changes")


def triggers(connection: sqlite3.Connection) -> Iterator[tuple[str, str, str]]:
    yield "INSERT", "runs", LIVE.format(instant="new.created_at")
    yield "UPDATE", "runs", LIVE.format(instant=CLAIMED)
    days = connection.execute("SELECT name FROM main.sqlite_master WHERE type = 'table' AND name GLOB 'history_*'")
    for row in days.fetchall():
        yield "INSERT", row["name"], PAST
    for event in ("INSERT", "UPDATE"):
        yield event, "sessions", SESSION
        yield event, "queues", RULE.format(kind="pause", name="new.queue", on="new.paused_at IS NOT NULL")
        yield event, "cordons", RULE.format(kind="cordon", name="new.executor", on="1")
        yield event, "breakers", RULE.format(kind="open", name="new.name", on="new.state IN ('open', 'forced_open')")
        yield event, "breakers", RULE.format(kind="probing", name="new.name", on="new.state = 'half_open'")
    yield "DELETE", "queues", RULE.format(kind="pause", name="old.queue", on="0")
    yield "DELETE", "cordons", RULE.format(kind="cordon", name="old.executor", on="0")
    yield from firing_watches()


class Audit:
    """Numbers what was committed, and knows what each run was before."""

    def __init__(self, connection: sqlite3.Connection, start: float) -> None:
        self._connection = connection
        self._start = start
        self.changes: list[Change] = []
        self._states: dict[str, str] = {}
        self._names: dict[tuple[str, int], str] = {}
        self._seen = 0
        self._commits = 0

    def watch(self) -> None:
        install(self._connection)
        self._seen = self._connection.total_changes

    def let_go(self) -> None:
        remove(self._connection)

    def note(self, at: float) -> None:
        """Take down what the last transaction changed."""
        if self._connection.total_changes == self._seen:
            return
        rows = self._connection.execute("SELECT * FROM temp.changes ORDER BY rowid").fetchall()
        if rows:
            self._connection.execute("DELETE FROM temp.changes")
            self._commits += 1
            self.changes += [self._read(row, at, len(self.changes) + place) for place, row in enumerate(rows)]
        self._seen = self._connection.total_changes

    def forget_since(self, count: int) -> int:
        """A fail-over lost what came behind the first so many; say how much that was."""
        lost = self.changes[count:]
        self.changes[count:] = [msgspec.structs.replace(change, lost=True) for change in lost]
        self._states = {}
        for change in self.changes:
            if isinstance(change, Transition) and not change.lost:
                self._states[change.run] = change.state
        return len(lost)

    def _read(self, row: sqlite3.Row, at: float, seq: int) -> Change:
        match row["kind"]:
            case "run":
                return self._transition(row, at, seq)
            case "session":
                return SessionChange(
                    at=at,
                    seq=seq,
                    session=row["id"].hex(),
                    executor=row["name"],
                    state=SessionState(row["state"]).name.lower(),
                    lease_until=self.since_start(row["instant"]),
                )
            case kind if kind in KINDS:
                return firing_change(row, at, seq, self._commits)
            case kind:
                return RuleChange(at=at, seq=seq, kind=kind, name=row["name"], on=bool(row["state"]))

    def _transition(self, row: sqlite3.Row, at: float, seq: int) -> Transition:
        run, state = id_text(row["id"]), RunState(row["state"]).label
        before, self._states[run] = self._states.get(run, ""), state
        return Transition(
            at=at,
            seq=seq,
            run=run,
            state=state,
            before=before,
            attempt=row["attempt"],
            failures=row["failures"],
            losses=row["losses"],
            token=hexed(row["token"]),
            session=hexed(row["session"]),
            reason=row["reason"] or "",
            due_at=self.since_start(row["due_at"]),
            wish=state == "running" and row["reason"] == "cancelling",
            instant=self.since_start_or_none(row["instant"]),
            deadline_at=self.since_start_or_none(row["deadline_at"]),
            queue=self.named("queue", row["line"]),
            job=self.named("job", row["job"]),
        )

    def named(self, kind: str, number: int) -> str:
        """The queue of a line, or the name of a job."""
        found = self._names.get((kind, number))
        if found is None:
            query = "SELECT queue FROM lines WHERE id = ?" if kind == "queue" else "SELECT name FROM jobs WHERE id = ?"
            row = self._connection.execute(query, (number,)).fetchone()
            found = self._names[kind, number] = "" if row is None else row[0]
        return found

    def since_start(self, micros: int) -> float:
        return micros / MICROS - self._start

    def since_start_or_none(self, micros: int | None) -> float | None:
        return None if micros is None else self.since_start(micros)


def hexed(value: Any) -> str:
    return "" if value is None else bytes(value).hex()

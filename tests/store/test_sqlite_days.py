"""Days that an earlier version made are brought to today's shape when they are first used."""

import sqlite3

from mainspring.domain.runs.run import RunState
from mainspring.store.interface import RunFilter
from mainspring.store.paging import Effort
from mainspring.store.sqlite.hot.runs import SqliteRuns
from mainspring.store.sqlite.store import SqliteStore
from mainspring.testing.clock import START, FakeClock
from tests.factories import NAMESPACE, run_ids
from tests.store.scene import set_scene

OLD_DAY = """
CREATE TABLE history_20291231 (
  id BLOB NOT NULL PRIMARY KEY, line INTEGER NOT NULL, job INTEGER NOT NULL, priority INTEGER NOT NULL,
  due_at INTEGER NOT NULL, state INTEGER NOT NULL, reason TEXT, attempt INTEGER NOT NULL, failures INTEGER NOT NULL,
  losses INTEGER NOT NULL, token BLOB, executor TEXT, created_at INTEGER NOT NULL, started_at INTEGER,
  finished_at INTEGER NOT NULL, duration INTEGER NOT NULL, key TEXT, input BLOB NOT NULL, result BLOB
) WITHOUT ROWID
"""
OLD_ATTEMPTS = """
CREATE TABLE attempts_20291231 (
  run BLOB NOT NULL, number INTEGER NOT NULL, token BLOB NOT NULL, outcome INTEGER NOT NULL, executor TEXT,
  started_at INTEGER, ended_at INTEGER NOT NULL, error TEXT, message TEXT, traceback TEXT, PRIMARY KEY (run, number)
) WITHOUT ROWID
"""
OLD_LOGS = """
CREATE TABLE logs_20291231 (
  position INTEGER PRIMARY KEY, run BLOB NOT NULL, token BLOB NOT NULL, seq INTEGER NOT NULL, at INTEGER NOT NULL,
  level INTEGER NOT NULL, message TEXT NOT NULL, UNIQUE (run, token, seq)
)
"""
OLD_RUN = """
INSERT INTO history_20291231
VALUES (?, 1, 1, 5, 0, 3, NULL, 1, 0, 0, NULL, 'old', 0, 0, 0, 1, 'k', x'7b7d', x'6e756c6c')
"""


async def test_an_old_day_is_mended_read_and_listed() -> None:
    store = SqliteStore.inline(clock=FakeClock())
    await store.migrate()
    [run] = run_ids(1)

    def make_old_day(c: sqlite3.Connection) -> None:
        for statement in (OLD_DAY, OLD_ATTEMPTS, OLD_LOGS):
            c.execute(statement)
        c.execute(OLD_RUN, (run,))

    await store.connection.write(make_old_day)
    scene = await set_scene(store)
    [new] = await scene.started()
    await scene.succeed([new], now=START)

    found = await scene.get(run)
    assert (found.state, found.executor, found.key, found.result) == (RunState.SUCCEEDED, "old", "k", b"null")
    assert (found.labels, found.deadline_at, found.created_by) == ({}, None, None)
    assert isinstance(store.runs, SqliteRuns)
    store.runs.effort = Effort(glance=1, glance_pages=0)
    page = await store.runs.list(RunFilter(namespace=NAMESPACE, states=(RunState.SUCCEEDED,)))
    assert {one.id for one in page.runs} == {run, new[0]}
    await store.close()

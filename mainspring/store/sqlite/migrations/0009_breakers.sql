-- Circuit breakers. A breaker's row is written only over the revision that was decided from; its gate has the same id.
CREATE TABLE breakers (
  id INTEGER PRIMARY KEY,
  namespace TEXT NOT NULL,
  name TEXT NOT NULL,
  spec BLOB NOT NULL,
  state TEXT NOT NULL,
  epoch INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  since_at INTEGER NOT NULL,
  until INTEGER,
  streak INTEGER NOT NULL,
  wave INTEGER NOT NULL,
  rate_before INTEGER NOT NULL,
  was TEXT NOT NULL,
  reason TEXT NOT NULL,
  author TEXT NOT NULL
);
-- What the calls of each executor came to, in parts of a breaker's window.
CREATE TABLE breaker_calls (
  breaker INTEGER NOT NULL,
  epoch INTEGER NOT NULL,
  at INTEGER NOT NULL,
  executor TEXT NOT NULL,
  calls INTEGER NOT NULL,
  failures INTEGER NOT NULL,
  slow INTEGER NOT NULL,
  ignored INTEGER NOT NULL,
  retry_at INTEGER,
  PRIMARY KEY (breaker, epoch, at, executor)
) WITHOUT ROWID;
-- Every change of state, with the numbers that it was decided by.
CREATE TABLE breaker_history (
  breaker INTEGER NOT NULL,
  epoch INTEGER NOT NULL,
  at INTEGER NOT NULL,
  was TEXT NOT NULL,
  state TEXT NOT NULL,
  until INTEGER,
  calls INTEGER NOT NULL,
  failures INTEGER NOT NULL,
  slow INTEGER NOT NULL,
  reason TEXT NOT NULL,
  author TEXT NOT NULL,
  PRIMARY KEY (breaker, epoch)
) WITHOUT ROWID;

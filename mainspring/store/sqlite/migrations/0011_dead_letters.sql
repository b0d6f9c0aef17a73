-- Runs that failed for good: a row is added in the transaction that settles them, and nothing else pays for it.
CREATE TABLE dead (
  run BLOB NOT NULL PRIMARY KEY,
  namespace TEXT NOT NULL,
  line INTEGER NOT NULL,
  job INTEGER NOT NULL,
  fingerprint BLOB NOT NULL,
  failed_at INTEGER NOT NULL,
  reason TEXT,
  error TEXT NOT NULL,
  message TEXT NOT NULL,
  discarded_at INTEGER,
  discarded_by TEXT,
  discard_reason TEXT
) WITHOUT ROWID;
CREATE INDEX dead_kinds ON dead (namespace, fingerprint, failed_at, run) WHERE discarded_at IS NULL;
CREATE INDEX dead_listed ON dead (namespace, failed_at, run) WHERE discarded_at IS NULL;
CREATE INDEX dead_age ON dead (failed_at);

-- Acts on many runs, done in the background.
CREATE TABLE sweeps (
  id BLOB NOT NULL PRIMARY KEY,
  namespace TEXT NOT NULL,
  live INTEGER NOT NULL,
  version INTEGER NOT NULL,
  body BLOB NOT NULL
) WITHOUT ROWID;
CREATE INDEX sweeps_live ON sweeps (id) WHERE live;
CREATE INDEX sweeps_listed ON sweeps (namespace, id);

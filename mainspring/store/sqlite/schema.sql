-- What the migrations make together; rebuilt by `make schema`, never edited.

CREATE TABLE mainspring_migrations (
  version INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  checksum TEXT NOT NULL,
  applied_at INTEGER NOT NULL
);

CREATE TABLE jobs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  namespace TEXT NOT NULL,
  name TEXT NOT NULL,
  spec BLOB NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (namespace, name)
);

CREATE TABLE lines (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  namespace TEXT NOT NULL,
  queue TEXT NOT NULL,
  handler TEXT NOT NULL,
  address TEXT NOT NULL,
  UNIQUE (namespace, queue, handler, address)
);

CREATE TABLE runs (
  id BLOB NOT NULL PRIMARY KEY,
  line INTEGER NOT NULL,
  job INTEGER NOT NULL,
  priority INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  state INTEGER NOT NULL,
  reason TEXT,
  attempt INTEGER NOT NULL,
  failures INTEGER NOT NULL,
  losses INTEGER NOT NULL,
  token BLOB,
  session BLOB,
  created_at INTEGER NOT NULL,
  claimed_at INTEGER,
  key TEXT,
  input BLOB NOT NULL
) WITHOUT ROWID;

CREATE INDEX runs_claimable ON runs (line, priority, due_at, id) WHERE state = 1;

CREATE INDEX runs_held ON runs (session) WHERE state = 2;

CREATE TABLE keys (
  namespace TEXT NOT NULL,
  key TEXT NOT NULL,
  run BLOB NOT NULL,
  digest BLOB NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (namespace, key)
) WITHOUT ROWID;

CREATE INDEX keys_age ON keys (created_at);

CREATE TABLE progress (
  run BLOB NOT NULL PRIMARY KEY,
  token BLOB NOT NULL,
  fraction REAL NOT NULL,
  note TEXT NOT NULL,
  at INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE sessions (
  id BLOB NOT NULL PRIMARY KEY,
  namespace TEXT NOT NULL,
  executor TEXT NOT NULL,
  server BLOB NOT NULL,
  state INTEGER NOT NULL,
  lease_until INTEGER NOT NULL,
  opened_at INTEGER NOT NULL,
  closed_at INTEGER,
  reclaimed INTEGER NOT NULL,
  abilities BLOB NOT NULL
) WITHOUT ROWID;

CREATE TABLE servers (
  id BLOB NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  lease_until INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE audit (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  token TEXT NOT NULL,
  namespace TEXT NOT NULL,
  act TEXT NOT NULL,
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  details BLOB NOT NULL
);

CREATE INDEX audit_subject ON audit (kind, key, position);

CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;

CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;

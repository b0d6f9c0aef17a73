-- What people say of a kind of failure, and that nobody is to be told of it: until an instant, or until it comes again.
CREATE TABLE failure_notes (
  namespace TEXT NOT NULL,
  fingerprint BLOB NOT NULL,
  note TEXT NOT NULL DEFAULT '',
  noted_by TEXT NOT NULL DEFAULT '',
  noted_at INTEGER,
  muted_at INTEGER,
  muted_until INTEGER,
  muted_by TEXT NOT NULL DEFAULT '',
  mute_reason TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (namespace, fingerprint)
) WITHOUT ROWID;

-- Who changed what. Append only.
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

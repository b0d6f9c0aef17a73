-- The one row that numbers the changes of tokens and namespaces, so that the server asks for what is new.
CREATE TABLE access (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  version INTEGER NOT NULL
);
INSERT INTO access (one, version) VALUES (1, 1);

CREATE TABLE namespaces (
  name TEXT NOT NULL PRIMARY KEY,
  description TEXT NOT NULL,
  created_at INTEGER
) WITHOUT ROWID;
INSERT INTO namespaces (name, description)
SELECT 'default', '' UNION SELECT namespace, '' FROM jobs;

-- Only hashes of what is shown. `version` is the number of the change that made the row what it is; `queues` is JSON.
CREATE TABLE tokens (
  id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  role TEXT NOT NULL,
  namespace TEXT NOT NULL,
  queues TEXT NOT NULL,
  digest BLOB NOT NULL UNIQUE,
  replaced_digest BLOB,
  replaced_until INTEGER,
  created_by TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  rotated_at INTEGER,
  revoked_at INTEGER,
  last_used_at INTEGER,
  version INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX tokens_version ON tokens (version);
CREATE INDEX tokens_age ON tokens (created_at, id);

-- The log is read newest first, by any of its filters: each has an index that brings the entries in that order.
DROP INDEX audit_subject;
CREATE INDEX audit_at ON audit (at, position);
CREATE INDEX audit_actor ON audit (actor, at, position);
CREATE INDEX audit_kind ON audit (kind, at, position);
CREATE INDEX audit_key ON audit (key, at, position);
CREATE INDEX audit_actor_kind ON audit (actor, kind, at, position);
CREATE INDEX audit_namespace ON audit (namespace, at, position);
CREATE INDEX audit_namespace_actor ON audit (namespace, actor, at, position);
CREATE INDEX audit_namespace_kind ON audit (namespace, kind, at, position);

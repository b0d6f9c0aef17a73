-- Limits that operators set on a queue, on a namespace, or under a name that jobs share.
CREATE TABLE limits (
  namespace TEXT NOT NULL,
  scope TEXT NOT NULL,
  name TEXT NOT NULL,
  at_once INTEGER,  -- null: any number
  rate TEXT,  -- such as 100/s
  burst INTEGER,
  key TEXT NOT NULL DEFAULT '[]',
  revision INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (namespace, scope, name)
) WITHOUT ROWID;

-- A limit or rate without a key, that whole lines lead through. With one writer, a claim counts the attempts under way itself.
CREATE TABLE gates (
  id INTEGER PRIMARY KEY,
  namespace TEXT NOT NULL,
  scope TEXT NOT NULL,
  name TEXT NOT NULL,
  at_once INTEGER,
  gap INTEGER,  -- microseconds between two starts in the long run
  burst INTEGER,
  full_at INTEGER NOT NULL DEFAULT 0,  -- microseconds since 1970 at which the bucket is full again
  revision INTEGER NOT NULL
);
CREATE TABLE gate_lines (
  line INTEGER NOT NULL,
  gate INTEGER NOT NULL,
  PRIMARY KEY (line, gate)
) WITHOUT ROWID;
CREATE INDEX gate_lines_gate ON gate_lines (gate);

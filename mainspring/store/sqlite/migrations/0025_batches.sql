-- Batches: workflow runs whose items callers add. How far each has come stands in its flow.
CREATE TABLE batches (
  run BLOB NOT NULL PRIMARY KEY,
  namespace TEXT NOT NULL,
  name TEXT NOT NULL,
  UNIQUE (namespace, name)
) WITHOUT ROWID;
CREATE INDEX batches_listed ON batches (namespace, run);

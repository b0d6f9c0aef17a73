-- Batches: workflow runs whose items callers add. How far each has come stands in its flow.
CREATE TABLE mainspring.batches (
  run uuid PRIMARY KEY,
  namespace text NOT NULL,
  name text NOT NULL,
  UNIQUE (namespace, name)
);
CREATE INDEX batches_listed ON mainspring.batches (namespace, run);

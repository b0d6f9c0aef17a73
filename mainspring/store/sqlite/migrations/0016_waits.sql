-- Runs of steps that wait for a time, an event or an approval. A row goes when its wait ends.
CREATE TABLE waits (
  run BLOB NOT NULL PRIMARY KEY,
  namespace TEXT NOT NULL,
  kind TEXT NOT NULL,
  type TEXT NOT NULL,
  places TEXT NOT NULL,
  match BLOB NOT NULL,
  since_at INTEGER,
  wake_at INTEGER,
  looked INTEGER NOT NULL,
  about BLOB NOT NULL
) WITHOUT ROWID;
-- An event finds its waits among all by one probe for each shape of its type.
CREATE INDEX waits_event ON waits (namespace, type, match) WHERE kind = 'event';
CREATE INDEX waits_wake ON waits (wake_at) WHERE wake_at IS NOT NULL;
CREATE INDEX waits_unlooked ON waits (run) WHERE NOT looked;
CREATE INDEX waits_approval ON waits (namespace, run) WHERE kind = 'approval';

-- The places by which events of a type are looked up.
CREATE TABLE wait_shapes (
  namespace TEXT NOT NULL,
  type TEXT NOT NULL,
  places TEXT NOT NULL,
  PRIMARY KEY (namespace, type, places)
) WITHOUT ROWID;

-- Events of the types that a definition looks back for.
CREATE TABLE told (
  namespace TEXT NOT NULL,
  type TEXT NOT NULL,
  told_at INTEGER NOT NULL,
  data BLOB NOT NULL
);
CREATE INDEX told_type ON told (namespace, type, told_at);
CREATE INDEX told_old ON told (told_at);

-- The answers of approvers.
CREATE TABLE votes (
  run BLOB NOT NULL,
  actor TEXT NOT NULL,
  voted_at INTEGER NOT NULL,
  approved INTEGER NOT NULL,
  form BLOB NOT NULL,
  note TEXT NOT NULL,
  PRIMARY KEY (run, actor)
) WITHOUT ROWID;

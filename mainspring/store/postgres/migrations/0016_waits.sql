-- Runs of steps that wait for a time, an event or an approval. A row goes when its wait ends.
CREATE TABLE mainspring.waits (
  run uuid PRIMARY KEY,
  namespace text NOT NULL,
  kind text NOT NULL,
  type text NOT NULL,
  places text NOT NULL,
  match bytea NOT NULL,
  since_at timestamptz,
  wake_at timestamptz,
  looked boolean NOT NULL,
  about bytea NOT NULL
);
-- An event finds its waits among all by one probe for each shape of its type.
CREATE INDEX waits_event ON mainspring.waits (namespace, type, match) WHERE kind = 'event';
CREATE INDEX waits_wake ON mainspring.waits (wake_at) WHERE wake_at IS NOT NULL;
CREATE INDEX waits_unlooked ON mainspring.waits (run) WHERE NOT looked;
CREATE INDEX waits_approval ON mainspring.waits (namespace, run) WHERE kind = 'approval';

-- The places by which events of a type are looked up.
CREATE TABLE mainspring.wait_shapes (
  namespace text NOT NULL,
  type text NOT NULL,
  places text NOT NULL,
  PRIMARY KEY (namespace, type, places)
);

-- Events of the types that a definition looks back for.
CREATE TABLE mainspring.told (
  namespace text NOT NULL,
  type text NOT NULL,
  told_at timestamptz NOT NULL,
  data bytea NOT NULL
);
CREATE INDEX told_type ON mainspring.told (namespace, type, told_at);
CREATE INDEX told_old ON mainspring.told (told_at);

-- The answers of approvers.
CREATE TABLE mainspring.votes (
  run uuid NOT NULL,
  actor text NOT NULL,
  voted_at timestamptz NOT NULL,
  approved boolean NOT NULL,
  form bytea NOT NULL,
  note text NOT NULL,
  PRIMARY KEY (run, actor)
);

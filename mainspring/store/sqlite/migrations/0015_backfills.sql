-- Runs for instants of triggers that lie behind, made in the background.
CREATE TABLE backfills (
  id BLOB NOT NULL PRIMARY KEY,
  namespace TEXT NOT NULL,
  trigger_name TEXT NOT NULL,
  live INTEGER NOT NULL,
  version INTEGER NOT NULL,
  body BLOB NOT NULL
) WITHOUT ROWID;
CREATE INDEX backfills_live ON backfills (id) WHERE live;
CREATE INDEX backfills_listed ON backfills (namespace, id);

-- Which run each of them made for an instant: one, whatever else the ledger knows of it.
CREATE TABLE backfill_fires (
  backfill BLOB NOT NULL REFERENCES backfills (id) ON DELETE CASCADE,
  fire_at INTEGER NOT NULL,
  trigger INTEGER NOT NULL,
  run BLOB NOT NULL,
  PRIMARY KEY (backfill, fire_at)
) WITHOUT ROWID;
CREATE INDEX backfill_fires_trigger ON backfill_fires (trigger, fire_at, run);

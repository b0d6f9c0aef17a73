-- Calendars, by version: a change makes a new one. A deleted one keeps its row, so that numbers go on.
CREATE TABLE calendars (
  id INTEGER PRIMARY KEY,
  namespace TEXT NOT NULL,
  name TEXT NOT NULL,
  version INTEGER NOT NULL,
  deleted INTEGER NOT NULL
);
CREATE UNIQUE INDEX calendars_name ON calendars (namespace, name);

CREATE TABLE calendar_versions (
  calendar INTEGER NOT NULL REFERENCES calendars (id),
  version INTEGER NOT NULL,
  author TEXT NOT NULL,
  note TEXT NOT NULL,
  at INTEGER NOT NULL,
  spec BLOB NOT NULL,
  computed BLOB NOT NULL,  -- the holidays of some years, as they were known when the version was made
  PRIMARY KEY (calendar, version)
) WITHOUT ROWID;

-- Triggers: what each starts and when, and which of its instants comes next. What few have (a calendar, an owner, a pause) is
-- indexed only for those few, since a row is rewritten with every fire.
CREATE TABLE triggers (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  namespace TEXT NOT NULL,
  name TEXT NOT NULL,
  job TEXT NOT NULL,
  kind TEXT NOT NULL,
  calendar TEXT NOT NULL,
  cohort TEXT NOT NULL,  -- the group that it is spread with
  owner TEXT NOT NULL,
  revision INTEGER NOT NULL,
  next_due INTEGER,
  act_at INTEGER,
  last_fire_at INTEGER,
  fired INTEGER NOT NULL DEFAULT 0,
  failures INTEGER NOT NULL DEFAULT 0,
  paused_at INTEGER,
  paused_by TEXT,
  paused_reason TEXT,
  pending BLOB,  -- ids, one after the other
  held TEXT,
  touched INTEGER NOT NULL DEFAULT 0,  -- its calendar was changed: the runs prepared for it are to be withdrawn
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  spec TEXT NOT NULL,
  applied TEXT,  -- empty: the same as the spec
  asked TEXT,  -- instants to come that an operator wanted left out, oldest first; in the ledger they are skipped
  ruled_at INTEGER,  -- when its rule was changed last; null: it is not known, or it never was
  UNIQUE (namespace, name)
);
CREATE INDEX triggers_act ON triggers (act_at) WHERE act_at IS NOT NULL;
CREATE INDEX triggers_job ON triggers (job, namespace, name);
CREATE INDEX triggers_pending ON triggers (id) WHERE pending IS NOT NULL;
CREATE INDEX triggers_called ON triggers (namespace, kind, name) WHERE kind IN ('webhook', 'event');
CREATE INDEX triggers_calendar ON triggers (namespace, calendar, name) WHERE calendar <> '';
CREATE INDEX triggers_cohort ON triggers (namespace, cohort, name) WHERE cohort <> '';
CREATE INDEX triggers_owner ON triggers (namespace, owner, name) WHERE owner <> '';
CREATE INDEX triggers_paused ON triggers (namespace, name) WHERE paused_at IS NOT NULL;
-- Always empty: no active trigger is to be moved later than at its next instant.
CREATE INDEX triggers_stuck ON triggers (id)
WHERE next_due IS NOT NULL AND paused_at IS NULL AND (act_at IS NULL OR act_at > next_due);

-- The ledger: an instant that has a run, or had one,
CREATE TABLE fires (
  trigger INTEGER NOT NULL,
  fire_at INTEGER NOT NULL,
  run BLOB NOT NULL,
  PRIMARY KEY (trigger, fire_at)
) WITHOUT ROWID;
CREATE INDEX fires_age ON fires (fire_at);

-- and instants that have none, from one to another.
CREATE TABLE skips (
  trigger INTEGER NOT NULL,
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  reason TEXT NOT NULL,
  at INTEGER NOT NULL
);
CREATE INDEX skips_trigger ON skips (trigger, last_at);
CREATE INDEX skips_age ON skips (at);

-- Runs for past instants of triggers, made in the background.
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

-- The secret of a trigger's webhook. That of a signature has to be kept as it is; of one that is sent, its SHA-256.
CREATE TABLE hooks (
  trigger INTEGER PRIMARY KEY REFERENCES triggers (id) ON DELETE CASCADE,
  made_at INTEGER NOT NULL,
  old_until INTEGER,
  id TEXT NOT NULL UNIQUE,
  auth TEXT NOT NULL,
  secret BLOB NOT NULL,
  old_secret BLOB
);

-- Which triggers wait for events of a type.
CREATE TABLE subscriptions (
  trigger INTEGER PRIMARY KEY REFERENCES triggers (id) ON DELETE CASCADE,
  namespace TEXT NOT NULL,
  type TEXT NOT NULL
);
CREATE INDEX subscriptions_type ON subscriptions (namespace, type, trigger);

-- How often events were told, whether a trigger waited for them or not.
CREATE TABLE event_counts (
  namespace TEXT NOT NULL,
  type TEXT NOT NULL,
  told INTEGER NOT NULL,
  matched INTEGER NOT NULL,
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  unmatched INTEGER NOT NULL DEFAULT 0,  -- events for which no trigger waited
  PRIMARY KEY (namespace, type)
) WITHOUT ROWID;

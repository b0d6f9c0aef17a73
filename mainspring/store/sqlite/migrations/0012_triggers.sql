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
  pending BLOB,  -- ids, one behind the other
  held TEXT,
  touched INTEGER NOT NULL DEFAULT 0,  -- its calendar was changed: what was prepared is to be withdrawn
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  spec TEXT NOT NULL,
  applied TEXT,  -- empty: the same as the spec
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

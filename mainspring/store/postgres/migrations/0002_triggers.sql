-- Calendars, by version: a change makes a new one. A deleted one keeps its row, so that numbers go on.
CREATE TABLE mainspring.calendars (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  namespace text NOT NULL COLLATE "C",
  name text NOT NULL COLLATE "C",
  version integer NOT NULL,
  deleted boolean NOT NULL
);
CREATE UNIQUE INDEX calendars_name ON mainspring.calendars (namespace, name);

CREATE TABLE mainspring.calendar_versions (
  calendar integer NOT NULL REFERENCES mainspring.calendars (id),
  version integer NOT NULL,
  author text NOT NULL,
  note text NOT NULL,
  at timestamptz NOT NULL,
  spec bytea NOT NULL,
  computed bytea NOT NULL,  -- the holidays of some years, as they were known when the version was made
  PRIMARY KEY (calendar, version)
);

-- Triggers: what each starts and when, and which of its instants comes next. A row is rewritten with every fire, so only what
-- leads to a trigger is indexed, and what few have (a calendar, an owner, a pause) only for those few.
CREATE TABLE mainspring.triggers (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  fired bigint NOT NULL DEFAULT 0,
  next_due timestamptz,
  act_at timestamptz,
  last_fire_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  paused_at timestamptz,
  revision integer NOT NULL,
  failures integer NOT NULL DEFAULT 0,
  touched boolean NOT NULL DEFAULT false,  -- its calendar was changed: the runs prepared for it are to be withdrawn
  namespace text NOT NULL COLLATE "C",
  name text NOT NULL COLLATE "C",
  job text NOT NULL COLLATE "C",
  kind text NOT NULL,
  calendar text NOT NULL COLLATE "C",
  cohort text NOT NULL COLLATE "C",  -- the group that it is spread with
  owner text NOT NULL COLLATE "C",
  paused_by text,
  paused_reason text,
  pending uuid[],
  held timestamptz[],
  spec bytea NOT NULL,
  applied bytea,  -- empty: the same as the spec
  asked timestamptz[],  -- instants to come that an operator wanted left out, oldest first; in the ledger they are skipped
  ruled_at timestamptz  -- when its rule was changed last; null: it is not known, or it never was
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);
CREATE UNIQUE INDEX triggers_name ON mainspring.triggers (namespace, name);
CREATE INDEX triggers_act ON mainspring.triggers (act_at) WHERE act_at IS NOT NULL;
-- Names are looked up by one index alone, so no other one begins with the namespace.
CREATE INDEX triggers_job ON mainspring.triggers (job, namespace, name);
CREATE INDEX triggers_pending ON mainspring.triggers (id) WHERE pending IS NOT NULL;
CREATE INDEX triggers_called ON mainspring.triggers (namespace, kind, name) WHERE kind IN ('webhook', 'event');
CREATE INDEX triggers_calendar ON mainspring.triggers (namespace, calendar, name) WHERE calendar <> '';
CREATE INDEX triggers_cohort ON mainspring.triggers (namespace, cohort, name) WHERE cohort <> '';
CREATE INDEX triggers_owner ON mainspring.triggers (namespace, owner, name) WHERE owner <> '';
CREATE INDEX triggers_paused ON mainspring.triggers (namespace, name) WHERE paused_at IS NOT NULL;
-- Always empty: no active trigger is to be moved later than at its next instant.
CREATE INDEX triggers_stuck ON mainspring.triggers (id)
WHERE next_due IS NOT NULL AND paused_at IS NULL AND (act_at IS NULL OR act_at > next_due);

-- The ledger: an instant that has a run, or had one. By day of the instant; the days that have no table of their own, long
-- past or far ahead, share one.
CREATE TABLE mainspring.fires (
  trigger bigint NOT NULL,
  fire_at timestamptz NOT NULL,
  run uuid NOT NULL,
  PRIMARY KEY (trigger, fire_at)
) PARTITION BY RANGE (fire_at);
CREATE TABLE mainspring.fires_default PARTITION OF mainspring.fires DEFAULT;

-- Instants that have no run, from one to another.
CREATE TABLE mainspring.skips (
  trigger bigint NOT NULL,
  first_at timestamptz NOT NULL,
  last_at timestamptz NOT NULL,
  at timestamptz NOT NULL,
  reason text NOT NULL
);
CREATE INDEX skips_trigger ON mainspring.skips (trigger, last_at);
CREATE INDEX skips_age ON mainspring.skips USING brin (at);

-- Runs for past instants of triggers, made in the background.
CREATE TABLE mainspring.backfills (
  id uuid NOT NULL PRIMARY KEY,
  version integer NOT NULL,
  live boolean NOT NULL,
  namespace text NOT NULL COLLATE "C",
  trigger_name text NOT NULL COLLATE "C",
  body bytea NOT NULL
);
CREATE INDEX backfills_live ON mainspring.backfills (id) WHERE live;
CREATE INDEX backfills_listed ON mainspring.backfills (namespace, id);

-- Which run each of them made for an instant: one, whatever else the ledger knows of it.
CREATE TABLE mainspring.backfill_fires (
  backfill uuid NOT NULL REFERENCES mainspring.backfills (id) ON DELETE CASCADE,
  run uuid NOT NULL,
  trigger bigint NOT NULL,
  fire_at timestamptz NOT NULL,
  PRIMARY KEY (backfill, fire_at)
);
CREATE INDEX backfill_fires_trigger ON mainspring.backfill_fires (trigger, fire_at, run);

-- The secret of a trigger's webhook. That of a signature has to be kept as it is; of one that is sent, its SHA-256.
CREATE TABLE mainspring.hooks (
  trigger bigint PRIMARY KEY REFERENCES mainspring.triggers (id) ON DELETE CASCADE,
  made_at timestamptz NOT NULL,
  old_until timestamptz,
  id text NOT NULL COLLATE "C" UNIQUE,
  auth text NOT NULL,
  secret bytea NOT NULL,
  old_secret bytea
);

-- Which triggers wait for events of a type.
CREATE TABLE mainspring.subscriptions (
  trigger bigint PRIMARY KEY REFERENCES mainspring.triggers (id) ON DELETE CASCADE,
  namespace text NOT NULL COLLATE "C",
  type text NOT NULL COLLATE "C"
);
CREATE INDEX subscriptions_type ON mainspring.subscriptions (namespace, type, trigger);

-- How often events were told, whether a trigger waited for them or not.
CREATE TABLE mainspring.event_counts (
  told bigint NOT NULL,
  matched bigint NOT NULL,
  first_at timestamptz NOT NULL,
  last_at timestamptz NOT NULL,
  namespace text NOT NULL COLLATE "C",
  type text NOT NULL COLLATE "C",
  unmatched bigint NOT NULL DEFAULT 0,  -- events for which no trigger waited
  PRIMARY KEY (namespace, type)
);

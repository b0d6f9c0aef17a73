-- What the migrations make together; rebuilt by `make schema`, never edited.

CREATE TABLE mainspring_migrations (
  version INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  checksum TEXT NOT NULL,
  applied_at INTEGER NOT NULL
);

CREATE TABLE jobs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  namespace TEXT NOT NULL,
  name TEXT NOT NULL,
  spec BLOB NOT NULL,
  updated_at INTEGER NOT NULL, version INTEGER NOT NULL DEFAULT 1, code BLOB, deleted_at INTEGER,
  UNIQUE (namespace, name)
);

CREATE TABLE lines (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  namespace TEXT NOT NULL,
  queue TEXT NOT NULL,
  handler TEXT NOT NULL,
  address TEXT NOT NULL,
  UNIQUE (namespace, queue, handler, address)
);

CREATE TABLE keys (
  namespace TEXT NOT NULL,
  key TEXT NOT NULL,
  run BLOB NOT NULL,
  digest BLOB NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (namespace, key)
) WITHOUT ROWID;

CREATE INDEX keys_age ON keys (created_at);

CREATE TABLE progress (
  run BLOB NOT NULL PRIMARY KEY,
  token BLOB NOT NULL,
  fraction REAL NOT NULL,
  note TEXT NOT NULL,
  at INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE sessions (
  id BLOB NOT NULL PRIMARY KEY,
  namespace TEXT NOT NULL,
  executor TEXT NOT NULL,
  server BLOB NOT NULL,
  state INTEGER NOT NULL,
  lease_until INTEGER NOT NULL,
  opened_at INTEGER NOT NULL,
  closed_at INTEGER,
  reclaimed INTEGER NOT NULL,
  abilities BLOB NOT NULL
, specs TEXT NOT NULL DEFAULT '{}', load BLOB, seal BLOB NOT NULL DEFAULT x'') WITHOUT ROWID;

CREATE TABLE servers (
  id BLOB NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  lease_until INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE audit (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  token TEXT NOT NULL,
  namespace TEXT NOT NULL,
  act TEXT NOT NULL,
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  details BLOB NOT NULL
);

CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;

CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;

CREATE TABLE "runs" (
  id BLOB NOT NULL PRIMARY KEY,
  line INTEGER NOT NULL,
  job INTEGER NOT NULL,
  priority INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  state INTEGER NOT NULL,
  reason TEXT,
  attempt INTEGER NOT NULL,
  failures INTEGER NOT NULL,
  losses INTEGER NOT NULL,
  token BLOB,
  session BLOB,
  created_at INTEGER NOT NULL,
  claimed_at INTEGER,
  deadline_at INTEGER,
  key TEXT,
  extra BLOB,
  input BLOB NOT NULL
, cancel_reason TEXT, first_started_at INTEGER) WITHOUT ROWID;

CREATE INDEX runs_claimable ON runs (line, priority, due_at, id) WHERE state = 1;

CREATE INDEX runs_held ON runs (session) WHERE state = 2;

CREATE INDEX runs_deadline ON runs (deadline_at) WHERE deadline_at IS NOT NULL;

CREATE TABLE marks (
  namespace TEXT NOT NULL,
  mark TEXT NOT NULL,
  run BLOB NOT NULL,
  PRIMARY KEY (namespace, mark, run)
) WITHOUT ROWID;

CREATE INDEX marks_run ON marks (run);

CREATE INDEX runs_listed ON runs (job, line, state) WHERE state < 2;

CREATE TABLE access (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  version INTEGER NOT NULL
);

CREATE TABLE namespaces (
  name TEXT NOT NULL PRIMARY KEY,
  description TEXT NOT NULL,
  created_at INTEGER
) WITHOUT ROWID;

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

CREATE INDEX audit_at ON audit (at, position);

CREATE INDEX audit_actor ON audit (actor, at, position);

CREATE INDEX audit_kind ON audit (kind, at, position);

CREATE INDEX audit_key ON audit (key, at, position);

CREATE INDEX audit_actor_kind ON audit (actor, kind, at, position);

CREATE INDEX audit_namespace ON audit (namespace, at, position);

CREATE INDEX audit_namespace_actor ON audit (namespace, actor, at, position);

CREATE INDEX audit_namespace_kind ON audit (namespace, kind, at, position);

CREATE TABLE job_versions (
  job INTEGER NOT NULL REFERENCES jobs (id),
  version INTEGER NOT NULL,
  origin TEXT NOT NULL,
  author TEXT NOT NULL,
  code_version TEXT NOT NULL,
  note TEXT NOT NULL,
  at INTEGER NOT NULL,
  spec BLOB NOT NULL,
  PRIMARY KEY (job, version)
) WITHOUT ROWID;

CREATE TABLE cordons (
  namespace TEXT NOT NULL,
  executor TEXT NOT NULL,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  reason TEXT NOT NULL,
  drain_at INTEGER,
  grace REAL NOT NULL,
  PRIMARY KEY (namespace, executor)
) WITHOUT ROWID;

CREATE INDEX sessions_executor ON sessions (namespace, executor);

CREATE TABLE queues (
  namespace TEXT NOT NULL,
  queue TEXT NOT NULL,
  paused_at INTEGER,
  paused_by TEXT,
  pause_reason TEXT,
  max_queued INTEGER,
  PRIMARY KEY (namespace, queue)
) WITHOUT ROWID;

CREATE TABLE depths (
  line INTEGER PRIMARY KEY,
  queued INTEGER NOT NULL,
  later INTEGER NOT NULL,
  waiting INTEGER NOT NULL,
  running INTEGER NOT NULL,
  oldest_at INTEGER
);

CREATE TABLE surveys (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  begun_at INTEGER,
  taken_at INTEGER
);

CREATE TABLE rollups (
  step INTEGER NOT NULL,
  at INTEGER NOT NULL,
  line INTEGER NOT NULL,
  job INTEGER NOT NULL,
  state INTEGER NOT NULL,
  runs INTEGER NOT NULL,
  wait_sum INTEGER NOT NULL,
  wait_max INTEGER NOT NULL,
  duration_sum INTEGER NOT NULL,
  duration_max INTEGER NOT NULL,
  waits BLOB NOT NULL,
  durations BLOB NOT NULL,
  PRIMARY KEY (step, at, line, job, state)
) WITHOUT ROWID;

CREATE TABLE rolled (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  until INTEGER
);

CREATE TABLE finished (
  position INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  ids BLOB NOT NULL
);

CREATE INDEX runs_cancelling ON runs (session) WHERE state = 2 AND reason = 'cancelling';

CREATE TABLE memories (
  run BLOB NOT NULL,
  kind INTEGER NOT NULL,
  name TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  turn INTEGER NOT NULL,
  at INTEGER NOT NULL,
  value BLOB,
  PRIMARY KEY (run, kind, name)
) WITHOUT ROWID;

CREATE TABLE suspensions (
  run BLOB NOT NULL PRIMARY KEY,
  reason TEXT NOT NULL,
  resume_at INTEGER
) WITHOUT ROWID;

CREATE INDEX suspensions_resume ON suspensions (resume_at) WHERE resume_at IS NOT NULL;

CREATE INDEX runs_suspending ON runs (session) WHERE state = 2 AND reason = 'suspending';

CREATE TABLE dead (
  run BLOB NOT NULL PRIMARY KEY,
  namespace TEXT NOT NULL,
  line INTEGER NOT NULL,
  job INTEGER NOT NULL,
  fingerprint BLOB NOT NULL,
  failed_at INTEGER NOT NULL,
  reason TEXT,
  error TEXT NOT NULL,
  message TEXT NOT NULL,
  discarded_at INTEGER,
  discarded_by TEXT,
  discard_reason TEXT
) WITHOUT ROWID;

CREATE INDEX dead_kinds ON dead (namespace, fingerprint, failed_at, run) WHERE discarded_at IS NULL;

CREATE INDEX dead_listed ON dead (namespace, failed_at, run) WHERE discarded_at IS NULL;

CREATE INDEX dead_age ON dead (failed_at);

CREATE TABLE sweeps (
  id BLOB NOT NULL PRIMARY KEY,
  namespace TEXT NOT NULL,
  live INTEGER NOT NULL,
  version INTEGER NOT NULL,
  body BLOB NOT NULL
) WITHOUT ROWID;

CREATE INDEX sweeps_live ON sweeps (id) WHERE live;

CREATE INDEX sweeps_listed ON sweeps (namespace, id);

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
  applied TEXT, asked TEXT, ruled_at INTEGER,  -- empty: the same as the spec
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

CREATE INDEX triggers_stuck ON triggers (id)
WHERE next_due IS NOT NULL AND paused_at IS NULL AND (act_at IS NULL OR act_at > next_due);

CREATE TABLE fires (
  trigger INTEGER NOT NULL,
  fire_at INTEGER NOT NULL,
  run BLOB NOT NULL,
  PRIMARY KEY (trigger, fire_at)
) WITHOUT ROWID;

CREATE INDEX fires_age ON fires (fire_at);

CREATE TABLE skips (
  trigger INTEGER NOT NULL,
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  reason TEXT NOT NULL,
  at INTEGER NOT NULL
);

CREATE INDEX skips_trigger ON skips (trigger, last_at);

CREATE INDEX skips_age ON skips (at);

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
  computed BLOB NOT NULL,
  PRIMARY KEY (calendar, version)
) WITHOUT ROWID;

CREATE TABLE hooks (
  trigger INTEGER PRIMARY KEY REFERENCES triggers (id) ON DELETE CASCADE,
  made_at INTEGER NOT NULL,
  old_until INTEGER,
  id TEXT NOT NULL UNIQUE,
  auth TEXT NOT NULL,
  secret BLOB NOT NULL,
  old_secret BLOB
);

CREATE TABLE subscriptions (
  trigger INTEGER PRIMARY KEY REFERENCES triggers (id) ON DELETE CASCADE,
  namespace TEXT NOT NULL,
  type TEXT NOT NULL
);

CREATE INDEX subscriptions_type ON subscriptions (namespace, type, trigger);

CREATE TABLE event_counts (
  namespace TEXT NOT NULL,
  type TEXT NOT NULL,
  told INTEGER NOT NULL,
  matched INTEGER NOT NULL,
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL, unmatched INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (namespace, type)
) WITHOUT ROWID;

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

CREATE TABLE backfill_fires (
  backfill BLOB NOT NULL REFERENCES backfills (id) ON DELETE CASCADE,
  fire_at INTEGER NOT NULL,
  trigger INTEGER NOT NULL,
  run BLOB NOT NULL,
  PRIMARY KEY (backfill, fire_at)
) WITHOUT ROWID;

CREATE INDEX backfill_fires_trigger ON backfill_fires (trigger, fire_at, run);

CREATE TABLE attendance (
  one INTEGER PRIMARY KEY DEFAULT 1 CHECK (one = 1),
  at INTEGER NOT NULL
);

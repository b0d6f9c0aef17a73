-- Alert rules, channels and SLOs, as operators and code define them. Secrets of channels are sealed.
CREATE TABLE alert_definitions (
  noun TEXT NOT NULL,
  namespace TEXT NOT NULL,
  name TEXT NOT NULL,
  version INTEGER NOT NULL,
  spec BLOB NOT NULL,
  secrets BLOB NOT NULL,
  owner TEXT NOT NULL,
  author TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (noun, namespace, name)
);
-- Alerts. A row is written only over the revision that was decided from.
CREATE TABLE alerts (
  id BLOB NOT NULL PRIMARY KEY,
  namespace TEXT NOT NULL,
  rule TEXT NOT NULL,
  subject TEXT NOT NULL,
  severity TEXT NOT NULL,
  state TEXT NOT NULL,
  since_at INTEGER NOT NULL,
  fired_at INTEGER,
  clear_at INTEGER,
  ended_at INTEGER,
  value REAL NOT NULL,
  words TEXT NOT NULL,
  run TEXT NOT NULL,
  notified_at INTEGER,
  notices INTEGER NOT NULL,
  escalated_at INTEGER,
  acked_at INTEGER,
  acked_by TEXT NOT NULL,
  note TEXT NOT NULL,
  revision INTEGER NOT NULL
);
-- Two servers that both begin an alert begin one.
CREATE UNIQUE INDEX alerts_open ON alerts (namespace, rule, subject) WHERE ended_at IS NULL;
CREATE INDEX alerts_listed ON alerts (namespace, since_at DESC, id DESC);
-- Notices: written in the transaction that changes their alerts, and sent after it.
CREATE TABLE notices (
  id BLOB NOT NULL PRIMARY KEY,
  namespace TEXT NOT NULL,
  channel TEXT NOT NULL,
  kind TEXT NOT NULL,
  topic TEXT NOT NULL,
  alerts BLOB NOT NULL,
  state TEXT NOT NULL,
  tries INTEGER NOT NULL,
  next_at INTEGER NOT NULL,
  made_at INTEGER NOT NULL,
  sent_at INTEGER,
  answer TEXT NOT NULL,
  token BLOB
);
CREATE INDEX notices_unsent ON notices (namespace, channel, made_at, id) WHERE state IN ('waiting', 'sending');
CREATE INDEX notices_listed ON notices (namespace, channel, made_at DESC, id DESC);
CREATE TABLE silences (
  id BLOB NOT NULL PRIMARY KEY,
  namespace TEXT NOT NULL,
  rule TEXT NOT NULL,
  subject TEXT NOT NULL,
  until INTEGER NOT NULL,
  author TEXT NOT NULL,
  reason TEXT NOT NULL,
  made_at INTEGER NOT NULL
);
-- The server that does a duty for all; it saves work and nothing else.
CREATE TABLE duty_leases (
  duty TEXT NOT NULL PRIMARY KEY,
  server BLOB NOT NULL,
  until INTEGER NOT NULL
);
-- When runs of a job last ended well, and badly; written by the roll-up.
CREATE TABLE job_marks (
  job INTEGER NOT NULL PRIMARY KEY,
  succeeded_at INTEGER,
  failed_at INTEGER
);

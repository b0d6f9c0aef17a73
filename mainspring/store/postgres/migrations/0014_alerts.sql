-- Alert rules, channels and SLOs, as operators and code define them. Secrets of channels are sealed.
CREATE TABLE mainspring.alert_definitions (
  noun text NOT NULL,
  namespace text NOT NULL COLLATE "C",
  name text NOT NULL COLLATE "C",
  version integer NOT NULL,
  spec bytea NOT NULL,
  secrets bytea NOT NULL,
  owner text NOT NULL,
  author text NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (noun, namespace, name)
);
-- Alerts. A row is written only over the revision that was decided from.
CREATE TABLE mainspring.alerts (
  id uuid PRIMARY KEY,
  namespace text NOT NULL COLLATE "C",
  rule text NOT NULL COLLATE "C",
  subject text NOT NULL COLLATE "C",
  severity text NOT NULL,
  state text NOT NULL,
  since_at timestamptz NOT NULL,
  fired_at timestamptz,
  clear_at timestamptz,
  ended_at timestamptz,
  value double precision NOT NULL,
  words text NOT NULL,
  run text NOT NULL,
  notified_at timestamptz,
  notices integer NOT NULL,
  escalated_at timestamptz,
  acked_at timestamptz,
  acked_by text NOT NULL,
  note text NOT NULL,
  revision bigint NOT NULL
) WITH (fillfactor = 70);
-- Two servers that both begin an alert begin one.
CREATE UNIQUE INDEX alerts_open ON mainspring.alerts (namespace, rule, subject) WHERE ended_at IS NULL;
CREATE INDEX alerts_listed ON mainspring.alerts (namespace, since_at DESC, id DESC);
-- Notices: written in the transaction that changes their alerts, and sent after it.
CREATE TABLE mainspring.notices (
  id uuid PRIMARY KEY,
  namespace text NOT NULL COLLATE "C",
  channel text NOT NULL COLLATE "C",
  kind text NOT NULL,
  topic text NOT NULL,
  alerts bytea NOT NULL,
  state text NOT NULL,
  tries integer NOT NULL,
  next_at timestamptz NOT NULL,
  made_at timestamptz NOT NULL,
  sent_at timestamptz,
  answer text NOT NULL,
  token uuid
) WITH (fillfactor = 70);
CREATE INDEX notices_unsent ON mainspring.notices (namespace, channel, made_at, id) WHERE state IN ('waiting', 'sending');
CREATE INDEX notices_listed ON mainspring.notices (namespace, channel, made_at DESC, id DESC);
CREATE TABLE mainspring.silences (
  id uuid PRIMARY KEY,
  namespace text NOT NULL,
  rule text NOT NULL,
  subject text NOT NULL,
  until timestamptz NOT NULL,
  author text NOT NULL,
  reason text NOT NULL,
  made_at timestamptz NOT NULL
);
-- The server that does a duty for all; it saves work and nothing else.
CREATE TABLE mainspring.duty_leases (
  duty text PRIMARY KEY,
  server uuid NOT NULL,
  until timestamptz NOT NULL
) WITH (fillfactor = 50);
-- When runs of a job last ended well, and badly; written by the roll-up.
CREATE TABLE mainspring.job_marks (
  job integer PRIMARY KEY,
  succeeded_at timestamptz,
  failed_at timestamptz
) WITH (fillfactor = 50);

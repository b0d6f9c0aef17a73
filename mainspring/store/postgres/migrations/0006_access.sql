-- The one row that every change of tokens and namespaces locks first. It numbers the changes in the order in which they
-- commit, so that servers ask for what is new; and it makes rules over several tokens, such as the last admin, safe.
CREATE TABLE mainspring.access (
  one boolean PRIMARY KEY CHECK (one),
  version bigint NOT NULL
);
INSERT INTO mainspring.access (one, version) VALUES (true, 1);

CREATE TABLE mainspring.namespaces (
  name text PRIMARY KEY,
  description text NOT NULL,
  created_at timestamptz
);
INSERT INTO mainspring.namespaces (name, description)
SELECT 'default', '' UNION SELECT j.namespace, '' FROM mainspring.jobs AS j;

-- Only hashes of what is shown. `version` is the number of the change that made the row what it is.
CREATE TABLE mainspring.tokens (
  id text PRIMARY KEY,
  name text NOT NULL,
  role text NOT NULL,
  namespace text NOT NULL,
  queues text[] NOT NULL,
  digest bytea NOT NULL UNIQUE,
  replaced_digest bytea,
  replaced_until timestamptz,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz,
  rotated_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  version bigint NOT NULL
) WITH (fillfactor = 70);
CREATE INDEX tokens_version ON mainspring.tokens (version);
CREATE INDEX tokens_age ON mainspring.tokens (created_at, id);

-- The log is read newest first, by any of its filters: each has an index that brings the entries in that order.
DROP INDEX mainspring.audit_subject;
CREATE INDEX audit_at ON mainspring.audit (at, position);
CREATE INDEX audit_actor ON mainspring.audit (actor, at, position);
CREATE INDEX audit_kind ON mainspring.audit (kind, at, position);
CREATE INDEX audit_key ON mainspring.audit (key, at, position);
CREATE INDEX audit_actor_kind ON mainspring.audit (actor, kind, at, position);
CREATE INDEX audit_namespace ON mainspring.audit (namespace, at, position);
CREATE INDEX audit_namespace_actor ON mainspring.audit (namespace, actor, at, position);
CREATE INDEX audit_namespace_kind ON mainspring.audit (namespace, kind, at, position);

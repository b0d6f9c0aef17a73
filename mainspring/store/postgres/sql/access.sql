-- number_change
-- Lock access, and number the change that follows.
UPDATE mainspring.access AS a SET version = a.version + 1 RETURNING a.version

-- access_version
-- The number of the last change.
SELECT a.version FROM mainspring.access AS a

-- changed_tokens
-- Tokens that were changed after a version.
SELECT t.id, t.name, t.role, t.namespace, t.queues, t.digest, t.replaced_digest, t.replaced_until, t.created_by,
  t.created_at, t.expires_at, t.rotated_at, t.revoked_at, t.last_used_at
FROM mainspring.tokens AS t
WHERE t.version > $1

-- token
-- One token.
SELECT t.id, t.name, t.role, t.namespace, t.queues, t.digest, t.replaced_digest, t.replaced_until, t.created_by,
  t.created_at, t.expires_at, t.rotated_at, t.revoked_at, t.last_used_at
FROM mainspring.tokens AS t
WHERE t.id = $1

-- list_tokens
-- Tokens that match, newest first, behind another one.
SELECT t.id, t.name, t.role, t.namespace, t.queues, t.digest, t.replaced_digest, t.replaced_until, t.created_by,
  t.created_at, t.expires_at, t.rotated_at, t.revoked_at, t.last_used_at
FROM mainspring.tokens AS t
WHERE ($1::text IS NULL OR t.namespace = $1)
  AND ($2::text IS NULL OR t.role = $2)
  AND ($3::timestamptz IS NULL OR t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > $3))
  AND ($4::timestamptz IS NULL OR (t.created_at, t.id) < ($4, $5::text))
ORDER BY t.created_at DESC, t.id DESC
LIMIT $6

-- has_tokens
-- Whether there is any.
SELECT EXISTS (SELECT FROM mainspring.tokens)

-- has_other_admin
-- Whether another token is an active admin of all namespaces.
SELECT EXISTS (
  SELECT FROM mainspring.tokens AS t
  WHERE t.id <> $1 AND t.role = 'admin' AND t.namespace = '*' AND t.revoked_at IS NULL
    AND (t.expires_at IS NULL OR t.expires_at > $2)
)

-- add_token
-- Add a token, unless its id or secret is taken.
INSERT INTO mainspring.tokens (id, name, role, namespace, queues, digest, created_by, created_at, expires_at, version)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
ON CONFLICT DO NOTHING

-- rotate_token
-- Give a token another secret.
UPDATE mainspring.tokens AS t
SET digest = $2, replaced_digest = t.digest, replaced_until = $3, rotated_at = $4, version = $5
WHERE t.id = $1

-- revoke_token
-- End a token.
UPDATE mainspring.tokens AS t SET revoked_at = $2, version = $3 WHERE t.id = $1

-- note_uses
-- Keep when tokens were used last.
UPDATE mainspring.tokens AS t
SET last_used_at = u.at
FROM unnest($1::text[], $2::timestamptz[]) AS u(id, at)
WHERE t.id = u.id AND (t.last_used_at IS NULL OR t.last_used_at < u.at)

-- forget_tokens
-- Delete tokens that have been dead for long.
DELETE FROM mainspring.tokens AS t WHERE least(t.revoked_at, t.expires_at) < $1

-- namespaces
-- All namespaces by name.
SELECT n.name, n.description, n.created_at FROM mainspring.namespaces AS n ORDER BY n.name

-- has_namespace
-- Whether there is one of that name.
SELECT EXISTS (SELECT FROM mainspring.namespaces AS n WHERE n.name = $1)

-- add_namespace
-- Add a namespace, unless its name is taken.
INSERT INTO mainspring.namespaces (name, description, created_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING

-- delete_namespace
-- Delete a namespace, with what was said of its queues, counted of its events, and its calendars: another one of that name
-- begins anew.
WITH rules AS (
  DELETE FROM mainspring.queues AS q WHERE q.namespace = $1
), counts AS (
  DELETE FROM mainspring.event_counts AS e WHERE e.namespace = $1
), versions AS (
  DELETE FROM mainspring.calendar_versions AS v
  USING mainspring.calendars AS c
  WHERE v.calendar = c.id AND c.namespace = $1
), days AS (
  DELETE FROM mainspring.calendars AS c WHERE c.namespace = $1
)
DELETE FROM mainspring.namespaces AS n WHERE n.name = $1

-- held_by_namespace
-- What a namespace still holds.
SELECT
  EXISTS (SELECT FROM mainspring.jobs AS j WHERE j.namespace = $1 AND j.deleted_at IS NULL) AS jobs,
  EXISTS (
    SELECT FROM mainspring.lines AS l JOIN mainspring.live AS r ON r.line = l.id WHERE l.namespace = $1
  ) AS runs,
  EXISTS (SELECT FROM mainspring.sessions AS s WHERE s.namespace = $1 AND NOT s.reclaimed) AS executors,
  EXISTS (
    SELECT FROM mainspring.tokens AS t
    WHERE t.namespace = $1 AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > $2)
  ) AS tokens

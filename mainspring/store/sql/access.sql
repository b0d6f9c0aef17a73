-- number_change
-- Lock access, and number the change that follows.
UPDATE mainspring.access SET version = version + 1 RETURNING version

-- access_version
-- The number of the last change.
SELECT a.version FROM mainspring.access AS a

-- changed_tokens
-- Tokens that were changed after a version.
SELECT t.id, t.name, t.role, t.namespace, t.queues, t.digest, t.replaced_digest, t.replaced_until, t.created_by,
  t.created_at, t.expires_at, t.rotated_at, t.revoked_at, t.last_used_at
FROM mainspring.tokens AS t
WHERE t.version > :since

-- token
-- One token.
SELECT t.id, t.name, t.role, t.namespace, t.queues, t.digest, t.replaced_digest, t.replaced_until, t.created_by,
  t.created_at, t.expires_at, t.rotated_at, t.revoked_at, t.last_used_at
FROM mainspring.tokens AS t
WHERE t.id = :id

-- list_tokens
-- Tokens that match, newest first, behind another one.
SELECT t.id, t.name, t.role, t.namespace, t.queues, t.digest, t.replaced_digest, t.replaced_until, t.created_by,
  t.created_at, t.expires_at, t.rotated_at, t.revoked_at, t.last_used_at
FROM mainspring.tokens AS t
WHERE (:namespace::text IS NULL OR t.namespace = :namespace)
  AND (:role::text IS NULL OR t.role = :role)
  AND (:active_at::timestamptz IS NULL OR t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > :active_at))
  AND (:at::timestamptz IS NULL OR (t.created_at, t.id) < (:at, :before::text))
ORDER BY t.created_at DESC, t.id DESC
LIMIT :limit

-- has_tokens
-- Whether there is any.
SELECT EXISTS (SELECT 1 FROM mainspring.tokens) AS held

-- has_other_admin
-- Whether another token is an active admin of all namespaces.
SELECT EXISTS (
  SELECT 1 FROM mainspring.tokens AS t
  WHERE t.id <> :id AND t.role = 'admin' AND t.namespace = '*' AND t.revoked_at IS NULL
    AND (t.expires_at IS NULL OR t.expires_at > :now)
) AS held

-- add_token
-- Add a token, unless its id or secret is taken.
INSERT INTO mainspring.tokens (id, name, role, namespace, queues, digest, created_by, created_at, expires_at, version)
VALUES (:id, :name, :role, :namespace, :queues, :digest, :created_by, :created_at, :expires_at, :version)
ON CONFLICT DO NOTHING

-- rotate_token
-- Give a token another secret.
UPDATE mainspring.tokens AS t
SET digest = :digest, replaced_digest = t.digest, replaced_until = :until, rotated_at = :now, version = :version
WHERE t.id = :id

-- revoke_token
-- End a token.
UPDATE mainspring.tokens AS t SET revoked_at = :now, version = :version WHERE t.id = :id

-- forget_tokens
-- Delete tokens that have been dead for long.
DELETE FROM mainspring.tokens AS t WHERE t.revoked_at < :before OR t.expires_at < :before

-- namespaces
-- All namespaces by name.
SELECT n.name, n.description, n.created_at FROM mainspring.namespaces AS n ORDER BY n.name

-- has_namespace
-- Whether there is one of that name.
SELECT EXISTS (SELECT 1 FROM mainspring.namespaces AS n WHERE n.name = :name) AS held

-- add_namespace
-- Add a namespace, unless its name is taken.
INSERT INTO mainspring.namespaces (name, description, created_at) VALUES (:name, :description, :created_at) ON CONFLICT DO NOTHING

-- note_use
-- Keep when a token was used last.
UPDATE mainspring.tokens AS t SET last_used_at = :at
WHERE t.id = :id AND (t.last_used_at IS NULL OR t.last_used_at < :at)

-- delete_rules
-- Delete the rules of the queues of a namespace.
DELETE FROM mainspring.queues AS q WHERE q.namespace = :name

-- delete_counts
-- Delete the counts of the events of a namespace.
DELETE FROM mainspring.event_counts AS e WHERE e.namespace = :name

-- delete_calendar_versions
-- Delete the versions of the calendars of a namespace,
DELETE FROM mainspring.calendar_versions AS v
WHERE v.calendar IN (SELECT c.id FROM mainspring.calendars AS c WHERE c.namespace = :name)

-- delete_calendars
-- and those themselves.
DELETE FROM mainspring.calendars AS c WHERE c.namespace = :name

-- delete_namespace
-- Delete a namespace.
DELETE FROM mainspring.namespaces AS n WHERE n.name = :name

-- number_change
-- Number the change that follows.
UPDATE access
SET version = version + 1
RETURNING version

-- access_version
-- The number of the last change.
SELECT version
FROM access

-- changed_tokens
-- Tokens that were changed after a version.
SELECT id, name, role, namespace, queues, digest, replaced_digest, replaced_until, created_by, created_at, expires_at,
  rotated_at, revoked_at, last_used_at
FROM tokens
WHERE version > :since

-- token
-- One token.
SELECT id, name, role, namespace, queues, digest, replaced_digest, replaced_until, created_by, created_at, expires_at,
  rotated_at, revoked_at, last_used_at
FROM tokens
WHERE id = :id

-- list_tokens
-- Tokens that match, newest first, behind another one.
SELECT id, name, role, namespace, queues, digest, replaced_digest, replaced_until, created_by, created_at, expires_at,
  rotated_at, revoked_at, last_used_at
FROM tokens
WHERE (:namespace IS NULL OR namespace = :namespace)
  AND (:role IS NULL OR role = :role)
  AND (:active_at IS NULL OR revoked_at IS NULL AND (expires_at IS NULL OR expires_at > :active_at))
  AND (:at IS NULL OR (created_at, id) < (:at, :behind))
ORDER BY created_at DESC, id DESC
LIMIT :limit

-- has_tokens
-- Whether there is any.
SELECT EXISTS (SELECT 1 FROM tokens)

-- has_other_admin
-- Whether another token is an active admin of all namespaces.
SELECT EXISTS (
  SELECT 1
  FROM tokens
  WHERE id <> :id
    AND role = 'admin'
    AND namespace = '*'
    AND revoked_at IS NULL
    AND (expires_at IS NULL OR expires_at > :now)
)

-- add_token
-- Add a token, unless its id or secret is taken.
INSERT INTO tokens (id, name, role, namespace, queues, digest, created_by, created_at, expires_at, version)
VALUES (:id, :name, :role, :namespace, :queues, :digest, :created_by, :created_at, :expires_at, :version)
ON CONFLICT DO NOTHING

-- rotate_token
-- Give a token another secret.
UPDATE tokens
SET digest = :digest, replaced_digest = digest, replaced_until = :until, rotated_at = :now, version = :version
WHERE id = :id

-- revoke_token
-- End a token.
UPDATE tokens
SET revoked_at = :now, version = :version
WHERE id = :id

-- note_use
-- Keep when a token was used last.
UPDATE tokens
SET last_used_at = :at
WHERE id = :id AND (last_used_at IS NULL OR last_used_at < :at)

-- forget_tokens
-- Delete tokens that have been dead for long.
DELETE FROM tokens
WHERE revoked_at < :before OR expires_at < :before

-- namespaces
-- All namespaces by name.
SELECT name, description, created_at
FROM namespaces
ORDER BY name

-- has_namespace
-- Whether there is one of that name.
SELECT EXISTS (SELECT 1 FROM namespaces WHERE name = :name)

-- add_namespace
-- Add a namespace, unless its name is taken.
INSERT INTO namespaces (name, description, created_at)
VALUES (:name, :description, :created_at)
ON CONFLICT DO NOTHING

-- delete_namespace
-- Delete a namespace.
DELETE FROM namespaces
WHERE name = :name

-- delete_rules
-- Delete what was said of the queues of a namespace: another one of that name begins anew.
DELETE FROM queues
WHERE namespace = :name

-- held_by_namespace
-- What a namespace still holds.
SELECT
  EXISTS (SELECT 1 FROM jobs WHERE namespace = :name AND deleted_at IS NULL) AS jobs,
  EXISTS (SELECT 1 FROM lines AS l JOIN runs AS r ON r.line = l.id WHERE l.namespace = :name) AS runs,
  EXISTS (SELECT 1 FROM sessions WHERE namespace = :name AND NOT reclaimed) AS executors,
  EXISTS (
    SELECT 1
    FROM tokens
    WHERE namespace = :name AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > :now)
  ) AS tokens

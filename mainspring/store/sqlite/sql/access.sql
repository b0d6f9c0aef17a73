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

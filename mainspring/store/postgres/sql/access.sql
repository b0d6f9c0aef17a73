-- held_by_namespace
-- What a namespace still holds.
SELECT
  EXISTS (SELECT FROM mainspring.jobs AS j WHERE j.namespace = :name AND j.deleted_at IS NULL) AS jobs,
  EXISTS (
    SELECT FROM mainspring.lines AS l JOIN mainspring.live AS r ON r.line = l.id WHERE l.namespace = :name
  ) AS runs,
  EXISTS (SELECT FROM mainspring.sessions AS s WHERE s.namespace = :name AND NOT s.reclaimed) AS executors,
  EXISTS (
    SELECT FROM mainspring.tokens AS t
    WHERE t.namespace = :name AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > :now)
  ) AS tokens

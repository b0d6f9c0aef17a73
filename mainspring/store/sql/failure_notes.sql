-- failure_notes
-- The notes, mutes and owners of kinds of failures of a namespace.
SELECT n.namespace, n.fingerprint, n.note, n.noted_by, n.noted_at, n.muted_at, n.muted_until, n.muted_by, n.mute_reason,
  n.owner, n.owned_by, n.owned_at
FROM mainspring.failure_notes AS n
WHERE n.namespace = :namespace

-- is_failure_open
-- Whether a kind of failure has a dead letter that is not discarded.
SELECT 1 AS found
FROM mainspring.dead AS d
WHERE d.namespace = :namespace AND d.fingerprint = :fingerprint AND d.discarded_at IS NULL
LIMIT 1

-- note_failure
-- Write the note of a kind of failure; its mute stays as it is.
INSERT INTO mainspring.failure_notes (namespace, fingerprint, note, noted_by, noted_at)
VALUES (:namespace, :fingerprint, :note, :by, :now)
ON CONFLICT (namespace, fingerprint) DO UPDATE
SET note = excluded.note, noted_by = excluded.noted_by, noted_at = excluded.noted_at

-- assign_failure
-- Write who looks after a kind of failure; its note and its mute stay as they are.
INSERT INTO mainspring.failure_notes (namespace, fingerprint, owner, owned_by, owned_at)
VALUES (:namespace, :fingerprint, :owner, :by, :now)
ON CONFLICT (namespace, fingerprint) DO UPDATE
SET owner = excluded.owner, owned_by = excluded.owned_by, owned_at = excluded.owned_at

-- mute_failure
-- Mute a kind of failure, or change for how long; its note stays as it is.
INSERT INTO mainspring.failure_notes (namespace, fingerprint, muted_at, muted_until, muted_by, mute_reason)
VALUES (:namespace, :fingerprint, :at, :until, :by, :reason)
ON CONFLICT (namespace, fingerprint) DO UPDATE
SET muted_at = excluded.muted_at, muted_until = excluded.muted_until, muted_by = excluded.muted_by,
  mute_reason = excluded.mute_reason

-- unmute_failure
-- End the mute of a kind of failure.
UPDATE mainspring.failure_notes AS n
SET muted_at = NULL, muted_until = NULL, muted_by = '', mute_reason = ''
WHERE n.namespace = :namespace AND n.fingerprint = :fingerprint AND n.muted_at IS NOT NULL

-- forget_failure_notes
-- Delete old notes of kinds of failures without a dead letter that is open.
DELETE FROM mainspring.failure_notes AS n
WHERE coalesce(n.noted_at, :before) <= :before AND coalesce(n.muted_at, :before) <= :before
  AND coalesce(n.owned_at, :before) <= :before
  AND NOT EXISTS (
    SELECT 1 FROM mainspring.dead AS d
    WHERE d.namespace = n.namespace AND d.fingerprint = n.fingerprint AND d.discarded_at IS NULL
  )

-- delete_namespace_notes
-- Take away all notes of failures of a namespace.
DELETE FROM mainspring.failure_notes AS n WHERE n.namespace = :name

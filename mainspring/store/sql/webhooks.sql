-- find_hook
-- The webhook with an address.
SELECT h.trigger, h.id AS hook_id, h.auth, h.secret, h.old_secret, h.old_until, h.made_at
FROM mainspring.hooks AS h
WHERE h.id = :hook

-- hook_of
-- The webhook of a trigger.
SELECT h.trigger, h.id AS hook_id, h.auth, h.secret, h.old_secret, h.old_until, h.made_at
FROM mainspring.hooks AS h
WHERE h.trigger = :trigger

-- lock_trigger
-- Lock one trigger.
SELECT t.id FROM mainspring.triggers AS t WHERE t.id = :trigger FOR UPDATE

-- put_hook
-- Write down what opens a trigger from now on.
INSERT INTO mainspring.hooks (trigger, id, auth, secret, old_secret, old_until, made_at)
VALUES (:trigger, :id, :auth, :secret, :old_secret, :old_until, :made_at)
ON CONFLICT (trigger) DO UPDATE
SET id = excluded.id, auth = excluded.auth, secret = excluded.secret, old_secret = excluded.old_secret,
    old_until = excluded.old_until, made_at = excluded.made_at

-- event_counts
-- A page of what was counted.
SELECT e.namespace, e.type, e.told, e.matched, e.unmatched, e.first_at, e.last_at
FROM mainspring.event_counts AS e
WHERE e.namespace = :namespace AND e.type > :after
ORDER BY e.type
LIMIT :limit

-- forget_events
-- Delete the counts of types that nobody tells any more.
DELETE FROM mainspring.event_counts AS e WHERE e.last_at < :before

-- list_seals
-- With which keys the secrets of webhooks were sealed: the mark and the name with which each begins.
SELECT substr(h.secret, 1, 8) AS seal
FROM mainspring.hooks AS h
UNION
SELECT substr(h.old_secret, 1, 8) AS seal
FROM mainspring.hooks AS h
WHERE h.old_secret IS NOT NULL

-- calls_of
-- The newest calls of a webhook first.
SELECT c.trigger, c.at, c.run, c.existing, c.code, c.detail
FROM mainspring.hook_calls AS c
WHERE c.trigger = :trigger
ORDER BY c.number DESC
LIMIT :limit

-- forget_calls
-- Delete the calls of a webhook but for the newest.
DELETE FROM mainspring.hook_calls AS c
WHERE c.trigger = :trigger AND c.number <= (
  SELECT k.number FROM mainspring.hook_calls AS k WHERE k.trigger = :trigger ORDER BY k.number DESC LIMIT 1 OFFSET :kept
)

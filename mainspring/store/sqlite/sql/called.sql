-- find_hook
-- The webhook with an address.
SELECT trigger, id AS hook_id, auth, secret, old_secret, old_until, made_at
FROM hooks
WHERE id = :hook

-- called_trigger
-- One trigger by its id.
SELECT json_group_array({row})
FROM triggers AS t
WHERE t.id = :trigger

-- hook_of
-- What opens a trigger.
SELECT id AS hook_id, auth, secret, old_secret, old_until, made_at
FROM hooks
WHERE trigger = :trigger

-- has_trigger
-- Whether there is such a trigger.
SELECT EXISTS (SELECT 1 FROM triggers WHERE id = :trigger)

-- put_hook
-- Write down what opens a trigger from now on.
INSERT INTO hooks (trigger, id, auth, secret, old_secret, old_until, made_at)
VALUES (:trigger, :id, :auth, :secret, :old_secret, :old_until, :made_at)
ON CONFLICT (trigger) DO UPDATE
SET id = excluded.id, auth = excluded.auth, secret = excluded.secret, old_secret = excluded.old_secret,
    old_until = excluded.old_until, made_at = excluded.made_at

-- unsubscribe
-- Forget which events triggers waited for.
DELETE FROM subscriptions
WHERE trigger IN (SELECT e.value FROM json_each(:triggers) AS e)

-- subscribe
-- Write down which events triggers wait for.
INSERT INTO subscriptions (trigger, namespace, type)
SELECT e.value ->> 0, e.value ->> 1, e.value ->> 2
FROM json_each(:rows) AS e

-- subscribers
-- Triggers that wait for events of these types.
SELECT json_group_array({row})
FROM (
  SELECT trigger
  FROM subscriptions
  WHERE namespace = :namespace AND type IN (SELECT e.value FROM json_each(:types) AS e)
  ORDER BY trigger
  LIMIT :limit
) AS s
CROSS JOIN triggers AS t ON t.id = s.trigger

-- count_events
-- Add to the counts of types.
INSERT INTO event_counts (namespace, type, told, matched, unmatched, first_at, last_at)
SELECT e.value ->> 0, e.value ->> 1, e.value ->> 2, e.value ->> 3, e.value ->> 4, e.value ->> 5, e.value ->> 6
FROM json_each(:rows) AS e
WHERE true
ON CONFLICT (namespace, type) DO UPDATE
SET told = told + excluded.told, matched = matched + excluded.matched, unmatched = unmatched + excluded.unmatched,
    last_at = max(last_at, excluded.last_at)

-- event_counts
-- A page of what was counted.
SELECT namespace, type, told, matched, unmatched, first_at, last_at
FROM event_counts
WHERE namespace = :namespace AND type > :after
ORDER BY type
LIMIT :limit

-- forget_events
-- Delete the counts of types that nobody tells any more.
DELETE FROM event_counts
WHERE last_at < :before

-- list_seals
-- With which keys the secrets of webhooks were sealed: the mark and the name with which each begins.
SELECT substr(secret, 1, 8) AS seal
FROM hooks
UNION
SELECT substr(old_secret, 1, 8) AS seal
FROM hooks
WHERE old_secret IS NOT NULL

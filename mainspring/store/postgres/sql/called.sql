-- find_hook
-- The webhook with an address, and its trigger.
SELECT t.*, h.id AS hook_id, h.auth, h.secret, h.old_secret, h.old_until, h.made_at
FROM mainspring.hooks AS h
JOIN mainspring.triggers AS t ON t.id = h.trigger
WHERE h.id = $1

-- hook_of
-- What opens a trigger.
SELECT h.id AS hook_id, h.auth, h.secret, h.old_secret, h.old_until, h.made_at
FROM mainspring.hooks AS h
WHERE h.trigger = $1

-- hold_called
-- Lock one trigger.
SELECT t.id FROM mainspring.triggers AS t WHERE t.id = $1 FOR UPDATE

-- put_hook
-- Write down what opens a trigger from now on.
INSERT INTO mainspring.hooks (trigger, id, auth, secret, old_secret, old_until, made_at)
VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (trigger) DO UPDATE
SET id = excluded.id, auth = excluded.auth, secret = excluded.secret, old_secret = excluded.old_secret,
    old_until = excluded.old_until, made_at = excluded.made_at

-- unsubscribe
-- Forget which events triggers waited for.
DELETE FROM mainspring.subscriptions AS s WHERE s.trigger = ANY ($1::bigint[])

-- subscribe
-- Write down which events triggers wait for.
INSERT INTO mainspring.subscriptions (trigger, namespace, type)
SELECT t.trigger, t.namespace, t.type
FROM unnest($1::bigint[], $2::text[], $3::text[]) AS t(trigger, namespace, type)

-- subscribers
-- Triggers that wait for events of these types.
SELECT t.* FROM mainspring.subscribers_1($1, $2, $3) AS t

-- count_events
-- Add to the counts of types, in one order for all.
INSERT INTO mainspring.event_counts AS e (namespace, type, told, matched, unmatched, first_at, last_at)
SELECT c.namespace, c.type, c.told, c.matched, c.unmatched, c.first_at, c.last_at
FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::timestamptz[], $7::timestamptz[])
  AS c(namespace, type, told, matched, unmatched, first_at, last_at)
ORDER BY c.namespace COLLATE "C", c.type COLLATE "C"
ON CONFLICT (namespace, type) DO UPDATE
SET told = e.told + excluded.told, matched = e.matched + excluded.matched, unmatched = e.unmatched + excluded.unmatched,
    last_at = greatest(e.last_at, excluded.last_at)

-- event_counts
-- A page of what was counted.
SELECT e.namespace, e.type, e.told, e.matched, e.unmatched, e.first_at, e.last_at
FROM mainspring.event_counts AS e
WHERE e.namespace = $1 AND e.type > $2
ORDER BY e.type
LIMIT $3

-- forget_events
-- Delete the counts of types that nobody tells any more.
DELETE FROM mainspring.event_counts AS e WHERE e.last_at < $1

-- list_seals
-- With which keys the secrets of webhooks were sealed: the mark and the name with which each begins.
SELECT substring(secret FROM 1 FOR 8) AS seal
FROM mainspring.hooks
UNION
SELECT substring(old_secret FROM 1 FOR 8) AS seal
FROM mainspring.hooks
WHERE old_secret IS NOT NULL

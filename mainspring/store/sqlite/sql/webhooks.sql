-- called_trigger
-- One trigger by its id.
SELECT json_group_array({row})
FROM triggers AS t
WHERE t.id = :trigger

-- unsubscribe
-- Forget which events triggers waited for.
DELETE FROM subscriptions
WHERE trigger IN (SELECT e.value FROM json_each(:triggers) AS e)

-- subscribe
-- Write down which events triggers wait for.
INSERT INTO subscriptions (trigger, namespace, type)
SELECT e.value ->> 'trigger', e.value ->> 'namespace', e.value ->> 'type'
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
SELECT
  e.value ->> 'namespace',
  e.value ->> 'type',
  e.value ->> 'told',
  e.value ->> 'matched',
  e.value ->> 'unmatched',
  e.value ->> 'first_at',
  e.value ->> 'last_at'
FROM json_each(:rows) AS e
WHERE true
ON CONFLICT (namespace, type) DO UPDATE
SET told = told + excluded.told, matched = matched + excluded.matched, unmatched = unmatched + excluded.unmatched,
    last_at = max(last_at, excluded.last_at)

-- note_calls
-- Remember calls of webhooks that are there.
INSERT INTO hook_calls (trigger, at, run, existing, code, detail)
SELECT
  e.value ->> 'trigger',
  e.value ->> 'at',
  e.value ->> 'run',
  e.value ->> 'existing',
  e.value ->> 'code',
  e.value ->> 'detail'
FROM json_each(:rows) AS e
JOIN triggers AS t ON t.id = e.value ->> 'trigger'
ORDER BY e.key

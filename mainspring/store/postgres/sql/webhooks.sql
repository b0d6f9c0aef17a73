-- unsubscribe
-- Forget which events triggers waited for.
DELETE FROM mainspring.subscriptions AS s WHERE s.trigger = ANY (:triggers::bigint[])

-- subscribe
-- Write down which events triggers wait for.
INSERT INTO mainspring.subscriptions (trigger, namespace, type)
SELECT t.trigger, t.namespace, t.type
FROM unnest(:trigger::bigint[], :namespace::text[], :type::text[]) AS t(trigger, namespace, type)

-- subscribers
-- Triggers that wait for events of these types.
SELECT t.* FROM mainspring.subscribers_1(:namespace, :types, :limit) AS t

-- count_events
-- Add to the counts of types, in one order for all.
INSERT INTO mainspring.event_counts AS e (namespace, type, told, matched, unmatched, first_at, last_at)
SELECT c.namespace, c.type, c.told, c.matched, c.unmatched, c.first_at, c.last_at
FROM unnest(:namespace::text[], :type::text[], :told::bigint[], :matched::bigint[], :unmatched::bigint[], :first_at::timestamptz[], :last_at::timestamptz[])
  AS c(namespace, type, told, matched, unmatched, first_at, last_at)
ORDER BY c.namespace COLLATE "C", c.type COLLATE "C"
ON CONFLICT (namespace, type) DO UPDATE
SET told = e.told + excluded.told, matched = e.matched + excluded.matched, unmatched = e.unmatched + excluded.unmatched,
    last_at = greatest(e.last_at, excluded.last_at)

-- called_trigger
-- One trigger by its id.
SELECT t.* FROM mainspring.triggers AS t WHERE t.id = :trigger

-- note_calls
-- Remember calls of webhooks that are there.
INSERT INTO mainspring.hook_calls (trigger, at, run, existing, code, detail)
SELECT c.trigger, c.at, c.run, c.existing, c.code, c.detail
FROM unnest(:trigger::bigint[], :at::timestamptz[], :run::text[], :existing::boolean[], :code::text[], :detail::text[])
  WITH ORDINALITY AS c(trigger, at, run, existing, code, detail, turn)
JOIN mainspring.triggers AS t ON t.id = c.trigger
ORDER BY c.turn

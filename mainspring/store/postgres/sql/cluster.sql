-- open_session
-- Add a session, or move a living one to this server if its seal is the same; cordoned if its executor is.
INSERT INTO mainspring.sessions AS s (
  id, namespace, executor, server, state, lease_until, opened_at, reclaimed, abilities, specs, seal
)
SELECT :id, :namespace::text, :executor::text, :server, CASE WHEN :state::smallint = 0 AND c.executor IS NOT NULL THEN 3 ELSE :state END, :lease_until, :now, false, :abilities, :specs, :seal
FROM (SELECT :namespace::text AS namespace, :executor::text AS executor) AS one
LEFT JOIN mainspring.cordons AS c ON c.namespace = one.namespace AND c.executor = one.executor
ON CONFLICT (id) DO UPDATE
SET server = excluded.server, state = excluded.state, lease_until = greatest(s.lease_until, excluded.lease_until),
    abilities = excluded.abilities, specs = excluded.specs
WHERE s.state <> 2 AND s.seal = excluded.seal AND s.namespace = excluded.namespace
RETURNING s.state, s.opened_at

-- kin
-- Other sessions of the same start of an executor that may still have attempts.
SELECT o.id
FROM mainspring.sessions AS s
JOIN mainspring.sessions AS o ON o.seal = s.seal AND o.namespace = s.namespace AND o.id <> s.id
WHERE s.id = :id AND s.seal <> '' AND NOT o.reclaimed

-- renew
-- Extend the leases of those not dead, and keep what their beats said.
SELECT mainspring.renew_1(
  :id,
  ARRAY(SELECT convert_to(t.load, 'UTF8') FROM unnest(:load::text[]) WITH ORDINALITY AS t(load, turn) ORDER BY t.turn),
  :lease_until
) AS id

-- mark_dead
-- Mark sessions dead.
UPDATE mainspring.sessions AS s SET state = 2, closed_at = :now WHERE s.id = ANY (:ids::uuid[]) AND s.state <> 2

-- mark_reclaimed
-- Note that dead sessions hold nothing any more.
UPDATE mainspring.sessions AS s SET reclaimed = true
WHERE s.state = 2 AND NOT s.reclaimed
  AND NOT EXISTS (SELECT FROM mainspring.runs AS r WHERE r.state = 2 AND r.session = s.id)
  AND NOT EXISTS (SELECT FROM mainspring.bundles AS b WHERE b.session = s.id)

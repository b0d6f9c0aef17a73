-- open_session
-- Add a session, or move a living one to this server if its seal is the same; cordoned if its executor is.
INSERT INTO mainspring.sessions AS s (
  id, namespace, executor, server, state, lease_until, opened_at, reclaimed, abilities, specs, seal
)
SELECT $1, $2::text, $3::text, $4, CASE WHEN $5::smallint = 0 AND c.executor IS NOT NULL THEN 3 ELSE $5 END, $6, $7, false, $8, $9, $10
FROM (SELECT $2::text AS namespace, $3::text AS executor) AS one
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
WHERE s.id = $1 AND s.seal <> '' AND NOT o.reclaimed

-- renew
-- Extend the leases of those not dead.
SELECT mainspring.renew_1($1, $2, $3) AS id

-- drain_session
-- Mark a session as taking no new work; a claim under way for it is waited for, which a plain update would not do.
WITH living AS (SELECT s.id FROM mainspring.sessions AS s WHERE s.id = $1 AND s.state IN (0, 3) FOR UPDATE)
UPDATE mainspring.sessions AS s SET state = 1 FROM living WHERE s.id = living.id

-- close_session
-- Mark a session dead at its own wish; a claim under way for it is waited for.
WITH living AS (SELECT s.id FROM mainspring.sessions AS s WHERE s.id = $1 AND s.state <> 2 FOR UPDATE)
UPDATE mainspring.sessions AS s SET state = 2, closed_at = $2 FROM living WHERE s.id = living.id

-- sessions
-- All sessions that are not dead.
SELECT s.id, s.namespace, s.executor, s.server, s.state, s.lease_until, s.abilities, s.load
FROM mainspring.sessions AS s
WHERE NOT s.reclaimed AND s.state <> 2

-- lapsed
-- Lock sessions whose lease ended; a claim under way for one of them is waited for.
SELECT s.id FROM mainspring.sessions AS s
WHERE NOT s.reclaimed AND s.state <> 2 AND s.lease_until < $1
ORDER BY s.id
FOR UPDATE SKIP LOCKED

-- bury
-- Mark sessions dead.
UPDATE mainspring.sessions AS s SET state = 2, closed_at = $2 WHERE s.id = ANY ($1::uuid[]) AND s.state <> 2

-- dead
-- Dead sessions whose attempts may not all be reclaimed yet, and those whose lease ended and that are still to die.
SELECT s.id, s.state = 2 AS dead FROM mainspring.sessions AS s WHERE NOT s.reclaimed AND (s.state = 2 OR s.lease_until < $1)

-- lay_to_rest
-- Note that dead sessions hold nothing any more.
UPDATE mainspring.sessions AS s SET reclaimed = true
WHERE s.state = 2 AND NOT s.reclaimed
  AND NOT EXISTS (SELECT FROM mainspring.runs AS r WHERE r.state = 2 AND r.session = s.id)
  AND NOT EXISTS (SELECT FROM mainspring.bundles AS b WHERE b.session = s.id)

-- forget
-- Delete sessions that have been dead for long.
DELETE FROM mainspring.sessions AS s WHERE s.reclaimed AND s.closed_at < $1

-- join
-- Add or renew a server.
INSERT INTO mainspring.servers AS s (id, name, lease_until)
VALUES ($1, $2, $3)
ON CONFLICT (id) DO UPDATE SET lease_until = excluded.lease_until

-- servers
-- Servers whose lease has not lapsed.
SELECT s.id, s.name, s.lease_until FROM mainspring.servers AS s WHERE s.lease_until >= $1

-- sweep_servers
-- Remove servers that have been gone for long.
DELETE FROM mainspring.servers AS s WHERE s.lease_until < $1

-- leave
-- Remove a server.
DELETE FROM mainspring.servers AS s WHERE s.id = $1

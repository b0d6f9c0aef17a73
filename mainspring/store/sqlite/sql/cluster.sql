-- open_session
-- Add a session, or move a living one to this server if its seal is the same; cordoned if its executor is.
INSERT INTO sessions (id, namespace, executor, server, state, lease_until, opened_at, reclaimed, abilities, specs, seal)
VALUES (
  :id, :namespace, :executor, :server,
  CASE
    WHEN :state = 0 AND EXISTS (SELECT 1 FROM cordons WHERE namespace = :namespace AND executor = :executor) THEN 3
    ELSE :state
  END,
  :lease_until, :now, 0, :abilities, :specs, :seal
)
ON CONFLICT (id) DO UPDATE
SET
  server = excluded.server,
  state = excluded.state,
  lease_until = max(lease_until, excluded.lease_until),
  abilities = excluded.abilities,
  specs = excluded.specs
WHERE state <> 2 AND seal = excluded.seal AND namespace = excluded.namespace
RETURNING state, opened_at

-- kin
-- Other sessions of the same start of an executor that may still have attempts.
SELECT o.id
FROM sessions AS s
CROSS JOIN sessions AS o
WHERE s.id = :id
  AND s.seal <> x''
  AND o.seal = s.seal
  AND o.namespace = s.namespace
  AND o.id <> s.id
  AND NOT o.reclaimed

-- renew
-- Extend the leases of those not dead, and keep what their beats said.
UPDATE sessions
SET lease_until = max(lease_until, :lease_until), load = coalesce(b.load, sessions.load)
FROM (SELECT substr(:ids, 16 * e.key + 1, 16) AS id, e.value AS load FROM json_each(:rows) AS e) AS b
WHERE sessions.id = b.id AND state <> 2
RETURNING id

-- drain_session
-- Mark a session as taking no new work.
UPDATE sessions
SET state = 1
WHERE id = :id AND state IN (0, 3)

-- close_session
-- Mark a session dead at its own wish.
UPDATE sessions
SET state = 2, closed_at = :now
WHERE id = :id AND state <> 2

-- sessions
-- All sessions that are not dead.
SELECT id, namespace, executor, server, state, lease_until, abilities, load
FROM sessions
WHERE state <> 2

-- bury
-- Mark dead the sessions whose lease ended.
UPDATE sessions
SET state = 2, closed_at = :now
WHERE state <> 2 AND lease_until < :before

-- dead
-- Dead sessions whose attempts may not all be reclaimed yet.
SELECT id
FROM sessions
WHERE state = 2 AND NOT reclaimed

-- lay_to_rest
-- Note that dead sessions hold nothing any more.
UPDATE sessions
SET reclaimed = 1
WHERE state = 2
  AND NOT reclaimed
  AND NOT EXISTS (SELECT 1 FROM runs AS r INDEXED BY runs_held WHERE r.state = 2 AND r.session = sessions.id)

-- forget
-- Delete sessions that have been dead for long.
DELETE FROM sessions
WHERE reclaimed AND closed_at < :before

-- join
-- Add or renew a server.
INSERT INTO servers (id, name, lease_until)
VALUES (:id, :name, :lease_until)
ON CONFLICT (id) DO UPDATE SET name = excluded.name, lease_until = excluded.lease_until

-- servers
-- Servers whose lease has not lapsed.
SELECT id, name, lease_until
FROM servers
WHERE lease_until >= :now

-- sweep_servers
-- Remove servers that have been gone for long.
DELETE FROM servers
WHERE lease_until < :before

-- leave
-- Remove a server.
DELETE FROM servers
WHERE id = :id

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
FROM (SELECT substr(:id, 16 * e.key + 1, 16) AS id, e.value ->> 'load' AS load FROM json_each(:rows) AS e) AS b
WHERE sessions.id = b.id AND state <> 2
RETURNING id

-- mark_dead
-- Mark sessions dead.
UPDATE sessions
SET state = 2, closed_at = :now
WHERE state <> 2 AND id IN (SELECT substr(:ids, 16 * e.key + 1, 16) FROM json_each(:rows) AS e)

-- mark_reclaimed
-- Note that dead sessions hold nothing any more.
UPDATE sessions
SET reclaimed = 1
WHERE state = 2
  AND NOT reclaimed
  AND NOT EXISTS (SELECT 1 FROM runs AS r INDEXED BY runs_held WHERE r.state = 2 AND r.session = sessions.id)

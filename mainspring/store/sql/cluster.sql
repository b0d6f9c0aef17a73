-- drain_session
-- Mark a session as taking no new work; a claim under way for it is waited for, which a plain update would not do.
WITH living AS (SELECT s.id FROM mainspring.sessions AS s WHERE s.id = :id AND s.state IN (0, 3) FOR UPDATE)
UPDATE mainspring.sessions AS s SET state = 1 FROM living WHERE s.id = living.id

-- resize_session
-- Keep what a living session says of itself.
UPDATE mainspring.sessions AS s SET abilities = :abilities WHERE s.id = :id AND s.state <> 2

-- close_session
-- Mark a session dead at its own wish; a claim under way for it is waited for.
WITH living AS (SELECT s.id FROM mainspring.sessions AS s WHERE s.id = :id AND s.state <> 2 FOR UPDATE)
UPDATE mainspring.sessions AS s SET state = 2, closed_at = :now FROM living WHERE s.id = living.id

-- sessions
-- All sessions that are not dead.
SELECT s.id, s.namespace, s.executor, s.server, s.state, s.lease_until, s.abilities, s.load
FROM mainspring.sessions AS s
WHERE NOT s.reclaimed AND s.state <> 2

-- lapsed
-- Lock sessions whose lease ended; a claim under way for one of them is waited for.
SELECT s.id FROM mainspring.sessions AS s
WHERE NOT s.reclaimed AND s.state <> 2 AND s.lease_until < :before
ORDER BY s.id
FOR UPDATE SKIP LOCKED

-- ended_sessions
-- Dead sessions whose attempts may not all be reclaimed yet, and those whose lease ended and that are still to die.
SELECT s.id, s.state = 2 AS dead FROM mainspring.sessions AS s WHERE NOT s.reclaimed AND (s.state = 2 OR s.lease_until < :before)

-- forget
-- Delete sessions that have been dead for long.
DELETE FROM mainspring.sessions AS s WHERE s.reclaimed AND s.closed_at < :before

-- join
-- Add or renew a server; its state is the operators'.
INSERT INTO mainspring.servers AS s (id, name, lease_until, url, zone, version, protocol, joined_at, attached, commit_p99, loop_delay)
VALUES (:id, :name, :lease_until, :url, :zone, :version, :protocol, :joined_at, :attached, :commit_p99, :loop_delay)
ON CONFLICT (id) DO UPDATE
SET name = excluded.name, lease_until = excluded.lease_until, url = excluded.url, zone = excluded.zone,
  version = excluded.version, protocol = excluded.protocol, attached = excluded.attached,
  commit_p99 = excluded.commit_p99, loop_delay = excluded.loop_delay

-- servers
-- Servers whose lease has not lapsed, by name.
SELECT s.id, s.name, s.lease_until, s.url, s.zone, s.version, s.protocol, s.joined_at, s.attached, s.state,
  s.commit_p99, s.loop_delay
FROM mainspring.servers AS s
WHERE s.lease_until >= :now
ORDER BY s.name COLLATE "C", s.id

-- usage_leases
-- When the leases of the sessions end that are not dead.
SELECT s.lease_until FROM mainspring.sessions AS s WHERE NOT s.reclaimed AND s.state <> 2

-- usage_duties
-- Who does which duty for all.
SELECT d.duty, s.name, d.until
FROM mainspring.duty_leases AS d
LEFT JOIN mainspring.servers AS s ON s.id = d.server
ORDER BY d.duty

-- lock_servers
-- Lock the living servers of a name.
SELECT s.id, s.name, s.lease_until, s.url, s.zone, s.version, s.protocol, s.joined_at, s.attached, s.state,
  s.commit_p99, s.loop_delay
FROM mainspring.servers AS s
WHERE s.name = :name AND s.lease_until >= :now
ORDER BY s.id
FOR UPDATE

-- set_server_state
-- Drain or resume the servers of a name.
UPDATE mainspring.servers AS s SET state = :state WHERE s.name = :name

-- forget_servers
-- Remove servers that have been gone for long.
DELETE FROM mainspring.servers AS s WHERE s.lease_until < :before

-- leave
-- Remove a server.
DELETE FROM mainspring.servers AS s WHERE s.id = :id

-- place_of_run
-- The line of a queued run, and how many due runs are before it, counted priority by priority, its own first.
SELECT r.line, (
  SELECT count(*)
  FROM (
    SELECT 1
    FROM json_each('[0,1,2,3,4,5,6,7,8,9]') AS p
    CROSS JOIN runs AS c INDEXED BY runs_claimable
    -- One bound that the index knows: as a filter it would be asked of every run of the line that comes after this one.
    WHERE p.value >= r.priority AND c.state = 1 AND c.line = r.line AND c.priority = p.value
      AND (c.due_at, c.id) < (min(CASE p.value WHEN r.priority THEN r.due_at ELSE :now + 1 END, :now + 1), r.id)
    LIMIT :limit
  )
) AS ahead
FROM runs AS r
WHERE r.id = :run AND r.state = 1

-- limit_rules
-- Every limit that operators have set.
SELECT namespace, scope, name, at_once, rate, burst, key AS keys, revision, updated_at FROM limits

-- set_limit_rule
-- Set or replace a limit.
INSERT INTO limits AS l (namespace, scope, name, at_once, rate, burst, key, revision, updated_at)
VALUES (:namespace, :scope, :name, :at_once, :rate, :burst, :key, 1, :now)
ON CONFLICT (namespace, scope, name) DO UPDATE
SET at_once = excluded.at_once, rate = excluded.rate, burst = excluded.burst, key = excluded.key, revision = l.revision + 1,
  updated_at = excluded.updated_at
RETURNING namespace, scope, name, at_once, rate, burst, key AS keys, revision, updated_at

-- leave_gates
-- Let these lines no longer lead through gates that are not among the pairs.
DELETE FROM gate_lines
WHERE line IN (SELECT e.value FROM json_each(:lines) AS e)
  AND line || ':' || gate NOT IN (SELECT e.value FROM json_each(:pairs) AS e)

-- lead_through
-- Let lines lead through gates.
INSERT INTO gate_lines (line, gate)
SELECT e.value ->> 'line', e.value ->> 'gate'
FROM json_each(:rows) AS e
WHERE true
ON CONFLICT DO NOTHING

-- lock_gates
-- Nothing is locked where there is one writer.
SELECT id FROM gates WHERE id IN (SELECT e.value FROM json_each(:gates) AS e)

-- recount_gates
-- Nothing is kept that could be wrong: a claim counts for itself.
SELECT 0 AS wrong WHERE :now IS NULL AND :gates IS NULL

-- gate_states
-- How much of these gates is taken.
SELECT g.id, g.at_once, (
    SELECT count(*)
    FROM gate_lines AS l
    CROSS JOIN runs AS r INDEXED BY runs_held ON r.line = l.line
    WHERE l.gate = g.id AND r.state = 2
  ) AS held,
  g.full_at - (g.burst - 1) * g.gap AS opens
FROM gates AS g
WHERE g.id IN (SELECT e.value FROM json_each(:gates) AS e)

-- line_holders
-- Some running runs of these lines.
SELECT id
FROM runs INDEXED BY runs_held
WHERE state = 2 AND line IN (SELECT e.value FROM json_each(:lines) AS e)
ORDER BY claimed_at
LIMIT :limit

-- place_of_run
-- The line of a queued run, and how many due runs are before it, counted from the run to the front of its line.
-- The run is found first and judged afterwards: its state would tempt a planner to look for its id in the whole claim index.
WITH found AS MATERIALIZED (
  SELECT r.id, r.line, r.priority, r.due_at, r.state FROM mainspring.runs AS r WHERE r.id = :run
)
SELECT r.line, (
  SELECT count(*)
  FROM (
    SELECT
    FROM generate_series(r.priority, 9) AS p(priority)
    CROSS JOIN LATERAL (
      SELECT
      FROM mainspring.runs AS c
      -- One bound that the index knows: as a filter it would be asked of every run of the line that comes after this one. The
      -- nearest first, because the entries of runs that have gone lie at the front until they are vacuumed. Of a higher
      -- priority all that are due are before it: `least` passes over null.
      WHERE c.state = 1 AND c.line = r.line AND c.priority = p.priority AND (c.due_at, c.id) < (
        least(CASE p.priority WHEN r.priority THEN r.due_at END, :now::timestamptz + interval '1 microsecond'), r.id
      )
      ORDER BY c.due_at DESC, c.id DESC
      LIMIT :limit
    ) AS each
    LIMIT :limit
  ) AS before
) AS ahead
FROM found AS r
WHERE r.state = 1

-- limit_rules
-- Every limit that operators have set.
SELECT l.namespace, l.scope, l.name, l.at_once, l.rate, l.burst, l.key AS keys, l.revision, l.updated_at FROM mainspring.limits AS l

-- set_limit_rule
-- Set or replace a limit.
INSERT INTO mainspring.limits AS l (namespace, scope, name, at_once, rate, burst, key, revision, updated_at)
VALUES (:namespace, :scope, :name, :at_once, :rate, :burst, :key::text[], 1, :now)
ON CONFLICT (namespace, scope, name) DO UPDATE
SET at_once = excluded.at_once, rate = excluded.rate, burst = excluded.burst, key = excluded.key, revision = l.revision + 1,
  updated_at = excluded.updated_at
RETURNING namespace, scope, name, at_once, rate, burst, key AS keys, revision, updated_at

-- leave_gates
-- Let these lines no longer lead through gates that are not among the pairs.
DELETE FROM mainspring.gate_lines AS l
WHERE l.line = ANY (:lines::integer[]) AND l.line || ':' || l.gate <> ALL (:pairs::text[])

-- lead_through
-- Let lines lead through gates.
INSERT INTO mainspring.gate_lines (line, gate)
SELECT t.line, t.gate FROM unnest(:line::integer[], :gate::bigint[]) AS t(line, gate)
ORDER BY t.line, t.gate
ON CONFLICT DO NOTHING

-- lock_gates
-- Lock gates in the order of their ids, as claims do.
SELECT g.id FROM mainspring.gates AS g WHERE g.id = ANY (:gates::bigint[]) ORDER BY g.id FOR NO KEY UPDATE

-- recount_gates
-- Count anew what locked gates hold; only those that were wrong are changed.
WITH told AS (
  DELETE FROM mainspring.exits AS e WHERE e.gate = ANY (:gates::bigint[]) RETURNING e.gate, e.ended
), counted AS MATERIALIZED (
  SELECT g.id, g.held - coalesce((SELECT sum(o.ended) FROM told AS o WHERE o.gate = g.id), 0) AS thought,
    count(r.line) AS held
  FROM mainspring.gates AS g
  LEFT JOIN mainspring.gate_lines AS l ON l.gate = g.id
  LEFT JOIN mainspring.live AS r ON r.line = l.line AND r.state = 2
  WHERE g.id = ANY (:gates::bigint[])
  GROUP BY g.id
), kept AS (
  UPDATE mainspring.gates AS g SET held = c.held, counted_at = :now FROM counted AS c WHERE g.id = c.id
)
SELECT count(*) AS wrong FROM counted AS c WHERE c.thought <> c.held

-- gate_states
-- How much of these gates is taken.
SELECT g.id, g.at_once, g.held - coalesce((SELECT sum(e.ended) FROM mainspring.exits AS e WHERE e.gate = g.id), 0) AS held,
  g.full_at - (g.burst - 1) * g.gap AS opens
FROM mainspring.gates AS g
WHERE g.id = ANY (:gates::bigint[])

-- line_holders
-- Some running runs of these lines.
SELECT r.id FROM mainspring.live AS r WHERE r.state = 2 AND r.line = ANY (:lines::integer[]) ORDER BY r.claimed_at LIMIT :limit

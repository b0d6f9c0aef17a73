-- jobs_named
-- The numbers of some jobs.
SELECT j.id, j.name FROM mainspring.jobs AS j WHERE j.namespace = $1 AND j.name = ANY ($2::text[])

-- last_past
-- The last settled runs of each of some jobs.
SELECT f.jobs, f.runs FROM mainspring.last_runs_1($1, $2, $3, $4, $5, $6) AS f

-- last_waiting
-- The last queued and waiting runs of each of some jobs, in each line and state that occurs.
WITH RECURSIVE place AS (
  SELECT j.id AS job, f.line, f.state
  FROM unnest($1::integer[]) AS j(id)
  CROSS JOIN LATERAL (
    SELECT r.line, r.state FROM mainspring.runs AS r
    WHERE r.state < 2 AND r.job = j.id
    ORDER BY r.line, r.state
    LIMIT 1
  ) AS f
  UNION ALL
  SELECT p.job, f.line, f.state
  FROM place AS p
  CROSS JOIN LATERAL (
    SELECT r.line, r.state FROM mainspring.runs AS r
    WHERE r.state < 2 AND r.job = p.job AND (r.line, r.state) > (p.line, p.state)
    ORDER BY r.line, r.state
    LIMIT 1
  ) AS f
)
SELECT p.job, f.id
FROM place AS p
CROSS JOIN LATERAL (
  SELECT r.id FROM mainspring.runs AS r
  -- As one comparison and one order of all four: with equalities the index on ids alone looks as good to the planner.
  WHERE r.state < 2
    AND (r.job, r.line, r.state, r.id) >= (p.job, p.line, p.state, $2) AND (r.job, r.line, r.state, r.id) < (p.job, p.line, p.state, $3)
  ORDER BY r.job DESC, r.line DESC, r.state DESC, r.id DESC
  LIMIT $4
) AS f

-- last_held
-- Running runs of some jobs: so many candidates of each session, the last ones, and how far they reach.
WITH candidates AS MATERIALIZED (
  SELECT f.id, f.job, f.turn
  FROM mainspring.sessions AS s
  CROSS JOIN LATERAL (
    SELECT r.id, r.job, row_number() OVER (ORDER BY r.id DESC) AS turn
    FROM (
      (
        SELECT c.id, c.job
        FROM mainspring.runs AS c
        WHERE c.state = 2 AND c.session = s.id
        ORDER BY c.id DESC
        LIMIT $3
      )
      UNION ALL
      (
        SELECT h.id, h.job
        FROM mainspring.bundles AS b
        CROSS JOIN LATERAL unnest(b.held) AS h
        WHERE b.session = s.id
        ORDER BY h.id DESC
        LIMIT $3
      )
    ) AS r
    ORDER BY r.id DESC
    LIMIT $3
  ) AS f
  WHERE s.namespace = $1 AND NOT s.reclaimed
)
SELECT
  ARRAY(SELECT c.job FROM candidates AS c WHERE c.job = ANY ($2::integer[]) ORDER BY c.id) AS jobs,
  ARRAY(SELECT c.id FROM candidates AS c WHERE c.job = ANY ($2::integer[]) ORDER BY c.id) AS runs,
  (SELECT c.id FROM candidates AS c WHERE c.turn = $3 ORDER BY c.id DESC LIMIT 1) AS reach

-- scan
-- Candidates in the order of their ids, so many live and so many settled ones: which match, and how far they reach.
WITH living AS MATERIALIZED (
  (
    SELECT r.id, r.job, r.line, CASE WHEN r.state = 1 AND r.line = ANY ($5::integer[]) THEN 0 ELSE r.state END AS state
    FROM mainspring.runs AS r
    WHERE $6 AND r.id >= $8 AND r.id < $9
    ORDER BY r.id {order}
    LIMIT $10
  )
  UNION ALL
  (
    SELECT h.id, h.job, h.line, 2
    FROM mainspring.bundles AS b
    CROSS JOIN LATERAL unnest(b.held) AS h
    WHERE $6 AND h.id >= $8 AND h.id < $9
    ORDER BY h.id {order}
    LIMIT $10
  )
  ORDER BY id {order}
  LIMIT $10
)
SELECT
  ARRAY(
    SELECT c.id
    FROM living AS c
    WHERE c.state = ANY ($4::smallint[])
      AND ($2::text IS NULL OR c.job = (SELECT j.id FROM mainspring.jobs AS j WHERE j.namespace = $1 AND j.name = $2))
      AND (SELECT l.namespace = $1 AND ($3::text IS NULL OR l.queue = $3) FROM mainspring.lines AS l WHERE l.id = c.line)
    ORDER BY c.id {order}
    LIMIT $11
  ) AS live,
  (SELECT c.id FROM living AS c ORDER BY c.id {order} OFFSET $10 - 1 LIMIT 1) AS live_reach,
  ARRAY(
    SELECT c.id
    FROM (
      SELECT h.id, h.job, h.line, h.state
      FROM mainspring.history AS h
      WHERE $7 AND h.id >= $8 AND h.id < $9 {only}
      ORDER BY h.id {order}
      LIMIT $10
    ) AS c
    WHERE c.state = ANY ($4::smallint[])
      AND ($2::text IS NULL OR c.job = (SELECT j.id FROM mainspring.jobs AS j WHERE j.namespace = $1 AND j.name = $2))
      AND (SELECT l.namespace = $1 AND ($3::text IS NULL OR l.queue = $3) FROM mainspring.lines AS l WHERE l.id = c.line)
    ORDER BY c.id {order}
    LIMIT $11
  ) AS past,
  (
    SELECT h.id FROM mainspring.history AS h WHERE $7 AND h.id >= $8 AND h.id < $9 {only}
    ORDER BY h.id {order} OFFSET $10 - 1 LIMIT 1
  ) AS past_reach

-- wanted
-- The numbers of the jobs and lines that a filter names, as packed bytes.
SELECT
  (SELECT string_agg(int4send(j.id), '') FROM mainspring.jobs AS j
   WHERE j.namespace = $1 AND ($2::text IS NULL OR j.name = $2)) AS jobs,
  (SELECT string_agg(int4send(l.id), '') FROM mainspring.lines AS l
   WHERE l.namespace = $1 AND ($3::text IS NULL OR l.queue = $3)) AS lines

-- find_live
-- Queued and waiting runs: step from one job, line and state that occurs to the next, and read the first runs of each.
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
SELECT f.id
FROM place AS p
CROSS JOIN LATERAL (
  SELECT r.id FROM mainspring.runs AS r
  -- As one comparison and one order of all four: with equalities the index on ids alone looks as good to the planner.
  WHERE r.state < 2
    AND (r.job, r.line, r.state, r.id) >= (p.job, p.line, p.state, $4) AND (r.job, r.line, r.state, r.id) < (p.job, p.line, p.state, $5)
  ORDER BY r.job {order}, r.line {order}, r.state {order}, r.id {order}
  LIMIT $6
) AS f
WHERE p.line = ANY ($2::integer[])
  AND CASE WHEN p.state = 1 AND p.line = ANY ($7::integer[]) THEN 0 ELSE p.state END = ANY ($3::smallint[])
ORDER BY f.id {order}
LIMIT $6

-- find_held
-- Running runs: so many candidates of each session in the order of their ids, which match, and how far they reach.
WITH candidates AS MATERIALIZED (
  SELECT s.id AS session, f.id, f.job, f.line, f.turn
  FROM mainspring.sessions AS s
  CROSS JOIN LATERAL (
    SELECT r.id, r.job, r.line, row_number() OVER (ORDER BY r.id {order}) AS turn
    FROM (
      (
        SELECT c.id, c.job, c.line
        FROM mainspring.runs AS c
        WHERE c.state = 2 AND c.session = s.id AND c.id >= $4 AND c.id < $5
        ORDER BY c.id {order}
        LIMIT $7
      )
      UNION ALL
      (
        SELECT h.id, h.job, h.line
        FROM mainspring.bundles AS b
        CROSS JOIN LATERAL unnest(b.held) AS h
        WHERE b.session = s.id AND h.id >= $4 AND h.id < $5
        ORDER BY h.id {order}
        LIMIT $7
      )
    ) AS r
    ORDER BY r.id {order}
    LIMIT $7
  ) AS f
  WHERE s.namespace = $1 AND NOT s.reclaimed
)
SELECT
  ARRAY(
    SELECT c.id FROM candidates AS c
    WHERE c.job = ANY ($2::integer[]) AND c.line = ANY ($3::integer[])
    ORDER BY c.id {order}
    LIMIT $6
  ) AS runs,
  (SELECT c.id FROM candidates AS c WHERE c.turn = $7 ORDER BY c.id {order} LIMIT 1) AS reach

-- holders
-- How many sessions may have attempts under way.
SELECT count(*) FROM mainspring.sessions AS s WHERE s.namespace = $1 AND NOT s.reclaimed

-- history_days
-- The days of history, each with its lowest and its highest id.
SELECT d.name, (
  SELECT h.id FROM mainspring.history AS h
  WHERE h.finished_at >= d.start AND h.finished_at < d.start + interval '24 hours'
  ORDER BY h.id
  LIMIT 1
) AS low, (
  SELECT h.id FROM mainspring.history AS h
  WHERE h.finished_at >= d.start AND h.finished_at < d.start + interval '24 hours'
  ORDER BY h.id DESC
  LIMIT 1
) AS high
FROM (
  SELECT right(c.relname, 8) AS name, to_date(right(c.relname, 8), 'YYYYMMDD')::timestamp AT TIME ZONE 'UTC' AS start
  FROM pg_catalog.pg_inherits AS i
  JOIN pg_catalog.pg_class AS c ON c.oid = i.inhrelid
  WHERE i.inhparent = 'mainspring.history'::regclass
) AS d

-- find_on_days
-- Settled runs of some days.
SELECT mainspring.find_on_days_2($1, $2, $3, $4, $5, $6, $7, $8, $9)

-- rarest_mark
-- Which of these marks the fewest runs have, as far as counting goes.
SELECT m.mark
FROM unnest($2::text[]) WITH ORDINALITY AS m(mark, turn)
CROSS JOIN LATERAL (
  SELECT count(*) AS size
  FROM (
    SELECT FROM mainspring.marks AS k
    WHERE k.namespace = $1 AND k.mark = m.mark AND k.run >= $3 AND k.run < $4
    LIMIT $5
  ) AS few
) AS c
ORDER BY c.size, m.turn
LIMIT 1

-- find_marked
-- So many candidates that have a mark: which of them have the others and match, and how far the candidates reach.
SELECT f.runs, f.reach FROM mainspring.find_marked_1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) AS f

-- holder
-- The run that has a key.
SELECT k.run FROM mainspring.keys AS k WHERE k.namespace = $1 AND k.key = $2

-- matching
-- Which of these runs match.
SELECT mainspring.matching_2($1, $2, $3, $4, $5, $6)

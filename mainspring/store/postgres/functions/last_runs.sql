-- The last settled runs of each of some jobs, with their jobs. The days come nearest first, each with an id that is above all of
-- its own: a job whose runs from there on are enough is looked for no further. On each day, step from one line and state of a
-- job that occurs to the next, and read the last runs of each.
CREATE OR REPLACE FUNCTION mainspring.last_runs_1(
  p_jobs integer[], p_days timestamptz[], p_highs uuid[], p_low uuid, p_high uuid, p_limit integer, OUT jobs integer[], OUT runs uuid[]
)
LANGUAGE plpgsql STABLE
-- plan: nested
AS $$
DECLARE
  sought integer[];
  day_start timestamptz;
  day_end timestamptz;
BEGIN
  jobs := '{}';
  runs := '{}';
  FOR turn IN 1 .. cardinality(p_days) LOOP
    sought := ARRAY(
      SELECT j.id
      FROM unnest(p_jobs) AS j(id)
      WHERE (SELECT count(*) FROM unnest(jobs, runs) AS r(job, id) WHERE r.job = j.id AND r.id >= p_highs[turn]) < p_limit
    );
    EXIT WHEN cardinality(sought) = 0;
    day_start := p_days[turn];
    day_end := day_start + interval '24 hours';
    SELECT coalesce(array_agg(k.job), '{}'), coalesce(array_agg(k.id), '{}')
    INTO jobs, runs
    FROM (
      WITH RECURSIVE place AS (
        SELECT j.id AS job, f.line, f.state
        FROM unnest(sought) AS j(id)
        CROSS JOIN LATERAL (
          SELECT h.line, h.state FROM mainspring.history AS h
          WHERE h.finished_at >= day_start AND h.finished_at < day_end AND h.job = j.id
          ORDER BY h.line, h.state
          LIMIT 1
        ) AS f
        UNION ALL
        SELECT p.job, f.line, f.state
        FROM place AS p
        CROSS JOIN LATERAL (
          SELECT h.line, h.state FROM mainspring.history AS h
          WHERE h.finished_at >= day_start AND h.finished_at < day_end AND h.job = p.job
            AND (h.line, h.state) > (p.line, p.state)
          ORDER BY h.line, h.state
          LIMIT 1
        ) AS f
      )
      SELECT m.job, m.id, row_number() OVER (PARTITION BY m.job ORDER BY m.id DESC) AS place
      FROM (
        SELECT p.job, f.id
        FROM place AS p
        CROSS JOIN LATERAL (
          SELECT h.id FROM mainspring.history AS h
          -- As one comparison and one order of all four: with equalities the index on ids alone looks as good to the planner.
          WHERE h.finished_at >= day_start AND h.finished_at < day_end
            AND (h.job, h.line, h.state, h.id) >= (p.job, p.line, p.state, p_low)
            AND (h.job, h.line, h.state, h.id) < (p.job, p.line, p.state, p_high)
          ORDER BY h.job DESC, h.line DESC, h.state DESC, h.id DESC
          LIMIT p_limit
        ) AS f
        UNION ALL
        SELECT r.job, r.id FROM unnest(jobs, runs) AS r(job, id)
      ) AS m
    ) AS k
    WHERE k.place <= p_limit;
  END LOOP;
END $$;

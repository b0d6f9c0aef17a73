-- Runs of the no-op job that succeeded in the last four weeks.
CREATE FUNCTION pg_temp.id_at(instant timestamptz) RETURNS uuid LANGUAGE sql AS $$
  SELECT encode(
    int8send(((floor(extract(epoch FROM instant) * 1000)::bigint) << 16) | 28672 | floor(random() * 4096)::bigint)
      || substring(uuid_send(gen_random_uuid()) FROM 9), 'hex'
  )::uuid
$$;

DO $$
DECLARE
  day date;
BEGIN
  FOR day IN SELECT (now() AT TIME ZONE 'UTC')::date - n FROM generate_series(0, 28) AS n LOOP
    EXECUTE format(
      'CREATE TABLE IF NOT EXISTS mainspring.history_%s PARTITION OF mainspring.history FOR VALUES FROM (%L) TO (%L)',
      to_char(day, 'YYYYMMDD'), day || ' 00:00+00', day + 1 || ' 00:00+00'
    );
  END LOOP;
END $$;

-- The first enqueue would have made it.
INSERT INTO mainspring.lines (namespace, queue, handler, address)
SELECT 'default', 'default', 'noop', '' WHERE NOT EXISTS (SELECT FROM mainspring.lines WHERE handler = 'noop');

INSERT INTO mainspring.history (
  id, due_at, created_at, started_at, finished_at, duration, line, job, attempt, priority, state, failures, losses,
  token, session, input, result
)
SELECT pg_temp.id_at(f.at), f.at, f.at, f.at, f.at, 1000, l.id, j.id, 1, 5, 3, 0, 0,
  gen_random_uuid(), gen_random_uuid(), '{"payload": 12345}', 'null'
FROM mainspring.jobs AS j
JOIN mainspring.lines AS l ON l.handler = 'noop'
CROSS JOIN (
  SELECT now() - interval '28 days' + n * (interval '28 days' / greatest(:count, 1)) AS at
  FROM generate_series(1, :count) AS n
) AS f
WHERE j.name = 'noop';
VACUUM ANALYZE;

-- Runs as a month of work leaves them: 40 jobs, a few of them busy, five queues and a rare one, a small neighbour.
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

INSERT INTO mainspring.namespaces (name, description, created_at) VALUES ('small', '', now());
INSERT INTO mainspring.jobs (id, namespace, name, spec, updated_at) OVERRIDING SYSTEM VALUE
SELECT 100 + n, CASE WHEN n <= 40 THEN 'default' ELSE 'small' END, 'job-' || n,
  convert_to(format('{"name":"job-%s","handler":"job-%s"}', n, n), 'UTF8'), now()
FROM generate_series(1, 45) AS n;
INSERT INTO mainspring.lines (id, namespace, queue, handler, address) OVERRIDING SYSTEM VALUE
SELECT 100 + n, CASE WHEN n <= 40 THEN 'default' ELSE 'small' END,
  (ARRAY['default', 'mail', 'reports', 'slow', 'images'])[1 + n % 5], 'job-' || n, ''
FROM generate_series(1, 45) AS n;
INSERT INTO mainspring.lines (id, namespace, queue, handler, address) OVERRIDING SYSTEM VALUE
SELECT 200 + n, 'default', 'special', 'job-' || n, '' FROM generate_series(1, 3) AS n;

-- One in a hundred took up to three days from its creation to its end, the others seconds.
INSERT INTO mainspring.history (
  id, due_at, created_at, started_at, finished_at, duration, line, job, attempt, priority, state, failures, losses,
  token, session, input, result, extra
)
SELECT pg_temp.id_at(r.created), r.created, r.created, r.finished, r.finished, 1000,
  CASE WHEN r.job <= 3 AND random() < 0.001 THEN 200 ELSE 100 END + r.job, 100 + r.job, 1, 5,
  CASE WHEN r.luck < 0.97 THEN 3 WHEN r.luck < 0.995 THEN 4 WHEN r.luck < 0.9999 THEN 5 ELSE 6 END, 0, 0,
  gen_random_uuid(), gen_random_uuid(), '{"order": 12345, "email": "anna@example.com"}', 'null', '{"by":"shop"}'
FROM (
  SELECT f.finished, random() AS luck,
    f.finished - CASE WHEN random() < 0.01 THEN random() * interval '3 days' ELSE random() * interval '5 seconds' END
      AS created,
    CASE WHEN random() < 0.0005 THEN 41 + floor(random() * 5)::integer ELSE 1 + floor(40 * power(random(), 3))::integer END
      AS job
  FROM (
    SELECT now() - interval '28 days' + n * (interval '28 days' / :count) AS finished
    FROM generate_series(1, :count) AS n
  ) AS f
) AS r;

-- One run in ten has a tag; one in five a label with one of 500 values.
INSERT INTO mainspring.marks (namespace, mark, run)
SELECT 'default', 'batch', h.id FROM mainspring.history AS h
WHERE h.job <= 140 AND get_byte(uuid_send(h.id), 15) < 26;
INSERT INTO mainspring.marks (namespace, mark, run)
SELECT 'default', 'customer=' || (get_byte(uuid_send(h.id), 14) * 256 + get_byte(uuid_send(h.id), 13)) % 500, h.id
FROM mainspring.history AS h
WHERE h.job <= 140 AND get_byte(uuid_send(h.id), 15) < 51;

-- Parked ones, more than anything else that lives, and running ones on 20 executors.
INSERT INTO mainspring.runs (id, due_at, created_at, line, job, attempt, priority, state, failures, losses, input, extra)
SELECT pg_temp.id_at(now() - n * (interval '2 days' / (:count / 5))), now() + interval '1 year', now(), 101 + n % 3, 101 + n % 3,
  0, 5, 1, 0, 0, '{"order": 12345}', '{"by":"shop"}'
FROM generate_series(1, :count / 5) AS n;
INSERT INTO mainspring.sessions (id, namespace, executor, server, state, lease_until, opened_at, reclaimed, abilities)
SELECT gen_random_uuid(), 'default', 'press-' || n, gen_random_uuid(), 0, now() + interval '1 year', now(), false,
  '{"queues":[],"handlers":{},"pools":[]}'
FROM generate_series(1, 20) AS n;
INSERT INTO mainspring.runs (
  id, due_at, created_at, claimed_at, line, job, attempt, priority, state, failures, losses, token, session, input
)
SELECT pg_temp.id_at(now() - n * interval '10 seconds'), now(), now(), now(), 101 + n % 40, 101 + n % 40, 1, 5, 2, 0, 0,
  gen_random_uuid(), s.id, '{"order": 12345}'
FROM generate_series(1, 5000) AS n
JOIN mainspring.sessions AS s ON s.executor = 'press-' || (1 + n % 20);
VACUUM ANALYZE;

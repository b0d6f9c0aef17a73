-- watch_database
-- The condition of the database; sessions and standbys of others are seen as far as rights go.
SELECT
  pg_database_size(current_database()) AS size,
  pg_notification_queue_usage() AS notify_queue,
  (SELECT max(extract(epoch FROM r.replay_lag))::float8 FROM pg_stat_replication AS r) AS replication_lag,
  current_setting('fsync') AS fsync,
  current_setting('full_page_writes') AS full_page_writes,
  current_setting('synchronous_commit') AS commit,
  current_setting('synchronous_standby_names') AS named,
  (SELECT count(*) FROM pg_stat_replication) AS standbys

-- watch_slots
-- Replication slots that nobody reads, and how much of the log is kept for them.
SELECT
  s.slot_name::text AS name,
  coalesce(s.wal_status = 'lost', false) AS lost,
  coalesce(pg_wal_lsn_diff(
    CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END, s.restart_lsn
  ), 0)::bigint AS kept
FROM pg_replication_slots AS s
WHERE NOT s.active AND NOT s.temporary
ORDER BY s.slot_name

-- watch_days
-- The first and the last day of history that has a table of its own, by its name.
SELECT min(right(c.relname, 8)) AS oldest, max(right(c.relname, 8)) AS newest
FROM pg_catalog.pg_inherits AS i
JOIN pg_catalog.pg_class AS c ON c.oid = i.inhrelid
WHERE i.inhparent = 'mainspring.history'::regclass AND c.relname ~ '_[0-9]{8}$'

-- watch_dead_rows
-- Dead rows of the tables through which every run passes.
SELECT s.relname AS name, s.n_dead_tup AS dead
FROM pg_stat_user_tables AS s
WHERE s.schemaname = 'mainspring' AND s.relname IN ('runs', 'bundles', 'sessions', 'triggers', 'depths', 'exits')

-- watch_holder
-- Who keeps the oldest snapshot, before which vacuum removes nothing, and for how long. This session and vacuum itself are left out.
SELECT h.kind, h.name, h.pid, h.owner, h.state, extract(epoch FROM :now - h.since)::float8 AS seconds
FROM (
  SELECT
    'session' AS kind, a.application_name AS name, a.pid, a.usename::text AS owner, a.state,
    coalesce(a.xact_start, a.query_start) AS since
  FROM pg_stat_activity AS a
  WHERE a.datname = current_database() AND a.pid <> pg_backend_pid() AND a.backend_type = 'client backend'
    AND (a.backend_xmin IS NOT NULL OR a.backend_xid IS NOT NULL)
  UNION ALL
  SELECT 'prepared', p.gid, NULL, p.owner::text, NULL, p.prepared
  FROM pg_prepared_xacts AS p
  WHERE p.database = current_database()
) AS h
WHERE h.since IS NOT NULL
ORDER BY h.since
LIMIT 1

-- usage_days
-- The days of history with the bytes of all their tables and the estimated number of their runs.
SELECT
  right(c.relname, 8) AS day,
  sum(pg_total_relation_size(c.oid))::bigint AS size,
  max(c.reltuples::bigint) FILTER (WHERE p.relname = 'history' AND c.reltuples >= 0) AS runs
FROM pg_catalog.pg_inherits AS i
JOIN pg_catalog.pg_class AS c ON c.oid = i.inhrelid
JOIN pg_catalog.pg_class AS p ON p.oid = i.inhparent
WHERE p.relnamespace = 'mainspring'::regnamespace AND c.relname ~ '_[0-9]{8}$'
GROUP BY right(c.relname, 8)
ORDER BY day

-- watch_database
-- The size of the file; with one process on it, nothing else can be in trouble.
SELECT p.page_count * s.page_size AS size, 0.0 AS notify_queue, NULL AS replication_lag,
  'on' AS fsync, 'on' AS full_page_writes, 'on' AS "commit", '' AS named, 0 AS standbys
FROM pragma_page_count() AS p
CROSS JOIN pragma_page_size() AS s

-- watch_slots
-- SQLite has no standbys.
SELECT '' AS name, 0 AS lost, 0 AS kept
WHERE 0

-- watch_days
-- SQLite makes and drops the tables of days as it needs them.
SELECT NULL AS oldest, NULL AS newest

-- watch_dead_rows
-- SQLite has no dead rows.
SELECT '' AS name, 0 AS dead
WHERE 0

-- watch_holder
-- SQLite has no vacuum that a snapshot could hold back.
SELECT '' AS kind, '' AS name, NULL AS pid, '' AS owner, '' AS state, 0.0 AS seconds
WHERE :now IS NULL

-- usage_days
-- The days of history; how much they hold is known only to who reads the whole file.
SELECT replace(m.name, 'history_', '') AS day, NULL AS size, NULL AS runs
FROM sqlite_master AS m
WHERE m.type = 'table' AND m.name GLOB 'history_[0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]'
ORDER BY m.name

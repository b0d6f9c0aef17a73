-- facts
-- What matters of the server's configuration, and what goes on in it; other people's sessions are seen as far as rights go.
SELECT
  'PostgreSQL' AS product,
  current_setting('server_version_num')::integer AS version,
  pg_database_size(current_database()) AS size,
  (SELECT count(*) FROM pg_stat_activity AS a WHERE a.backend_type = 'client backend') AS connections,
  '' AS file,
  jsonb_object_agg(s.name, s.setting)::text AS settings
FROM pg_settings AS s
WHERE s.name IN ('max_connections', 'synchronous_commit', 'fsync', 'full_page_writes', 'autovacuum')

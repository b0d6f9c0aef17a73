-- facts
-- What matters of the server's configuration, and what goes on in it; other people's sessions are seen as far as rights go.
SELECT current_setting('server_version_num')::integer AS version,
       pg_database_size(current_database()) AS size,
       current_setting('max_connections') AS max_connections,
       current_setting('synchronous_commit') AS synchronous_commit,
       current_setting('fsync') AS fsync,
       current_setting('full_page_writes') AS full_page_writes,
       current_setting('autovacuum') AS autovacuum,
       (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend') AS connections

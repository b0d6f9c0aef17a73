-- facts
-- What the file is, and how it is written; nothing but this process is connected to it.
SELECT
  'SQLite' AS product,
  sqlite_version() AS version,
  p.page_count * s.page_size AS size,
  0 AS connections,
  (SELECT d.file FROM pragma_database_list() AS d WHERE d.name = 'main') AS file,
  json_object('journal_mode', j.journal_mode) AS settings
FROM pragma_page_count() AS p
CROSS JOIN pragma_page_size() AS s
CROSS JOIN pragma_journal_mode() AS j

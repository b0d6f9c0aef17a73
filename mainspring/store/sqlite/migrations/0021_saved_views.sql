-- Queries of runs that people keep under names; an empty owner: all of the namespace see it.
CREATE TABLE saved_views (
  namespace TEXT NOT NULL,
  owner TEXT NOT NULL,
  name TEXT NOT NULL,
  query TEXT NOT NULL,
  author TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (namespace, owner, name)
) WITHOUT ROWID;

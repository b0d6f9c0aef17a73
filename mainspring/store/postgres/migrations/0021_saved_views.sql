-- Queries of runs that people keep under names; an empty owner: all of the namespace see it.
CREATE TABLE mainspring.saved_views (
  namespace text NOT NULL,
  owner text NOT NULL,
  name text NOT NULL,
  query text NOT NULL,
  author text NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (namespace, owner, name)
);

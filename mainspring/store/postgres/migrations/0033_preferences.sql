-- What people and tokens chose for the console, as JSON.
CREATE TABLE mainspring.preferences (
  owner text PRIMARY KEY,
  chosen text NOT NULL
);

-- What opens the webhook of a trigger. The secret of a signature has to be kept as it is; of one that is shown, its SHA-256.
CREATE TABLE hooks (
  trigger INTEGER PRIMARY KEY REFERENCES triggers (id) ON DELETE CASCADE,
  made_at INTEGER NOT NULL,
  old_until INTEGER,
  id TEXT NOT NULL UNIQUE,
  auth TEXT NOT NULL,
  secret BLOB NOT NULL,
  old_secret BLOB
);

-- Which triggers wait for events of a type.
CREATE TABLE subscriptions (
  trigger INTEGER PRIMARY KEY REFERENCES triggers (id) ON DELETE CASCADE,
  namespace TEXT NOT NULL,
  type TEXT NOT NULL
);
CREATE INDEX subscriptions_type ON subscriptions (namespace, type, trigger);

-- How often events were told, whether somebody waited for them or not.
CREATE TABLE event_counts (
  namespace TEXT NOT NULL,
  type TEXT NOT NULL,
  told INTEGER NOT NULL,
  matched INTEGER NOT NULL,
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  PRIMARY KEY (namespace, type)
) WITHOUT ROWID;

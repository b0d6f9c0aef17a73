-- What opens the webhook of a trigger. The secret of a signature has to be kept as it is; of one that is shown, its SHA-256.
CREATE TABLE mainspring.hooks (
  trigger bigint PRIMARY KEY REFERENCES mainspring.triggers (id) ON DELETE CASCADE,
  made_at timestamptz NOT NULL,
  old_until timestamptz,
  id text NOT NULL COLLATE "C" UNIQUE,
  auth text NOT NULL,
  secret bytea NOT NULL,
  old_secret bytea
);

-- Which triggers wait for events of a type.
CREATE TABLE mainspring.subscriptions (
  trigger bigint PRIMARY KEY REFERENCES mainspring.triggers (id) ON DELETE CASCADE,
  namespace text NOT NULL COLLATE "C",
  type text NOT NULL COLLATE "C"
);
CREATE INDEX subscriptions_type ON mainspring.subscriptions (namespace, type, trigger);

-- How often events were told, whether somebody waited for them or not.
CREATE TABLE mainspring.event_counts (
  told bigint NOT NULL,
  matched bigint NOT NULL,
  first_at timestamptz NOT NULL,
  last_at timestamptz NOT NULL,
  namespace text NOT NULL COLLATE "C",
  type text NOT NULL COLLATE "C",
  PRIMARY KEY (namespace, type)
);

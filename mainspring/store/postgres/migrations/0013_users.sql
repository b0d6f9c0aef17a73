-- People. `password` is an argon2id hash with its parameters; `roles` is JSON, from namespace to role. `version` is the number of
-- the change that made the row what it is.
CREATE TABLE mainspring.users (
  id text PRIMARY KEY,
  name text NOT NULL UNIQUE,
  display_name text NOT NULL,
  password text NOT NULL,
  subject text NOT NULL,
  roles bytea NOT NULL,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL,
  password_at timestamptz,
  disabled_at timestamptz,
  version bigint NOT NULL
);
CREATE INDEX users_version ON mainspring.users (version);
CREATE UNIQUE INDEX users_subject ON mainspring.users (subject) WHERE subject <> '';

-- Browsers in which a person is signed in; only hashes of what they show. `token` is the hash of the token that was shown
-- instead of a password.
CREATE TABLE mainspring.sign_ins (
  id text PRIMARY KEY,
  digest bytea NOT NULL UNIQUE,
  person text NOT NULL,
  token bytea NOT NULL,
  address text NOT NULL,
  browser text NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  seen_at timestamptz NOT NULL,
  ended_at timestamptz,
  version bigint NOT NULL
) WITH (fillfactor = 70);
CREATE INDEX sign_ins_version ON mainspring.sign_ins (version);
CREATE INDEX sign_ins_person ON mainspring.sign_ins (person, created_at);

-- Links with which a user chooses a password; without a person: the link for the first admin.
CREATE TABLE mainspring.invitations (
  digest bytea PRIMARY KEY,
  person text NOT NULL,
  created_by text NOT NULL,
  expires_at timestamptz NOT NULL
);

-- Failed sign-ins in a row, of one name or from one address.
CREATE TABLE mainspring.sign_in_tries (
  key text PRIMARY KEY,
  fails integer NOT NULL,
  last_at timestamptz NOT NULL,
  blocked_until timestamptz
);

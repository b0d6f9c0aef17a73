-- People. `password` is an argon2id hash with its parameters; `roles` is JSON, from namespace to role. `version` is the number of
-- the change that made the row what it is.
CREATE TABLE users (
  id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  display_name TEXT NOT NULL,
  password TEXT NOT NULL,
  subject TEXT NOT NULL,
  roles BLOB NOT NULL,
  created_by TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  password_at INTEGER,
  disabled_at INTEGER,
  version INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX users_version ON users (version);
CREATE UNIQUE INDEX users_subject ON users (subject) WHERE subject <> '';

-- Browsers in which a person is signed in; only hashes of what they show. `token` is the hash of the token that was shown
-- instead of a password.
CREATE TABLE sign_ins (
  id TEXT NOT NULL PRIMARY KEY,
  digest BLOB NOT NULL UNIQUE,
  person TEXT NOT NULL,
  token BLOB NOT NULL,
  address TEXT NOT NULL,
  browser TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  seen_at INTEGER NOT NULL,
  ended_at INTEGER,
  version INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX sign_ins_version ON sign_ins (version);
CREATE INDEX sign_ins_person ON sign_ins (person, created_at);

-- Links with which a user chooses a password; without a person: the link for the first admin.
CREATE TABLE invitations (
  digest BLOB NOT NULL PRIMARY KEY,
  person TEXT NOT NULL,
  created_by TEXT NOT NULL,
  expires_at INTEGER NOT NULL
) WITHOUT ROWID;

-- Failed sign-ins in a row, of one name or from one address.
CREATE TABLE sign_in_tries (
  key TEXT NOT NULL PRIMARY KEY,
  fails INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  blocked_until INTEGER
) WITHOUT ROWID;

-- What people say of a kind of failure, and that nobody is to be told of it: until an instant, or until it comes again.
CREATE TABLE mainspring.failure_notes (
  namespace text NOT NULL,
  fingerprint bytea NOT NULL,
  note text NOT NULL DEFAULT '',
  noted_by text NOT NULL DEFAULT '',
  noted_at timestamptz,
  muted_at timestamptz,
  muted_until timestamptz,
  muted_by text NOT NULL DEFAULT '',
  mute_reason text NOT NULL DEFAULT '',
  PRIMARY KEY (namespace, fingerprint)
);

-- Who changed what. Append only: not even the owner's own statements may change what was written.
CREATE TABLE mainspring.audit (
  position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL,
  actor text NOT NULL,
  token text NOT NULL,
  namespace text NOT NULL,
  act text NOT NULL,
  kind text NOT NULL,
  key text NOT NULL,
  details bytea NOT NULL
);
CREATE INDEX audit_subject ON mainspring.audit (kind, key, position);

CREATE FUNCTION mainspring.refuse_change() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
  RAISE EXCEPTION 'the audit log is append-only';
END $$;
CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON mainspring.audit
FOR EACH STATEMENT EXECUTE FUNCTION mainspring.refuse_change();

-- A key counts as held only if what was waited for is the transaction that holds it: PostgreSQL names the row then, in whatever
-- language. A lock on a whole table, such as of one who builds an index, is what it is.
CREATE OR REPLACE FUNCTION mainspring.create_full_3(
  p_namespace text, p_runs uuid[], p_jobs integer[], p_lines integer[], p_priorities smallint[], p_due_at timestamptz[],
  p_inputs bytea[], p_keys text[], p_digests bytea[], p_deadlines timestamptz[], p_extras bytea[], p_marked uuid[],
  p_marks text[], p_tokens uuid[], p_sessions uuid[], p_owners uuid[], p_seen_since timestamptz, p_now timestamptz
) RETURNS bigint
LANGUAGE plpgsql
SET lock_timeout = '500ms'
AS $$
DECLARE
  place text;
BEGIN
  RETURN mainspring.create_full_2(
    p_namespace, p_runs, p_jobs, p_lines, p_priorities, p_due_at, p_inputs, p_keys, p_digests, p_deadlines, p_extras,
    p_marked, p_marks, p_tokens, p_sessions, p_owners, p_seen_since, p_now
  );
EXCEPTION WHEN lock_not_available THEN
  GET STACKED DIAGNOSTICS place = PG_EXCEPTION_CONTEXT;
  IF place ~ '\(\d+,\d+\)[^\n]*keys' THEN
    RAISE EXCEPTION '%', left(array_to_string(p_keys, ', '), 300) USING ERRCODE = 'MSBSY';
  END IF;
  RAISE;
END $$;

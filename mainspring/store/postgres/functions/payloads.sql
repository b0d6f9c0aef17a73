-- The input of a run as it was given; that of its row if it is not kept apart. A zero byte stands for one that history does not
-- keep, and is shown as none, even if its payload is still to be deleted.
CREATE OR REPLACE FUNCTION mainspring.input_1(p_run uuid, p_input bytea) RETURNS bytea
LANGUAGE plpgsql STABLE
-- plan: nested
AS $$
BEGIN
  IF p_input <> '' THEN
    RETURN CASE WHEN p_input = '\x00' THEN '' ELSE p_input END;
  END IF;
  RETURN coalesce((SELECT p.input FROM mainspring.payloads AS p WHERE p.run = p_run), p_input);
END $$;

-- Delete the payloads on some notes of settlements, and say of how many notes. A run that is run again with another input is taken
-- off its note before that is written, so that notes name none but ended runs.
CREATE OR REPLACE FUNCTION mainspring.forget_payloads_1(p_notes integer) RETURNS bigint
LANGUAGE plpgsql
-- plan: nested
AS $$
DECLARE
  gone uuid[];
  note_count bigint;
BEGIN
  WITH taken AS (
    DELETE FROM mainspring.forgotten AS f
    WHERE f.ctid = ANY (ARRAY(SELECT o.ctid FROM mainspring.forgotten AS o LIMIT p_notes FOR UPDATE SKIP LOCKED))
    RETURNING f.runs
  )
  SELECT ARRAY(SELECT r.id FROM taken AS t CROSS JOIN LATERAL unnest(t.runs) AS r(id) ORDER BY r.id),
    (SELECT count(*) FROM taken)
  INTO gone, note_count;
  -- Between the first and the last: so only their days are looked into.
  DELETE FROM mainspring.payloads AS p
  WHERE p.run = ANY (gone) AND p.run >= gone[1] AND p.run <= gone[cardinality(gone)];
  RETURN note_count;
END $$;

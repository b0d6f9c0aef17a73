-- The input of a run as it was given; that of its row if it is not kept apart.
CREATE OR REPLACE FUNCTION mainspring.input_1(p_run uuid, p_input bytea) RETURNS bytea
LANGUAGE plpgsql STABLE
-- plan: nested
AS $$
BEGIN
  IF p_input <> '' THEN
    RETURN p_input;
  END IF;
  RETURN coalesce((SELECT p.input FROM mainspring.payloads AS p WHERE p.run = p_run), p_input);
END $$;

-- The same for a column of a claim, whose runs are packed bytes.
CREATE OR REPLACE FUNCTION mainspring.inputs_1(p_runs bytea, p_inputs bytea[]) RETURNS bytea[]
LANGUAGE plpgsql STABLE
-- plan: nested
AS $$
BEGIN
  RETURN (
    SELECT array_agg(coalesce(p.input, t.input) ORDER BY t.position)
    FROM (
      SELECT i.input, i.position,
        CASE WHEN i.input = '' THEN encode(substring(p_runs FROM (16 * i.position - 15)::integer FOR 16), 'hex')::uuid END AS run
      FROM unnest(p_inputs) WITH ORDINALITY AS i(input, position)
    ) AS t
    LEFT JOIN mainspring.payloads AS p ON p.run = t.run
  );
END $$;

-- Delete the payloads of those of these runs that ended at an instant and belong to jobs that keep none.
CREATE OR REPLACE FUNCTION mainspring.drop_payloads_1(p_runs uuid[], p_jobs integer[], p_at timestamptz) RETURNS void
LANGUAGE plpgsql
-- plan: nested
AS $$
DECLARE
  gone CONSTANT uuid[] := ARRAY(
    SELECT t.id
    FROM unnest(p_runs) AS t(id)
    CROSS JOIN LATERAL (
      SELECT FROM mainspring.history AS h
      WHERE h.id = t.id AND h.finished_at = p_at AND h.input = '' AND h.job = ANY (p_jobs)
        AND coalesce(h.extra, '') NOT LIKE '{"workflow"%'
      LIMIT 1
    ) AS h
    ORDER BY t.id
  );
BEGIN
  -- Between the first and the last: so only their days are looked into.
  DELETE FROM mainspring.payloads AS p
  WHERE p.run = ANY (gone) AND p.run >= gone[1] AND p.run <= gone[cardinality(gone)];
END $$;

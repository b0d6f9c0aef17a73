-- A job with policies, or one that was paused, has lines of its own: what concerns the job alone is a property of its lines.
ALTER TABLE mainspring.lines ADD COLUMN job text NOT NULL DEFAULT '';  -- empty: any job of the handler
ALTER TABLE mainspring.lines DROP CONSTRAINT lines_namespace_queue_handler_address_key;
ALTER TABLE mainspring.lines ADD UNIQUE (namespace, queue, handler, address, job);
ALTER TABLE mainspring.lines_to_make ADD COLUMN job text NOT NULL DEFAULT '';

ALTER TABLE mainspring.jobs
  ADD COLUMN own_line boolean NOT NULL DEFAULT false,  -- never taken back: an empty line costs nothing
  ADD COLUMN paused_at timestamptz,
  ADD COLUMN paused_by text,
  ADD COLUMN pause_reason text;

-- Make the lines of this transaction; the first row's turn does it for all.
CREATE OR REPLACE FUNCTION mainspring.make_lines() RETURNS trigger
LANGUAGE plpgsql
SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off
AS $$
DECLARE
  wanted record;
  made integer;
BEGIN
  FOR wanted IN SELECT t.* FROM mainspring.lines_to_make AS t ORDER BY t.namespace, t.queue, t.handler, t.job LOOP
    INSERT INTO mainspring.lines (id, namespace, queue, handler, address, job) OVERRIDING SYSTEM VALUE
    VALUES (wanted.id, wanted.namespace, wanted.queue, wanted.handler, '', wanted.job)
    ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN
      -- Another transaction made it meanwhile, under another number.
      SELECT l.id INTO STRICT made FROM mainspring.lines AS l
      WHERE l.namespace = wanted.namespace AND l.queue = wanted.queue AND l.handler = wanted.handler AND l.address = ''
        AND l.job = wanted.job;
      UPDATE mainspring.runs AS r SET line = made WHERE r.line = wanted.id AND r.state < 2;
      PERFORM mainspring.hint(ARRAY[made::text]);
    END IF;
    DELETE FROM mainspring.lines_to_make AS t WHERE t.id = wanted.id;
  END LOOP;
  RETURN NULL;
END $$;

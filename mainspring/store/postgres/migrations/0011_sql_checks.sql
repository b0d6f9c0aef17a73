-- How `enqueue` and `enqueue_many` check what they are given: in the API's words, as far as SQL can. Executors check again.

-- Say what is wrong; the detail is what the API would answer.
CREATE FUNCTION mainspring.refuse(p_field text, p_code text, p_reason text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '%: %', p_field, p_reason
    USING ERRCODE = 'MSINP', DETAIL = json_build_object('field', p_field, 'code', p_code, 'detail', p_reason);
END $$;

CREATE FUNCTION mainspring.is_visible(p_value text, p_max integer) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  RETURN char_length(p_value) BETWEEN 1 AND p_max AND p_value !~ (
    '[\u0001-\u001f\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180e\u2000-\u200f\u2028-\u202f'
    '\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb]'
  );
END $$;

-- A name: so many characters that can be seen, in the form in which equal texts are equal.
CREATE FUNCTION mainspring.check_text(p_value text, p_max integer, p_field text, p_code text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  IF NOT mainspring.is_visible(p_value, p_max) THEN
    PERFORM mainspring.refuse(p_field, p_code, 'needs 1 to ' || p_max || ' printable characters');
  ELSIF p_value ~ '^ | $' THEN
    PERFORM mainspring.refuse(p_field, p_code, 'begins or ends with a space');
  ELSIF p_value ~ '[^\u0001-\u007f]' AND p_value IS NOT NFC NORMALIZED THEN
    PERFORM mainspring.refuse(p_field, p_code, 'is not in Unicode''s composed form (NFC)');
  END IF;
END $$;

-- Brackets outside strings may nest 64 deep: peel off the innermost pairs, level by level.
CREATE FUNCTION mainspring.check_depth(p_input text, p_field text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  brackets text := translate(p_input, '{}', '[]');
BEGIN
  IF char_length(brackets) - char_length(replace(brackets, '[', '')) <= 64 THEN
    RETURN;
  END IF;
  brackets := regexp_replace(regexp_replace(brackets, '"(?:[^"\\]|\\.)*"', '', 'g'), '[^][]', '', 'g');
  FOR level IN 1..64 LOOP
    brackets := replace(brackets, '[]', '');
  END LOOP;
  IF brackets <> '' THEN
    PERFORM mainspring.refuse(p_field, 'input_too_deep', 'is nested deeper than 64 levels');
  END IF;
END $$;

-- The names at the top of an input, and the types of those that have a simple one; the executor checks all of it.
CREATE FUNCTION mainspring.check_arguments(p_input json, p_schema jsonb, p_field text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  properties CONSTANT jsonb := coalesce(p_schema -> 'properties', '{}');
  closed CONSTANT boolean := p_schema -> 'additionalProperties' = 'false';
  required jsonb := coalesce(p_schema -> 'required', '[]');
  given record;
  wanted jsonb;
BEGIN
  FOR given IN SELECT e.key AS name, e.value, json_typeof(e.value) AS type FROM json_each(p_input) AS e LOOP
    IF closed AND NOT properties ? given.name THEN
      PERFORM mainspring.refuse(p_field, 'bad_arguments', 'Object contains unknown field `' || given.name || '`');
    END IF;
    required := required - given.name;
    wanted := properties -> given.name -> 'type';
    IF jsonb_typeof(wanted) = 'string' AND wanted <> to_jsonb(given.type)
      AND NOT (wanted = '"integer"' AND given.type = 'number' AND given.value::text ~ '^-?[0-9]+$')
    THEN
      PERFORM mainspring.refuse(
        p_field || '.' || given.name, 'bad_arguments', 'Expected `' || (wanted #>> '{}') || '`, got `' || given.type || '`'
      );
    END IF;
  END LOOP;
  IF required <> '[]' THEN
    PERFORM mainspring.refuse(p_field, 'bad_arguments', 'Object missing required field `' || (required ->> 0) || '`');
  END IF;
END $$;

-- A field of a call as text.
CREATE FUNCTION mainspring.field_of(p_value json, p_type text, p_place text, p_name text) RETURNS text
LANGUAGE plpgsql AS $$
BEGIN
  IF json_typeof(p_value) <> p_type THEN
    PERFORM mainspring.refuse(
      p_place || p_name, 'bad_' || p_name, 'expected ' || p_type || ', got ' || json_typeof(p_value)
    );
  END IF;
  RETURN p_value #>> '{}';
END $$;

-- An instant that is written out, or so many seconds from now.
CREATE FUNCTION mainspring.instant_of(
  p_instant json, p_seconds json, p_place text, p_name text, p_name_seconds text, p_now timestamptz
) RETURNS timestamptz
LANGUAGE plpgsql AS $$
DECLARE
  written text := mainspring.field_of(p_instant, 'string', p_place, p_name);
  seconds float8 := mainspring.field_of(p_seconds, 'number', p_place, p_name_seconds);
  instant timestamptz;
BEGIN
  IF seconds NOT BETWEEN 0 AND 3653 * 86400 OR seconds IS NOT NULL AND written IS NOT NULL THEN
    PERFORM mainspring.refuse(
      p_place || p_name_seconds, 'bad_' || p_name, 'is from 0 to 10 years, in seconds, and instead of ' || p_name
    );
  ELSIF written !~ '^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d(\.\d+)?)?([Zz]|[+-]\d\d(:?\d\d)?)$' THEN
    PERFORM mainspring.refuse(p_place || p_name, 'bad_' || p_name, 'needs the form of 2030-01-01T09:00:00Z');
  END IF;
  instant := written;
  IF instant > p_now + interval '3653 days' THEN
    PERFORM mainspring.refuse(p_place || p_name, 'bad_' || p_name, 'is more than 10 years ahead');
  END IF;
  RETURN coalesce(instant, p_now + seconds * interval '1 second');
END $$;

-- What a run is found by: its tags, each once, and its labels as key=value.
CREATE FUNCTION mainspring.marks_of(p_call mainspring.call, p_place text) RETURNS text[]
LANGUAGE plpgsql AS $$
DECLARE
  given record;
  marks text[] := '{}';
BEGIN
  PERFORM mainspring.field_of(p_call.tags, 'array', p_place, 'tags');
  PERFORM mainspring.field_of(p_call.labels, 'object', p_place, 'labels');
  FOR given IN
    SELECT 'tags' AS field, json_typeof(t.value) AS type, t.value #>> '{}' AS text, 100 AS most, t.value #>> '{}' AS mark,
      t.value #>> '{}' NOT LIKE '%=%' AS good
    FROM json_array_elements(p_call.tags) AS t
    UNION ALL
    SELECT 'labels', json_typeof(l.value), l.value #>> '{}', 200, l.key || '=' || (l.value #>> '{}'),
      l.key ~ '^[a-z0-9._/-]{1,63}$'
    FROM json_each(p_call.labels) AS l
  LOOP
    IF given.type <> 'string' OR NOT given.good THEN
      PERFORM mainspring.refuse(
        p_place || given.field, 'bad_' || given.field, coalesce(given.mark, 'null') || ' is not one: a tag is text without '
        '''='', a label is text under a key of a-z, 0-9, ''.'', ''_'', ''/'', ''-'''
      );
    END IF;
    PERFORM mainspring.check_text(given.text, given.most, p_place || given.field, 'bad_' || given.field);
    IF given.mark <> ALL (marks) THEN
      marks := marks || given.mark;
    END IF;
  END LOOP;
  IF 20 < ANY (SELECT count(*) FROM unnest(marks) AS m GROUP BY m LIKE '%=%') THEN
    PERFORM mainspring.refuse(p_place || 'tags', 'bad_tags', 'are more than 20, or labels are');
  END IF;
  RETURN marks;
END $$;

-- What is in effect of a job, its JSON parts opened.
CREATE FUNCTION mainspring.job_called(p_namespace text, p_name text) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
  job record;
  spec jsonb;
BEGIN
  SELECT j.id, j.spec INTO job FROM mainspring.jobs AS j
  WHERE j.namespace = p_namespace AND j.name = p_name AND j.deleted_at IS NULL;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'unknown job ''%'': no executor has registered it in namespace ''%'' yet', p_name, p_namespace
      USING ERRCODE = 'MSJOB', DETAIL = json_build_object('kind', 'job', 'key', p_name);
  END IF;
  spec := convert_from(job.spec, 'UTF8');
  RETURN spec || jsonb_build_object(
    'id', job.id,
    'schema', convert_from(decode(spec ->> 'schema', 'base64'), 'UTF8')::jsonb,
    'input', coalesce(convert_from(decode(spec ->> 'input', 'base64'), 'UTF8'), '{}')::jsonb
  );
END $$;

-- The run of one call, checked as the API checks it.
CREATE FUNCTION mainspring.run_called(
  p_namespace text, p_call mainspring.call, p_job jsonb, p_place text, p_id uuid, p_now timestamptz
) RETURNS mainspring.called_run
LANGUAGE plpgsql AS $$
DECLARE
  run mainspring.called_run;
  queue text := coalesce(mainspring.field_of(p_call.queue, 'string', p_place, 'queue'), p_job ->> 'queue');
  priority text := coalesce(mainspring.field_of(p_call.priority, 'number', p_place, 'priority'), p_job ->> 'priority');
  input text := coalesce(p_call.input, '{}');
BEGIN
  IF priority !~ '^[0-9]$' THEN
    PERFORM mainspring.refuse(
      p_place || 'priority', 'bad_priority', priority || ' is outside 0 (least urgent) to 9 (most urgent)'
    );
  END IF;
  PERFORM mainspring.check_text(queue, 100, p_place || 'queue', 'bad_queue');
  run.id := p_id;
  run.job := p_job ->> 'id';
  run.priority := priority;
  run.due_at := coalesce(mainspring.instant_of(p_call.due_at, p_call.delay, p_place, 'due_at', 'delay', p_now), p_now);
  run.deadline_at := mainspring.instant_of(
    p_call.deadline, p_call.deadline_in, p_place, 'deadline', 'deadline_in', p_now
  );
  IF run.deadline_at <= greatest(run.due_at, p_now) THEN
    PERFORM mainspring.refuse(p_place || 'deadline', 'bad_deadline', 'is not after the instant at which the run is due');
  END IF;
  run.key := mainspring.field_of(p_call.key, 'string', p_place, 'key');
  IF NOT mainspring.is_visible(run.key, 255) THEN
    PERFORM mainspring.refuse(p_place || 'key', 'bad_key', 'needs 1 to 255 printable characters');
  END IF;
  run.digest := sha256(convert_to(p_job ->> 'name', 'UTF8') || '\x00' || convert_to(input, 'UTF8'));
  run.extra := convert_to('{"by":' || to_json('sql:' || session_user) || '}', 'UTF8');
  IF p_call.tags IS NOT NULL OR p_call.labels IS NOT NULL THEN
    run.marks := mainspring.marks_of(p_call, p_place);
    run.extra := convert_to('{' || concat_ws(
      ',', '"labels":' || nullif(p_call.labels::text, '{}'),
      '"tags":' || nullif(to_json(ARRAY(SELECT m FROM unnest(run.marks) AS m WHERE m NOT LIKE '%=%'))::text, '[]'),
      '"by":' || to_json('sql:' || session_user)
    ) || '}', 'UTF8');
  END IF;
  IF octet_length(input) > 262144 THEN
    PERFORM mainspring.refuse(
      p_place || 'input', 'input_too_large', octet_length(input) || ' bytes are over the limit of 262144'
    );
  ELSIF json_typeof(p_call.input) <> 'object' THEN
    PERFORM mainspring.refuse(p_place || 'input', 'bad_input', 'is not a JSON object');
  END IF;
  PERFORM mainspring.check_depth(input, p_place || 'input');
  IF p_job -> 'input' <> '{}' THEN
    SELECT '{' || string_agg(to_json(e.key) || ':' || e.value, ',') || '}' INTO input
    FROM (
      SELECT d.key, d.value::text FROM jsonb_each(p_job -> 'input') AS d WHERE p_call.input -> d.key IS NULL
      UNION ALL
      SELECT i.key, i.value::text FROM json_each(p_call.input) AS i
    ) AS e;
  END IF;
  PERFORM mainspring.check_arguments(input::json, p_job -> 'schema', p_place || 'input');
  run.input := convert_to(input, 'UTF8');
  run.queue := queue;
  run.line := mainspring.line_for(p_namespace, queue, p_job ->> 'handler');
  RETURN run;
END $$;

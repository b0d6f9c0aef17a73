-- How `enqueue` and `enqueue_many` check their calls: in the API's words, as far as SQL can. Executors check again.

-- Say what is wrong; the detail is what the API would answer.
CREATE OR REPLACE FUNCTION mainspring.refuse(p_field text, p_code text, p_reason text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '%: %', p_field, p_reason
    USING ERRCODE = 'MSINP', DETAIL = json_build_object('field', p_field, 'code', p_code, 'detail', p_reason);
END $$;

CREATE OR REPLACE FUNCTION mainspring.is_visible(p_value text, p_max integer) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  RETURN char_length(p_value) BETWEEN 1 AND p_max AND p_value !~ (
    '[\u0001-\u001f\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180e\u2000-\u200f\u2028-\u202f'
    '\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb]'
  );
END $$;

-- A name: so many characters that can be seen, in the form in which equal texts are equal.
CREATE OR REPLACE FUNCTION mainspring.check_text(p_value text, p_max integer, p_field text, p_code text) RETURNS void
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
CREATE OR REPLACE FUNCTION mainspring.check_depth(p_input text, p_field text) RETURNS void
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
CREATE OR REPLACE FUNCTION mainspring.check_arguments(p_input json, p_schema jsonb, p_field text) RETURNS void
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
CREATE OR REPLACE FUNCTION mainspring.field_of(p_value json, p_type text, p_place text, p_name text) RETURNS text
LANGUAGE plpgsql AS $$
BEGIN
  IF json_typeof(p_value) <> p_type THEN
    PERFORM mainspring.refuse(
      p_place || p_name, 'bad_' || p_name, 'expected ' || p_type || ', got ' || json_typeof(p_value)
    );
  END IF;
  RETURN p_value #>> '{}';
END $$;

-- An instant that is written out, or so many seconds from now; outside the years 1900 to 2999 it is refused, as everywhere else,
-- and so is a day that its month does not have.
CREATE OR REPLACE FUNCTION mainspring.instant_of(
  p_instant json, p_seconds json, p_place text, p_name text, p_name_seconds text, p_now timestamptz
) RETURNS timestamptz LANGUAGE plpgsql AS $$
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
  IF written IS NOT NULL THEN
    BEGIN
      instant := written;
    EXCEPTION WHEN datetime_field_overflow OR invalid_datetime_format THEN
      PERFORM mainspring.refuse(p_place || p_name, 'bad_' || p_name, 'is no instant: ' || written);
    END;
  END IF;
  instant := coalesce(instant, p_now + seconds * interval '1 second');
  IF instant < '1900-01-01T00:00:00Z' OR instant >= '3000-01-01T00:00:00Z' THEN
    PERFORM mainspring.refuse(p_place || p_name, 'bad_' || p_name, 'lies outside the years 1900 to 2999');
  ELSIF instant > p_now + interval '3653 days' THEN
    PERFORM mainspring.refuse(p_place || p_name, 'bad_' || p_name, 'is more than 10 years ahead');
  END IF;
  RETURN instant;
END $$;

-- The marks that a run is found by: its tags, each once, and its labels as key=value.
CREATE OR REPLACE FUNCTION mainspring.marks_of(p_call mainspring.call, p_place text) RETURNS text[]
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

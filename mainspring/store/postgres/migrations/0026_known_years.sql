-- Instants of calls outside the years 1900 to 2999 are refused, as everywhere else; so are days that no month has, by their field.
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

-- A statement that advances a workflow run together with the ends of its steps has no use for notes of these: it sets
-- `mainspring.notes` to off for as long as it lasts.
DROP TRIGGER history_note ON mainspring.history;
CREATE TRIGGER history_note AFTER INSERT ON mainspring.history
FOR EACH ROW WHEN (
  substring(NEW.extra FROM 1 FOR 11) = '{"workflow"'::bytea AND current_setting('mainspring.notes', true) IS DISTINCT FROM 'off'
)
EXECUTE FUNCTION mainspring.note_step();

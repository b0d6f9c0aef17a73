-- A workflow run may have a definition of its own: what a handler waits for, a batch. Without one it is that of its job's version.
ALTER TABLE mainspring.flows ADD COLUMN definition bytea;
ALTER TABLE mainspring.flows_past ADD COLUMN definition bytea;

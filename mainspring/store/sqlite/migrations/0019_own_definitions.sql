-- A workflow run may have a definition of its own: what a handler waits for, a batch. Without one it is that of its job's version.
ALTER TABLE flows ADD COLUMN definition BLOB;
ALTER TABLE flows_past ADD COLUMN definition BLOB;

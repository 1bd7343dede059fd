-- The merge that took an id away; null of merges of earlier versions.
ALTER TABLE merged_ids ADD COLUMN merge_id BLOB;

-- Rows that a merge moved to its survivor, and the record that they named before; `kept` is what they said then, where
-- that is more than an id. Its undo moves them back.
CREATE TABLE merge_links (
  workspace_id BLOB NOT NULL,
  merge_id BLOB NOT NULL,
  collection TEXT NOT NULL,
  record BLOB NOT NULL,
  from_id BLOB NOT NULL,
  kept TEXT,
  PRIMARY KEY (workspace_id, merge_id, collection, record, from_id)
) STRICT, WITHOUT ROWID;

-- Other imports that changed a record.
CREATE INDEX import_changed_by_record ON import_changed (workspace_id, record);

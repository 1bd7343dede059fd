-- The merge that took an id away; null of merges of earlier versions.
ALTER TABLE merged_ids ADD COLUMN merge_id UUID;

-- Rows that a merge moved to its survivor, and the record that they named before; `kept` is what they said then, where
-- that is more than an id. Its undo moves them back.
CREATE TABLE merge_links (
  workspace_id UUID NOT NULL,
  merge_id UUID NOT NULL,
  collection TEXT COLLATE "C" NOT NULL,
  record UUID NOT NULL,
  from_id UUID NOT NULL,
  kept TEXT COLLATE "C",
  PRIMARY KEY (workspace_id, merge_id, collection, record, from_id)
);

-- Other imports that changed a record.
CREATE INDEX import_changed_by_record ON import_changed (workspace_id, record);

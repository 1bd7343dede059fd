-- A file of records that was brought in, and how far it is.
CREATE TABLE imports (
  workspace_id BLOB NOT NULL,
  id BLOB NOT NULL,
  version INTEGER NOT NULL,
  collection TEXT NOT NULL,
  format TEXT NOT NULL,
  filename TEXT,
  mapping TEXT NOT NULL,
  match_on TEXT,
  dry_run INTEGER NOT NULL,
  status TEXT NOT NULL,
  error TEXT,
  progress INTEGER NOT NULL,
  total INTEGER,
  processed INTEGER NOT NULL,
  created INTEGER NOT NULL,
  updated INTEGER NOT NULL,
  skipped INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  removed INTEGER NOT NULL,
  restored INTEGER NOT NULL,
  kept INTEGER NOT NULL,
  completed_at INTEGER,
  undone_at INTEGER,
  blob TEXT,
  size INTEGER NOT NULL,
  place INTEGER NOT NULL,
  layout TEXT NOT NULL,
  scopes TEXT NOT NULL,
  actor TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, id)
) STRICT;

-- What became of rows, so that it can be undone: records that were made, some hundreds in a row of this table.
CREATE TABLE import_made (
  workspace_id BLOB NOT NULL,
  import_id BLOB NOT NULL,
  place INTEGER NOT NULL,
  records TEXT NOT NULL,
  PRIMARY KEY (workspace_id, import_id, place)
) STRICT, WITHOUT ROWID;

-- Records that were changed: their values before and after.
CREATE TABLE import_changed (
  workspace_id BLOB NOT NULL,
  import_id BLOB NOT NULL,
  place INTEGER NOT NULL,
  record BLOB NOT NULL,
  version INTEGER NOT NULL,
  changes TEXT NOT NULL,
  PRIMARY KEY (workspace_id, import_id, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX import_changed_record ON import_changed (workspace_id, import_id, record, version);

-- What is wrong with rows.
CREATE TABLE import_errors (
  workspace_id BLOB NOT NULL,
  import_id BLOB NOT NULL,
  place INTEGER NOT NULL,
  number INTEGER NOT NULL,
  column_name TEXT,
  reason TEXT NOT NULL,
  value TEXT,
  PRIMARY KEY (workspace_id, import_id, place, number)
) STRICT, WITHOUT ROWID;

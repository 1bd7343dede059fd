-- A file of records that was brought in, and how far it is.
CREATE TABLE imports (
  workspace_id UUID NOT NULL,
  id UUID NOT NULL,
  version BIGINT NOT NULL,
  collection TEXT COLLATE "C" NOT NULL,
  format TEXT COLLATE "C" NOT NULL,
  filename TEXT COLLATE "C",
  mapping TEXT COLLATE "C" NOT NULL,
  match_on TEXT COLLATE "C",
  dry_run BOOLEAN NOT NULL,
  status TEXT COLLATE "C" NOT NULL,
  error TEXT COLLATE "C",
  progress BIGINT NOT NULL,
  total BIGINT,
  processed BIGINT NOT NULL,
  created BIGINT NOT NULL,
  updated BIGINT NOT NULL,
  skipped BIGINT NOT NULL,
  failed BIGINT NOT NULL,
  removed BIGINT NOT NULL,
  restored BIGINT NOT NULL,
  kept BIGINT NOT NULL,
  completed_at BIGINT,
  undone_at BIGINT,
  blob TEXT COLLATE "C",
  size BIGINT NOT NULL,
  place BIGINT NOT NULL,
  layout TEXT COLLATE "C" NOT NULL,
  scopes TEXT COLLATE "C" NOT NULL,
  actor TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, id)
);

-- What became of rows, so that it can be undone: records that were made, some hundreds in a row of this table.
CREATE TABLE import_made (
  workspace_id UUID NOT NULL,
  import_id UUID NOT NULL,
  place BIGINT NOT NULL,
  records TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (workspace_id, import_id, place)
);

-- Records that were changed: their values before and after.
CREATE TABLE import_changed (
  workspace_id UUID NOT NULL,
  import_id UUID NOT NULL,
  place BIGINT NOT NULL,
  record UUID NOT NULL,
  version BIGINT NOT NULL,
  changes TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (workspace_id, import_id, place)
);
CREATE INDEX import_changed_record ON import_changed (workspace_id, import_id, record, version);

-- What is wrong with rows.
CREATE TABLE import_errors (
  workspace_id UUID NOT NULL,
  import_id UUID NOT NULL,
  place BIGINT NOT NULL,
  number BIGINT NOT NULL,
  column_name TEXT COLLATE "C",
  reason TEXT COLLATE "C" NOT NULL,
  value TEXT COLLATE "C",
  PRIMARY KEY (workspace_id, import_id, place, number)
);

-- Outreach in steps.
CREATE TABLE sequences (
  workspace_id BLOB NOT NULL,
  id BLOB NOT NULL,
  version INTEGER NOT NULL,
  name TEXT NOT NULL,
  name_fold TEXT NOT NULL,
  status TEXT NOT NULL,
  priority TEXT NOT NULL,
  mode TEXT NOT NULL,
  project_id BLOB,
  owner_ids TEXT NOT NULL,
  schedule_config TEXT NOT NULL,
  steps_count INTEGER NOT NULL,
  enrollments TEXT NOT NULL,
  steps_version INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, id)
) STRICT;
CREATE INDEX sequences_updated_at ON sequences (workspace_id, updated_at, id);
CREATE INDEX sequences_name ON sequences (workspace_id, name_fold, id);
CREATE INDEX sequences_status ON sequences (workspace_id, status, id);

-- The steps of each version, as one document: whoever is enrolled stays on the version they began with.
CREATE TABLE sequence_versions (
  workspace_id BLOB NOT NULL,
  sequence_id BLOB NOT NULL,
  version INTEGER NOT NULL,
  steps TEXT NOT NULL,
  PRIMARY KEY (workspace_id, sequence_id, version),
  FOREIGN KEY (workspace_id, sequence_id) REFERENCES sequences (workspace_id, id) ON DELETE CASCADE
) STRICT;

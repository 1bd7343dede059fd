-- Outreach in steps.
CREATE TABLE sequences (
  workspace_id UUID NOT NULL,
  id UUID NOT NULL,
  version BIGINT NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  name_fold TEXT COLLATE "C" NOT NULL,
  status TEXT COLLATE "C" NOT NULL,
  priority TEXT COLLATE "C" NOT NULL,
  mode TEXT COLLATE "C" NOT NULL,
  project_id UUID,
  owner_ids TEXT COLLATE "C" NOT NULL,
  schedule_config TEXT COLLATE "C" NOT NULL,
  steps_count BIGINT NOT NULL,
  enrollments TEXT COLLATE "C" NOT NULL,
  steps_version BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX sequences_updated_at ON sequences (workspace_id, updated_at, id);
CREATE INDEX sequences_name ON sequences (workspace_id, name_fold, id);
CREATE INDEX sequences_status ON sequences (workspace_id, status, id);

-- The steps of each version, as one document: whoever is enrolled stays on the version they began with.
CREATE TABLE sequence_versions (
  workspace_id UUID NOT NULL,
  sequence_id UUID NOT NULL,
  version BIGINT NOT NULL,
  steps TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (workspace_id, sequence_id, version),
  FOREIGN KEY (workspace_id, sequence_id) REFERENCES sequences (workspace_id, id) ON DELETE CASCADE
);

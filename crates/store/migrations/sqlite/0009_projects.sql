-- What gives a new project its stages.
CREATE TABLE project_templates (
  workspace_id BLOB NOT NULL,
  id BLOB NOT NULL,
  version INTEGER NOT NULL,
  name TEXT NOT NULL,
  is_default INTEGER NOT NULL,
  stages TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, id)
) STRICT;

CREATE TABLE projects (
  workspace_id BLOB NOT NULL,
  id BLOB NOT NULL,
  version INTEGER NOT NULL,
  name TEXT NOT NULL,
  name_fold TEXT NOT NULL,
  status TEXT NOT NULL,
  client_name TEXT,
  client_name_fold TEXT,
  client_company_id BLOB,
  location TEXT,
  location_fold TEXT,
  description TEXT,
  template_id BLOB,
  owner_ids TEXT NOT NULL,
  default_sequence_id BLOB,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, id)
) STRICT;
CREATE INDEX projects_updated_at ON projects (workspace_id, updated_at, id);
CREATE INDEX projects_name ON projects (workspace_id, name_fold, id);
CREATE INDEX projects_status ON projects (workspace_id, status, id);

-- A project's own stages: a later change of the template does not touch them.
CREATE TABLE project_stages (
  workspace_id BLOB NOT NULL,
  id BLOB NOT NULL,
  version INTEGER NOT NULL,
  project_id BLOB NOT NULL,
  name TEXT NOT NULL,
  position INTEGER NOT NULL,
  system_category TEXT NOT NULL,
  color TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, project_id) REFERENCES projects (workspace_id, id) ON DELETE RESTRICT
) STRICT;
CREATE INDEX project_stages_project ON project_stages (workspace_id, project_id, position);

-- Candidates in projects: one per project and contact.
CREATE TABLE pipeline_entries (
  workspace_id BLOB NOT NULL,
  id BLOB NOT NULL,
  version INTEGER NOT NULL,
  project_id BLOB NOT NULL,
  contact_id BLOB NOT NULL,
  stage_id BLOB NOT NULL,
  rating INTEGER,
  notes TEXT,
  rejection_reason_id BLOB,
  moved_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, project_id) REFERENCES projects (workspace_id, id) ON DELETE RESTRICT,
  FOREIGN KEY (workspace_id, contact_id) REFERENCES contacts (workspace_id, id) ON DELETE RESTRICT,
  FOREIGN KEY (workspace_id, stage_id) REFERENCES project_stages (workspace_id, id) ON DELETE RESTRICT
) STRICT;
CREATE INDEX pipeline_entries_updated_at ON pipeline_entries (workspace_id, updated_at, id);
CREATE UNIQUE INDEX pipeline_entries_contact_id ON pipeline_entries (workspace_id, contact_id, project_id);
CREATE INDEX pipeline_entries_project_id ON pipeline_entries (workspace_id, project_id, id);
CREATE INDEX pipeline_entries_project_updated_at ON pipeline_entries (workspace_id, project_id, updated_at, id);
CREATE INDEX pipeline_entries_project_rating ON pipeline_entries (workspace_id, project_id, rating, id);
CREATE INDEX pipeline_entries_stage_id ON pipeline_entries (workspace_id, stage_id, id);

CREATE INDEX notes_project_id ON notes (workspace_id, project_id, id) WHERE project_id IS NOT NULL;

ALTER TABLE files ADD COLUMN project_id BLOB;
CREATE INDEX files_project ON files (workspace_id, project_id, id) WHERE project_id IS NOT NULL;

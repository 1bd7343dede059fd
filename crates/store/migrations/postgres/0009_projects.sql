-- What gives a new project its stages.
CREATE TABLE project_templates (
  workspace_id UUID NOT NULL,
  id UUID NOT NULL,
  version BIGINT NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  is_default BOOLEAN NOT NULL,
  stages TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, id)
);

CREATE TABLE projects (
  workspace_id UUID NOT NULL,
  id UUID NOT NULL,
  version BIGINT NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  name_fold TEXT COLLATE "C" NOT NULL,
  status TEXT COLLATE "C" NOT NULL,
  client_name TEXT COLLATE "C",
  client_name_fold TEXT COLLATE "C",
  client_company_id UUID,
  location TEXT COLLATE "C",
  location_fold TEXT COLLATE "C",
  description TEXT COLLATE "C",
  template_id UUID,
  owner_ids TEXT COLLATE "C" NOT NULL,
  default_sequence_id UUID,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX projects_updated_at ON projects (workspace_id, updated_at, id);
CREATE INDEX projects_name ON projects (workspace_id, name_fold, id);
CREATE INDEX projects_status ON projects (workspace_id, status, id);

-- A project's own stages: a later change of the template does not touch them.
CREATE TABLE project_stages (
  workspace_id UUID NOT NULL,
  id UUID NOT NULL,
  version BIGINT NOT NULL,
  project_id UUID NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  position BIGINT NOT NULL,
  system_category TEXT COLLATE "C" NOT NULL,
  color TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, project_id) REFERENCES projects (workspace_id, id) ON DELETE RESTRICT
);
CREATE INDEX project_stages_project ON project_stages (workspace_id, project_id, position);

-- Candidates in projects: one per project and contact.
CREATE TABLE pipeline_entries (
  workspace_id UUID NOT NULL,
  id UUID NOT NULL,
  version BIGINT NOT NULL,
  project_id UUID NOT NULL,
  contact_id UUID NOT NULL,
  stage_id UUID NOT NULL,
  rating BIGINT,
  notes TEXT COLLATE "C",
  rejection_reason_id UUID,
  moved_at BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, project_id) REFERENCES projects (workspace_id, id) ON DELETE RESTRICT,
  FOREIGN KEY (workspace_id, contact_id) REFERENCES contacts (workspace_id, id) ON DELETE RESTRICT,
  FOREIGN KEY (workspace_id, stage_id) REFERENCES project_stages (workspace_id, id) ON DELETE RESTRICT
);
CREATE INDEX pipeline_entries_updated_at ON pipeline_entries (workspace_id, updated_at, id);
CREATE UNIQUE INDEX pipeline_entries_contact_id ON pipeline_entries (workspace_id, contact_id, project_id);
CREATE INDEX pipeline_entries_project_id ON pipeline_entries (workspace_id, project_id, id);
CREATE INDEX pipeline_entries_project_updated_at ON pipeline_entries (workspace_id, project_id, updated_at, id);
CREATE INDEX pipeline_entries_project_rating ON pipeline_entries (workspace_id, project_id, rating, id);
CREATE INDEX pipeline_entries_stage_id ON pipeline_entries (workspace_id, stage_id, id);

CREATE INDEX notes_project_id ON notes (workspace_id, project_id, id) WHERE project_id IS NOT NULL;

ALTER TABLE files ADD COLUMN project_id UUID;
CREATE INDEX files_project ON files (workspace_id, project_id, id) WHERE project_id IS NOT NULL;

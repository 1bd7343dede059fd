-- A contact's CV: one at most. Its bytes stand in storage under `blob`; `text` is what a job read in them.
CREATE TABLE cvs (
  workspace_id UUID NOT NULL,
  contact_id UUID NOT NULL,
  filename TEXT COLLATE "C" NOT NULL,
  content_type TEXT COLLATE "C" NOT NULL,
  size BIGINT NOT NULL,
  blob TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  text TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (workspace_id, contact_id),
  FOREIGN KEY (workspace_id, contact_id) REFERENCES contacts (workspace_id, id) ON DELETE RESTRICT
);
CREATE UNIQUE INDEX cvs_blob ON cvs (workspace_id, blob);

-- Files that hang on a record; which kind of record tells the column that is not null.
CREATE TABLE files (
  workspace_id UUID NOT NULL,
  id UUID NOT NULL,
  contact_id UUID,
  filename TEXT COLLATE "C" NOT NULL,
  content_type TEXT COLLATE "C" NOT NULL,
  size BIGINT NOT NULL,
  blob TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, contact_id) REFERENCES contacts (workspace_id, id) ON DELETE RESTRICT
);
CREATE INDEX files_contact ON files (workspace_id, contact_id, id) WHERE contact_id IS NOT NULL;
CREATE UNIQUE INDEX files_blob ON files (workspace_id, blob);

-- Each lane of jobs looks for its own kinds.
CREATE INDEX jobs_kind ON jobs (kind, run_at);

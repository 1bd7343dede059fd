-- A contact's CV: one at most. Its bytes stand in storage under `blob`; `text` is what a job read in them.
CREATE TABLE cvs (
  workspace_id BLOB NOT NULL,
  contact_id BLOB NOT NULL,
  filename TEXT NOT NULL,
  content_type TEXT NOT NULL,
  size INTEGER NOT NULL,
  blob TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (workspace_id, contact_id),
  FOREIGN KEY (workspace_id, contact_id) REFERENCES contacts (workspace_id, id) ON DELETE RESTRICT
) STRICT;
CREATE UNIQUE INDEX cvs_blob ON cvs (workspace_id, blob);

-- Files that hang on a record; which kind of record tells the column that is not null.
CREATE TABLE files (
  workspace_id BLOB NOT NULL,
  id BLOB NOT NULL,
  contact_id BLOB,
  filename TEXT NOT NULL,
  content_type TEXT NOT NULL,
  size INTEGER NOT NULL,
  blob TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, contact_id) REFERENCES contacts (workspace_id, id) ON DELETE RESTRICT
) STRICT;
CREATE INDEX files_contact ON files (workspace_id, contact_id, id) WHERE contact_id IS NOT NULL;
CREATE UNIQUE INDEX files_blob ON files (workspace_id, blob);

-- Each lane of jobs looks for its own kinds.
CREATE INDEX jobs_kind ON jobs (kind, run_at);

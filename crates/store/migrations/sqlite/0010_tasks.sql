-- What somebody has to do.
CREATE TABLE tasks (
  workspace_id BLOB NOT NULL,
  id BLOB NOT NULL,
  version INTEGER NOT NULL,
  title TEXT NOT NULL,
  title_fold TEXT NOT NULL,
  description TEXT,
  type TEXT NOT NULL,
  status TEXT NOT NULL,
  priority TEXT NOT NULL,
  due_date TEXT,
  assigned_to BLOB,
  contact_id BLOB,
  company_id BLOB,
  deal_id BLOB,
  project_id BLOB,
  completed_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, id)
) STRICT;
CREATE INDEX tasks_updated_at ON tasks (workspace_id, updated_at, id);
CREATE INDEX tasks_due_date ON tasks (workspace_id, due_date, id) WHERE due_date IS NOT NULL;
CREATE INDEX tasks_priority ON tasks (workspace_id, priority, id);
CREATE INDEX tasks_status ON tasks (workspace_id, status, id);
CREATE INDEX tasks_status_due_date ON tasks (workspace_id, status, due_date, id);
CREATE INDEX tasks_contact_id ON tasks (workspace_id, contact_id, id) WHERE contact_id IS NOT NULL;
CREATE INDEX tasks_company_id ON tasks (workspace_id, company_id, id) WHERE company_id IS NOT NULL;

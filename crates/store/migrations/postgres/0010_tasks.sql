-- What somebody has to do.
CREATE TABLE tasks (
  workspace_id UUID NOT NULL,
  id UUID NOT NULL,
  version BIGINT NOT NULL,
  title TEXT COLLATE "C" NOT NULL,
  title_fold TEXT COLLATE "C" NOT NULL,
  description TEXT COLLATE "C",
  type TEXT COLLATE "C" NOT NULL,
  status TEXT COLLATE "C" NOT NULL,
  priority TEXT COLLATE "C" NOT NULL,
  due_date TEXT COLLATE "C",
  assigned_to UUID,
  contact_id UUID,
  company_id UUID,
  deal_id UUID,
  project_id UUID,
  completed_at BIGINT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX tasks_updated_at ON tasks (workspace_id, updated_at, id);
CREATE INDEX tasks_due_date ON tasks (workspace_id, due_date, id) WHERE due_date IS NOT NULL;
CREATE INDEX tasks_priority ON tasks (workspace_id, priority, id);
CREATE INDEX tasks_status ON tasks (workspace_id, status, id);
CREATE INDEX tasks_status_due_date ON tasks (workspace_id, status, due_date, id);
CREATE INDEX tasks_contact_id ON tasks (workspace_id, contact_id, id) WHERE contact_id IS NOT NULL;
CREATE INDEX tasks_company_id ON tasks (workspace_id, company_id, id) WHERE company_id IS NOT NULL;

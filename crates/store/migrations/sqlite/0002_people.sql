-- Fields that a workspace gives its contacts and companies.
CREATE TABLE custom_fields (
  workspace_id BLOB NOT NULL,
  id BLOB NOT NULL,
  version INTEGER NOT NULL,
  entity TEXT NOT NULL,
  key TEXT NOT NULL,
  label TEXT NOT NULL,
  type TEXT NOT NULL,
  options TEXT NOT NULL,
  is_required INTEGER NOT NULL,
  position INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, id)
) STRICT;
CREATE UNIQUE INDEX custom_fields_key ON custom_fields (workspace_id, entity, key);

-- How many records name another one: what a company shows of its contacts.
CREATE TABLE record_counts (
  workspace_id BLOB NOT NULL,
  record BLOB NOT NULL,
  name TEXT NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, record, name)
) STRICT, WITHOUT ROWID;

-- Custom values as they are compared.
ALTER TABLE contacts ADD COLUMN custom_data_fold TEXT NOT NULL DEFAULT '{}';

CREATE TABLE companies (
  workspace_id BLOB NOT NULL,
  id BLOB NOT NULL,
  version INTEGER NOT NULL,
  name TEXT NOT NULL,
  name_fold TEXT NOT NULL,
  domain TEXT,
  domain_fold TEXT,
  website TEXT,
  website_fold TEXT,
  network_profile TEXT,
  industry TEXT,
  industry_fold TEXT,
  employee_count INTEGER,
  size_range TEXT,
  location TEXT,
  location_fold TEXT,
  description TEXT,
  phone TEXT,
  email TEXT,
  logo_url TEXT,
  owner_id BLOB,
  tags TEXT NOT NULL,
  custom_data TEXT NOT NULL,
  custom_data_fold TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  archived_at INTEGER,
  PRIMARY KEY (workspace_id, id)
) STRICT;
CREATE INDEX companies_updated_at ON companies (workspace_id, updated_at, id);
CREATE INDEX companies_name ON companies (workspace_id, name_fold, id);
CREATE INDEX companies_employee_count ON companies (workspace_id, employee_count, id) WHERE employee_count IS NOT NULL;

CREATE TABLE notes (
  workspace_id BLOB NOT NULL,
  id BLOB NOT NULL,
  version INTEGER NOT NULL,
  content TEXT NOT NULL,
  is_pinned INTEGER NOT NULL,
  author_id BLOB,
  contact_id BLOB,
  company_id BLOB,
  deal_id BLOB,
  project_id BLOB,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, id)
) STRICT;
CREATE INDEX notes_contact_id ON notes (workspace_id, contact_id, id) WHERE contact_id IS NOT NULL;
CREATE INDEX notes_company_id ON notes (workspace_id, company_id, id) WHERE company_id IS NOT NULL;

-- Fields that a workspace gives its contacts and companies.
CREATE TABLE custom_fields (
  workspace_id UUID NOT NULL,
  id UUID NOT NULL,
  version BIGINT NOT NULL,
  entity TEXT COLLATE "C" NOT NULL,
  key TEXT COLLATE "C" NOT NULL,
  label TEXT COLLATE "C" NOT NULL,
  type TEXT COLLATE "C" NOT NULL,
  options TEXT COLLATE "C" NOT NULL,
  is_required BOOLEAN NOT NULL,
  position BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, id)
);
CREATE UNIQUE INDEX custom_fields_key ON custom_fields (workspace_id, entity, key);

-- How many records name another one: what a company shows of its contacts.
CREATE TABLE record_counts (
  workspace_id UUID NOT NULL,
  record UUID NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  n BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, record, name)
);

-- Custom values as they are compared.
ALTER TABLE contacts ADD COLUMN custom_data_fold TEXT COLLATE "C" NOT NULL DEFAULT '{}';

CREATE TABLE companies (
  workspace_id UUID NOT NULL,
  id UUID NOT NULL,
  version BIGINT NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  name_fold TEXT COLLATE "C" NOT NULL,
  domain TEXT COLLATE "C",
  domain_fold TEXT COLLATE "C",
  website TEXT COLLATE "C",
  website_fold TEXT COLLATE "C",
  network_profile TEXT COLLATE "C",
  industry TEXT COLLATE "C",
  industry_fold TEXT COLLATE "C",
  employee_count BIGINT,
  size_range TEXT COLLATE "C",
  location TEXT COLLATE "C",
  location_fold TEXT COLLATE "C",
  description TEXT COLLATE "C",
  phone TEXT COLLATE "C",
  email TEXT COLLATE "C",
  logo_url TEXT COLLATE "C",
  owner_id UUID,
  tags TEXT COLLATE "C" NOT NULL,
  custom_data TEXT COLLATE "C" NOT NULL,
  custom_data_fold TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  archived_at BIGINT,
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX companies_updated_at ON companies (workspace_id, updated_at, id);
CREATE INDEX companies_name ON companies (workspace_id, name_fold, id);
CREATE INDEX companies_employee_count ON companies (workspace_id, employee_count, id) WHERE employee_count IS NOT NULL;

CREATE TABLE notes (
  workspace_id UUID NOT NULL,
  id UUID NOT NULL,
  version BIGINT NOT NULL,
  content TEXT COLLATE "C" NOT NULL,
  is_pinned BOOLEAN NOT NULL,
  author_id UUID,
  contact_id UUID,
  company_id UUID,
  deal_id UUID,
  project_id UUID,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX notes_contact_id ON notes (workspace_id, contact_id, id) WHERE contact_id IS NOT NULL;
CREATE INDEX notes_company_id ON notes (workspace_id, company_id, id) WHERE company_id IS NOT NULL;

-- Global tables. No foreign key leads to or from them.
CREATE TABLE meta (
  name TEXT COLLATE "C" NOT NULL,
  value TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (name)
);

CREATE TABLE workspaces (
  id UUID NOT NULL,
  slug TEXT COLLATE "C" NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  timezone TEXT COLLATE "C" NOT NULL,
  currency TEXT COLLATE "C" NOT NULL,
  plan TEXT COLLATE "C" NOT NULL,
  subscription TEXT COLLATE "C" NOT NULL,
  rate_limit BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  removed_at BIGINT,
  -- The longest life of a new API key in days; NULL is no limit.
  longest_key_days BIGINT,
  -- Bytes of files that the workspace stores, and the most it may store. NULL: the limit of the installation applies.
  storage_used BIGINT NOT NULL DEFAULT 0,
  storage_limit BIGINT,
  -- The key for the hashes of erased addresses; NULL until something is erased.
  erasure_key BYTEA,
  PRIMARY KEY (id)
);
CREATE UNIQUE INDEX workspaces_slug ON workspaces (slug);

CREATE TABLE users (
  id UUID NOT NULL,
  email TEXT COLLATE "C" NOT NULL,
  email_fold TEXT COLLATE "C" NOT NULL,
  setup_hash BYTEA,
  created_at BIGINT NOT NULL,
  password_hash TEXT COLLATE "C",
  -- When the link in setup_hash expires; NULL: never.
  setup_until BIGINT,
  PRIMARY KEY (id)
);
CREATE UNIQUE INDEX users_email ON users (email_fold);

CREATE TABLE api_keys (
  id UUID NOT NULL,
  workspace_id UUID NOT NULL,
  user_id UUID NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  last4 TEXT COLLATE "C" NOT NULL,
  hash BYTEA NOT NULL,
  scopes TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT,
  last_used_at BIGINT,
  revoked_at BIGINT,
  PRIMARY KEY (id)
);
CREATE UNIQUE INDEX api_keys_hash ON api_keys (hash);
CREATE INDEX api_keys_workspace ON api_keys (workspace_id, id);

-- Tables of workspaces. Every key begins with workspace_id.
CREATE TABLE heads (
  workspace_id UUID NOT NULL,
  stamp BIGINT NOT NULL,
  tags_stamp BIGINT NOT NULL,
  -- The version of the default data (stages, reasons, templates) that the workspace has received.
  defaults_version BIGINT NOT NULL DEFAULT 0,
  -- The commit that last changed the workspace's custom fields: cached definitions are valid only for this stamp.
  fields_stamp BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (workspace_id)
);

CREATE TABLE members (
  workspace_id UUID NOT NULL,
  user_id UUID NOT NULL,
  email TEXT COLLATE "C" NOT NULL,
  first_name TEXT COLLATE "C" NOT NULL,
  last_name TEXT COLLATE "C" NOT NULL,
  role TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, user_id)
);

CREATE TABLE rate_windows (
  workspace_id UUID NOT NULL,
  user_id UUID NOT NULL,
  started_at BIGINT NOT NULL,
  used BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, user_id)
);

CREATE TABLE counters (
  workspace_id UUID NOT NULL,
  collection TEXT COLLATE "C" NOT NULL,
  field TEXT COLLATE "C" NOT NULL,
  value TEXT COLLATE "C" NOT NULL,
  archived BOOLEAN NOT NULL,
  n BIGINT NOT NULL,
  stamp BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, collection, field, value, archived)
) WITH (fillfactor = 50);

CREATE TABLE events (
  workspace_id UUID NOT NULL,
  place BIGINT NOT NULL,
  type TEXT COLLATE "C" NOT NULL,
  at BIGINT NOT NULL,
  actor_kind TEXT COLLATE "C" NOT NULL,
  actor_id UUID,
  actor_name TEXT COLLATE "C" NOT NULL,
  record_type TEXT COLLATE "C" NOT NULL,
  record_id UUID NOT NULL,
  changes TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (workspace_id, place)
);
CREATE INDEX events_record ON events (workspace_id, record_id, place);

CREATE TABLE jobs (
  workspace_id UUID NOT NULL,
  id UUID NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  payload TEXT COLLATE "C" NOT NULL,
  run_at BIGINT NOT NULL,
  lease_until BIGINT NOT NULL,
  attempts BIGINT NOT NULL,
  error TEXT COLLATE "C",
  created_at BIGINT NOT NULL,
  -- How long after it was enqueued or postponed the job is due. A later due time was written by a clock that was set back.
  wait BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX jobs_due ON jobs (run_at);

CREATE TABLE terms (
  workspace_id UUID NOT NULL,
  field TEXT COLLATE "C" NOT NULL,
  key TEXT COLLATE "C" NOT NULL,
  record UUID NOT NULL,
  PRIMARY KEY (workspace_id, field, key, record)
);

-- The normalized text of a record, for searches. It is written after the record; `indexed` has the stamp up to which it
-- is complete.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

CREATE TABLE texts (
  workspace_id UUID NOT NULL,
  collection TEXT COLLATE "C" NOT NULL,
  record UUID NOT NULL,
  text TEXT COLLATE "C" NOT NULL,
  -- Equal for records that may be duplicates of each other.
  likeness TEXT COLLATE "C",
  PRIMARY KEY (workspace_id, collection, record)
);
CREATE INDEX texts_trigrams ON texts USING gin (text gin_trgm_ops);

CREATE TABLE indexed (
  workspace_id UUID NOT NULL,
  collection TEXT COLLATE "C" NOT NULL,
  stamp BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, collection)
);

CREATE TABLE tags (
  workspace_id UUID NOT NULL,
  id UUID NOT NULL,
  version BIGINT NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  name_fold TEXT COLLATE "C" NOT NULL,
  color TEXT COLLATE "C" NOT NULL,
  color_fold TEXT COLLATE "C" NOT NULL,
  scope TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, id)
);
CREATE UNIQUE INDEX tags_name ON tags (workspace_id, name_fold);

CREATE TABLE contacts (
  workspace_id UUID NOT NULL,
  id UUID NOT NULL,
  version BIGINT NOT NULL,
  first_name TEXT COLLATE "C" NOT NULL,
  first_name_fold TEXT COLLATE "C" NOT NULL,
  last_name TEXT COLLATE "C",
  last_name_fold TEXT COLLATE "C",
  title TEXT COLLATE "C",
  title_fold TEXT COLLATE "C",
  current_company TEXT COLLATE "C",
  current_company_fold TEXT COLLATE "C",
  location TEXT COLLATE "C",
  location_fold TEXT COLLATE "C",
  network_profile TEXT COLLATE "C",
  network_profile_fold TEXT COLLATE "C",
  emails TEXT COLLATE "C" NOT NULL,
  phones TEXT COLLATE "C" NOT NULL,
  tags TEXT COLLATE "C" NOT NULL,
  global_status TEXT COLLATE "C" NOT NULL,
  earlier_status TEXT COLLATE "C",
  contact_type TEXT COLLATE "C" NOT NULL,
  company_id UUID,
  summary TEXT COLLATE "C",
  skills TEXT COLLATE "C" NOT NULL,
  languages TEXT COLLATE "C" NOT NULL,
  years_experience BIGINT,
  custom_data TEXT COLLATE "C" NOT NULL,
  do_not_contact BOOLEAN NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  last_contacted_at BIGINT,
  archived_at BIGINT,
  -- Normalized custom values, for comparisons.
  custom_data_fold TEXT COLLATE "C" NOT NULL DEFAULT '{}',
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX contacts_archived_at ON contacts (workspace_id, archived_at, id) WHERE archived_at IS NOT NULL;

-- Custom fields of contacts and companies.
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

-- How many records reference another record, such as the contacts of a company.
CREATE TABLE record_counts (
  workspace_id UUID NOT NULL,
  record UUID NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  n BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, record, name)
);

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

-- At most one CV per contact. The file is in storage under `blob`; `text` is the text that a job extracted.
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

-- Files of a record. The column that is not NULL says which record.
CREATE TABLE files (
  workspace_id UUID NOT NULL,
  id UUID NOT NULL,
  contact_id UUID,
  filename TEXT COLLATE "C" NOT NULL,
  content_type TEXT COLLATE "C" NOT NULL,
  size BIGINT NOT NULL,
  blob TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  project_id UUID,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, contact_id) REFERENCES contacts (workspace_id, id) ON DELETE RESTRICT
);
CREATE INDEX files_contact ON files (workspace_id, contact_id, id) WHERE contact_id IS NOT NULL;
CREATE UNIQUE INDEX files_blob ON files (workspace_id, blob);

-- Workers look for jobs of certain kinds.
CREATE INDEX jobs_kind ON jobs (kind, run_at);

-- Records to index although their own row has not changed.
CREATE TABLE texts_due (
  workspace_id UUID NOT NULL,
  collection TEXT COLLATE "C" NOT NULL,
  record UUID NOT NULL,
  PRIMARY KEY (workspace_id, collection, record)
);

-- Further records whose timelines show an event.
CREATE TABLE event_subjects (
  workspace_id UUID NOT NULL,
  record_id UUID NOT NULL,
  place BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, record_id, place)
);

-- Ids of merged records, which redirect to the surviving record.
CREATE TABLE merged_ids (
  workspace_id UUID NOT NULL,
  old_id UUID NOT NULL,
  new_id UUID NOT NULL,
  -- The merge that redirected the id.
  merge_id UUID,
  PRIMARY KEY (workspace_id, old_id)
);
CREATE INDEX merged_ids_new ON merged_ids (workspace_id, new_id, old_id);

-- Merges, with the data to undo them.
CREATE TABLE merges (
  workspace_id UUID NOT NULL,
  id UUID NOT NULL,
  collection TEXT COLLATE "C" NOT NULL,
  into_id UUID NOT NULL,
  kept TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  undone_at BIGINT,
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX merges_into ON merges (workspace_id, into_id, id);
CREATE INDEX texts_likeness ON texts (workspace_id, collection, likeness, record) WHERE likeness IS NOT NULL;

-- Imports and their progress.
CREATE TABLE imports (
  workspace_id UUID NOT NULL,
  id UUID NOT NULL,
  version BIGINT NOT NULL,
  collection TEXT COLLATE "C" NOT NULL,
  format TEXT COLLATE "C" NOT NULL,
  filename TEXT COLLATE "C",
  mapping TEXT COLLATE "C" NOT NULL,
  match_on TEXT COLLATE "C",
  dry_run BOOLEAN NOT NULL,
  status TEXT COLLATE "C" NOT NULL,
  error TEXT COLLATE "C",
  progress BIGINT NOT NULL,
  total BIGINT,
  processed BIGINT NOT NULL,
  created BIGINT NOT NULL,
  updated BIGINT NOT NULL,
  skipped BIGINT NOT NULL,
  failed BIGINT NOT NULL,
  removed BIGINT NOT NULL,
  restored BIGINT NOT NULL,
  kept BIGINT NOT NULL,
  completed_at BIGINT,
  undone_at BIGINT,
  blob TEXT COLLATE "C",
  size BIGINT NOT NULL,
  place BIGINT NOT NULL,
  layout TEXT COLLATE "C" NOT NULL,
  scopes TEXT COLLATE "C" NOT NULL,
  actor TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, id)
);

-- Records that an import created, for its undo. Each row lists some hundreds.
CREATE TABLE import_made (
  workspace_id UUID NOT NULL,
  import_id UUID NOT NULL,
  place BIGINT NOT NULL,
  records TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (workspace_id, import_id, place)
);

-- Records that an import changed, with the values before and after, for its undo.
CREATE TABLE import_changed (
  workspace_id UUID NOT NULL,
  import_id UUID NOT NULL,
  place BIGINT NOT NULL,
  record UUID NOT NULL,
  version BIGINT NOT NULL,
  changes TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (workspace_id, import_id, place)
);
CREATE INDEX import_changed_record ON import_changed (workspace_id, import_id, record, version);

-- Rows of an import that failed, with the reasons.
CREATE TABLE import_errors (
  workspace_id UUID NOT NULL,
  import_id UUID NOT NULL,
  place BIGINT NOT NULL,
  number BIGINT NOT NULL,
  column_name TEXT COLLATE "C",
  reason TEXT COLLATE "C" NOT NULL,
  value TEXT COLLATE "C",
  PRIMARY KEY (workspace_id, import_id, place, number)
);

-- Templates for the stages of new projects.
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

-- Stages of projects. A later change of the template does not affect them.
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

-- Candidates in projects, one row per project and contact.
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
CREATE INDEX files_project ON files (workspace_id, project_id, id) WHERE project_id IS NOT NULL;

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

-- Answers to requests with an Idempotency-Key, and the results of the parts of a long request.
CREATE TABLE idempotency (
  workspace_id UUID NOT NULL,
  user_id UUID NOT NULL,
  key TEXT COLLATE "C" NOT NULL,
  fingerprint BYTEA NOT NULL,
  status BIGINT NOT NULL,
  location TEXT COLLATE "C",
  version BIGINT,
  answer BYTEA NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, user_id, key)
);
CREATE INDEX idempotency_created_at ON idempotency (created_at);

CREATE TABLE reasons (
  workspace_id UUID NOT NULL,
  id UUID NOT NULL,
  version BIGINT NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  position BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  removed_at BIGINT,
  PRIMARY KEY (workspace_id, id)
);

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
  -- Why the server paused the sequence.
  paused_reason TEXT COLLATE "C",
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX sequences_updated_at ON sequences (workspace_id, updated_at, id);
CREATE INDEX sequences_name ON sequences (workspace_id, name_fold, id);
CREATE INDEX sequences_status ON sequences (workspace_id, status, id);

-- The steps of each version, as one JSON document. An enrollment stays on the version that it began with.
CREATE TABLE sequence_versions (
  workspace_id UUID NOT NULL,
  sequence_id UUID NOT NULL,
  version BIGINT NOT NULL,
  steps TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (workspace_id, sequence_id, version),
  FOREIGN KEY (workspace_id, sequence_id) REFERENCES sequences (workspace_id, id) ON DELETE CASCADE
);

CREATE TABLE deal_pipelines (
  workspace_id UUID NOT NULL,
  id UUID NOT NULL,
  version BIGINT NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  is_default BOOLEAN NOT NULL,
  position BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, id)
);

CREATE TABLE deal_stages (
  workspace_id UUID NOT NULL,
  id UUID NOT NULL,
  version BIGINT NOT NULL,
  pipeline_id UUID NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  position BIGINT NOT NULL,
  probability BIGINT,
  color TEXT COLLATE "C",
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, pipeline_id) REFERENCES deal_pipelines (workspace_id, id) ON DELETE RESTRICT
);
CREATE INDEX deal_stages_pipeline_id ON deal_stages (workspace_id, pipeline_id, id);

CREATE TABLE deals (
  workspace_id UUID NOT NULL,
  id UUID NOT NULL,
  version BIGINT NOT NULL,
  title TEXT COLLATE "C" NOT NULL,
  title_fold TEXT COLLATE "C" NOT NULL,
  status TEXT COLLATE "C" NOT NULL,
  amount BIGINT,
  signed_amount BIGINT,
  currency TEXT COLLATE "C" NOT NULL,
  currency_fold TEXT COLLATE "C" NOT NULL,
  expected_amount BIGINT,
  expected_close_date BIGINT,
  probability BIGINT,
  pipeline_id UUID NOT NULL,
  stage_id UUID NOT NULL,
  company_id UUID,
  owner_id UUID,
  primary_source_id UUID,
  contact_ids TEXT COLLATE "C" NOT NULL,
  close_reason_id UUID,
  loss_reason_id UUID,
  closed_at BIGINT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  archived_at BIGINT,
  stage_since BIGINT NOT NULL,
  -- Whether the probability was set for this deal; otherwise it follows the stage.
  own_probability BOOLEAN NOT NULL DEFAULT false,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, stage_id) REFERENCES deal_stages (workspace_id, id) ON DELETE RESTRICT
);
CREATE INDEX deals_updated_at ON deals (workspace_id, updated_at, id);
CREATE INDEX deals_title ON deals (workspace_id, title_fold, id);
CREATE INDEX deals_amount ON deals (workspace_id, amount, id) WHERE amount IS NOT NULL;
CREATE INDEX deals_expected_close_date ON deals (workspace_id, expected_close_date, id) WHERE expected_close_date IS NOT NULL;
CREATE INDEX deals_probability ON deals (workspace_id, probability, id) WHERE probability IS NOT NULL;
CREATE INDEX deals_closed_at ON deals (workspace_id, closed_at, id) WHERE closed_at IS NOT NULL;

-- Contacts of deals, as in the deal's `contact_ids`.
CREATE TABLE deal_contacts (
  workspace_id UUID NOT NULL,
  id UUID NOT NULL,
  deal_id UUID NOT NULL,
  contact_id UUID NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, deal_id) REFERENCES deals (workspace_id, id) ON DELETE RESTRICT
);
CREATE UNIQUE INDEX deal_contacts_deal_id ON deal_contacts (workspace_id, deal_id, contact_id);
CREATE INDEX deal_contacts_contact_id ON deal_contacts (workspace_id, contact_id, id);

-- Sums of the open, unarchived deals of a stage, in ten-thousandths. A sum may exceed 64 bits.
CREATE TABLE deal_sums (
  workspace_id UUID NOT NULL,
  stage_id UUID NOT NULL,
  currency TEXT COLLATE "C" NOT NULL,
  n BIGINT NOT NULL,
  amount TEXT COLLATE "C" NOT NULL,
  expected_amount TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (workspace_id, stage_id, currency),
  FOREIGN KEY (workspace_id, stage_id) REFERENCES deal_stages (workspace_id, id) ON DELETE RESTRICT
);
CREATE INDEX notes_deal_id ON notes (workspace_id, deal_id, id) WHERE deal_id IS NOT NULL;

-- Accounts that send and receive messages.
CREATE TABLE connected_accounts (
  workspace_id UUID NOT NULL,
  id UUID NOT NULL,
  version BIGINT NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  name_fold TEXT COLLATE "C" NOT NULL,
  provider TEXT COLLATE "C" NOT NULL,
  license_type TEXT COLLATE "C",
  api_status TEXT COLLATE "C" NOT NULL,
  status TEXT COLLATE "C" NOT NULL,
  status_reason TEXT COLLATE "C",
  owner_id UUID NOT NULL,
  address TEXT COLLATE "C",
  daily_limit BIGINT,
  min_gap_minutes BIGINT,
  ramp_up BIGINT,
  receives BOOLEAN NOT NULL,
  last_sync_at BIGINT,
  mails_in_folder BIGINT NOT NULL,
  mails_stored BIGINT NOT NULL,
  mails_unstored BIGINT NOT NULL,
  removed_at BIGINT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  -- The most searches in 24 hours.
  search_limit BIGINT,
  mails_waiting BIGINT NOT NULL DEFAULT 0,
  behind_since BIGINT,
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX connected_accounts_name ON connected_accounts (workspace_id, name_fold, id);

-- Internal state of an account: its encrypted secrets, when it may send again, how far its mailbox has been read.
CREATE TABLE account_states (
  workspace_id UUID NOT NULL,
  account_id UUID NOT NULL,
  sealed TEXT COLLATE "C",
  key_id TEXT COLLATE "C",
  free_at BIGINT NOT NULL,
  failures BIGINT NOT NULL,
  sync_at BIGINT NOT NULL,
  sync_until BIGINT NOT NULL,
  sync_node TEXT COLLATE "C",
  uid_validity BIGINT NOT NULL,
  uid_next BIGINT NOT NULL,
  place TEXT COLLATE "C",
  searched_from BIGINT NOT NULL DEFAULT 0,
  searches BIGINT NOT NULL DEFAULT 0,
  search_free_at BIGINT NOT NULL DEFAULT 0,
  -- The range of mails that a node is reading, so that a mail that crashes the reader is found. Since when mails wait.
  reading_from BIGINT NOT NULL DEFAULT 0,
  reading_to BIGINT NOT NULL DEFAULT 0,
  reading_attempt BIGINT NOT NULL DEFAULT 0,
  reading_node TEXT COLLATE "C",
  waiting_since BIGINT NOT NULL DEFAULT 0,
  -- The error text of the mail server, for admins and the operator. `status_reason` is for everybody.
  status_detail TEXT COLLATE "C",
  -- Consecutive failures to read the mailbox or provider; each delays the next attempt further.
  sync_failures BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (workspace_id, account_id)
);
CREATE INDEX account_states_free_at ON account_states (free_at, workspace_id, account_id);
CREATE INDEX account_states_sync_at ON account_states (sync_at, workspace_id, account_id);

-- An email thread, or all network or chat messages between a contact and an account.
CREATE TABLE conversations (
  workspace_id UUID NOT NULL,
  id UUID NOT NULL,
  version BIGINT NOT NULL,
  channel TEXT COLLATE "C" NOT NULL,
  status TEXT COLLATE "C" NOT NULL,
  account_id UUID NOT NULL,
  contact_id UUID NOT NULL,
  subject TEXT COLLATE "C",
  unread_count BIGINT NOT NULL,
  last_message_at BIGINT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX conversations_contact_id ON conversations (workspace_id, contact_id, id);
CREATE INDEX conversations_unread_count ON conversations (workspace_id, unread_count, id);
CREATE INDEX conversations_last_message_at ON conversations (workspace_id, last_message_at, id) WHERE last_message_at IS NOT NULL;
CREATE INDEX conversations_status_last_message_at ON conversations (workspace_id, status, last_message_at, id);

CREATE TABLE messages (
  workspace_id UUID NOT NULL,
  id UUID NOT NULL,
  version BIGINT NOT NULL,
  conversation_id UUID NOT NULL,
  content TEXT COLLATE "C" NOT NULL,
  html TEXT COLLATE "C",
  subject TEXT COLLATE "C",
  direction TEXT COLLATE "C" NOT NULL,
  channel TEXT COLLATE "C" NOT NULL,
  address TEXT COLLATE "C",
  kind TEXT COLLATE "C" NOT NULL,
  status TEXT COLLATE "C" NOT NULL,
  error TEXT COLLATE "C",
  attachments TEXT COLLATE "C" NOT NULL,
  sent_at BIGINT,
  read_at BIGINT,
  enrollment_id UUID,
  step_id UUID,
  contact_id UUID NOT NULL,
  account_id UUID NOT NULL,
  reference TEXT COLLATE "C",
  handed_at BIGINT,
  bounced_at BIGINT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX messages_conversation_id_sent_at ON messages (workspace_id, conversation_id, sent_at, id);
CREATE INDEX messages_reference ON messages (workspace_id, reference, id) WHERE reference IS NOT NULL;
CREATE INDEX messages_account_id_handed_at ON messages (workspace_id, account_id, handed_at, id);

-- Attachments of messages.
CREATE TABLE attachments (
  workspace_id UUID NOT NULL,
  message_id UUID NOT NULL,
  id UUID NOT NULL,
  filename TEXT COLLATE "C" NOT NULL,
  content_type TEXT COLLATE "C" NOT NULL,
  size BIGINT NOT NULL,
  blob TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (workspace_id, message_id, id),
  FOREIGN KEY (workspace_id, message_id) REFERENCES messages (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX attachments_blob ON attachments (workspace_id, blob);

-- The outbox: messages that are to be sent, or whose outcome is unknown.
CREATE TABLE sends (
  workspace_id UUID NOT NULL,
  message_id UUID NOT NULL,
  account_id UUID NOT NULL,
  contact_id UUID NOT NULL,
  conversation_id UUID NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  state TEXT COLLATE "C" NOT NULL,
  due_at BIGINT NOT NULL,
  lease_until BIGINT NOT NULL,
  node TEXT COLLATE "C",
  attempts BIGINT NOT NULL,
  recipient TEXT COLLATE "C" NOT NULL,
  reference TEXT COLLATE "C" NOT NULL,
  letter TEXT COLLATE "C" NOT NULL,
  enrollment_id UUID,
  step_id UUID,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, message_id)
);
CREATE INDEX sends_account ON sends (workspace_id, account_id, state, due_at);
CREATE INDEX sends_lease ON sends (state, lease_until);
CREATE INDEX sends_enrollment ON sends (workspace_id, enrollment_id) WHERE enrollment_id IS NOT NULL;

-- The mails in an account's folder, each with the message that it was stored as.
CREATE TABLE mailbox (
  workspace_id UUID NOT NULL,
  account_id UUID NOT NULL,
  uid BIGINT NOT NULL,
  message_id UUID,
  PRIMARY KEY (workspace_id, account_id, uid)
);

-- Mails that were not stored, with the reason.
CREATE TABLE unstored_mails (
  workspace_id UUID NOT NULL,
  id UUID NOT NULL,
  version BIGINT NOT NULL,
  account_id UUID NOT NULL,
  uid BIGINT NOT NULL,
  reason TEXT COLLATE "C" NOT NULL,
  sender TEXT COLLATE "C",
  subject TEXT COLLATE "C",
  size BIGINT,
  received_at BIGINT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX unstored_mails_account_id ON unstored_mails (workspace_id, account_id, id);

-- Addresses and domains that nothing is sent to automatically.
CREATE TABLE suppressions (
  workspace_id UUID NOT NULL,
  id UUID NOT NULL,
  version BIGINT NOT NULL,
  address TEXT COLLATE "C",
  address_fold TEXT COLLATE "C",
  domain TEXT COLLATE "C",
  domain_fold TEXT COLLATE "C",
  reason TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX suppressions_address ON suppressions (workspace_id, address_fold, id) WHERE address_fold IS NOT NULL;
CREATE INDEX suppressions_domain ON suppressions (workspace_id, domain_fold, id) WHERE domain_fold IS NOT NULL;

-- The deals of a stage in the order of boards.
CREATE INDEX deals_stage_id_status_updated_at ON deals (workspace_id, stage_id, status, updated_at, id);

-- Contacts in sequences.
CREATE TABLE enrollments (
  workspace_id UUID NOT NULL,
  id UUID NOT NULL,
  version BIGINT NOT NULL,
  sequence_id UUID NOT NULL,
  contact_id UUID NOT NULL,
  status TEXT COLLATE "C" NOT NULL,
  current_step_id UUID,
  custom_variables TEXT COLLATE "C" NOT NULL,
  next_step_at BIGINT,
  reason TEXT COLLATE "C",
  enrolled_at BIGINT NOT NULL,
  finished_at BIGINT,
  steps_version BIGINT NOT NULL,
  done_step_id UUID,
  planned_step_id UUID,
  base_at BIGINT NOT NULL,
  due_at BIGINT,
  fresh BOOLEAN NOT NULL,
  state TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, sequence_id) REFERENCES sequences (workspace_id, id)
);
CREATE INDEX enrollments_sequence_id ON enrollments (workspace_id, sequence_id, id);
CREATE INDEX enrollments_sequence_id_status ON enrollments (workspace_id, sequence_id, status, id);
CREATE INDEX enrollments_sequence_id_updated_at ON enrollments (workspace_id, sequence_id, updated_at, id);
CREATE INDEX enrollments_contact_id ON enrollments (workspace_id, contact_id, id);
CREATE INDEX enrollments_due ON enrollments (workspace_id, sequence_id, fresh, due_at, id) WHERE due_at IS NOT NULL;

-- The outcome of each step of an enrollment.
CREATE TABLE step_runs (
  workspace_id UUID NOT NULL,
  enrollment_id UUID NOT NULL,
  step_id UUID NOT NULL,
  sequence_id UUID NOT NULL,
  state TEXT COLLATE "C" NOT NULL,
  reason TEXT COLLATE "C",
  message_id UUID,
  task_id UUID,
  address TEXT COLLATE "C",
  run_at BIGINT NOT NULL,
  done_at BIGINT,
  replied_at BIGINT,
  bounced_at BIGINT,
  opened_at BIGINT,
  clicked_at BIGINT,
  unsubscribed_at BIGINT,
  PRIMARY KEY (workspace_id, enrollment_id, step_id),
  FOREIGN KEY (workspace_id, enrollment_id) REFERENCES enrollments (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX step_runs_task_id ON step_runs (workspace_id, task_id) WHERE task_id IS NOT NULL;

-- When the engine looks at a sequence next, and how much it has sent.
CREATE TABLE sequence_pace (
  workspace_id UUID NOT NULL,
  sequence_id UUID NOT NULL,
  active BOOLEAN NOT NULL,
  priority BIGINT NOT NULL,
  wake_at BIGINT NOT NULL,
  open_at BIGINT NOT NULL,
  held TEXT COLLATE "C",
  day TEXT COLLATE "C" NOT NULL,
  day_count BIGINT NOT NULL,
  last_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, sequence_id),
  FOREIGN KEY (workspace_id, sequence_id) REFERENCES sequences (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX sequence_pace_wake_at ON sequence_pace (active, wake_at);

-- Credits by double entry: each movement debits one account and credits another, so the accounts of a kind sum to zero.
CREATE TABLE ledger (
  workspace_id UUID NOT NULL,
  id UUID NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  number BIGINT NOT NULL,
  debit TEXT COLLATE "C" NOT NULL,
  credit TEXT COLLATE "C" NOT NULL,
  amount BIGINT NOT NULL,
  balance BIGINT NOT NULL,
  refunds UUID,
  record_id UUID,
  reason TEXT COLLATE "C" NOT NULL,
  actor_kind TEXT COLLATE "C" NOT NULL,
  actor_id UUID,
  actor_name TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, id)
);
CREATE UNIQUE INDEX ledger_number ON ledger (workspace_id, kind, number);
CREATE INDEX ledger_refunds ON ledger (workspace_id, refunds);

CREATE TABLE credit_accounts (
  workspace_id UUID NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  account TEXT COLLATE "C" NOT NULL,
  balance BIGINT NOT NULL,
  entries BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, kind, account)
) WITH (fillfactor = 50);

-- Contacts that were created from sourcing profiles.
CREATE TABLE contact_profiles (
  workspace_id UUID NOT NULL,
  id UUID NOT NULL,
  version BIGINT NOT NULL,
  profile_id TEXT COLLATE "C" NOT NULL,
  contact_id UUID NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, contact_id) REFERENCES contacts (workspace_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX contact_profiles_profile_id ON contact_profiles (workspace_id, profile_id);
CREATE INDEX contact_profiles_contact_id ON contact_profiles (workspace_id, contact_id, id);

-- Cursors of the pages of a network search, so that no page is requested twice.
CREATE TABLE network_pages (
  workspace_id UUID NOT NULL,
  account_id UUID NOT NULL,
  search TEXT COLLATE "C" NOT NULL,
  page BIGINT NOT NULL,
  cursor TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, account_id, search, page)
);
CREATE INDEX network_pages_created_at ON network_pages (workspace_id, account_id, created_at);
CREATE INDEX members_user ON members (user_id, workspace_id);

-- Global: a session is found by its token.
CREATE TABLE sessions (
  id UUID NOT NULL,
  hash BYTEA NOT NULL,
  user_id UUID NOT NULL,
  workspace_id UUID NOT NULL,
  address TEXT COLLATE "C" NOT NULL,
  agent TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  last_used_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  -- When the password was last entered; sensitive operations require it again after some minutes.
  authenticated_at BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (id)
);
CREATE UNIQUE INDEX sessions_hash ON sessions (hash);
CREATE INDEX sessions_user ON sessions (user_id, id);

-- Global: failed attempts to sign in, by account and address.
CREATE TABLE attempts (
  name TEXT COLLATE "C" NOT NULL,
  failures BIGINT NOT NULL,
  until BIGINT NOT NULL,
  at BIGINT NOT NULL,
  PRIMARY KEY (name)
);

-- Global: the servers that run on this database.
CREATE TABLE nodes (
  id TEXT COLLATE "C" NOT NULL,
  version TEXT COLLATE "C" NOT NULL,
  started_at BIGINT NOT NULL,
  seen_at BIGINT NOT NULL,
  PRIMARY KEY (id)
);

CREATE TABLE invitations (
  workspace_id UUID NOT NULL,
  id UUID NOT NULL,
  email TEXT COLLATE "C" NOT NULL,
  email_fold TEXT COLLATE "C" NOT NULL,
  role TEXT COLLATE "C" NOT NULL,
  hash BYTEA NOT NULL,
  invited_by UUID,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX invitations_hash ON invitations (hash);

CREATE TABLE views (
  workspace_id UUID NOT NULL,
  id UUID NOT NULL,
  version BIGINT NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  collection TEXT COLLATE "C" NOT NULL,
  shared BOOLEAN NOT NULL,
  state TEXT COLLATE "C" NOT NULL,
  owner_id UUID NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, id)
);

-- The request log, kept for some days.
CREATE TABLE requests (
  workspace_id UUID NOT NULL,
  id UUID NOT NULL,
  request_id TEXT COLLATE "C" NOT NULL,
  at BIGINT NOT NULL,
  method TEXT COLLATE "C" NOT NULL,
  path TEXT COLLATE "C" NOT NULL,
  query TEXT COLLATE "C" NOT NULL,
  operation TEXT COLLATE "C" NOT NULL,
  status BIGINT NOT NULL,
  micros BIGINT NOT NULL,
  size BIGINT,
  key_id UUID NOT NULL,
  user_id UUID NOT NULL,
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX requests_request ON requests (workspace_id, request_id, id);

-- Requests per key and hour.
CREATE TABLE request_hours (
  workspace_id UUID NOT NULL,
  key_id UUID NOT NULL,
  hour BIGINT NOT NULL,
  user_id UUID NOT NULL,
  requests BIGINT NOT NULL,
  errors BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, key_id, hour)
);
CREATE INDEX request_hours_hour ON request_hours (workspace_id, hour);

-- Requests to find addresses of contacts.
CREATE TABLE enrichment_requests (
  workspace_id UUID NOT NULL,
  id UUID NOT NULL,
  version BIGINT NOT NULL,
  contact_id UUID NOT NULL,
  types TEXT COLLATE "C" NOT NULL,
  status TEXT COLLATE "C" NOT NULL,
  result TEXT COLLATE "C",
  provider TEXT COLLATE "C",
  credits_consumed BIGINT NOT NULL,
  max_credits BIGINT,
  error TEXT COLLATE "C",
  attempts TEXT COLLATE "C" NOT NULL,
  asked TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  completed_at BIGINT,
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX enrichment_requests_contact_id ON enrichment_requests (workspace_id, contact_id, id);
CREATE INDEX enrichment_requests_status ON enrichment_requests (workspace_id, status, id);

-- Providers, asked in the order of position. Their secrets are encrypted, and deleted with the provider.
CREATE TABLE enrichment_providers (
  workspace_id UUID NOT NULL,
  id UUID NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  position BIGINT NOT NULL,
  finds TEXT COLLATE "C" NOT NULL,
  host TEXT COLLATE "C" NOT NULL,
  hands BIGINT NOT NULL,
  seconds BIGINT NOT NULL,
  sealed TEXT COLLATE "C",
  key_id TEXT COLLATE "C",
  free_at BIGINT NOT NULL,
  trouble TEXT COLLATE "C",
  removed_at BIGINT,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, id)
);

-- Requests that have not ended, and the provider to ask next.
CREATE TABLE enrichment_due (
  workspace_id UUID NOT NULL,
  request_id UUID NOT NULL,
  provider_id UUID NOT NULL,
  run_at BIGINT NOT NULL,
  lease_until BIGINT NOT NULL,
  tries BIGINT NOT NULL,
  since BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, request_id),
  FOREIGN KEY (workspace_id, request_id) REFERENCES enrichment_requests (workspace_id, id),
  FOREIGN KEY (workspace_id, provider_id) REFERENCES enrichment_providers (workspace_id, id)
);
CREATE INDEX enrichment_due_provider_id ON enrichment_due (workspace_id, provider_id, run_at);
CREATE INDEX enrichment_due_taken ON enrichment_due (workspace_id, provider_id, lease_until) WHERE lease_until > 0;

-- Sourcing profiles, for all workspaces. A profile's number is its segment and its place in it. The terms of a segment are
-- written once, when it is complete, and searches read only live segments.
CREATE TABLE profiles (
  number BIGINT NOT NULL PRIMARY KEY,
  profile_id TEXT COLLATE "C" NOT NULL,
  profile TEXT COLLATE "C" NOT NULL
);
CREATE INDEX profiles_profile_id ON profiles (profile_id, number);

CREATE TABLE profile_segments (
  segment BIGINT NOT NULL PRIMARY KEY,
  state TEXT COLLATE "C" NOT NULL,
  alive BIGINT NOT NULL,
  dead BYTEA NOT NULL,
  unswept BYTEA NOT NULL
);

CREATE TABLE profile_terms (
  segment BIGINT NOT NULL,
  term TEXT COLLATE "C" NOT NULL,
  docs BYTEA NOT NULL,
  PRIMARY KEY (segment, term)
);

CREATE TABLE profile_imports (
  source TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  bytes BIGINT NOT NULL,
  lines BIGINT NOT NULL,
  imported BIGINT NOT NULL,
  refused BIGINT NOT NULL
);

CREATE TABLE profile_writer (
  name TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  holder UUID NOT NULL,
  until BIGINT NOT NULL
);

-- Bit sets do not compress.
ALTER TABLE profile_terms ALTER COLUMN docs SET STORAGE EXTERNAL;
CREATE INDEX contacts_updated_at ON contacts (workspace_id, updated_at, id, archived_at);
CREATE INDEX contacts_global_status ON contacts (workspace_id, global_status, id, archived_at);
CREATE INDEX contacts_global_status_updated_at ON contacts (workspace_id, global_status, updated_at, id, archived_at);
CREATE INDEX contacts_first_name ON contacts (workspace_id, first_name_fold, id, archived_at);
CREATE INDEX contacts_last_name ON contacts (workspace_id, last_name_fold, id, archived_at) WHERE last_name_fold IS NOT NULL;
CREATE INDEX contacts_title ON contacts (workspace_id, title_fold, id, archived_at) WHERE title_fold IS NOT NULL;
CREATE INDEX contacts_current_company ON contacts (workspace_id, current_company_fold, id, archived_at) WHERE current_company_fold IS NOT NULL;
CREATE INDEX contacts_years_experience ON contacts (workspace_id, years_experience, id, archived_at) WHERE years_experience IS NOT NULL;
CREATE INDEX contacts_last_contacted_at ON contacts (workspace_id, last_contacted_at, id, archived_at) WHERE last_contacted_at IS NOT NULL;
CREATE INDEX contacts_id ON contacts (workspace_id, id, archived_at);

-- Rows that a merge moved to the surviving record, with the record that they referenced before, for the undo. `kept` has
-- further values that the merge changed.
CREATE TABLE merge_links (
  workspace_id UUID NOT NULL,
  merge_id UUID NOT NULL,
  collection TEXT COLLATE "C" NOT NULL,
  record UUID NOT NULL,
  from_id UUID NOT NULL,
  kept TEXT COLLATE "C",
  PRIMARY KEY (workspace_id, merge_id, collection, record, from_id)
);

-- Finds other imports that changed a record.
CREATE INDEX import_changed_by_record ON import_changed (workspace_id, record);

-- Keyed hashes of the addresses of erased people and companies, so that they are not stored again. `suppression` is the
-- reason why nothing was sent to the address, for the case that an admin allows it again.
CREATE TABLE erased_addresses (
  workspace_id UUID NOT NULL,
  hash BYTEA NOT NULL,
  suppression TEXT COLLATE "C",
  created_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, hash)
);

-- The messages in the outbox to a contact that is erased.
CREATE INDEX sends_contact ON sends (workspace_id, contact_id);

-- Global tables. No foreign key leads to or from them.
CREATE TABLE meta (
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (name)
) STRICT, WITHOUT ROWID;

CREATE TABLE workspaces (
  id BLOB NOT NULL,
  slug TEXT NOT NULL,
  name TEXT NOT NULL,
  timezone TEXT NOT NULL,
  currency TEXT NOT NULL,
  plan TEXT NOT NULL,
  subscription TEXT NOT NULL,
  rate_limit INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  removed_at INTEGER,
  -- The longest life of a new API key in days; NULL is no limit.
  longest_key_days INTEGER,
  -- Bytes of files that the workspace stores, and the most it may store. NULL: the limit of the installation applies.
  storage_used INTEGER NOT NULL DEFAULT 0,
  storage_limit INTEGER,
  -- The key for the hashes of erased addresses; NULL until something is erased.
  erasure_key BLOB,
  PRIMARY KEY (id)
) STRICT;
CREATE UNIQUE INDEX workspaces_slug ON workspaces (slug);

CREATE TABLE users (
  id BLOB NOT NULL,
  email TEXT NOT NULL,
  email_fold TEXT NOT NULL,
  setup_hash BLOB,
  created_at INTEGER NOT NULL,
  password_hash TEXT,
  -- When the link in setup_hash expires; NULL: never.
  setup_until INTEGER,
  PRIMARY KEY (id)
) STRICT;
CREATE UNIQUE INDEX users_email ON users (email_fold);

CREATE TABLE api_keys (
  id BLOB NOT NULL,
  workspace_id BLOB NOT NULL,
  user_id BLOB NOT NULL,
  name TEXT NOT NULL,
  last4 TEXT NOT NULL,
  hash BLOB NOT NULL,
  scopes TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  last_used_at INTEGER,
  revoked_at INTEGER,
  PRIMARY KEY (id)
) STRICT;
CREATE UNIQUE INDEX api_keys_hash ON api_keys (hash);
CREATE INDEX api_keys_workspace ON api_keys (workspace_id, id);

-- Tables of workspaces. Every key begins with workspace_id.
CREATE TABLE heads (
  workspace_id BLOB NOT NULL,
  stamp INTEGER NOT NULL,
  tags_stamp INTEGER NOT NULL,
  -- The version of the default data (stages, reasons, templates) that the workspace has received.
  defaults_version INTEGER NOT NULL DEFAULT 0,
  -- The commit that last changed the workspace's custom fields: cached definitions are valid only for this stamp.
  fields_stamp INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (workspace_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE members (
  workspace_id BLOB NOT NULL,
  user_id BLOB NOT NULL,
  email TEXT NOT NULL,
  first_name TEXT NOT NULL,
  last_name TEXT NOT NULL,
  role TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, user_id)
) STRICT;

CREATE TABLE rate_windows (
  workspace_id BLOB NOT NULL,
  user_id BLOB NOT NULL,
  started_at INTEGER NOT NULL,
  used INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, user_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE counters (
  workspace_id BLOB NOT NULL,
  collection TEXT NOT NULL,
  field TEXT NOT NULL,
  value TEXT NOT NULL,
  archived INTEGER NOT NULL,
  n INTEGER NOT NULL,
  stamp INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, collection, field, value, archived)
) STRICT, WITHOUT ROWID;

CREATE TABLE events (
  workspace_id BLOB NOT NULL,
  place INTEGER NOT NULL,
  type TEXT NOT NULL,
  at INTEGER NOT NULL,
  actor_kind TEXT NOT NULL,
  actor_id BLOB,
  actor_name TEXT NOT NULL,
  record_type TEXT NOT NULL,
  record_id BLOB NOT NULL,
  changes TEXT NOT NULL,
  PRIMARY KEY (workspace_id, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX events_record ON events (workspace_id, record_id, place);

CREATE TABLE jobs (
  workspace_id BLOB NOT NULL,
  id BLOB NOT NULL,
  kind TEXT NOT NULL,
  payload TEXT NOT NULL,
  run_at INTEGER NOT NULL,
  lease_until INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  error TEXT,
  created_at INTEGER NOT NULL,
  -- How long after it was enqueued or postponed the job is due. A later due time was written by a clock that was set back.
  wait INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (workspace_id, id)
) STRICT;
CREATE INDEX jobs_due ON jobs (run_at);

CREATE TABLE terms (
  workspace_id BLOB NOT NULL,
  field TEXT NOT NULL,
  key TEXT NOT NULL,
  record BLOB NOT NULL,
  PRIMARY KEY (workspace_id, field, key, record)
) STRICT, WITHOUT ROWID;

-- The normalized text of a record, for searches. It is written after the record; `indexed` has the stamp up to which it
-- is complete.
CREATE TABLE texts (
  rid INTEGER NOT NULL PRIMARY KEY,
  workspace_id BLOB NOT NULL,
  collection TEXT NOT NULL,
  record BLOB NOT NULL,
  text TEXT NOT NULL,
  -- Equal for records that may be duplicates of each other.
  likeness TEXT
) STRICT;
CREATE UNIQUE INDEX texts_record ON texts (workspace_id, collection, record);

CREATE VIRTUAL TABLE texts_trigrams USING fts5 (
  text, content = 'texts', content_rowid = 'rid', tokenize = 'trigram case_sensitive 1', detail = 'none'
);
CREATE TRIGGER texts_added AFTER INSERT ON texts BEGIN
  INSERT INTO texts_trigrams (rowid, text) VALUES (new.rid, new.text);
END;
CREATE TRIGGER texts_changed AFTER UPDATE OF text ON texts BEGIN
  INSERT INTO texts_trigrams (texts_trigrams, rowid, text) VALUES ('delete', old.rid, old.text);
  INSERT INTO texts_trigrams (rowid, text) VALUES (new.rid, new.text);
END;

CREATE TABLE indexed (
  workspace_id BLOB NOT NULL,
  collection TEXT NOT NULL,
  stamp INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, collection)
) STRICT, WITHOUT ROWID;

CREATE TABLE tags (
  workspace_id BLOB NOT NULL,
  id BLOB NOT NULL,
  version INTEGER NOT NULL,
  name TEXT NOT NULL,
  name_fold TEXT NOT NULL,
  color TEXT NOT NULL,
  color_fold TEXT NOT NULL,
  scope TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, id)
) STRICT;
CREATE UNIQUE INDEX tags_name ON tags (workspace_id, name_fold);

CREATE TABLE contacts (
  workspace_id BLOB NOT NULL,
  id BLOB NOT NULL,
  version INTEGER NOT NULL,
  first_name TEXT NOT NULL,
  first_name_fold TEXT NOT NULL,
  last_name TEXT,
  last_name_fold TEXT,
  title TEXT,
  title_fold TEXT,
  current_company TEXT,
  current_company_fold TEXT,
  location TEXT,
  location_fold TEXT,
  network_profile TEXT,
  network_profile_fold TEXT,
  emails TEXT NOT NULL,
  phones TEXT NOT NULL,
  tags TEXT NOT NULL,
  global_status TEXT NOT NULL,
  earlier_status TEXT,
  contact_type TEXT NOT NULL,
  company_id BLOB,
  summary TEXT,
  skills TEXT NOT NULL,
  languages TEXT NOT NULL,
  years_experience INTEGER,
  custom_data TEXT NOT NULL,
  do_not_contact INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  last_contacted_at INTEGER,
  archived_at INTEGER,
  -- Normalized custom values, for comparisons.
  custom_data_fold TEXT NOT NULL DEFAULT '{}',
  PRIMARY KEY (workspace_id, id)
) STRICT;
CREATE INDEX contacts_archived_at ON contacts (workspace_id, archived_at, id) WHERE archived_at IS NOT NULL;

-- Custom fields of contacts and companies.
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

-- How many records reference another record, such as the contacts of a company.
CREATE TABLE record_counts (
  workspace_id BLOB NOT NULL,
  record BLOB NOT NULL,
  name TEXT NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, record, name)
) STRICT, WITHOUT ROWID;

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

-- At most one CV per contact. The file is in storage under `blob`; `text` is the text that a job extracted.
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

-- Files of a record. The column that is not NULL says which record.
CREATE TABLE files (
  workspace_id BLOB NOT NULL,
  id BLOB NOT NULL,
  contact_id BLOB,
  filename TEXT NOT NULL,
  content_type TEXT NOT NULL,
  size INTEGER NOT NULL,
  blob TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  project_id BLOB,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, contact_id) REFERENCES contacts (workspace_id, id) ON DELETE RESTRICT
) STRICT;
CREATE INDEX files_contact ON files (workspace_id, contact_id, id) WHERE contact_id IS NOT NULL;
CREATE UNIQUE INDEX files_blob ON files (workspace_id, blob);

-- Workers look for jobs of certain kinds.
CREATE INDEX jobs_kind ON jobs (kind, run_at);
CREATE TRIGGER texts_removed AFTER DELETE ON texts BEGIN
  INSERT INTO texts_trigrams (texts_trigrams, rowid, text) VALUES ('delete', old.rid, old.text);
END;

-- Records to index although their own row has not changed.
CREATE TABLE texts_due (
  workspace_id BLOB NOT NULL,
  collection TEXT NOT NULL,
  record BLOB NOT NULL,
  PRIMARY KEY (workspace_id, collection, record)
) STRICT, WITHOUT ROWID;

-- Further records whose timelines show an event.
CREATE TABLE event_subjects (
  workspace_id BLOB NOT NULL,
  record_id BLOB NOT NULL,
  place INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, record_id, place)
) STRICT, WITHOUT ROWID;

-- Ids of merged records, which redirect to the surviving record.
CREATE TABLE merged_ids (
  workspace_id BLOB NOT NULL,
  old_id BLOB NOT NULL,
  new_id BLOB NOT NULL,
  -- The merge that redirected the id.
  merge_id BLOB,
  PRIMARY KEY (workspace_id, old_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX merged_ids_new ON merged_ids (workspace_id, new_id, old_id);

-- Merges, with the data to undo them.
CREATE TABLE merges (
  workspace_id BLOB NOT NULL,
  id BLOB NOT NULL,
  collection TEXT NOT NULL,
  into_id BLOB NOT NULL,
  kept TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  undone_at INTEGER,
  PRIMARY KEY (workspace_id, id)
) STRICT;
CREATE INDEX merges_into ON merges (workspace_id, into_id, id);
CREATE INDEX texts_likeness ON texts (workspace_id, collection, likeness, record) WHERE likeness IS NOT NULL;

-- Imports and their progress.
CREATE TABLE imports (
  workspace_id BLOB NOT NULL,
  id BLOB NOT NULL,
  version INTEGER NOT NULL,
  collection TEXT NOT NULL,
  format TEXT NOT NULL,
  filename TEXT,
  mapping TEXT NOT NULL,
  match_on TEXT,
  dry_run INTEGER NOT NULL,
  status TEXT NOT NULL,
  error TEXT,
  progress INTEGER NOT NULL,
  total INTEGER,
  processed INTEGER NOT NULL,
  created INTEGER NOT NULL,
  updated INTEGER NOT NULL,
  skipped INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  removed INTEGER NOT NULL,
  restored INTEGER NOT NULL,
  kept INTEGER NOT NULL,
  completed_at INTEGER,
  undone_at INTEGER,
  blob TEXT,
  size INTEGER NOT NULL,
  place INTEGER NOT NULL,
  layout TEXT NOT NULL,
  scopes TEXT NOT NULL,
  actor TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, id)
) STRICT;

-- Records that an import created, for its undo. Each row lists some hundreds.
CREATE TABLE import_made (
  workspace_id BLOB NOT NULL,
  import_id BLOB NOT NULL,
  place INTEGER NOT NULL,
  records TEXT NOT NULL,
  PRIMARY KEY (workspace_id, import_id, place)
) STRICT, WITHOUT ROWID;

-- Records that an import changed, with the values before and after, for its undo.
CREATE TABLE import_changed (
  workspace_id BLOB NOT NULL,
  import_id BLOB NOT NULL,
  place INTEGER NOT NULL,
  record BLOB NOT NULL,
  version INTEGER NOT NULL,
  changes TEXT NOT NULL,
  PRIMARY KEY (workspace_id, import_id, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX import_changed_record ON import_changed (workspace_id, import_id, record, version);

-- Rows of an import that failed, with the reasons.
CREATE TABLE import_errors (
  workspace_id BLOB NOT NULL,
  import_id BLOB NOT NULL,
  place INTEGER NOT NULL,
  number INTEGER NOT NULL,
  column_name TEXT,
  reason TEXT NOT NULL,
  value TEXT,
  PRIMARY KEY (workspace_id, import_id, place, number)
) STRICT, WITHOUT ROWID;

-- Templates for the stages of new projects.
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

-- Stages of projects. A later change of the template does not affect them.
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

-- Candidates in projects, one row per project and contact.
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
CREATE INDEX files_project ON files (workspace_id, project_id, id) WHERE project_id IS NOT NULL;

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

-- Answers to requests with an Idempotency-Key, and the results of the parts of a long request.
CREATE TABLE idempotency (
  workspace_id BLOB NOT NULL,
  user_id BLOB NOT NULL,
  key TEXT NOT NULL,
  fingerprint BLOB NOT NULL,
  status INTEGER NOT NULL,
  location TEXT,
  version INTEGER,
  answer BLOB NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, user_id, key)
) STRICT;
CREATE INDEX idempotency_created_at ON idempotency (created_at);

CREATE TABLE reasons (
  workspace_id BLOB NOT NULL,
  id BLOB NOT NULL,
  version INTEGER NOT NULL,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  position INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  removed_at INTEGER,
  PRIMARY KEY (workspace_id, id)
) STRICT;

CREATE TABLE sequences (
  workspace_id BLOB NOT NULL,
  id BLOB NOT NULL,
  version INTEGER NOT NULL,
  name TEXT NOT NULL,
  name_fold TEXT NOT NULL,
  status TEXT NOT NULL,
  priority TEXT NOT NULL,
  mode TEXT NOT NULL,
  project_id BLOB,
  owner_ids TEXT NOT NULL,
  schedule_config TEXT NOT NULL,
  steps_count INTEGER NOT NULL,
  enrollments TEXT NOT NULL,
  steps_version INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  -- Why the server paused the sequence.
  paused_reason TEXT,
  PRIMARY KEY (workspace_id, id)
) STRICT;
CREATE INDEX sequences_updated_at ON sequences (workspace_id, updated_at, id);
CREATE INDEX sequences_name ON sequences (workspace_id, name_fold, id);
CREATE INDEX sequences_status ON sequences (workspace_id, status, id);

-- The steps of each version, as one JSON document. An enrollment stays on the version that it began with.
CREATE TABLE sequence_versions (
  workspace_id BLOB NOT NULL,
  sequence_id BLOB NOT NULL,
  version INTEGER NOT NULL,
  steps TEXT NOT NULL,
  PRIMARY KEY (workspace_id, sequence_id, version),
  FOREIGN KEY (workspace_id, sequence_id) REFERENCES sequences (workspace_id, id) ON DELETE CASCADE
) STRICT;

CREATE TABLE deal_pipelines (
  workspace_id BLOB NOT NULL,
  id BLOB NOT NULL,
  version INTEGER NOT NULL,
  name TEXT NOT NULL,
  is_default INTEGER NOT NULL,
  position INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, id)
) STRICT;

CREATE TABLE deal_stages (
  workspace_id BLOB NOT NULL,
  id BLOB NOT NULL,
  version INTEGER NOT NULL,
  pipeline_id BLOB NOT NULL,
  name TEXT NOT NULL,
  position INTEGER NOT NULL,
  probability INTEGER,
  color TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, pipeline_id) REFERENCES deal_pipelines (workspace_id, id) ON DELETE RESTRICT
) STRICT;
CREATE INDEX deal_stages_pipeline_id ON deal_stages (workspace_id, pipeline_id, id);

CREATE TABLE deals (
  workspace_id BLOB NOT NULL,
  id BLOB NOT NULL,
  version INTEGER NOT NULL,
  title TEXT NOT NULL,
  title_fold TEXT NOT NULL,
  status TEXT NOT NULL,
  amount INTEGER,
  signed_amount INTEGER,
  currency TEXT NOT NULL,
  currency_fold TEXT NOT NULL,
  expected_amount INTEGER,
  expected_close_date INTEGER,
  probability INTEGER,
  pipeline_id BLOB NOT NULL,
  stage_id BLOB NOT NULL,
  company_id BLOB,
  owner_id BLOB,
  primary_source_id BLOB,
  contact_ids TEXT NOT NULL,
  close_reason_id BLOB,
  loss_reason_id BLOB,
  closed_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  archived_at INTEGER,
  stage_since INTEGER NOT NULL,
  -- Whether the probability was set for this deal; otherwise it follows the stage.
  own_probability INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, stage_id) REFERENCES deal_stages (workspace_id, id) ON DELETE RESTRICT
) STRICT;
CREATE INDEX deals_updated_at ON deals (workspace_id, updated_at, id);
CREATE INDEX deals_title ON deals (workspace_id, title_fold, id);
CREATE INDEX deals_amount ON deals (workspace_id, amount, id) WHERE amount IS NOT NULL;
CREATE INDEX deals_expected_close_date ON deals (workspace_id, expected_close_date, id) WHERE expected_close_date IS NOT NULL;
CREATE INDEX deals_probability ON deals (workspace_id, probability, id) WHERE probability IS NOT NULL;
CREATE INDEX deals_closed_at ON deals (workspace_id, closed_at, id) WHERE closed_at IS NOT NULL;

-- Contacts of deals, as in the deal's `contact_ids`.
CREATE TABLE deal_contacts (
  workspace_id BLOB NOT NULL,
  id BLOB NOT NULL,
  deal_id BLOB NOT NULL,
  contact_id BLOB NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, deal_id) REFERENCES deals (workspace_id, id) ON DELETE RESTRICT
) STRICT;
CREATE UNIQUE INDEX deal_contacts_deal_id ON deal_contacts (workspace_id, deal_id, contact_id);
CREATE INDEX deal_contacts_contact_id ON deal_contacts (workspace_id, contact_id, id);

-- Sums of the open, unarchived deals of a stage, in ten-thousandths. A sum may exceed 64 bits.
CREATE TABLE deal_sums (
  workspace_id BLOB NOT NULL,
  stage_id BLOB NOT NULL,
  currency TEXT NOT NULL,
  n INTEGER NOT NULL,
  amount TEXT NOT NULL,
  expected_amount TEXT NOT NULL,
  PRIMARY KEY (workspace_id, stage_id, currency),
  FOREIGN KEY (workspace_id, stage_id) REFERENCES deal_stages (workspace_id, id) ON DELETE RESTRICT
) STRICT, WITHOUT ROWID;
CREATE INDEX notes_deal_id ON notes (workspace_id, deal_id, id) WHERE deal_id IS NOT NULL;

-- Accounts that send and receive messages.
CREATE TABLE connected_accounts (
  workspace_id BLOB NOT NULL,
  id BLOB NOT NULL,
  version INTEGER NOT NULL,
  name TEXT NOT NULL,
  name_fold TEXT NOT NULL,
  provider TEXT NOT NULL,
  license_type TEXT,
  api_status TEXT NOT NULL,
  status TEXT NOT NULL,
  status_reason TEXT,
  owner_id BLOB NOT NULL,
  address TEXT,
  daily_limit INTEGER,
  min_gap_minutes INTEGER,
  ramp_up INTEGER,
  receives INTEGER NOT NULL,
  last_sync_at INTEGER,
  mails_in_folder INTEGER NOT NULL,
  mails_stored INTEGER NOT NULL,
  mails_unstored INTEGER NOT NULL,
  removed_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  -- The most searches in 24 hours.
  search_limit INTEGER,
  mails_waiting INTEGER NOT NULL DEFAULT 0,
  behind_since INTEGER,
  PRIMARY KEY (workspace_id, id)
) STRICT;
CREATE INDEX connected_accounts_name ON connected_accounts (workspace_id, name_fold, id);

-- Internal state of an account: its encrypted secrets, when it may send again, how far its mailbox has been read.
CREATE TABLE account_states (
  workspace_id BLOB NOT NULL,
  account_id BLOB NOT NULL,
  sealed TEXT,
  key_id TEXT,
  free_at INTEGER NOT NULL,
  failures INTEGER NOT NULL,
  sync_at INTEGER NOT NULL,
  sync_until INTEGER NOT NULL,
  sync_node TEXT,
  uid_validity INTEGER NOT NULL,
  uid_next INTEGER NOT NULL,
  place TEXT,
  searched_from INTEGER NOT NULL DEFAULT 0,
  searches INTEGER NOT NULL DEFAULT 0,
  search_free_at INTEGER NOT NULL DEFAULT 0,
  -- The range of mails that a node is reading, so that a mail that crashes the reader is found. Since when mails wait.
  reading_from INTEGER NOT NULL DEFAULT 0,
  reading_to INTEGER NOT NULL DEFAULT 0,
  reading_attempt INTEGER NOT NULL DEFAULT 0,
  reading_node TEXT,
  waiting_since INTEGER NOT NULL DEFAULT 0,
  -- The error text of the mail server, for admins and the operator. `status_reason` is for everybody.
  status_detail TEXT,
  -- Consecutive failures to read the mailbox or provider; each delays the next attempt further.
  sync_failures INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (workspace_id, account_id)
) STRICT;
CREATE INDEX account_states_free_at ON account_states (free_at, workspace_id, account_id);
CREATE INDEX account_states_sync_at ON account_states (sync_at, workspace_id, account_id);

-- An email thread, or all network or chat messages between a contact and an account.
CREATE TABLE conversations (
  workspace_id BLOB NOT NULL,
  id BLOB NOT NULL,
  version INTEGER NOT NULL,
  channel TEXT NOT NULL,
  status TEXT NOT NULL,
  account_id BLOB NOT NULL,
  contact_id BLOB NOT NULL,
  subject TEXT,
  unread_count INTEGER NOT NULL,
  last_message_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, id)
) STRICT;
CREATE INDEX conversations_contact_id ON conversations (workspace_id, contact_id, id);
CREATE INDEX conversations_unread_count ON conversations (workspace_id, unread_count, id);
CREATE INDEX conversations_last_message_at ON conversations (workspace_id, last_message_at, id) WHERE last_message_at IS NOT NULL;
CREATE INDEX conversations_status_last_message_at ON conversations (workspace_id, status, last_message_at, id);

CREATE TABLE messages (
  workspace_id BLOB NOT NULL,
  id BLOB NOT NULL,
  version INTEGER NOT NULL,
  conversation_id BLOB NOT NULL,
  content TEXT NOT NULL,
  html TEXT,
  subject TEXT,
  direction TEXT NOT NULL,
  channel TEXT NOT NULL,
  address TEXT,
  kind TEXT NOT NULL,
  status TEXT NOT NULL,
  error TEXT,
  attachments TEXT NOT NULL,
  sent_at INTEGER,
  read_at INTEGER,
  enrollment_id BLOB,
  step_id BLOB,
  contact_id BLOB NOT NULL,
  account_id BLOB NOT NULL,
  reference TEXT,
  handed_at INTEGER,
  bounced_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, id)
) STRICT;
CREATE INDEX messages_conversation_id_sent_at ON messages (workspace_id, conversation_id, sent_at, id);
CREATE INDEX messages_reference ON messages (workspace_id, reference, id) WHERE reference IS NOT NULL;
CREATE INDEX messages_account_id_handed_at ON messages (workspace_id, account_id, handed_at, id);

-- Attachments of messages.
CREATE TABLE attachments (
  workspace_id BLOB NOT NULL,
  message_id BLOB NOT NULL,
  id BLOB NOT NULL,
  filename TEXT NOT NULL,
  content_type TEXT NOT NULL,
  size INTEGER NOT NULL,
  blob TEXT NOT NULL,
  PRIMARY KEY (workspace_id, message_id, id),
  FOREIGN KEY (workspace_id, message_id) REFERENCES messages (workspace_id, id) ON DELETE CASCADE
) STRICT;
CREATE INDEX attachments_blob ON attachments (workspace_id, blob);

-- The outbox: messages that are to be sent, or whose outcome is unknown.
CREATE TABLE sends (
  workspace_id BLOB NOT NULL,
  message_id BLOB NOT NULL,
  account_id BLOB NOT NULL,
  contact_id BLOB NOT NULL,
  conversation_id BLOB NOT NULL,
  kind TEXT NOT NULL,
  state TEXT NOT NULL,
  due_at INTEGER NOT NULL,
  lease_until INTEGER NOT NULL,
  node TEXT,
  attempts INTEGER NOT NULL,
  recipient TEXT NOT NULL,
  reference TEXT NOT NULL,
  letter TEXT NOT NULL,
  enrollment_id BLOB,
  step_id BLOB,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, message_id)
) STRICT;
CREATE INDEX sends_account ON sends (workspace_id, account_id, state, due_at);
CREATE INDEX sends_lease ON sends (state, lease_until);
CREATE INDEX sends_enrollment ON sends (workspace_id, enrollment_id) WHERE enrollment_id IS NOT NULL;

-- The mails in an account's folder, each with the message that it was stored as.
CREATE TABLE mailbox (
  workspace_id BLOB NOT NULL,
  account_id BLOB NOT NULL,
  uid INTEGER NOT NULL,
  message_id BLOB,
  PRIMARY KEY (workspace_id, account_id, uid)
) STRICT;

-- Mails that were not stored, with the reason.
CREATE TABLE unstored_mails (
  workspace_id BLOB NOT NULL,
  id BLOB NOT NULL,
  version INTEGER NOT NULL,
  account_id BLOB NOT NULL,
  uid INTEGER NOT NULL,
  reason TEXT NOT NULL,
  sender TEXT,
  subject TEXT,
  size INTEGER,
  received_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, id)
) STRICT;
CREATE INDEX unstored_mails_account_id ON unstored_mails (workspace_id, account_id, id);

-- Addresses and domains that nothing is sent to automatically.
CREATE TABLE suppressions (
  workspace_id BLOB NOT NULL,
  id BLOB NOT NULL,
  version INTEGER NOT NULL,
  address TEXT,
  address_fold TEXT,
  domain TEXT,
  domain_fold TEXT,
  reason TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, id)
) STRICT;
CREATE INDEX suppressions_address ON suppressions (workspace_id, address_fold, id) WHERE address_fold IS NOT NULL;
CREATE INDEX suppressions_domain ON suppressions (workspace_id, domain_fold, id) WHERE domain_fold IS NOT NULL;

-- The deals of a stage in the order of boards.
CREATE INDEX deals_stage_id_status_updated_at ON deals (workspace_id, stage_id, status, updated_at, id);

-- Contacts in sequences.
CREATE TABLE enrollments (
  workspace_id BLOB NOT NULL,
  id BLOB NOT NULL,
  version INTEGER NOT NULL,
  sequence_id BLOB NOT NULL,
  contact_id BLOB NOT NULL,
  status TEXT NOT NULL,
  current_step_id BLOB,
  custom_variables TEXT NOT NULL,
  next_step_at INTEGER,
  reason TEXT,
  enrolled_at INTEGER NOT NULL,
  finished_at INTEGER,
  steps_version INTEGER NOT NULL,
  done_step_id BLOB,
  planned_step_id BLOB,
  base_at INTEGER NOT NULL,
  due_at INTEGER,
  fresh INTEGER NOT NULL,
  state TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, sequence_id) REFERENCES sequences (workspace_id, id)
) STRICT;
CREATE INDEX enrollments_sequence_id ON enrollments (workspace_id, sequence_id, id);
CREATE INDEX enrollments_sequence_id_status ON enrollments (workspace_id, sequence_id, status, id);
CREATE INDEX enrollments_sequence_id_updated_at ON enrollments (workspace_id, sequence_id, updated_at, id);
CREATE INDEX enrollments_contact_id ON enrollments (workspace_id, contact_id, id);
CREATE INDEX enrollments_due ON enrollments (workspace_id, sequence_id, fresh, due_at, id) WHERE due_at IS NOT NULL;

-- The outcome of each step of an enrollment.
CREATE TABLE step_runs (
  workspace_id BLOB NOT NULL,
  enrollment_id BLOB NOT NULL,
  step_id BLOB NOT NULL,
  sequence_id BLOB NOT NULL,
  state TEXT NOT NULL,
  reason TEXT,
  message_id BLOB,
  task_id BLOB,
  address TEXT,
  run_at INTEGER NOT NULL,
  done_at INTEGER,
  replied_at INTEGER,
  bounced_at INTEGER,
  opened_at INTEGER,
  clicked_at INTEGER,
  unsubscribed_at INTEGER,
  PRIMARY KEY (workspace_id, enrollment_id, step_id),
  FOREIGN KEY (workspace_id, enrollment_id) REFERENCES enrollments (workspace_id, id) ON DELETE CASCADE
) STRICT;
CREATE INDEX step_runs_task_id ON step_runs (workspace_id, task_id) WHERE task_id IS NOT NULL;

-- When the engine looks at a sequence next, and how much it has sent.
CREATE TABLE sequence_pace (
  workspace_id BLOB NOT NULL,
  sequence_id BLOB NOT NULL,
  active INTEGER NOT NULL,
  priority INTEGER NOT NULL,
  wake_at INTEGER NOT NULL,
  open_at INTEGER NOT NULL,
  held TEXT,
  day TEXT NOT NULL,
  day_count INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, sequence_id),
  FOREIGN KEY (workspace_id, sequence_id) REFERENCES sequences (workspace_id, id) ON DELETE CASCADE
) STRICT;
CREATE INDEX sequence_pace_wake_at ON sequence_pace (active, wake_at);

-- Credits by double entry: each movement debits one account and credits another, so the accounts of a kind sum to zero.
CREATE TABLE ledger (
  workspace_id BLOB NOT NULL,
  id BLOB NOT NULL,
  kind TEXT NOT NULL,
  number INTEGER NOT NULL,
  debit TEXT NOT NULL,
  credit TEXT NOT NULL,
  amount INTEGER NOT NULL,
  balance INTEGER NOT NULL,
  refunds BLOB,
  record_id BLOB,
  reason TEXT NOT NULL,
  actor_kind TEXT NOT NULL,
  actor_id BLOB,
  actor_name TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, id)
) STRICT;
CREATE UNIQUE INDEX ledger_number ON ledger (workspace_id, kind, number);
CREATE INDEX ledger_refunds ON ledger (workspace_id, refunds);

CREATE TABLE credit_accounts (
  workspace_id BLOB NOT NULL,
  kind TEXT NOT NULL,
  account TEXT NOT NULL,
  balance INTEGER NOT NULL,
  entries INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, kind, account)
) STRICT, WITHOUT ROWID;

-- Contacts that were created from sourcing profiles.
CREATE TABLE contact_profiles (
  workspace_id BLOB NOT NULL,
  id BLOB NOT NULL,
  version INTEGER NOT NULL,
  profile_id TEXT NOT NULL,
  contact_id BLOB NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, contact_id) REFERENCES contacts (workspace_id, id) ON DELETE CASCADE
) STRICT;
CREATE UNIQUE INDEX contact_profiles_profile_id ON contact_profiles (workspace_id, profile_id);
CREATE INDEX contact_profiles_contact_id ON contact_profiles (workspace_id, contact_id, id);

-- Cursors of the pages of a network search, so that no page is requested twice.
CREATE TABLE network_pages (
  workspace_id BLOB NOT NULL,
  account_id BLOB NOT NULL,
  search TEXT NOT NULL,
  page INTEGER NOT NULL,
  cursor TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, account_id, search, page)
) STRICT;
CREATE INDEX network_pages_created_at ON network_pages (workspace_id, account_id, created_at);
CREATE INDEX members_user ON members (user_id, workspace_id);

-- Global: a session is found by its token.
CREATE TABLE sessions (
  id BLOB NOT NULL,
  hash BLOB NOT NULL,
  user_id BLOB NOT NULL,
  workspace_id BLOB NOT NULL,
  address TEXT NOT NULL,
  agent TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  -- When the password was last entered; sensitive operations require it again after some minutes.
  authenticated_at INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (id)
) STRICT;
CREATE UNIQUE INDEX sessions_hash ON sessions (hash);
CREATE INDEX sessions_user ON sessions (user_id, id);

-- Global: failed attempts to sign in, by account and address.
CREATE TABLE attempts (
  name TEXT NOT NULL,
  failures INTEGER NOT NULL,
  until INTEGER NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (name)
) STRICT, WITHOUT ROWID;

-- Global: the servers that run on this database.
CREATE TABLE nodes (
  id TEXT NOT NULL,
  version TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  seen_at INTEGER NOT NULL,
  PRIMARY KEY (id)
) STRICT, WITHOUT ROWID;

CREATE TABLE invitations (
  workspace_id BLOB NOT NULL,
  id BLOB NOT NULL,
  email TEXT NOT NULL,
  email_fold TEXT NOT NULL,
  role TEXT NOT NULL,
  hash BLOB NOT NULL,
  invited_by BLOB,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, id)
) STRICT;
CREATE INDEX invitations_hash ON invitations (hash);

CREATE TABLE views (
  workspace_id BLOB NOT NULL,
  id BLOB NOT NULL,
  version INTEGER NOT NULL,
  name TEXT NOT NULL,
  collection TEXT NOT NULL,
  shared INTEGER NOT NULL,
  state TEXT NOT NULL,
  owner_id BLOB NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, id)
) STRICT;

-- The request log, kept for some days.
CREATE TABLE requests (
  workspace_id BLOB NOT NULL,
  id BLOB NOT NULL,
  request_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  method TEXT NOT NULL,
  path TEXT NOT NULL,
  query TEXT NOT NULL,
  operation TEXT NOT NULL,
  status INTEGER NOT NULL,
  micros INTEGER NOT NULL,
  size INTEGER,
  key_id BLOB NOT NULL,
  user_id BLOB NOT NULL,
  PRIMARY KEY (workspace_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX requests_request ON requests (workspace_id, request_id, id);

-- Requests per key and hour.
CREATE TABLE request_hours (
  workspace_id BLOB NOT NULL,
  key_id BLOB NOT NULL,
  hour INTEGER NOT NULL,
  user_id BLOB NOT NULL,
  requests INTEGER NOT NULL,
  errors INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, key_id, hour)
) STRICT, WITHOUT ROWID;
CREATE INDEX request_hours_hour ON request_hours (workspace_id, hour);

-- Requests to find addresses of contacts.
CREATE TABLE enrichment_requests (
  workspace_id BLOB NOT NULL,
  id BLOB NOT NULL,
  version INTEGER NOT NULL,
  contact_id BLOB NOT NULL,
  types TEXT NOT NULL,
  status TEXT NOT NULL,
  result TEXT,
  provider TEXT,
  credits_consumed INTEGER NOT NULL,
  max_credits INTEGER,
  error TEXT,
  attempts TEXT NOT NULL,
  asked TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  completed_at INTEGER,
  PRIMARY KEY (workspace_id, id)
) STRICT;
CREATE INDEX enrichment_requests_contact_id ON enrichment_requests (workspace_id, contact_id, id);
CREATE INDEX enrichment_requests_status ON enrichment_requests (workspace_id, status, id);

-- Providers, asked in the order of position. Their secrets are encrypted, and deleted with the provider.
CREATE TABLE enrichment_providers (
  workspace_id BLOB NOT NULL,
  id BLOB NOT NULL,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  position INTEGER NOT NULL,
  finds TEXT NOT NULL,
  host TEXT NOT NULL,
  hands INTEGER NOT NULL,
  seconds INTEGER NOT NULL,
  sealed TEXT,
  key_id TEXT,
  free_at INTEGER NOT NULL,
  trouble TEXT,
  removed_at INTEGER,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, id)
) STRICT;

-- Requests that have not ended, and the provider to ask next.
CREATE TABLE enrichment_due (
  workspace_id BLOB NOT NULL,
  request_id BLOB NOT NULL,
  provider_id BLOB NOT NULL,
  run_at INTEGER NOT NULL,
  lease_until INTEGER NOT NULL,
  tries INTEGER NOT NULL,
  since INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, request_id),
  FOREIGN KEY (workspace_id, request_id) REFERENCES enrichment_requests (workspace_id, id),
  FOREIGN KEY (workspace_id, provider_id) REFERENCES enrichment_providers (workspace_id, id)
) STRICT;
CREATE INDEX enrichment_due_provider_id ON enrichment_due (workspace_id, provider_id, run_at);
CREATE INDEX enrichment_due_taken ON enrichment_due (workspace_id, provider_id, lease_until) WHERE lease_until > 0;

-- Sourcing profiles, for all workspaces. A profile's number is its segment and its place in it. The terms of a segment are
-- written once, when it is complete, and searches read only live segments.
CREATE TABLE profiles (
  number INTEGER NOT NULL PRIMARY KEY,
  profile_id TEXT NOT NULL,
  profile TEXT NOT NULL
) STRICT;
CREATE INDEX profiles_profile_id ON profiles (profile_id, number);

CREATE TABLE profile_segments (
  segment INTEGER NOT NULL PRIMARY KEY,
  state TEXT NOT NULL,
  alive INTEGER NOT NULL,
  dead BLOB NOT NULL,
  unswept BLOB NOT NULL
) STRICT;

CREATE TABLE profile_terms (
  segment INTEGER NOT NULL,
  term TEXT NOT NULL,
  docs BLOB NOT NULL,
  PRIMARY KEY (segment, term)
) STRICT, WITHOUT ROWID;

CREATE TABLE profile_imports (
  source TEXT NOT NULL PRIMARY KEY,
  bytes INTEGER NOT NULL,
  lines INTEGER NOT NULL,
  imported INTEGER NOT NULL,
  refused INTEGER NOT NULL
) STRICT;

CREATE TABLE profile_writer (
  name TEXT NOT NULL PRIMARY KEY,
  holder BLOB NOT NULL,
  until INTEGER NOT NULL
) STRICT;
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
  workspace_id BLOB NOT NULL,
  merge_id BLOB NOT NULL,
  collection TEXT NOT NULL,
  record BLOB NOT NULL,
  from_id BLOB NOT NULL,
  kept TEXT,
  PRIMARY KEY (workspace_id, merge_id, collection, record, from_id)
) STRICT, WITHOUT ROWID;

-- Finds other imports that changed a record.
CREATE INDEX import_changed_by_record ON import_changed (workspace_id, record);

-- Keyed hashes of the addresses of erased people and companies, so that they are not stored again. `suppression` is the
-- reason why nothing was sent to the address, for the case that an admin allows it again.
CREATE TABLE erased_addresses (
  workspace_id BLOB NOT NULL,
  hash BLOB NOT NULL,
  suppression TEXT,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, hash)
) STRICT, WITHOUT ROWID;

-- The messages in the outbox to a contact that is erased.
CREATE INDEX sends_contact ON sends (workspace_id, contact_id);

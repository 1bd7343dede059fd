-- Global tables: no foreign key leads to or from them.

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
  PRIMARY KEY (id)
);
CREATE UNIQUE INDEX workspaces_slug ON workspaces (slug);

CREATE TABLE users (
  id UUID NOT NULL,
  email TEXT COLLATE "C" NOT NULL,
  email_fold TEXT COLLATE "C" NOT NULL,
  setup_hash BYTEA,
  created_at BIGINT NOT NULL,
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

-- Workspace tables: every key begins with workspace_id.

CREATE TABLE heads (
  workspace_id UUID NOT NULL,
  stamp BIGINT NOT NULL,
  tags_stamp BIGINT NOT NULL,
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

CREATE TABLE credits (
  workspace_id UUID NOT NULL,
  id UUID NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  change BIGINT NOT NULL,
  balance BIGINT NOT NULL,
  reason TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX credits_kind ON credits (workspace_id, kind, id);

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

-- The folded text of a record, in which patterns are looked up. Written after the record, up to the
-- stamp that `indexed` names.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE TABLE texts (
  workspace_id UUID NOT NULL,
  collection TEXT COLLATE "C" NOT NULL,
  record UUID NOT NULL,
  text TEXT COLLATE "C" NOT NULL,
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
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX contacts_updated_at ON contacts (workspace_id, updated_at, id);
CREATE INDEX contacts_global_status ON contacts (workspace_id, global_status, id);
CREATE INDEX contacts_global_status_updated_at ON contacts (workspace_id, global_status, updated_at, id);
CREATE INDEX contacts_first_name ON contacts (workspace_id, first_name_fold, id);
CREATE INDEX contacts_last_name ON contacts (workspace_id, last_name_fold, id) WHERE last_name_fold IS NOT NULL;
CREATE INDEX contacts_title ON contacts (workspace_id, title_fold, id) WHERE title_fold IS NOT NULL;
CREATE INDEX contacts_current_company ON contacts (workspace_id, current_company_fold, id) WHERE current_company_fold IS NOT NULL;
CREATE INDEX contacts_years_experience ON contacts (workspace_id, years_experience, id) WHERE years_experience IS NOT NULL;
CREATE INDEX contacts_last_contacted_at ON contacts (workspace_id, last_contacted_at, id) WHERE last_contacted_at IS NOT NULL;
CREATE INDEX contacts_archived_at ON contacts (workspace_id, archived_at, id) WHERE archived_at IS NOT NULL;

-- Global tables: no foreign key leads to or from them.

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
  PRIMARY KEY (id)
) STRICT;
CREATE UNIQUE INDEX workspaces_slug ON workspaces (slug);

CREATE TABLE users (
  id BLOB NOT NULL,
  email TEXT NOT NULL,
  email_fold TEXT NOT NULL,
  setup_hash BLOB,
  created_at INTEGER NOT NULL,
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

-- Workspace tables: every key begins with workspace_id.

CREATE TABLE heads (
  workspace_id BLOB NOT NULL,
  stamp INTEGER NOT NULL,
  tags_stamp INTEGER NOT NULL,
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

CREATE TABLE credits (
  workspace_id BLOB NOT NULL,
  id BLOB NOT NULL,
  kind TEXT NOT NULL,
  change INTEGER NOT NULL,
  balance INTEGER NOT NULL,
  reason TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, id)
) STRICT;
CREATE INDEX credits_kind ON credits (workspace_id, kind, id);

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

-- The folded text of a record, in which patterns are looked up. Written after the record, up to the
-- stamp that `indexed` names.
CREATE TABLE texts (
  rid INTEGER NOT NULL PRIMARY KEY,
  workspace_id BLOB NOT NULL,
  collection TEXT NOT NULL,
  record BLOB NOT NULL,
  text TEXT NOT NULL
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
CREATE TRIGGER texts_removed AFTER DELETE ON texts BEGIN
  INSERT INTO texts_trigrams (texts_trigrams, rowid, text) VALUES ('delete', old.rid, old.text);
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
  PRIMARY KEY (workspace_id, id)
) STRICT;
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

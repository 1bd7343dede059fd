-- Who opens the dashboard, and what it keeps: passwords, sessions, invitations, saved views, the log of requests.

ALTER TABLE users ADD COLUMN password_hash TEXT;
-- When the link whose hash is in setup_hash ends; without it never.
ALTER TABLE users ADD COLUMN setup_until INTEGER;
CREATE INDEX members_user ON members (user_id, workspace_id);
ALTER TABLE workspaces ADD COLUMN removed_at INTEGER;

-- Global: a session is found by its token alone.
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
  PRIMARY KEY (id)
) STRICT;
CREATE UNIQUE INDEX sessions_hash ON sessions (hash);
CREATE INDEX sessions_user ON sessions (user_id, id);

-- Global: attempts to sign in that failed, by account and address, before anybody is known.
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

-- Requests that came with a key, newest last; kept for some days.
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

-- How many came with each key, by the hour.
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

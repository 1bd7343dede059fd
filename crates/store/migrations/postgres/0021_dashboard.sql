-- Who opens the dashboard, and what it keeps: passwords, sessions, invitations, saved views, the log of requests.

ALTER TABLE users ADD COLUMN password_hash TEXT COLLATE "C";
-- When the link whose hash is in setup_hash ends; without it never.
ALTER TABLE users ADD COLUMN setup_until BIGINT;
CREATE INDEX members_user ON members (user_id, workspace_id);
ALTER TABLE workspaces ADD COLUMN removed_at BIGINT;

-- Global: a session is found by its token alone.
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
  PRIMARY KEY (id)
);
CREATE UNIQUE INDEX sessions_hash ON sessions (hash);
CREATE INDEX sessions_user ON sessions (user_id, id);

-- Global: attempts to sign in that failed, by account and address, before anybody is known.
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

-- Requests that came with a key, newest last; kept for some days.
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

-- How many came with each key, by the hour.
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

-- When the password was last given in a session; sensitive operations ask for it again after some minutes.
ALTER TABLE sessions ADD COLUMN authenticated_at BIGINT NOT NULL DEFAULT 0;
-- A session ends 30 days after it began, however often it is used.
UPDATE sessions SET expires_at = created_at + 2592000000 WHERE expires_at > created_at + 2592000000;
-- The longest life of a new API key in days; NULL is no limit.
ALTER TABLE workspaces ADD COLUMN longest_key_days BIGINT;

-- The contacts as which profiles were taken in.
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

-- Where the pages of a search in a network begin, so that none is asked for twice.
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

-- Most searches in 24 hours; how many there were since when; and until when the network asks for patience.
ALTER TABLE connected_accounts ADD COLUMN search_limit INTEGER;
ALTER TABLE account_states ADD COLUMN searched_from INTEGER NOT NULL DEFAULT 0;
ALTER TABLE account_states ADD COLUMN searches INTEGER NOT NULL DEFAULT 0;
ALTER TABLE account_states ADD COLUMN search_free_at INTEGER NOT NULL DEFAULT 0;

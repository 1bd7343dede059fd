-- The contacts as which profiles were taken in.
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

-- Where the pages of a search in a network begin, so that none is asked for twice.
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

-- Most searches in 24 hours; how many there were since when; and until when the network asks for patience.
ALTER TABLE connected_accounts ADD COLUMN search_limit BIGINT;
ALTER TABLE account_states ADD COLUMN searched_from BIGINT NOT NULL DEFAULT 0;
ALTER TABLE account_states ADD COLUMN searches BIGINT NOT NULL DEFAULT 0;
ALTER TABLE account_states ADD COLUMN search_free_at BIGINT NOT NULL DEFAULT 0;

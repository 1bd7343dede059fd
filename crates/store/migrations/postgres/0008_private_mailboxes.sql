-- Who sees the conversations and messages of an account: workspace or owner.
ALTER TABLE connected_accounts ADD COLUMN visibility TEXT COLLATE "C" NOT NULL DEFAULT 'workspace';

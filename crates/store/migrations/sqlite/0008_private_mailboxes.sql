-- Who sees the conversations and messages of an account: workspace or owner.
ALTER TABLE connected_accounts ADD COLUMN visibility TEXT NOT NULL DEFAULT 'workspace';

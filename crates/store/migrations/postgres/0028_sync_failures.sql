-- How often in a row an account's mailbox or provider could not be read: the next attempt waits longer each time.
ALTER TABLE account_states ADD COLUMN sync_failures BIGINT NOT NULL DEFAULT 0;

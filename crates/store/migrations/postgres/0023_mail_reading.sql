-- Which mails of a folder a node is reading, so that one that dies of a mail is known to have, and since when mails wait.

ALTER TABLE account_states ADD COLUMN reading_from BIGINT NOT NULL DEFAULT 0;
ALTER TABLE account_states ADD COLUMN reading_to BIGINT NOT NULL DEFAULT 0;
ALTER TABLE account_states ADD COLUMN reading_attempt BIGINT NOT NULL DEFAULT 0;
ALTER TABLE account_states ADD COLUMN reading_node TEXT COLLATE "C";
ALTER TABLE account_states ADD COLUMN waiting_since BIGINT NOT NULL DEFAULT 0;
ALTER TABLE connected_accounts ADD COLUMN mails_waiting BIGINT NOT NULL DEFAULT 0;
ALTER TABLE connected_accounts ADD COLUMN behind_since BIGINT;

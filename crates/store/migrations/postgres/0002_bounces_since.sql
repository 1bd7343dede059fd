-- Bounces before this time have been dealt with and do not count any more.
ALTER TABLE account_states ADD COLUMN bounces_since BIGINT NOT NULL DEFAULT 0;

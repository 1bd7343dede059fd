-- Why an account does not work, in the words of its server: for admins and the operator. `status_reason` is what everybody
-- reads, so the words that stand there move here. Accounts that are held for their bounces (free_at far away) keep theirs,
-- which are Relata's own.
ALTER TABLE account_states ADD COLUMN status_detail TEXT COLLATE "C";
UPDATE account_states SET status_detail = (SELECT c.status_reason FROM connected_accounts c
    WHERE c.workspace_id = account_states.workspace_id AND c.id = account_states.account_id AND c.status = 'error')
    WHERE free_at < 4000000000000;
UPDATE connected_accounts SET status_reason = 'the server could not be used; test the account again'
    WHERE status = 'error' AND EXISTS (SELECT 1 FROM account_states a
    WHERE a.workspace_id = connected_accounts.workspace_id AND a.account_id = connected_accounts.id AND a.free_at < 4000000000000);

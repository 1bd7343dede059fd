-- Finds the entry of a mail that has left its folder.
CREATE INDEX unstored_mails_uid ON unstored_mails (workspace_id, account_id, uid, id);

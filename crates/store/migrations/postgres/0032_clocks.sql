-- How long after it was enqueued or put off a job is due. A later due time was written by a clock that has been set back.
ALTER TABLE jobs ADD COLUMN wait BIGINT NOT NULL DEFAULT 0;
UPDATE jobs SET wait = run_at - created_at WHERE run_at > created_at;

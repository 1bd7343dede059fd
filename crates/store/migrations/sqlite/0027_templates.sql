-- Why the server paused a sequence.
ALTER TABLE sequences ADD COLUMN paused_reason TEXT;

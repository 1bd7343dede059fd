-- Contacts in sequences: each stays on the version of the steps that it began with.
CREATE TABLE enrollments (
  workspace_id BLOB NOT NULL,
  id BLOB NOT NULL,
  version INTEGER NOT NULL,
  sequence_id BLOB NOT NULL,
  contact_id BLOB NOT NULL,
  status TEXT NOT NULL,
  current_step_id BLOB,
  custom_variables TEXT NOT NULL,
  next_step_at INTEGER,
  reason TEXT,
  enrolled_at INTEGER NOT NULL,
  finished_at INTEGER,
  steps_version INTEGER NOT NULL,
  done_step_id BLOB,
  planned_step_id BLOB,
  base_at INTEGER NOT NULL,
  due_at INTEGER,
  fresh INTEGER NOT NULL,
  state TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, sequence_id) REFERENCES sequences (workspace_id, id)
) STRICT;
CREATE INDEX enrollments_sequence_id ON enrollments (workspace_id, sequence_id, id);
CREATE INDEX enrollments_sequence_id_status ON enrollments (workspace_id, sequence_id, status, id);
CREATE INDEX enrollments_sequence_id_updated_at ON enrollments (workspace_id, sequence_id, updated_at, id);
CREATE INDEX enrollments_contact_id ON enrollments (workspace_id, contact_id, id);
CREATE INDEX enrollments_due ON enrollments (workspace_id, sequence_id, fresh, due_at, id) WHERE due_at IS NOT NULL;

-- What became of a step for an enrollment; never two for one.
CREATE TABLE step_runs (
  workspace_id BLOB NOT NULL,
  enrollment_id BLOB NOT NULL,
  step_id BLOB NOT NULL,
  sequence_id BLOB NOT NULL,
  state TEXT NOT NULL,
  reason TEXT,
  message_id BLOB,
  task_id BLOB,
  address TEXT,
  run_at INTEGER NOT NULL,
  done_at INTEGER,
  replied_at INTEGER,
  bounced_at INTEGER,
  opened_at INTEGER,
  clicked_at INTEGER,
  unsubscribed_at INTEGER,
  PRIMARY KEY (workspace_id, enrollment_id, step_id),
  FOREIGN KEY (workspace_id, enrollment_id) REFERENCES enrollments (workspace_id, id) ON DELETE CASCADE
) STRICT;
CREATE INDEX step_runs_task_id ON step_runs (workspace_id, task_id) WHERE task_id IS NOT NULL;

-- When a sequence is to be looked at, and how much it has sent.
CREATE TABLE sequence_pace (
  workspace_id BLOB NOT NULL,
  sequence_id BLOB NOT NULL,
  active INTEGER NOT NULL,
  priority INTEGER NOT NULL,
  wake_at INTEGER NOT NULL,
  open_at INTEGER NOT NULL,
  held TEXT,
  day TEXT NOT NULL,
  day_count INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, sequence_id),
  FOREIGN KEY (workspace_id, sequence_id) REFERENCES sequences (workspace_id, id) ON DELETE CASCADE
) STRICT;
CREATE INDEX sequence_pace_wake_at ON sequence_pace (active, wake_at);

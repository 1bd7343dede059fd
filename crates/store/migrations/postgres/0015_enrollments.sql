-- Contacts in sequences: each stays on the version of the steps that it began with.
CREATE TABLE enrollments (
  workspace_id UUID NOT NULL,
  id UUID NOT NULL,
  version BIGINT NOT NULL,
  sequence_id UUID NOT NULL,
  contact_id UUID NOT NULL,
  status TEXT COLLATE "C" NOT NULL,
  current_step_id UUID,
  custom_variables TEXT COLLATE "C" NOT NULL,
  next_step_at BIGINT,
  reason TEXT COLLATE "C",
  enrolled_at BIGINT NOT NULL,
  finished_at BIGINT,
  steps_version BIGINT NOT NULL,
  done_step_id UUID,
  planned_step_id UUID,
  base_at BIGINT NOT NULL,
  due_at BIGINT,
  fresh BOOLEAN NOT NULL,
  state TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, sequence_id) REFERENCES sequences (workspace_id, id)
);
CREATE INDEX enrollments_sequence_id ON enrollments (workspace_id, sequence_id, id);
CREATE INDEX enrollments_sequence_id_status ON enrollments (workspace_id, sequence_id, status, id);
CREATE INDEX enrollments_sequence_id_updated_at ON enrollments (workspace_id, sequence_id, updated_at, id);
CREATE INDEX enrollments_contact_id ON enrollments (workspace_id, contact_id, id);
CREATE INDEX enrollments_due ON enrollments (workspace_id, sequence_id, fresh, due_at, id) WHERE due_at IS NOT NULL;

-- What became of a step for an enrollment; never two for one.
CREATE TABLE step_runs (
  workspace_id UUID NOT NULL,
  enrollment_id UUID NOT NULL,
  step_id UUID NOT NULL,
  sequence_id UUID NOT NULL,
  state TEXT COLLATE "C" NOT NULL,
  reason TEXT COLLATE "C",
  message_id UUID,
  task_id UUID,
  address TEXT COLLATE "C",
  run_at BIGINT NOT NULL,
  done_at BIGINT,
  replied_at BIGINT,
  bounced_at BIGINT,
  opened_at BIGINT,
  clicked_at BIGINT,
  unsubscribed_at BIGINT,
  PRIMARY KEY (workspace_id, enrollment_id, step_id),
  FOREIGN KEY (workspace_id, enrollment_id) REFERENCES enrollments (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX step_runs_task_id ON step_runs (workspace_id, task_id) WHERE task_id IS NOT NULL;

-- When a sequence is to be looked at, and how much it has sent.
CREATE TABLE sequence_pace (
  workspace_id UUID NOT NULL,
  sequence_id UUID NOT NULL,
  active BOOLEAN NOT NULL,
  priority BIGINT NOT NULL,
  wake_at BIGINT NOT NULL,
  open_at BIGINT NOT NULL,
  held TEXT COLLATE "C",
  day TEXT COLLATE "C" NOT NULL,
  day_count BIGINT NOT NULL,
  last_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, sequence_id),
  FOREIGN KEY (workspace_id, sequence_id) REFERENCES sequences (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX sequence_pace_wake_at ON sequence_pace (active, wake_at);

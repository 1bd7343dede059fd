-- Credits by double entry: every movement debits one account and credits another, so that the accounts of a kind sum to zero.
CREATE TABLE ledger (
  workspace_id BLOB NOT NULL,
  id BLOB NOT NULL,
  kind TEXT NOT NULL,
  number INTEGER NOT NULL,
  debit TEXT NOT NULL,
  credit TEXT NOT NULL,
  amount INTEGER NOT NULL,
  balance INTEGER NOT NULL,
  refunds BLOB,
  record_id BLOB,
  reason TEXT NOT NULL,
  actor_kind TEXT NOT NULL,
  actor_id BLOB,
  actor_name TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, id)
) STRICT;
CREATE UNIQUE INDEX ledger_number ON ledger (workspace_id, kind, number);
CREATE INDEX ledger_refunds ON ledger (workspace_id, refunds);

CREATE TABLE credit_accounts (
  workspace_id BLOB NOT NULL,
  kind TEXT NOT NULL,
  account TEXT NOT NULL,
  balance INTEGER NOT NULL,
  entries INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, kind, account)
) STRICT, WITHOUT ROWID;

INSERT INTO ledger (workspace_id, id, kind, number, debit, credit, amount, balance, reason, actor_kind, actor_name, created_at)
  SELECT workspace_id, id, kind, row_number() OVER (PARTITION BY workspace_id, kind ORDER BY id),
    CASE WHEN change > 0 THEN 'held' ELSE 'granted' END, CASE WHEN change > 0 THEN 'granted' ELSE 'held' END,
    abs(change), balance, reason, 'system', 'operator', created_at
  FROM credits WHERE change <> 0;
INSERT INTO credit_accounts (workspace_id, kind, account, balance, entries)
  SELECT workspace_id, kind, 'held', sum(change), count(*) FROM credits WHERE change <> 0 GROUP BY workspace_id, kind;
INSERT INTO credit_accounts (workspace_id, kind, account, balance, entries)
  SELECT workspace_id, kind, 'granted', -sum(change), count(*) FROM credits WHERE change <> 0 GROUP BY workspace_id, kind;
DROP TABLE credits;

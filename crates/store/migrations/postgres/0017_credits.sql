-- Credits by double entry: every movement debits one account and credits another, so that the accounts of a kind sum to zero.
CREATE TABLE ledger (
  workspace_id UUID NOT NULL,
  id UUID NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  number BIGINT NOT NULL,
  debit TEXT COLLATE "C" NOT NULL,
  credit TEXT COLLATE "C" NOT NULL,
  amount BIGINT NOT NULL,
  balance BIGINT NOT NULL,
  refunds UUID,
  record_id UUID,
  reason TEXT COLLATE "C" NOT NULL,
  actor_kind TEXT COLLATE "C" NOT NULL,
  actor_id UUID,
  actor_name TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, id)
);
CREATE UNIQUE INDEX ledger_number ON ledger (workspace_id, kind, number);
CREATE INDEX ledger_refunds ON ledger (workspace_id, refunds);

CREATE TABLE credit_accounts (
  workspace_id UUID NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  account TEXT COLLATE "C" NOT NULL,
  balance BIGINT NOT NULL,
  entries BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, kind, account)
) WITH (fillfactor = 50);

INSERT INTO ledger (workspace_id, id, kind, number, debit, credit, amount, balance, reason, actor_kind, actor_name, created_at)
  SELECT workspace_id, id, kind, row_number() OVER (PARTITION BY workspace_id, kind ORDER BY id),
    CASE WHEN change > 0 THEN 'held' ELSE 'granted' END, CASE WHEN change > 0 THEN 'granted' ELSE 'held' END,
    abs(change), balance, reason, 'system', 'operator', created_at
  FROM credits WHERE change <> 0;
INSERT INTO credit_accounts (workspace_id, kind, account, balance, entries)
  SELECT workspace_id, kind, 'held', CAST(sum(change) AS bigint), count(*) FROM credits WHERE change <> 0 GROUP BY workspace_id, kind;
INSERT INTO credit_accounts (workspace_id, kind, account, balance, entries)
  SELECT workspace_id, kind, 'granted', -CAST(sum(change) AS bigint), count(*) FROM credits WHERE change <> 0 GROUP BY workspace_id, kind;
DROP TABLE credits;

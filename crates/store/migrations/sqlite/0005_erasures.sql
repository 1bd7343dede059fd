-- What was erased, without the data: ids of records and keyed hashes of addresses. Restoring a backup repeats the entries
-- that it lacks. `entry` is JSON.
CREATE TABLE erasures (
  workspace_id BLOB NOT NULL,
  id BLOB NOT NULL,
  entry TEXT NOT NULL,
  PRIMARY KEY (workspace_id, id)
) STRICT, WITHOUT ROWID;

-- Erasures by earlier versions: their events name the records, and the hashes are listed one by one.
INSERT INTO erasures (workspace_id, id, entry)
  SELECT workspace_id, record_id, '{"at":' || min(at) || ',"collection":"' || CASE record_type WHEN 'contact' THEN 'contacts' ELSE 'companies' END
    || '","records":["' || lower(hex(record_id)) || '"]}'
  FROM events WHERE type IN ('contact.erased', 'company.erased') GROUP BY workspace_id, record_id, record_type;
INSERT INTO erasures (workspace_id, id, entry)
  SELECT workspace_id, substr(hash, 1, 16), '{"at":' || created_at || ',"addresses":[{"hash":"' || lower(hex(hash)) || '","suppression":'
    || coalesce('"' || suppression || '"', 'null') || '}]}'
  FROM erased_addresses;

-- What was erased, without the data: ids of records and keyed hashes of addresses. Restoring a backup repeats the entries
-- that it lacks. `entry` is JSON.
CREATE TABLE erasures (
  workspace_id UUID NOT NULL,
  id UUID NOT NULL,
  entry TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (workspace_id, id)
);

-- Erasures by earlier versions: their events name the records, and the hashes are listed one by one.
INSERT INTO erasures (workspace_id, id, entry)
  SELECT workspace_id, record_id, '{"at":' || min(at) || ',"collection":"' || CASE record_type WHEN 'contact' THEN 'contacts' ELSE 'companies' END
    || '","records":["' || record_id::text || '"]}'
  FROM events WHERE type IN ('contact.erased', 'company.erased') GROUP BY workspace_id, record_id, record_type;
INSERT INTO erasures (workspace_id, id, entry)
  SELECT workspace_id, encode(substring(hash FROM 1 FOR 16), 'hex')::uuid, '{"at":' || created_at || ',"addresses":[{"hash":"' || encode(hash, 'hex') || '","suppression":'
    || coalesce('"' || suppression || '"', 'null') || '}]}'
  FROM erased_addresses;

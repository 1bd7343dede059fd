-- Sourcing profiles. They belong to no workspace. A profile's number is its segment and its place there; a segment's terms are
-- written once, when it is whole, and only segments that are live are looked at.
CREATE TABLE profiles (
  number INTEGER NOT NULL PRIMARY KEY,
  profile_id TEXT NOT NULL,
  profile TEXT NOT NULL
) STRICT;
CREATE INDEX profiles_profile_id ON profiles (profile_id, number);

CREATE TABLE profile_segments (
  segment INTEGER NOT NULL PRIMARY KEY,
  state TEXT NOT NULL,
  alive INTEGER NOT NULL,
  dead BLOB NOT NULL,
  unswept BLOB NOT NULL
) STRICT;

CREATE TABLE profile_terms (
  segment INTEGER NOT NULL,
  term TEXT NOT NULL,
  docs BLOB NOT NULL,
  PRIMARY KEY (segment, term)
) STRICT, WITHOUT ROWID;

CREATE TABLE profile_imports (
  source TEXT NOT NULL PRIMARY KEY,
  bytes INTEGER NOT NULL,
  lines INTEGER NOT NULL,
  imported INTEGER NOT NULL,
  refused INTEGER NOT NULL
) STRICT;

CREATE TABLE profile_writer (
  name TEXT NOT NULL PRIMARY KEY,
  holder BLOB NOT NULL,
  until INTEGER NOT NULL
) STRICT;

-- Sourcing profiles. They belong to no workspace. A profile's number is its segment and its place there; a segment's terms are
-- written once, when it is whole, and only segments that are live are looked at.
CREATE TABLE profiles (
  number BIGINT NOT NULL PRIMARY KEY,
  profile_id TEXT COLLATE "C" NOT NULL,
  profile TEXT COLLATE "C" NOT NULL
);
CREATE INDEX profiles_profile_id ON profiles (profile_id, number);

CREATE TABLE profile_segments (
  segment BIGINT NOT NULL PRIMARY KEY,
  state TEXT COLLATE "C" NOT NULL,
  alive BIGINT NOT NULL,
  dead BYTEA NOT NULL,
  unswept BYTEA NOT NULL
);

CREATE TABLE profile_terms (
  segment BIGINT NOT NULL,
  term TEXT COLLATE "C" NOT NULL,
  docs BYTEA NOT NULL,
  PRIMARY KEY (segment, term)
);

CREATE TABLE profile_imports (
  source TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  bytes BIGINT NOT NULL,
  lines BIGINT NOT NULL,
  imported BIGINT NOT NULL,
  refused BIGINT NOT NULL
);

CREATE TABLE profile_writer (
  name TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  holder UUID NOT NULL,
  until BIGINT NOT NULL
);

-- Bits do not compress; trying to costs more than reading them.
ALTER TABLE profile_terms ALTER COLUMN docs SET STORAGE EXTERNAL;

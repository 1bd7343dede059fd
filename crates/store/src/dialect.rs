//! Everything that differs between the two engines' SQL.

use crate::time_limit;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    Sqlite,
    Postgres,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dialect(pub(crate) Engine);

impl Dialect {
    pub(crate) const SQLITE: Dialect = Dialect(Engine::Sqlite);
    pub(crate) const POSTGRES: Dialect = Dialect(Engine::Postgres);

    /// The size of the database in bytes.
    pub fn size(self) -> &'static str {
        match self.0 {
            Engine::Sqlite => "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size",
            Engine::Postgres => "SELECT pg_database_size(current_database())",
        }
    }

    /// The engine's name for people.
    pub fn engine_name(self) -> &'static str {
        match self.0 {
            Engine::Sqlite => "sqlite",
            Engine::Postgres => "postgresql",
        }
    }

    /// Whether several nodes can use one database.
    pub fn is_shared(self) -> bool {
        self.0 == Engine::Postgres
    }

    /// Finds the table of migrations, if there is one.
    pub(crate) fn migrations_exist(self) -> &'static str {
        match self.0 {
            Engine::Sqlite => "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'migrations'",
            Engine::Postgres => "SELECT 1 WHERE to_regclass('migrations') IS NOT NULL",
        }
    }

    /// Locks the rows of a SELECT until the end of the transaction, and leaves out rows that another node has locked.
    pub fn skip_locked(self) -> &'static str {
        match self.0 {
            Engine::Sqlite => "",
            Engine::Postgres => " FOR UPDATE SKIP LOCKED",
        }
    }

    /// Locks the rows that a SELECT reads until the end of the transaction.
    pub fn lock(self) -> &'static str {
        match self.0 {
            Engine::Sqlite => "",
            Engine::Postgres => " FOR UPDATE",
        }
    }

    /// Locks the workspace's head row, which only one transaction can hold, and stamps the commit. Returns the stamp
    /// and by how many microseconds it is ahead of the clock.
    pub(crate) fn take_head(self) -> &'static str {
        match self.0 {
            Engine::Sqlite => {
                "UPDATE heads SET stamp = max(stamp + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER)) \
                 WHERE workspace_id = $1 RETURNING stamp, (stamp - CAST(unixepoch('subsec') * 1000 AS INTEGER)) * 1000"
            }
            Engine::Postgres => {
                "UPDATE heads SET stamp = greatest(stamp + 1, CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)) \
                 WHERE workspace_id = $1 \
                 RETURNING stamp, stamp * 1000 - CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint)"
            }
        }
    }

    /// The database's own clock, in milliseconds.
    pub fn clock(self) -> &'static str {
        match self.0 {
            Engine::Sqlite => "CAST(unixepoch('subsec') * 1000 AS INTEGER)",
            Engine::Postgres => "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)",
        }
    }

    /// Matches `column` against a parameter made by `pattern`.
    pub fn like(self, column: &str, parameter: usize) -> String {
        match self.0 {
            Engine::Sqlite => format!("{column} GLOB ${parameter}"),
            Engine::Postgres => format!("{column} LIKE ${parameter} ESCAPE '\\'"),
        }
    }

    /// Translates a LIKE pattern (`%`, `_`, `\` escapes; a trailing `\` is literal) for the engine. SQLite's LIKE
    /// ignores ASCII case, so SQLite gets a GLOB pattern.
    pub fn pattern(self, like: &str) -> String {
        let escapes = like.len() - like.trim_end_matches('\\').len();
        let like = if escapes % 2 == 1 { format!("{like}\\") } else { like.to_owned() };
        if self.0 == Engine::Postgres {
            return like;
        }
        let (mut glob, mut escaped) = (String::with_capacity(like.len() + 8), false);
        for c in like.chars() {
            match c {
                '\\' if !escaped => {
                    escaped = true;
                    continue;
                }
                '%' if !escaped => glob.push('*'),
                '_' if !escaped => glob.push('?'),
                '*' | '?' | '[' => {
                    glob.push('[');
                    glob.push(c);
                    glob.push(']');
                }
                other => glob.push(other),
            }
            escaped = false;
        }
        glob
    }

    /// A member of the JSON object in `column`. The key comes from our code, so it is not quoted.
    pub fn member(self, column: &str, key: &str) -> String {
        match self.0 {
            Engine::Sqlite => format!("json_extract({column}, '$.{key}')"),
            Engine::Postgres => format!("(CAST({column} AS json) ->> '{key}') COLLATE \"C\""),
        }
    }

    /// The parameter that searches the trigram index for a literal of at least three characters. On SQLite the result
    /// may include texts without the literal, so the caller checks each again.
    pub fn holding(self, literal: &str) -> String {
        if self.0 == Engine::Postgres {
            return format!("%{}%", literal.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_"));
        }
        let chars: Vec<char> = literal.chars().collect();
        let trigram = |three: &[char]| format!("\"{}\"", three.iter().collect::<String>().replace('"', "\"\""));
        chars.windows(3).take(20).map(trigram).collect::<Vec<_>>().join(" AND ")
    }

    /// The start of a query for texts that contain all of some literals; callers append `asks` conditions. On SQLite
    /// the trigram index comes first in the join, so a query with a limit stops early.
    pub fn texts(self, table: &str) -> String {
        match self.0 {
            Engine::Sqlite => {
                format!("SELECT x.record FROM {table}_trigrams f CROSS JOIN {table} x WHERE x.rid = f.rowid")
            }
            Engine::Postgres => format!("SELECT x.record FROM {table} x WHERE 1 = 1"),
        }
    }

    /// The parameters for `asks`: one match expression of all literals on SQLite, one pattern per literal on
    /// PostgreSQL.
    pub fn holding_all<'a>(self, words: impl Iterator<Item = (&'a str, String)>) -> Vec<String> {
        match self.0 {
            Engine::Sqlite => vec![words.map(|(literal, _)| self.holding(literal)).collect::<Vec<_>>().join(" AND ")],
            Engine::Postgres => words.map(|(_, pattern)| pattern).collect(),
        }
    }

    /// Whether `asks` can match texts that contain the trigrams but not the literals.
    pub fn finds_more(self) -> bool {
        self.0 == Engine::Sqlite
    }

    pub fn asks(self, table: &str, parameter: usize) -> String {
        match self.0 {
            Engine::Sqlite => format!("f.{table}_trigrams MATCH ${parameter}"),
            Engine::Postgres => format!("x.text LIKE ${parameter}"),
        }
    }

    /// Evaluates a CTE first, so that the planner starts from its rows.
    pub fn materialized(self) -> &'static str {
        "AS MATERIALIZED"
    }

    /// Makes SQLite read `table` by this index and no other. PostgreSQL has no such clause; there the connection's
    /// settings steer the planner.
    pub fn by_index(self, index: &str) -> String {
        match self.0 {
            Engine::Sqlite => format!(" INDEXED BY {index}"),
            Engine::Postgres => String::new(),
        }
    }

    /// ` FROM c …` up to the first condition: the rows of `table` as `t` whose ids are in `c`, each looked up by
    /// primary key. Without statistics for a new table PostgreSQL would otherwise join by any index that a condition
    /// mentions.
    pub fn by_ids(self, table: &str, workspace: &str) -> String {
        match self.0 {
            Engine::Sqlite => {
                format!(" FROM c CROSS JOIN {table} t WHERE t.workspace_id = {workspace} AND t.id = c.id")
            }
            Engine::Postgres => format!(
                " FROM c CROSS JOIN LATERAL (SELECT * FROM {table} r WHERE r.workspace_id = {workspace} AND r.id = c.id OFFSET 0) t \
                 WHERE 1 = 1"
            ),
        }
    }

    /// `SELECT …` up to the first condition: the rows of `table` as `t` with these ids, in the order of the ids. Each
    /// row is looked up by key when it is reached, so that a limit ends the search. SQLite visits the ids of `IN` in
    /// order.
    pub fn in_order(self, table: &str, select: &str, ids: &str, workspace: &str, direction: &str) -> String {
        match self.0 {
            Engine::Sqlite => format!(
                "SELECT {select} FROM {table} t INDEXED BY sqlite_autoindex_{table}_1 \
                 WHERE t.id IN ({ids}) AND t.workspace_id = {workspace}"
            ),
            Engine::Postgres => format!(
                "WITH i (id) AS MATERIALIZED ({ids}), c AS (SELECT id FROM i ORDER BY id{direction}) SELECT {select}{}",
                self.by_ids(table, workspace)
            ),
        }
    }

    /// The column that sorts the rows of `in_order`.
    pub fn ordered_id(self) -> &'static str {
        match self.0 {
            Engine::Sqlite => "t.id",
            Engine::Postgres => "c.id",
        }
    }

    /// Ends a subquery so that PostgreSQL evaluates it row by row instead of joining it, which it can only plan well
    /// with statistics.
    pub fn apart(self) -> &'static str {
        match self.0 {
            Engine::Sqlite => "",
            Engine::Postgres => " OFFSET 0",
        }
    }

    /// The tables that have far more rows than PostgreSQL's planner assumes. SQLite's planner needs no such help.
    pub(crate) fn grown(self) -> Option<&'static str> {
        match self.0 {
            Engine::Sqlite => None,
            Engine::Postgres => Some(
                "SELECT s.relname::text FROM pg_stat_user_tables s JOIN pg_class c ON c.oid = s.relid \
                 WHERE s.schemaname = current_schema() AND s.n_live_tup > 500 + 3 * greatest(c.reltuples, 0)",
            ),
        }
    }

    /// Moves new trigrams from PostgreSQL's list of pending entries into the index. SQLite has no such list.
    pub(crate) fn sort_in_texts(self) -> Option<&'static str> {
        match self.0 {
            Engine::Sqlite => None,
            Engine::Postgres => Some(
                "SELECT gin_clean_pending_list('texts_trigrams') + gin_clean_pending_list('message_texts_trigrams')",
            ),
        }
    }

    /// Lifts the time limit of the running read. PostgreSQL measures it, so there the caller runs this statement; for
    /// SQLite the reading thread does.
    pub(crate) fn lift_time_limit(self) -> Option<&'static str> {
        match self.0 {
            Engine::Sqlite => {
                time_limit::lift();
                None
            }
            Engine::Postgres => Some("SET LOCAL statement_timeout = 0"),
        }
    }

    /// Whether the engine always uses the index that the query names, even without statistics.
    pub fn obeys(self) -> bool {
        self.0 == Engine::Sqlite
    }
}

//! Everything that differs between the two engines' SQL.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    Sqlite,
    Postgres,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dialect(pub Engine);

impl Dialect {
    /// How many bytes the database takes.
    pub fn size(self) -> &'static str {
        match self.0 {
            Engine::Sqlite => "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size",
            Engine::Postgres => "SELECT pg_database_size(current_database())",
        }
    }

    /// What keeps others from a row that is read, until the end of the transaction.
    pub fn lock(self) -> &'static str {
        match self.0 {
            Engine::Sqlite => "",
            Engine::Postgres => " FOR UPDATE",
        }
    }

    /// Takes the workspace's head row and with it the right to write, and stamps the commit. Gives
    /// the stamp and by how many microseconds it is ahead of the clock.
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

    /// Matches `column` against the parameter that `pattern` made.
    pub fn like(self, column: &str, parameter: usize) -> String {
        match self.0 {
            Engine::Sqlite => format!("{column} GLOB ${parameter}"),
            Engine::Postgres => format!("{column} LIKE ${parameter} ESCAPE '\\'"),
        }
    }

    /// A LIKE pattern (`%`, `_`, `\` escapes; a last one that escapes nothing is itself) in the
    /// engine's own words. SQLite's LIKE folds ASCII case, so GLOB stands in for it there.
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

    /// A member of the JSON object in `column`; the key is one of ours and needs no quoting.
    pub fn member(self, column: &str, key: &str) -> String {
        match self.0 {
            Engine::Sqlite => format!("json_extract({column}, '$.{key}')"),
            Engine::Postgres => format!("(CAST({column} AS json) ->> '{key}') COLLATE \"C\""),
        }
    }

    /// A literal of three characters or more, as its index is asked. What is found may hold less
    /// than the literal and is checked again.
    pub fn holding(self, literal: &str) -> String {
        if self.0 == Engine::Postgres {
            return format!("%{}%", literal.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_"));
        }
        let chars: Vec<char> = literal.chars().collect();
        let trigram = |three: &[char]| format!("\"{}\"", three.iter().collect::<String>().replace('"', "\"\""));
        chars.windows(3).take(20).map(trigram).collect::<Vec<_>>().join(" AND ")
    }

    /// Texts that hold all of some literals: what `holding_all` and `asks` are added to. SQLite walks the trigrams, so
    /// that a look for the first few stops there.
    pub fn texts(self) -> &'static str {
        match self.0 {
            Engine::Sqlite => "SELECT x.record FROM texts_trigrams f CROSS JOIN texts x WHERE x.rid = f.rowid",
            Engine::Postgres => "SELECT x.record FROM texts x WHERE 1 = 1",
        }
    }

    /// What the index is asked for literals and the patterns that hold them: parameters for `asks`.
    pub fn holding_all<'a>(self, words: impl Iterator<Item = (&'a str, String)>) -> Vec<String> {
        match self.0 {
            Engine::Sqlite => vec![words.map(|(literal, _)| self.holding(literal)).collect::<Vec<_>>().join(" AND ")],
            Engine::Postgres => words.map(|(_, pattern)| pattern).collect(),
        }
    }

    /// Whether what is asked so may hold the trigrams without the literals.
    pub fn finds_more(self) -> bool {
        self.0 == Engine::Sqlite
    }

    pub fn asks(self, parameter: usize) -> String {
        match self.0 {
            Engine::Sqlite => format!("f.texts_trigrams MATCH ${parameter}"),
            Engine::Postgres => format!("x.text LIKE ${parameter}"),
        }
    }

    /// Rows chosen beforehand, so that the planner starts from them.
    pub fn materialized(self) -> &'static str {
        "AS MATERIALIZED"
    }

    /// Makes the engine read `table` by this index and no other. PostgreSQL has no such words;
    /// there the readers' settings steer the planner.
    pub fn by_index(self, index: &str) -> String {
        match self.0 {
            Engine::Sqlite => format!(" INDEXED BY {index}"),
            Engine::Postgres => String::new(),
        }
    }

    /// ` FROM c …` up to the first condition: the rows of `table` as `t` whose ids `c` has, each looked up by its key and
    /// by nothing else. PostgreSQL, which knows little of a table that was just filled, would otherwise join by any index
    /// that a condition names.
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

    /// `SELECT …` up to the first condition: the rows of `table` as `t` with these ids, in their order, each looked up by
    /// its key when its turn has come, so that a page ends the search. SQLite goes through what `IN` names in order.
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

    /// The id in whose order these rows come.
    pub fn ordered_id(self) -> &'static str {
        match self.0 {
            Engine::Sqlite => "t.id",
            Engine::Postgres => "c.id",
        }
    }

    /// At the end of a subquery: PostgreSQL asks it for one row after the other instead of joining it, for which it would
    /// have to know the tables.
    pub fn apart(self) -> &'static str {
        match self.0 {
            Engine::Sqlite => "",
            Engine::Postgres => " OFFSET 0",
        }
    }

    /// The tables that hold far more rows than PostgreSQL's planner takes them to.
    pub(crate) fn grown(self) -> &'static str {
        "SELECT s.relname::text FROM pg_stat_user_tables s JOIN pg_class c ON c.oid = s.relid \
         WHERE s.schemaname = current_schema() AND s.n_live_tup > 500 + 3 * greatest(c.reltuples, 0)"
    }

    /// Whether the engine reads by the index that it is told to, however little it knows of the table.
    pub fn obeys(self) -> bool {
        self.0 == Engine::Sqlite
    }
}

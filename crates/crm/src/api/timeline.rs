//! Timelines: the events of a record and of records that belong to it, newest first, limited to the kinds that the key
//! may read.

use crate::api::call::{Call, Content, Reply, limit, under};
use crate::api::private::{self, PRIVATE_TO};
use crate::api::scope::{
    COMPANIES_READ, CONTACTS_READ, DEALS_READ, ENRICHMENT_READ, MESSAGES_READ, NOTES_READ, PIPELINE_READ,
    PROJECTS_READ, SEQUENCES_READ, Scope, Scopes, TAGS_READ, TASKS_READ,
};
use resource::{Changes, Error, Kind, Page, Position, Resource, all_of, invalid, write_value};
use serde_json::{Value as Json, json};
use store::{Row, Tx, Uuid, Value};

/// The kinds of records whose events timelines and the feed contain, and the scope required to see them.
const KINDS: &[(&str, Scope)] = &[
    ("contact", CONTACTS_READ),
    ("company", COMPANIES_READ),
    ("deal", DEALS_READ),
    ("deal_pipeline", DEALS_READ),
    ("deal_stage", DEALS_READ),
    ("note", NOTES_READ),
    ("task", TASKS_READ),
    ("sequence", SEQUENCES_READ),
    ("enrollment", SEQUENCES_READ),
    ("enrichment_request", ENRICHMENT_READ),
    ("conversation", MESSAGES_READ),
    ("message", MESSAGES_READ),
    ("suppression", MESSAGES_READ),
    ("connected_account", MESSAGES_READ),
    ("cv", CONTACTS_READ),
    ("file", CONTACTS_READ),
    ("tag", TAGS_READ),
    ("project", PROJECTS_READ),
    ("entry", PIPELINE_READ),
];

/// The parameters of a timeline.
#[derive(Resource)]
pub struct TimelineQuery {
    /// Kinds or types of events, separated by commas: `note,contact.updated`.
    pub types: Option<String>,
    /// The size of a page; 50 if not given.
    #[field(least = 1, most = 100)]
    pub limit: Option<i64>,
    /// Empty for the first page, then meta.next_cursor.
    pub cursor: Option<String>,
}

/// The timeline of the record whose id is in the path.
pub fn read<R: Resource>(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let mut asked = Asked::of(call)?;
    asked.viewer = private::exist(&call.ctx, tx)?.then(|| call.ctx.member());
    let id = under::<R>(call, tx)?;
    let mut events = Vec::new();
    if !asked.wanted.is_empty() {
        const OWN: &str = "FROM events e WHERE e.workspace_id = $1 AND e.record_id = $2 AND e.place < $3";
        const LINKED: &str = "FROM event_subjects s CROSS JOIN events e WHERE s.workspace_id = $1 AND s.record_id = $2 \
             AND s.place < $3 AND e.workspace_id = s.workspace_id AND e.place = s.place";
        // The events of merged records belong to the timeline too, except for their deletion by the merge.
        let merged = format!("{OWN} AND e.type <> '{}.deleted'", R::ABOUT.one);
        for (nth, id) in all_of(&call.ctx, tx, id)?.into_iter().enumerate() {
            let own = if nth == 0 { OWN } else { merged.as_str() };
            for (from, place) in [(own, "e.place"), (LINKED, "s.place")] {
                let (sql, params) = asked.statement(call.ctx.workspace, id, from, place);
                events.extend(tx.rows(&sql, &params, event)?);
            }
        }
    }
    // The same event may belong to the record and to its subjects.
    events.sort_by_key(|(place, _)| -place);
    events.dedup_by_key(|(place, _)| *place);
    let has_more = events.len() as i64 > asked.limit;
    events.truncate(asked.limit as usize);
    let next = events.last().filter(|_| has_more).map(|(place, _)| place.to_string());
    let json = events.into_iter().map(|(_, event)| event).collect::<Vec<_>>().join(&b","[..]);
    let page = Page { json, limit: asked.limit, has_more, position: Position::Cursor { next } };
    Ok(Reply::of(Content::Page(page)))
}

/// The schema of an event.
pub fn schema() -> Json {
    json!({
        "type": "object",
        "description": "Something that happened: to which record, by whom, and what it changed.",
        "required": ["sequence", "type", "at", "actor", "record", "changes"],
        "properties": {
            "sequence": { "type": "string", "pattern": "^[0-9]+$", "description": "Its place in the workspace's history: a whole number, larger than JavaScript's numbers tell apart." },
            "type": { "type": "string", "description": "The kind of record and what happened to it: contact.updated." },
            "at": { "type": "string", "format": "date-time" },
            "actor": {
                "type": "object",
                "required": ["kind", "id", "name"],
                "properties": {
                    "kind": { "type": "string", "enum": ["user", "key", "system"] },
                    "id": { "type": ["string", "null"], "format": "uuid" },
                    "name": { "type": "string" },
                },
            },
            "record": {
                "type": "object",
                "required": ["type", "id"],
                "properties": { "type": { "type": "string" }, "id": { "type": "string", "format": "uuid" } },
            },
            "changes": {
                "type": "object",
                "description": "From and to, by member.",
                "additionalProperties": { "type": "array", "minItems": 2, "maxItems": 2, "items": {} },
            },
        },
    })
}

struct Asked {
    wanted: Wanted,
    limit: i64,
    before: i64,
    /// The member for whom events of private accounts are left out, if there are any such accounts.
    viewer: Option<Uuid>,
}

impl Asked {
    fn of(call: &Call) -> Result<Asked, Error> {
        let given = call.asked(TimelineQuery::FIELDS)?;
        let before = match given.named_text("cursor") {
            Some(text) => place(text).ok_or_else(|| invalid("cursor", "is not a cursor of a timeline"))?,
            None => i64::MAX,
        };
        Ok(Asked { wanted: Wanted::of(call.key.scopes, types(&given))?, limit: limit(&given), before, viewer: None })
    }

    fn statement(&self, workspace: Uuid, id: Uuid, from: &str, place: &str) -> (String, Vec<Value>) {
        let mut params: Vec<Value> = vec![workspace.into(), id.into(), self.before.into()];
        let mut places = |values: Vec<&str>| {
            let place = |value: &str| {
                params.push(value.into());
                format!("${}", params.len())
            };
            values.into_iter().map(place).collect::<Vec<_>>().join(", ")
        };
        let (kinds, types) = (&self.wanted.kinds, &self.wanted.types);
        let mut wanted = Vec::new();
        if !kinds.is_empty() {
            wanted.push(format!("e.record_type IN ({})", places(kinds.clone())));
        }
        if !types.is_empty() {
            wanted.push(format!("e.type IN ({})", places(types.iter().map(String::as_str).collect())));
        }
        let wanted = wanted.join(" OR ");
        let visible = match self.viewer {
            Some(viewer) => {
                params.push(viewer.into());
                let viewer = params.len();
                format!("AND coalesce({PRIVATE_TO}, ${viewer}) = ${viewer} ")
            }
            None => String::new(),
        };
        let sql = format!(
            "SELECT e.place, e.type, e.at, e.actor_kind, e.actor_id, e.actor_name, e.record_type, e.record_id, e.changes \
             {from} AND ({wanted}) {visible}ORDER BY {place} DESC LIMIT {}",
            self.limit + 1
        );
        (sql, params)
    }
}

/// The parameter `types`. If it is absent, all types match; if it is empty, it is an unknown type.
pub fn types(given: &Changes) -> Option<&str> {
    given.named("types").map(|_| given.named_text("types").unwrap_or_default())
}

/// Parses a position in the history from a cursor or a sequence.
pub fn place(text: &str) -> Option<i64> {
    text.parse().ok().filter(|_| text.bytes().all(|b| b.is_ascii_digit()))
}

/// The events that a client requests and may read.
pub struct Wanted {
    /// All events of these kinds of records.
    kinds: Vec<&'static str>,
    /// Also the events of these types.
    types: Vec<String>,
}

impl Wanted {
    /// Parses kinds and types, separated by commas, and leaves out those that the scopes do not permit.
    pub fn of(scopes: Scopes, words: Option<&str>) -> Result<Wanted, Error> {
        let mut wanted = Wanted { kinds: Vec::new(), types: Vec::new() };
        let Some(words) = words else {
            wanted.kinds = KINDS.iter().filter(|(_, scope)| scopes.has(*scope)).map(|(kind, _)| *kind).collect();
            return Ok(wanted);
        };
        for word in words.split(',') {
            let (kind, verb) = word.split_once('.').map_or((word, None), |(kind, verb)| (kind, Some(verb)));
            let known = KINDS.iter().find(|(known, _)| *known == kind);
            let fits =
                verb.is_none_or(|verb| !verb.is_empty() && verb.bytes().all(|b| b == b'_' || b.is_ascii_lowercase()));
            let Some((kind, scope)) = known.filter(|_| fits) else {
                let kinds: Vec<&str> = KINDS.iter().map(|(kind, _)| *kind).collect();
                let reason =
                    format!("takes kinds of records ({}) and types of their events (note.created)", kinds.join(", "));
                return Err(invalid("types", reason));
            };
            match verb {
                _ if !scopes.has(*scope) => {}
                None if !wanted.kinds.contains(kind) => wanted.kinds.push(kind),
                None => {}
                Some(_) if wanted.types.len() == 100 => {
                    return Err(invalid("types", "names more than 100 types"));
                }
                Some(_) => wanted.types.push(word.to_owned()),
            }
        }
        Ok(wanted)
    }

    fn is_empty(&self) -> bool {
        self.kinds.is_empty() && self.types.is_empty()
    }

    /// Whether an event of this type, of a record of this kind, matches.
    pub fn takes(&self, record: &str, kind: &str) -> bool {
        self.kinds.contains(&record) || self.types.iter().any(|wanted| wanted == kind)
    }
}

/// Whether events of this kind of record are visible at all.
pub fn is_kind(record: &str) -> bool {
    KINDS.iter().any(|(kind, _)| *kind == record)
}

/// The position of an event and its JSON, from a row of a timeline's statement.
pub fn event(row: &dyn Row) -> Result<(i64, Vec<u8>), store::Error> {
    const MEMBERS: &[(&str, usize, Kind)] = &[
        (",\"type\":", 1, Kind::Text),
        (",\"at\":", 2, Kind::Time),
        (",\"actor\":{\"kind\":", 3, Kind::Text),
        (",\"id\":", 4, Kind::Id),
        (",\"name\":", 5, Kind::Text),
        ("},\"record\":{\"type\":", 6, Kind::Text),
        (",\"id\":", 7, Kind::Id),
        // Stored as JSON in the form that the API shows.
        ("},\"changes\":", 8, Kind::Object),
    ];
    let place = row.int(0)?;
    let mut json = Vec::with_capacity(512);
    json.extend_from_slice(format!("{{\"sequence\":\"{place}\"").as_bytes());
    for (before, column, kind) in MEMBERS {
        json.extend_from_slice(before.as_bytes());
        let written = row.read(*column, |value| write_value(&mut json, *kind, *value));
        written.map_err(|error| error.in_row("events", place))?;
    }
    json.push(b'}');
    Ok((place, json))
}

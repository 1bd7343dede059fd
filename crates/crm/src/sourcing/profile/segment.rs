//! The storage of profiles: segments of up to 65,536 profiles, each with the terms of its own profiles as sets of
//! places. A segment is written in small transactions while it is invisible, and becomes live in one. Replaced or
//! removed profiles are dead: they stay in the sets and are subtracted from results. Small segments are merged from
//! time to time.
//!
//! Only one process writes at a time; it holds the lease in `profile_writer`.

use super::words;
use resource::{Error, place};
use roaring::RoaringBitmap;
use serde_json::{Map, Value as Json};
use std::collections::{BTreeMap, HashMap};
use store::{Tx, Uuid, Value};

/// Most profiles of a segment, because places are 16-bit numbers.
pub const SEGMENT: usize = 1 << 16;
/// Rows that one transaction writes or deletes.
pub const CHUNK: usize = 500;
/// The same for narrow rows.
pub const TERMS: usize = 4000;
/// If more segments than this are less than half full, they are merged.
const SMALL: usize = 8;
/// How long a crashed writer blocks others, in milliseconds.
pub(crate) const LEASE: i64 = 5000;
/// Rows per statement.
const ROWS: usize = 50;

/// A segment that is being written.
pub struct Draft {
    pub segment: i64,
    size: usize,
    /// The place of each id, so that a repeated id replaces the earlier profile.
    places: HashMap<String, u16>,
    dead: RoaringBitmap,
    postings: HashMap<String, Vec<u16>>,
}

/// A profile that is ready to be written.
#[derive(Clone, Debug)]
pub struct Prepared {
    pub profile_id: String,
    pub json: String,
    terms: Vec<String>,
}

/// A row of a segment: its number and its profile.
pub type Numbered = (i64, Prepared);

pub fn prepare(profile: &Map<String, Json>) -> Prepared {
    Prepared {
        profile_id: profile["profile_id"].as_str().unwrap_or_default().to_owned(),
        json: Json::Object(profile.clone()).to_string(),
        terms: words::terms(profile).into_iter().collect(),
    }
}

impl Draft {
    pub fn new(segment: i64) -> Draft {
        let (places, postings) = (HashMap::new(), HashMap::new());
        Draft { segment, size: 0, places, dead: RoaringBitmap::new(), postings }
    }

    pub fn size(&self) -> usize {
        self.size
    }

    /// Adds a profile and assigns its number.
    pub fn add(&mut self, mut profile: Prepared) -> Numbered {
        let place = self.size as u16;
        self.size += 1;
        let number = self.segment << 16 | i64::from(place);
        if let Some(before) = self.places.insert(profile.profile_id.clone(), place) {
            self.dead.insert(on(self.segment, before));
        }
        for term in std::mem::take(&mut profile.terms) {
            self.postings.entry(term).or_default().push(place);
        }
        (number, profile)
    }

    /// Each term with its set, in the order of the table.
    pub fn terms(&mut self) -> Vec<(String, Vec<u8>)> {
        let mut terms: Vec<(String, Vec<u16>)> = self.postings.drain().collect();
        terms.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        let set = |places: Vec<u16>| bytes(&places.into_iter().map(|place| on(self.segment, place)).collect());
        terms.into_iter().map(|(term, places)| (term, set(places))).collect()
    }
}

fn on(segment: i64, place: u16) -> u32 {
    (segment as u32) << 16 | u32::from(place)
}

fn bytes(set: &RoaringBitmap) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(set.serialized_size());
    // Writing to memory can't fail.
    let _ = set.serialize_into(&mut bytes);
    bytes
}

/// Parses a stored set.
pub fn set(bytes: &[u8]) -> Result<RoaringBitmap, store::Error> {
    RoaringBitmap::deserialize_from(bytes).map_err(|_| store::Error::unreadable("is not a set of profiles"))
}

/// Acquires the writer lease, if no other process holds it.
pub fn take(tx: &mut dyn Tx, holder: Uuid) -> Result<bool, Error> {
    const TAKE: &str = "INSERT INTO profile_writer (name, holder, until) VALUES ('writer', $1, $2) ON CONFLICT (name) \
         DO UPDATE SET holder = excluded.holder, until = excluded.until WHERE profile_writer.until < $3";
    let now = tx.clock()?;
    tx.execute(TAKE, &[holder.into(), (now + LEASE).into(), now.into()])?;
    let held = tx.one("SELECT holder FROM profile_writer WHERE name = 'writer'", &[], |row| row.id(0))?;
    Ok(held == Some(holder))
}

/// Renews the lease; every write starts with this.
fn renew_lease(tx: &mut dyn Tx, holder: Uuid) -> Result<(), Error> {
    const RENEW: &str = "UPDATE profile_writer SET until = $1 WHERE name = 'writer' AND holder = $2 RETURNING until";
    let until = tx.clock()? + LEASE;
    match tx.one(RENEW, &[until.into(), holder.into()], |row| row.int(0))? {
        Some(_) => Ok(()),
        None => {
            Err(Error::Unavailable("another process writes profiles now; run the command again when it is done".into()))
        }
    }
}

pub fn give_back(tx: &mut dyn Tx, holder: Uuid) -> Result<(), Error> {
    Ok(tx.execute("DELETE FROM profile_writer WHERE name = 'writer' AND holder = $1", &[holder.into()])?)
}

/// Creates a segment that is not live yet.
pub fn begin(tx: &mut dyn Tx, holder: Uuid) -> Result<i64, Error> {
    renew_lease(tx, holder)?;
    let taken = tx.rows("SELECT segment FROM profile_segments ORDER BY segment", &[], |row| row.int(0))?;
    let segment = (0..).zip(&taken).find(|(free, taken)| free != *taken).map_or(taken.len() as i64, |(free, _)| free);
    if segment >= SEGMENT as i64 {
        return Err(Error::Unavailable("there are as many profiles as can be kept".into()));
    }
    const BEGIN: &str =
        "INSERT INTO profile_segments (segment, state, alive, dead, unswept) VALUES ($1, 'draft', 0, $2, $3)";
    let none = bytes(&RoaringBitmap::new());
    tx.execute(BEGIN, &[segment.into(), none.clone().into(), none.into()])?;
    Ok(segment)
}

pub fn write_profiles(tx: &mut dyn Tx, holder: Uuid, rows: &[Numbered]) -> Result<(), Error> {
    renew_lease(tx, holder)?;
    for some in rows.chunks(ROWS) {
        let sql = insert("profiles (number, profile_id, profile)", 3, some.len());
        let row = |(number, profile): &Numbered| -> [Value; 3] {
            [(*number).into(), profile.profile_id.as_str().into(), profile.json.as_str().into()]
        };
        tx.execute(&sql, &some.iter().flat_map(row).collect::<Vec<_>>())?;
    }
    Ok(())
}

pub fn write_terms(tx: &mut dyn Tx, holder: Uuid, segment: i64, terms: &[(String, Vec<u8>)]) -> Result<(), Error> {
    renew_lease(tx, holder)?;
    for some in terms.chunks(ROWS) {
        let sql = insert("profile_terms (segment, term, docs)", 3, some.len());
        let row = |(term, docs): &(String, Vec<u8>)| -> [Value; 3] {
            [segment.into(), term.as_str().into(), docs.clone().into()]
        };
        tx.execute(&sql, &some.iter().flat_map(row).collect::<Vec<_>>())?;
    }
    Ok(())
}

fn insert(into: &str, columns: usize, rows: usize) -> String {
    let row = |row: usize| {
        let params: Vec<String> = (1..=columns).map(|column| format!("${}", row * columns + column)).collect();
        format!("({})", params.join(", "))
    };
    format!("INSERT INTO {into} VALUES {}", (0..rows).map(row).collect::<Vec<_>>().join(", "))
}

/// Numbers of live profiles that this segment replaces, starting at this place; and the place to continue from.
pub fn replaced(tx: &mut dyn Tx, segment: i64, from: usize) -> Result<(Vec<i64>, Option<usize>), Error> {
    const REPLACED: &str = "SELECT o.number FROM profiles n CROSS JOIN profiles o WHERE n.number >= $1 AND n.number < $2 \
         AND o.profile_id = n.profile_id AND (o.number < $3 OR o.number >= $4)";
    let first = segment << 16;
    let to = from + 1000;
    let params = [first + from as i64, first + to.min(SEGMENT) as i64, first, first + SEGMENT as i64];
    let found = tx.rows(REPLACED, &params.map(Value::from), |row| row.int(0))?;
    Ok((found, (to < SEGMENT).then_some(to)))
}

/// In one transaction: makes the segment live, marks the profiles that it replaces as dead, and drops the segments that
/// it was merged from.
pub fn publish(tx: &mut dyn Tx, holder: Uuid, draft: &Draft, replaced: &[i64], made_of: &[i64]) -> Result<(), Error> {
    const LIVE: &str =
        "UPDATE profile_segments SET state = 'live', alive = $1, dead = $2, unswept = $3 WHERE segment = $4";
    renew_lease(tx, holder)?;
    let alive = draft.size as i64 - draft.dead.len() as i64;
    let dead = bytes(&draft.dead);
    tx.execute(LIVE, &[alive.into(), dead.clone().into(), dead.into(), draft.segment.into()])?;
    for segment in made_of {
        tx.execute("UPDATE profile_segments SET state = 'dropped' WHERE segment = $1", &[(*segment).into()])?;
    }
    kill(tx, replaced)
}

/// Marks profiles as dead; `sweep` deletes their rows later.
pub fn kill(tx: &mut dyn Tx, numbers: &[i64]) -> Result<(), Error> {
    const BEFORE: &str = "SELECT alive, dead, unswept FROM profile_segments WHERE segment = $1 AND state = 'live'";
    const AFTER: &str = "UPDATE profile_segments SET alive = $1, dead = $2, unswept = $3 WHERE segment = $4";
    let mut by_segment: BTreeMap<i64, RoaringBitmap> = BTreeMap::new();
    for number in numbers {
        by_segment.entry(number >> 16).or_default().insert(*number as u32);
    }
    for (segment, killed) in by_segment {
        let decode = |row: &dyn store::Row| Ok((row.int(0)?, set(row.get(1)?.bytes()?)?, set(row.get(2)?.bytes()?)?));
        let Some((alive, dead, unswept)) = tx.one(BEFORE, &[segment.into()], decode)? else { continue };
        let fresh = killed - &dead;
        let alive = alive - fresh.len() as i64;
        let (dead, unswept) = (bytes(&(dead | &fresh)), bytes(&(unswept | fresh)));
        tx.execute(AFTER, &[alive.into(), dead.into(), unswept.into(), segment.into()])?;
    }
    Ok(())
}

/// Deletes some rows that are no longer visible; true if there are more.
pub fn sweep(tx: &mut dyn Tx, holder: Uuid) -> Result<bool, Error> {
    const GONE: &str =
        "SELECT segment FROM profile_segments WHERE state <> 'live' OR alive = 0 ORDER BY segment LIMIT 1";
    const TERMS_OF: &str = "SELECT term FROM profile_terms WHERE segment = $1 ORDER BY term LIMIT $2";
    const DROP_TERMS: &str = "DELETE FROM profile_terms WHERE segment = $1 AND term <= $2";
    const PROFILES_OF: &str = "SELECT number FROM profiles WHERE number >= $1 AND number < $2 ORDER BY number LIMIT $3";
    const DROP_PROFILES: &str = "DELETE FROM profiles WHERE number >= $1 AND number <= $2";
    renew_lease(tx, holder)?;
    if let Some(segment) = tx.one(GONE, &[], |row| row.int(0))? {
        let terms = tx.rows(TERMS_OF, &[segment.into(), (TERMS as i64).into()], |row| row.text(0))?;
        if let Some(last) = terms.last() {
            tx.execute(DROP_TERMS, &[segment.into(), last.as_str().into()])?;
            return Ok(true);
        }
        let (first, end) = (segment << 16, (segment + 1) << 16);
        let numbers = tx.rows(PROFILES_OF, &[first.into(), end.into(), (CHUNK as i64).into()], |row| row.int(0))?;
        match numbers.last() {
            Some(last) => tx.execute(DROP_PROFILES, &[first.into(), (*last).into()])?,
            None => tx.execute("DELETE FROM profile_segments WHERE segment = $1", &[segment.into()])?,
        }
        return Ok(true);
    }
    const UNSWEPT: &str = "SELECT segment, unswept FROM profile_segments ORDER BY segment";
    let unswept = tx.rows(UNSWEPT, &[], |row| Ok((row.int(0)?, set(row.get(1)?.bytes()?)?)))?;
    let Some((segment, mut left)) = unswept.into_iter().find(|(_, left)| !left.is_empty()) else { return Ok(false) };
    for number in left.iter().take(CHUNK).collect::<Vec<_>>() {
        tx.execute("DELETE FROM profiles WHERE number = $1", &[i64::from(number).into()])?;
        left.remove(number);
    }
    let params = [bytes(&left).into(), segment.into()];
    tx.execute("UPDATE profile_segments SET unswept = $1 WHERE segment = $2", &params)?;
    Ok(true)
}

/// Live segments to merge, if there are too many small ones.
pub fn small(tx: &mut dyn Tx) -> Result<Vec<i64>, Error> {
    const HALF: i64 = SEGMENT as i64 / 2;
    const SMALLEST: &str =
        "SELECT segment, alive FROM profile_segments WHERE state = 'live' AND alive < $1 ORDER BY alive, segment";
    let all = tx.rows(SMALLEST, &[HALF.into()], |row| Ok((row.int(0)?, row.int(1)?)))?;
    if all.len() <= SMALL {
        return Ok(Vec::new());
    }
    let mut sum = 0;
    let fits = |(_, alive): &&(i64, i64)| {
        sum += alive;
        sum <= SEGMENT as i64
    };
    Ok(all.iter().take_while(fits).map(|(segment, _)| *segment).collect())
}

/// The living profiles of a segment from this number on, and the number to continue from.
pub fn profiles_of(tx: &mut dyn Tx, segment: i64, from: i64) -> Result<(Vec<Prepared>, Option<i64>), Error> {
    const PROFILES: &str =
        "SELECT number, profile FROM profiles WHERE number >= $1 AND number < $2 ORDER BY number LIMIT $3";
    const DEAD: &str = "SELECT dead FROM profile_segments WHERE segment = $1";
    let dead = tx.one(DEAD, &[segment.into()], |row| set(row.get(0)?.bytes()?))?.unwrap_or_default();
    let (from, end) = (from.max(segment << 16), (segment + 1) << 16);
    let params = [from.into(), end.into(), (CHUNK as i64).into()];
    let rows = tx.rows(PROFILES, &params, |row| Ok((row.int(0)?, row.text(1)?)))?;
    let next = (rows.len() == CHUNK).then(|| rows.last().map(|(number, _)| number + 1)).flatten();
    let mut prepared = Vec::with_capacity(rows.len());
    for (number, json) in rows {
        if !dead.contains(number as u32) {
            let place = place("profiles", "profile", &number);
            let profile: Map<String, Json> = place.json(&json)?;
            if !profile.get("profile_id").is_some_and(Json::is_string) {
                return Err(place.corrupt("has no profile_id"));
            }
            prepared.push(prepare(&profile));
        }
    }
    Ok((prepared, next))
}

/// The number of profiles.
pub fn count(tx: &mut dyn Tx) -> Result<i64, Error> {
    let alive = tx.rows("SELECT alive FROM profile_segments WHERE state = 'live'", &[], |row| row.int(0))?;
    Ok(alive.iter().sum())
}

/// Removes the profiles with these ids; returns how many there were.
pub fn remove(tx: &mut dyn Tx, holder: Uuid, ids: &[String]) -> Result<i64, Error> {
    renew_lease(tx, holder)?;
    let before = count(tx)?;
    let mut numbers = Vec::new();
    for id in ids {
        const NUMBERS: &str = "SELECT number FROM profiles WHERE profile_id = $1";
        numbers.extend(tx.rows(NUMBERS, &[id.as_str().into()], |row| row.int(0))?);
    }
    kill(tx, &numbers)?;
    Ok(before - count(tx)?)
}

pub fn remove_all(tx: &mut dyn Tx, holder: Uuid) -> Result<i64, Error> {
    renew_lease(tx, holder)?;
    let before = count(tx)?;
    tx.execute("UPDATE profile_segments SET state = 'dropped' WHERE state = 'live'", &[])?;
    Ok(before)
}

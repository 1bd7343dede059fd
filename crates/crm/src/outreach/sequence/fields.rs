//! Custom fields of contacts that active sequences use. Neither the field nor an option in use can be deleted, since entry
//! conditions would then silently match nobody.
//!
//! Steps can be megabytes long, so their use of fields is found before the write begins (`examine`) and cached: the steps
//! of a version that was started never change.

use super::{read_steps, step, steps_of, template};
use crate::records::custom_field::{self, Entity, Given};
use lru::LruCache;
use resource::{Ctx, Error, fold, invalid};
use std::collections::BTreeMap;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::num::NonZeroUsize;
use std::sync::{Arc, LazyLock, Mutex};
use store::{Tx, Uuid};

/// Where the steps of a version use a custom field.
#[derive(Debug, Default, PartialEq)]
struct Use {
    /// The first place, such as `steps.2.body names custom_data.level`.
    place: String,
    /// The steps whose entry conditions compare the field with a text, and hashes of those texts.
    compared: Vec<(usize, u64)>,
}

/// The custom fields that a version uses, by key.
type Uses = BTreeMap<String, Use>;

/// How many versions are cached.
const REMEMBERED: NonZeroUsize = NonZeroUsize::new(1000).unwrap();

/// By sequence and version.
type Cache = LruCache<(Uuid, i64), Arc<Uses>>;
static USES: LazyLock<Mutex<Cache>> = LazyLock::new(|| Mutex::new(LruCache::new(REMEMBERED)));

/// Finds the fields that active sequences use, so that `change` and `remove` are fast afterwards.
pub fn examine(ctx: &Ctx, tx: &mut dyn Tx) -> Result<(), Error> {
    for (id, version, _) in running(ctx, tx)? {
        uses_of(ctx, tx, id, version)?;
    }
    Ok(())
}

pub fn change(ctx: &Ctx, tx: &mut dyn Tx, entity: Entity, key: &str, given: &Given) -> Result<(), Error> {
    custom_field::change(ctx, tx, entity, key, given, check_use)
}

fn check_use(ctx: &Ctx, tx: &mut dyn Tx, entity: Entity, key: &str, renamed: &[(String, String)]) -> Result<(), Error> {
    if entity != Entity::Contact || renamed.is_empty() {
        return Ok(());
    }
    for (id, version, sequence) in running(ctx, tx)? {
        let uses = uses_of(ctx, tx, id, version)?;
        let Some(used) = uses.get(key) else { continue };
        for (option, _) in renamed {
            let wanted = hash(option);
            if let Some((step, _)) = used.compared.iter().find(|(_, compared)| *compared == wanted) {
                let reason = format!(
                    "the running sequence {sequence} filters by the option {option} (steps.{step}.entry_conditions); pause it and change it first"
                );
                return Err(invalid("options", reason));
            }
        }
    }
    Ok(())
}

pub fn remove(ctx: &Ctx, tx: &mut dyn Tx, entity: Entity, key: &str) -> Result<(), Error> {
    if entity == Entity::Contact {
        for (id, version, sequence) in running(ctx, tx)? {
            if let Some(Use { place, .. }) = uses_of(ctx, tx, id, version)?.get(key) {
                let reason =
                    format!("the running sequence {sequence} uses the field ({place}); pause it and change it first");
                return Err(invalid("key", reason));
            }
        }
    }
    custom_field::remove(ctx, tx, entity, key)
}

/// Active sequences, each with its name and the versions that are current or have open enrollments.
fn running(ctx: &Ctx, tx: &mut dyn Tx) -> Result<Vec<(Uuid, i64, String)>, Error> {
    const RUNNING: &str = "SELECT s.id, v.version, s.name FROM sequences s JOIN sequence_versions v \
         ON v.workspace_id = s.workspace_id AND v.sequence_id = s.id WHERE s.workspace_id = $1 AND s.status = 'active' \
         AND (v.version = s.steps_version OR EXISTS (SELECT 1 FROM enrollments e \
         WHERE e.workspace_id = s.workspace_id AND e.sequence_id = s.id AND e.steps_version = v.version \
         AND e.status IN ('active', 'paused'))) ORDER BY s.id, v.version";
    Ok(tx.rows(RUNNING, &[ctx.workspace.into()], |row| Ok((row.id(0)?, row.int(1)?, row.text(2)?)))?)
}

fn uses_of(ctx: &Ctx, tx: &mut dyn Tx, sequence: Uuid, version: i64) -> Result<Arc<Uses>, Error> {
    let remembered = || USES.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if let Some(uses) = remembered().get(&(sequence, version)) {
        return Ok(uses.clone());
    }
    let (mut uses, mut is_certain) = (Uses::new(), true);
    for (at, step) in read_steps(&steps_of(ctx, tx, sequence, version)?)?.iter().enumerate() {
        for (path, content) in step::variants::contents(&format!("steps.{at}"), step) {
            for member in ["subject", "body"] {
                let text = content.get(member).and_then(|text| text.as_str());
                for key in text.map(template::custom_fields).unwrap_or_default() {
                    let place = || format!("{path}.{member} names custom_data.{key}");
                    uses.entry(key.clone()).or_insert_with(|| Use { place: place(), compared: Vec::new() });
                }
            }
        }
        match step::compared(ctx, tx, step)? {
            Some(compared) => {
                for (key, texts) in compared {
                    let place = || format!("steps.{at}.entry_conditions filter by custom_data.{key}");
                    let used = uses.entry(key.clone()).or_insert_with(|| Use { place: place(), compared: Vec::new() });
                    used.compared.extend(texts.iter().map(|text| (at, hash(text))));
                }
            }
            // They may become valid again.
            None => is_certain = false,
        }
    }
    let uses = Arc::new(uses);
    if is_certain {
        remembered().put((sequence, version), uses.clone());
    }
    Ok(uses)
}

fn hash(option: &str) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(fold(option))
}

//! The storage used by a workspace: files of records, CVs, attachments of mails, files of imports. The counter in the
//! workspace's row changes in the transaction that writes or deletes a file's row, so it is exact.

use resource::{Ctx, Error};
use store::{Row, Tx, Uuid};

/// No limit, regardless of the installation's default.
pub const UNLIMITED: i64 = i64::MAX;

/// The parameter is the workspace.
pub const USAGE: &str = "SELECT w.storage_used, coalesce(w.storage_limit, \
     (SELECT CAST(m.value AS BIGINT) FROM meta m WHERE m.name = 'workspace_storage')) FROM workspaces w WHERE w.id = $1";

pub struct Usage {
    pub used: i64,
    /// `None` means no limit.
    pub limit: Option<i64>,
}

impl Usage {
    pub fn of(row: &dyn Row) -> Result<Usage, store::Error> {
        Ok(Usage { used: row.int(0)?, limit: row.maybe_int(1)?.filter(|limit| *limit != UNLIMITED) })
    }

    /// Whether this many more bytes fit. Zero or fewer always fit, so that a file can be replaced by a smaller one.
    pub fn check(&self, more: i64) -> Result<(), Error> {
        match self.limit {
            Some(limit) if more > 0 && self.used.saturating_add(more) > limit => {
                Err(Error::Quota { used: self.used, limit, required: Some(more) })
            }
            _ => Ok(()),
        }
    }

    /// The same while only a part of the file is known.
    pub fn check_part(&self, more: i64) -> Result<(), Error> {
        match self.check(more) {
            Err(Error::Quota { used, limit, .. }) => Err(Error::Quota { used, limit, required: None }),
            other => other,
        }
    }
}

pub fn usage(tx: &mut dyn Tx, workspace: Uuid) -> Result<Usage, Error> {
    let found = tx.one(USAGE, &[workspace.into()], Usage::of)?;
    Ok(found.unwrap_or(Usage { used: 0, limit: None }))
}

/// Adds a file to the used storage, or rejects it.
pub fn take(ctx: &Ctx, tx: &mut dyn Tx, size: i64) -> Result<(), Error> {
    usage(tx, ctx.workspace)?.check(size)?;
    add(ctx, tx, size)
}

/// Adds those files to the used storage that still fit. Tells for each whether it does.
pub fn take_fitting(ctx: &Ctx, tx: &mut dyn Tx, sizes: impl Iterator<Item = i64>) -> Result<Vec<bool>, Error> {
    let (mut usage, mut taken) = (usage(tx, ctx.workspace)?, 0);
    let mut fits = |size: i64| {
        let fits = usage.check(size).is_ok();
        if fits {
            (usage.used, taken) = (usage.used.saturating_add(size), taken + size);
        }
        fits
    };
    let fits = sizes.map(&mut fits).collect();
    add(ctx, tx, taken)?;
    Ok(fits)
}

/// Subtracts a deleted file from the used storage.
pub fn give_back(ctx: &Ctx, tx: &mut dyn Tx, size: i64) -> Result<(), Error> {
    add(ctx, tx, -size)
}

fn add(ctx: &Ctx, tx: &mut dyn Tx, size: i64) -> Result<(), Error> {
    const ADD: &str = "UPDATE workspaces SET storage_used = storage_used + $1 WHERE id = $2";
    Ok(tx.execute(ADD, &[size.into(), ctx.workspace.into()])?)
}

/// Sets the default limit of workspaces, from the server's command line.
pub fn set_default(tx: &mut dyn Tx, limit: Option<i64>) -> Result<(), store::Error> {
    const SET: &str = "INSERT INTO meta (name, value) VALUES ('workspace_storage', $1) \
         ON CONFLICT (name) DO UPDATE SET value = excluded.value";
    match limit.filter(|limit| *limit != UNLIMITED) {
        Some(limit) => tx.execute(SET, &[limit.to_string().into()]),
        None => tx.execute("DELETE FROM meta WHERE name = 'workspace_storage'", &[]),
    }
}

/// The accepted format, for messages.
pub const SIZES: &str = "a whole number with a unit, such as 50GB or 1500MB";

/// `500MB`, `50 GB`, `1048576B` or `unlimited`. Units are powers of 1,000, and KiB, MiB, GiB, TiB those of 1,024.
pub fn parse(text: &str) -> Option<i64> {
    let text = text.trim().to_ascii_lowercase();
    if text == "unlimited" {
        return Some(UNLIMITED);
    }
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, unit) = text.split_at(digits);
    let unit: i64 = match unit.trim() {
        "b" => 1,
        // Without a unit, only nothing is clear.
        "" if number == "0" => 1,
        "kb" => 1_000,
        "mb" => 1_000_000,
        "gb" => 1_000_000_000,
        "tb" => 1_000_000_000_000,
        "kib" => 1 << 10,
        "mib" => 1 << 20,
        "gib" => 1 << 30,
        "tib" => 1 << 40,
        _ => return None,
    };
    number.parse::<i64>().ok()?.checked_mul(unit).filter(|bytes| *bytes < UNLIMITED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_parsed() {
        let read = [("50GB", 50_000_000_000), ("1 MiB", 1 << 20), ("0", 0), ("12b", 12), ("Unlimited", UNLIMITED)];
        for (text, bytes) in read {
            assert_eq!(parse(text), Some(bytes), "{text}");
        }
        for text in ["", "GB", "-1", "1.5GB", "1 PB", "99999999999TB", "ten"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_smaller_replacement_always_fits() {
        let full = Usage { used: 20, limit: Some(10) };
        assert!(full.check(0).is_ok() && full.check(-5).is_ok() && full.check(1).is_err());
        assert!(Usage { used: 5, limit: Some(10) }.check(5).is_ok());
        assert!(Usage { used: 5, limit: None }.check(i64::MAX).is_ok());
    }
}

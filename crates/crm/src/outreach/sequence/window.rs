//! When a step may be sent: the days and times of a schedule, in a time zone. Days are calendar days of that zone, so that
//! 09:12 stays 09:12 when the clocks change. Hours are elapsed time.

#[cfg(test)]
mod tests;

use super::Sequence;
use super::schedule::{Counting, DAYS};
use jiff::civil::{Date, DateTime, Time as Clock};
use jiff::tz::{AmbiguousOffset, TimeZone};
use jiff::{SignedDuration, Timestamp};
use resource::{Error, Resource, Saved};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value as Json};
use std::collections::BTreeSet;

/// A sequence's `schedule_config`, parsed.
#[derive(Clone, Debug)]
pub struct Schedule {
    pub zone: TimeZone,
    /// Starts with Monday.
    days: [bool; 7],
    /// Minutes of the day; the end can be 1440. An end that is not after the start is on the next day; such a window belongs to
    /// the day on which it begins.
    start: i16,
    end: i16,
    counting: Counting,
    skip: BTreeSet<Date>,
    pub use_contact_timezone: bool,
    pub daily_limit: Option<i64>,
    pub min_gap: Option<i64>,
    pub stop_on_reply: bool,
    pub stop_for_company: bool,
    pub track_opens: bool,
    pub track_clicks: bool,
}

/// How many days are searched for a window. With a thousand `skip_dates`, a weekly window can be closed for 7,000 days.
const HORIZON: usize = 8000;
const MINUTE: i64 = 60_000;

impl Schedule {
    /// The schedule of a sequence.
    pub fn read(sequence: &Saved<Sequence>) -> Result<Schedule, Error> {
        let schedule = Schedule::of(&sequence.record.schedule_config.0);
        schedule.map_err(|error| error.at("schedule_config").in_row(Sequence::ABOUT.table, sequence.id))
    }

    /// Parses a stored schedule. Members that are absent or null have their default.
    pub fn of(config: &Map<String, Json>) -> Result<Schedule, Error> {
        let words = |member: &str| Ok::<Vec<String>, Error>(stored(config, member)?.unwrap_or_default());
        let switch = |member: &str| stored::<bool>(config, member);
        let number = |member: &str| stored::<i64>(config, member);
        let time = |member: &str, usual: &str| {
            let text = stored::<String>(config, member)?;
            minutes(text.as_deref().unwrap_or(usual)).ok_or_else(|| unreadable(member))
        };
        let days = words("days")?;
        let zone = match stored::<String>(config, "timezone")? {
            Some(name) => jiff::tz::db().get(&name).map_err(|_| unreadable("timezone"))?,
            None => TimeZone::UTC,
        };
        let counting = match stored::<String>(config, "count")? {
            Some(word) => Counting::from_word(&word).ok_or_else(|| unreadable("count"))?,
            None => Counting::SendingDays,
        };
        let skip = words("skip_dates")?;
        Ok(Schedule {
            zone,
            days: DAYS.map(|day| days.iter().any(|known| known == day)),
            start: time("start_time", "09:00")?,
            end: time("end_time", "18:00")?,
            counting,
            skip: skip
                .iter()
                .map(|date| date.parse().map_err(|_| unreadable("skip_dates")))
                .collect::<Result<_, _>>()?,
            use_contact_timezone: switch("use_contact_timezone")?.unwrap_or(false),
            daily_limit: number("daily_limit")?,
            min_gap: number("min_gap_minutes")?.filter(|gap| *gap > 0).map(|gap| gap * MINUTE),
            stop_on_reply: switch("stop_on_reply")?.unwrap_or(true),
            stop_for_company: switch("stop_for_company")?.unwrap_or(false),
            track_opens: switch("track_opens")?.unwrap_or(false),
            track_clicks: switch("track_clicks")?.unwrap_or(false),
        })
    }

    /// The same schedule in another time zone.
    pub fn in_zone(&self, zone: TimeZone) -> Schedule {
        Schedule { zone, ..self.clone() }
    }

    fn is_day(&self, date: Date) -> bool {
        self.days[date.weekday().to_monday_zero_offset() as usize]
    }

    fn sends_on(&self, date: Date) -> bool {
        self.is_day(date) && !self.skip.contains(&date)
    }

    /// `days` and `hours` after `base`; days as the schedule counts them.
    pub fn after(&self, base: i64, days: i64, hours: i64) -> i64 {
        let day = match self.counting {
            Counting::CalendarDays => self.calendar_days(base, days),
            Counting::SendingDays => self.sending_days(base, days),
        };
        day + hours * 60 * MINUTE
    }

    /// `days` calendar days later, at the same time of the day.
    pub fn calendar_days(&self, base: i64, days: i64) -> i64 {
        let local = self.local(base);
        let later = local.date().checked_add(jiff::Span::new().days(days));
        if days == 0 { base } else { later.map_or(base, |date| self.instant(date.to_datetime(local.time()))) }
    }

    fn sending_days(&self, base: i64, days: i64) -> i64 {
        let local = self.local(base);
        let (mut date, mut left) = (local.date(), days);
        for _ in 0..HORIZON {
            if left == 0 {
                break;
            }
            let Ok(next) = date.tomorrow() else { break };
            date = next;
            left -= i64::from(self.sends_on(date));
        }
        if days == 0 { base } else { self.instant(date.to_datetime(local.time())) }
    }

    /// The first instant from `at` on that is in a window; `None` if no window opens any more.
    pub fn open(&self, at: i64) -> Option<i64> {
        let mut date = self.sending_day(at);
        for _ in 0..HORIZON {
            if self.sends_on(date) {
                let (start, end) = self.window(date);
                let open = at.max(start);
                if open < end {
                    return Some(open);
                }
            }
            date = date.tomorrow().ok()?;
        }
        None
    }

    /// The first instant of the next sending day after the one that `at` is in.
    pub fn next_day(&self, at: i64) -> Option<i64> {
        let tomorrow = self.sending_day(at).tomorrow().ok()?;
        match self.is_overnight() {
            true => self.open(self.window(tomorrow).0),
            false => self.open(self.instant(tomorrow.to_datetime(Clock::midnight()))),
        }
    }

    fn is_overnight(&self) -> bool {
        self.end <= self.start
    }

    /// The day that `at` belongs to: the day before, while an overnight window lasts that began there.
    fn sending_day(&self, at: i64) -> Date {
        let today = self.local(at).date();
        let before = today.yesterday().ok().filter(|before| self.is_overnight() && self.sends_on(*before));
        before.filter(|before| at < self.window(*before).1).unwrap_or(today)
    }

    /// Why `at` is not in a window.
    pub fn closed(&self, at: i64) -> Option<&'static str> {
        let date = self.sending_day(at);
        let (start, end) = self.window(date);
        // The overnight window that `at` would be in began on a skipped date.
        let night = date.yesterday().ok().filter(|before| self.is_overnight() && at < self.window(*before).1);
        match () {
            () if at < start && night.is_some_and(|before| self.skip.contains(&before) && self.is_day(before)) => {
                Some("the night began on a day that is one of skip_dates")
            }
            () if self.skip.contains(&date) => Some("the day is one of skip_dates"),
            () if !self.sends_on(date) => Some("the day is not one of days"),
            () if at < start => Some("it is before start_time"),
            () if at >= end => Some("it is after end_time"),
            () => None,
        }
    }

    /// The day that a message at `at` counts for.
    pub fn day(&self, at: i64) -> String {
        self.sending_day(at).to_string()
    }

    fn window(&self, date: Date) -> (i64, i64) {
        let at = |date: Date, minutes: i16| match Clock::new((minutes / 60) as i8, (minutes % 60) as i8, 0, 0) {
            Ok(clock) => self.instant(date.to_datetime(clock)),
            // 24:00
            Err(_) => date.tomorrow().map_or(i64::MAX, |next| self.instant(next.to_datetime(Clock::midnight()))),
        };
        let last = if self.is_overnight() { date.tomorrow().unwrap_or(date) } else { date };
        (at(date, self.start), at(last, self.end))
    }

    fn local(&self, at: i64) -> DateTime {
        self.zone.to_datetime(timestamp(at))
    }

    /// The instant of a local time. A time that the clocks skip is the first instant after the gap; of a time that occurs twice,
    /// the first one is meant.
    fn instant(&self, local: DateTime) -> i64 {
        let utc = |offset: jiff::tz::Offset| offset.to_timestamp(local).map_or(i64::MAX, |at| at.as_millisecond());
        match self.zone.to_ambiguous_timestamp(local).offset() {
            AmbiguousOffset::Unambiguous { offset } => utc(offset),
            AmbiguousOffset::Fold { before, .. } => utc(before),
            AmbiguousOffset::Gap { before, after } => {
                // With the later offset, the time is before the gap.
                let earlier = timestamp(utc(after));
                let change = self.zone.following(earlier).next();
                change.map_or(utc(before), |change| change.timestamp().as_millisecond())
            }
        }
    }
}

fn timestamp(ms: i64) -> Timestamp {
    Timestamp::UNIX_EPOCH.checked_add(SignedDuration::from_millis(ms)).unwrap_or(Timestamp::MAX)
}

/// Minutes after midnight of `HH:MM`.
fn minutes(text: &str) -> Option<i16> {
    let part = |at: usize| text.get(at..at + 2)?.parse::<i16>().ok();
    Some(part(0)? * 60 + part(3)?)
}

fn unreadable(member: &str) -> Error {
    store::Error::unreadable(format!("{member} can't be read")).into()
}

/// A member of a stored schedule; `None` if it is absent or null.
fn stored<T: DeserializeOwned>(config: &Map<String, Json>, member: &str) -> Result<Option<T>, Error> {
    let value = config.get(member).filter(|value| !value.is_null());
    value.map(T::deserialize).transpose().map_err(|_| unreadable(member))
}

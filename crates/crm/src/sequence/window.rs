//! When a step may go out: days and times of a schedule, in a zone. A day is a calendar day there, so that 09:12 stays 09:12
//! across a change of the clocks; hours are elapsed time.

use super::schedule::{Counting, DAYS};
use jiff::civil::{Date, DateTime, Time as Clock};
use jiff::tz::{AmbiguousOffset, TimeZone};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Map, Value as Json};
use std::collections::BTreeSet;

/// A sequence's `schedule_config`, read.
#[derive(Clone, Debug)]
pub struct Schedule {
    pub zone: TimeZone,
    /// From Monday on.
    days: [bool; 7],
    /// Minutes of the day; the end may be 1440. If it is not later than the start, the window lasts until then on the day
    /// after, and belongs to the day on which it begins.
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

/// A thousand skipped dates may all be the one sending day of their week.
const HORIZON: usize = 8000;
const MINUTE: i64 = 60_000;

impl Schedule {
    pub fn of(config: &Map<String, Json>) -> Schedule {
        let text = |member: &str| config.get(member).and_then(Json::as_str);
        let words = |member: &str| -> Vec<&str> {
            config.get(member).and_then(Json::as_array).into_iter().flatten().filter_map(Json::as_str).collect()
        };
        let switch = |member: &str| config.get(member).and_then(Json::as_bool);
        let number = |member: &str| config.get(member).and_then(Json::as_i64);
        let days = words("days");
        Schedule {
            zone: text("timezone").and_then(|name| jiff::tz::db().get(name).ok()).unwrap_or(TimeZone::UTC),
            days: DAYS.map(|day| days.contains(&day)),
            start: minutes(text("start_time").unwrap_or("09:00")),
            end: minutes(text("end_time").unwrap_or("18:00")),
            counting: text("count").and_then(Counting::from_word).unwrap_or(Counting::SendingDays),
            skip: words("skip_dates").iter().filter_map(|date| date.parse().ok()).collect(),
            use_contact_timezone: switch("use_contact_timezone").unwrap_or(false),
            daily_limit: number("daily_limit"),
            min_gap: number("min_gap_minutes").filter(|gap| *gap > 0).map(|gap| gap * MINUTE),
            stop_on_reply: switch("stop_on_reply").unwrap_or(true),
            stop_for_company: switch("stop_for_company").unwrap_or(false),
            track_opens: switch("track_opens").unwrap_or(false),
            track_clicks: switch("track_clicks").unwrap_or(false),
        }
    }

    /// The same in another zone.
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

    /// So many days of the calendar later, at the same time of the day.
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

    /// The first instant from `at` on that lies in a window; `None` if there is none in sight.
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

    /// The day to which `at` belongs: the one before while a window lasts that began there.
    fn sending_day(&self, at: i64) -> Date {
        let today = self.local(at).date();
        let before = today.yesterday().ok().filter(|before| self.is_overnight() && self.sends_on(*before));
        before.filter(|before| at < self.window(*before).1).unwrap_or(today)
    }

    /// Why `at` is not in a window.
    pub fn closed(&self, at: i64) -> Option<&'static str> {
        let date = self.sending_day(at);
        let (start, end) = self.window(date);
        // A night that would last until now began on a day that is left out.
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

    /// The day that `at` is in, for what is counted by the day.
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

    /// A local time that the clocks leave out is the first instant after the gap; of one that comes twice, the first.
    fn instant(&self, local: DateTime) -> i64 {
        let utc = |offset: jiff::tz::Offset| offset.to_timestamp(local).map_or(i64::MAX, |at| at.as_millisecond());
        match self.zone.to_ambiguous_timestamp(local).offset() {
            AmbiguousOffset::Unambiguous { offset } => utc(offset),
            AmbiguousOffset::Fold { before, .. } => utc(before),
            AmbiguousOffset::Gap { before, after } => {
                // With the later offset it lies before the gap.
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

fn minutes(text: &str) -> i16 {
    let part = |at: usize| text.get(at..at + 2).and_then(|part| part.parse::<i16>().ok()).unwrap_or(0);
    part(0) * 60 + part(3)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn schedule(config: Json) -> Schedule {
        let mut whole = json!({"timezone": "UTC", "days": ["mon", "tue", "wed", "thu", "fri"]});
        for (member, value) in config.as_object().into_iter().flatten() {
            whole[member] = value.clone();
        }
        Schedule::of(whole.as_object().expect("an object"))
    }

    fn at(text: &str) -> i64 {
        text.parse::<Timestamp>().expect("a time").as_millisecond()
    }

    fn told(ms: Option<i64>) -> String {
        ms.map_or("never".into(), |ms| timestamp(ms).to_string())
    }

    #[test]
    fn an_instant_is_moved_into_the_next_window() {
        let weekdays = json!({});
        let paris = json!({"timezone": "Europe/Paris"});
        let whole = json!({"days": DAYS, "start_time": "00:00", "end_time": "24:00", "timezone": "Europe/Paris"});
        let night = json!({"days": ["sun"], "start_time": "01:30", "end_time": "03:30", "timezone": "Europe/Paris"});
        let gap = json!({"days": ["sun"], "start_time": "02:00", "end_time": "03:00", "timezone": "Europe/Paris"});
        let skip = json!({"skip_dates": ["2026-06-01", "2026-06-02"]});
        let cases = [
            // Monday 1 June 2026
            (&weekdays, "2026-06-01T08:59:59.999Z", "2026-06-01T09:00:00Z"),
            (&weekdays, "2026-06-01T09:00:00Z", "2026-06-01T09:00:00Z"),
            (&weekdays, "2026-06-01T17:59:59.999Z", "2026-06-01T17:59:59.999Z"),
            (&weekdays, "2026-06-01T18:00:00Z", "2026-06-02T09:00:00Z"),
            (&weekdays, "2026-06-05T18:00:00Z", "2026-06-08T09:00:00Z"),
            (&weekdays, "2026-06-06T12:00:00Z", "2026-06-08T09:00:00Z"),
            (&paris, "2026-06-01T06:00:00Z", "2026-06-01T07:00:00Z"),
            (&paris, "2026-12-01T06:00:00Z", "2026-12-01T08:00:00Z"),
            (&skip, "2026-06-01T10:00:00Z", "2026-06-03T09:00:00Z"),
            (&whole, "2026-06-01T21:59:59.999Z", "2026-06-01T21:59:59.999Z"),
            // The clocks go forward on 29 March 2026 at 01:00Z, and back on 25 October at 01:00Z.
            (&night, "2026-03-29T00:00:00Z", "2026-03-29T00:30:00Z"),
            (&night, "2026-03-29T01:29:59Z", "2026-03-29T01:29:59Z"),
            (&night, "2026-03-29T01:30:00Z", "2026-04-04T23:30:00Z"),
            (&night, "2026-10-24T22:00:00Z", "2026-10-24T23:30:00Z"),
            (&night, "2026-10-25T02:29:00Z", "2026-10-25T02:29:00Z"),
            (&gap, "2026-03-28T12:00:00Z", "2026-04-05T00:00:00Z"),
        ];
        for (config, from, to) in cases {
            let schedule = schedule(config.clone());
            assert_eq!(told(schedule.open(at(from))), told(Some(at(to))), "{from} {config}");
        }
    }

    #[test]
    fn a_window_may_last_over_midnight() {
        let night = schedule(json!({"start_time": "22:00", "end_time": "06:00", "skip_dates": ["2026-06-03"]}));
        let cases = [
            // Monday 1 June 2026: the night before belongs to Sunday.
            ("2026-06-01T05:00:00Z", "2026-06-01T22:00:00Z"),
            ("2026-06-01T23:30:00Z", "2026-06-01T23:30:00Z"),
            ("2026-06-02T00:00:00Z", "2026-06-02T00:00:00Z"),
            ("2026-06-02T05:59:59Z", "2026-06-02T05:59:59Z"),
            ("2026-06-02T06:00:00Z", "2026-06-02T22:00:00Z"),
            // The night of Tuesday ends on a skipped day; that of the skipped day does not begin.
            ("2026-06-03T03:00:00Z", "2026-06-03T03:00:00Z"),
            ("2026-06-03T06:00:00Z", "2026-06-04T22:00:00Z"),
            ("2026-06-04T03:00:00Z", "2026-06-04T22:00:00Z"),
            // The night of Friday lasts into Saturday.
            ("2026-06-06T05:00:00Z", "2026-06-06T05:00:00Z"),
            ("2026-06-06T06:00:00Z", "2026-06-08T22:00:00Z"),
        ];
        for (from, to) in cases {
            let (from, to) = (at(from), at(to));
            assert_eq!(told(night.open(from)), told(Some(to)), "{}", told(Some(from)));
            assert_eq!(night.closed(from).is_none(), from == to, "{}", told(Some(from)));
        }
        let mondays = schedule(
            json!({"days": ["mon"], "start_time": "22:00", "end_time": "04:00", "skip_dates": ["2026-06-01"]}),
        );
        let skipped = Some("the night began on a day that is one of skip_dates");
        assert_eq!(mondays.closed(at("2026-06-02T03:23:00Z")), skipped);
        assert_eq!(mondays.closed(at("2026-06-02T04:00:00Z")), Some("the day is not one of days"));
        assert_eq!(mondays.closed(at("2026-06-01T23:00:00Z")), Some("the day is one of skip_dates"));
        assert_eq!(night.closed(at("2026-06-04T03:00:00Z")), skipped);
        assert_eq!(night.day(at("2026-06-02T05:00:00Z")), "2026-06-01", "it is counted on the day it began");
        assert_eq!(night.day(at("2026-06-02T06:00:00Z")), "2026-06-02");
        assert_eq!(told(night.next_day(at("2026-06-02T05:00:00Z"))), "2026-06-02T22:00:00Z");
        assert_eq!(told(night.next_day(at("2026-06-01T23:00:00Z"))), "2026-06-02T22:00:00Z");
        // Over the change of the clocks: the night of 28 March lasts from 22:00 to 06:00 in Paris, seven hours.
        let paris =
            schedule(json!({"days": DAYS, "start_time": "22:00", "end_time": "06:00", "timezone": "Europe/Paris"}));
        assert_eq!(told(paris.open(at("2026-03-29T03:59:59Z"))), "2026-03-29T03:59:59Z");
        assert_eq!(told(paris.open(at("2026-03-29T04:00:00Z"))), "2026-03-29T20:00:00Z");
    }

    #[test]
    fn delays_are_counted_in_days_of_their_kind() {
        let calendar = json!({"count": "calendar_days", "timezone": "Europe/Paris"});
        let sending = json!({"timezone": "Europe/Paris", "skip_dates": ["2026-03-31"]});
        let cases = [
            (&calendar, "2026-03-27T08:12:00Z", 0, 5, "2026-03-27T13:12:00Z"),
            // 09:12 stays 09:12 over the change of the clocks.
            (&calendar, "2026-03-27T08:12:00Z", 2, 0, "2026-03-29T07:12:00Z"),
            (&calendar, "2026-03-27T08:12:00Z", 2, 23, "2026-03-30T06:12:00Z"),
            // 02:30 is left out that day, and comes twice in autumn.
            (&calendar, "2026-03-28T01:30:00Z", 1, 0, "2026-03-29T01:00:00Z"),
            (&calendar, "2026-10-24T00:30:00Z", 1, 0, "2026-10-25T00:30:00Z"),
            (&calendar, "2026-10-24T00:30:00Z", 2, 0, "2026-10-26T01:30:00Z"),
            (&sending, "2026-03-27T08:12:00Z", 1, 0, "2026-03-30T07:12:00Z"),
            (&sending, "2026-03-27T08:12:00Z", 2, 0, "2026-04-01T07:12:00Z"),
            (&sending, "2026-03-28T08:12:00Z", 1, 0, "2026-03-30T07:12:00Z"),
            (&sending, "2026-03-27T08:12:00Z", 0, 2, "2026-03-27T10:12:00Z"),
            (&sending, "2026-01-01T08:00:00Z", 365, 0, "2027-05-28T07:00:00Z"),
        ];
        for (config, base, days, hours, to) in cases {
            let schedule = schedule(config.clone());
            assert_eq!(told(Some(schedule.after(at(base), days, hours))), told(Some(at(to))), "{base} {days} {hours}");
        }
    }

    #[test]
    fn whatever_the_zone_and_the_moment_an_open_instant_is_inside_and_not_early() {
        let zones: Vec<String> = jiff::tz::db().available().map(|name| name.to_string()).collect();
        let mut dice = 1_u64;
        let mut roll = |most: u64| {
            dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (dice >> 33) % most
        };
        for _ in 0..4000 {
            let zone = &zones[roll(zones.len() as u64) as usize];
            let (start, length) = (roll(1439) as i16, 1 + roll(600) as i16);
            let end = (start + length).min(1440);
            let clock = |minutes: i16| format!("{:02}:{:02}", minutes / 60, minutes % 60);
            let days: Vec<&str> = DAYS.into_iter().filter(|_| roll(2) == 0).collect();
            let days = if days.is_empty() { vec!["wed"] } else { days };
            let config = json!({"timezone": zone, "days": days, "start_time": clock(start), "end_time": clock(end)});
            let schedule = schedule(config.clone());
            let from = at("2026-01-01T00:00:00Z") + roll(2 * 366 * 86_400_000) as i64;
            let open = schedule.open(from).unwrap_or_else(|| panic!("{config} never opens"));
            assert!(open >= from && open - from < 16 * 86_400_000, "{config} {}", told(Some(from)));
            assert_eq!(schedule.closed(open), None, "{config} {}", told(Some(open)));
            assert_eq!(schedule.open(open), Some(open), "what is open stays where it is");
            // Nothing between them was open: the last moment before it was shut, unless it is where we began.
            assert!(open == from || schedule.closed(open - 1).is_some(), "{config} {}", told(Some(open)));
            let (days, hours) = (roll(30) as i64, roll(24) as i64);
            assert!(schedule.after(from, days, hours) >= from, "{config}");
            assert!(
                schedule.after(from, days + 1, hours) > schedule.after(from, days, hours) - 2 * 3_600_000,
                "{config}"
            );
        }
    }
}

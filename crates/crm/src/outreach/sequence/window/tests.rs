use super::*;
use serde_json::json;

fn schedule(config: Json) -> Schedule {
    let mut whole = json!({"timezone": "UTC", "days": ["mon", "tue", "wed", "thu", "fri"]});
    for (member, value) in config.as_object().into_iter().flatten() {
        whole[member] = value.clone();
    }
    Schedule::of(whole.as_object().expect("an object")).expect("a schedule")
}

fn at(text: &str) -> i64 {
    text.parse::<Timestamp>().expect("a time").as_millisecond()
}

fn shown(ms: Option<i64>) -> String {
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
        assert_eq!(shown(schedule.open(at(from))), shown(Some(at(to))), "{from} {config}");
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
        assert_eq!(shown(night.open(from)), shown(Some(to)), "{}", shown(Some(from)));
        assert_eq!(night.closed(from).is_none(), from == to, "{}", shown(Some(from)));
    }
    let mondays =
        schedule(json!({"days": ["mon"], "start_time": "22:00", "end_time": "04:00", "skip_dates": ["2026-06-01"]}));
    let skipped = Some("the night began on a day that is one of skip_dates");
    assert_eq!(mondays.closed(at("2026-06-02T03:23:00Z")), skipped);
    assert_eq!(mondays.closed(at("2026-06-02T04:00:00Z")), Some("the day is not one of days"));
    assert_eq!(mondays.closed(at("2026-06-01T23:00:00Z")), Some("the day is one of skip_dates"));
    assert_eq!(night.closed(at("2026-06-04T03:00:00Z")), skipped);
    assert_eq!(night.day(at("2026-06-02T05:00:00Z")), "2026-06-01", "it is counted on the day it began");
    assert_eq!(night.day(at("2026-06-02T06:00:00Z")), "2026-06-02");
    assert_eq!(shown(night.next_day(at("2026-06-02T05:00:00Z"))), "2026-06-02T22:00:00Z");
    assert_eq!(shown(night.next_day(at("2026-06-01T23:00:00Z"))), "2026-06-02T22:00:00Z");
    // Over the change of the clocks: the night of 28 March lasts from 22:00 to 06:00 in Paris, seven hours.
    let paris = schedule(json!({"days": DAYS, "start_time": "22:00", "end_time": "06:00", "timezone": "Europe/Paris"}));
    assert_eq!(shown(paris.open(at("2026-03-29T03:59:59Z"))), "2026-03-29T03:59:59Z");
    assert_eq!(shown(paris.open(at("2026-03-29T04:00:00Z"))), "2026-03-29T20:00:00Z");
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
        assert_eq!(shown(Some(schedule.after(at(base), days, hours))), shown(Some(at(to))), "{base} {days} {hours}");
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
        assert!(open >= from && open - from < 16 * 86_400_000, "{config} {}", shown(Some(from)));
        assert_eq!(schedule.closed(open), None, "{config} {}", shown(Some(open)));
        assert_eq!(schedule.open(open), Some(open), "what is open stays where it is");
        // Nothing between them was open: the last moment before it was shut, unless it is where we began.
        assert!(open == from || schedule.closed(open - 1).is_some(), "{config} {}", shown(Some(open)));
        let (days, hours) = (roll(30) as i64, roll(24) as i64);
        assert!(schedule.after(from, days, hours) >= from, "{config}");
        assert!(schedule.after(from, days + 1, hours) > schedule.after(from, days, hours) - 2 * 3_600_000, "{config}");
    }
}

#[test]
fn a_window_is_the_same_local_time_in_the_contacts_zone() {
    let tokyo = jiff::tz::db().get("Asia/Tokyo").expect("a zone");
    let schedule = schedule(json!({})).in_zone(tokyo);
    assert_eq!(shown(schedule.open(at("2026-06-01T09:00:00Z"))), "2026-06-02T00:00:00Z", "09:00 on Tuesday there");
}

#[test]
fn a_schedule_without_days_never_opens() {
    let never = schedule(json!({"days": []}));
    assert_eq!(never.open(at("2026-06-01T10:00:00Z")), None);
    assert_eq!(never.next_day(at("2026-06-01T10:00:00Z")), None);
}

#[test]
fn the_next_sending_day_begins_with_its_window() {
    let weekdays = schedule(json!({}));
    assert_eq!(shown(weekdays.next_day(at("2026-06-05T10:00:00Z"))), "2026-06-08T09:00:00Z", "after a Friday");
    assert_eq!(shown(weekdays.next_day(at("2026-06-06T10:00:00Z"))), "2026-06-08T09:00:00Z", "after a Saturday");
}

#[test]
fn a_closed_window_says_why() {
    let skipping = schedule(json!({"skip_dates": ["2026-06-02"]}));
    for (time, why) in [
        ("2026-06-01T08:00:00Z", Some("it is before start_time")),
        ("2026-06-01T18:00:00Z", Some("it is after end_time")),
        ("2026-06-02T10:00:00Z", Some("the day is one of skip_dates")),
        ("2026-06-06T10:00:00Z", Some("the day is not one of days")),
        ("2026-06-03T10:00:00Z", None),
    ] {
        assert_eq!(skipping.closed(at(time)), why, "{time}");
    }
}

#[test]
fn a_gap_of_zero_minutes_is_none() {
    assert_eq!(schedule(json!({"min_gap_minutes": 0})).min_gap, None);
    assert_eq!(schedule(json!({"min_gap_minutes": 2})).min_gap, Some(120_000));
}

#[test]
fn members_that_are_absent_have_their_default() {
    let read = schedule(json!({"stop_on_reply": null}));
    assert!(read.stop_on_reply && !read.stop_for_company && !read.track_opens && !read.use_contact_timezone);
    assert_eq!((read.daily_limit, read.min_gap), (None, None));
}

#[test]
fn a_stored_schedule_that_cannot_be_read_is_an_error_that_names_the_member() {
    for (member, value) in [
        ("timezone", json!("Europe/Atlantis")),
        ("start_time", json!("nine")),
        ("count", json!("weeks")),
        ("skip_dates", json!(["soon"])),
        ("daily_limit", json!("many")),
        ("stop_on_reply", json!("yes")),
    ] {
        let config = json!({ member: value });
        let error = Schedule::of(config.as_object().expect("an object")).expect_err("it can't be read");
        assert!(error.to_string().contains(&format!("{member} can't be read")), "{config}: {error}");
    }
}

//! When a sequence may send, and what ends it.

use resource::{Problem, Resource};
use serde_json::{Map, Value as Json};

resource::choices! {
    /// What `delay_days` counts.
    Counting { SendingDays = "sending_days", CalendarDays = "calendar_days" }
}

pub(super) const DAYS: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

/// When a sequence may send, and what ends it.
#[derive(Resource)]
pub struct ScheduleConfig {
    /// An IANA name; the workspace's unless given.
    pub timezone: String,
    /// mon, tue, wed, thu, fri, sat, sun.
    #[field(max = 7, default = r#"["mon","tue","wed","thu","fri"]"#)]
    pub days: Vec<String>,
    /// HH:MM
    #[field(default = "\"09:00\"")]
    pub start_time: String,
    /// HH:MM; 24:00 is the day's end. Earlier than `start_time`, it is on the day after, and the window belongs to the day
    /// on which it begins.
    #[field(default = "\"18:00\"")]
    pub end_time: String,
    #[field(default = "\"sending_days\"")]
    pub count: Counting,
    pub use_contact_timezone: bool,
    /// Most messages a day; none is set unless given.
    #[field(least = 1, most = 100_000)]
    pub daily_limit: Option<i64>,
    /// Between two messages; none is kept unless given.
    #[field(least = 0, most = 1440)]
    pub min_gap_minutes: Option<i64>,
    /// Days on which nothing is sent, YYYY-MM-DD.
    #[field(max = 1000)]
    pub skip_dates: Vec<String>,
    #[field(default = "true")]
    pub stop_on_reply: bool,
    /// A reply of one ends it for all of the same company.
    pub stop_for_company: bool,
    pub track_opens: bool,
    pub track_clicks: bool,
}

/// Checks what the fields can't. Members of a wrong type are reported elsewhere.
pub(super) fn check(config: &Map<String, Json>, problems: &mut Vec<Problem>) {
    let mut problem = |member: String, reason: &str| {
        problems.push(Problem { field: format!("schedule_config.{member}"), reason: reason.into() });
    };
    let text = |member: &str| config.get(member).and_then(Json::as_str).map(str::trim);
    let items = |member: &str| config.get(member).and_then(Json::as_array).cloned().unwrap_or_default();
    if let Some(zone) = text("timezone").filter(|zone| !zone.is_empty())
        && jiff::tz::db().get(zone).is_err()
    {
        problem("timezone".into(), "must be an IANA time zone such as Europe/Paris");
    }
    for (at, day) in items("days").iter().enumerate() {
        if day.as_str().is_some_and(|day| !DAYS.contains(&day.trim())) {
            problem(format!("days.{at}"), &format!("must be one of {}", DAYS.join(", ")));
        }
    }
    if config.get("days").is_some_and(|days| *days == Json::Array(Vec::new())) {
        problem("days".into(), "must have at least 1 item");
    }
    for (at, date) in items("skip_dates").iter().enumerate() {
        if date.as_str().is_some_and(|date| !is_date(date.trim())) {
            problem(format!("skip_dates.{at}"), "must be a date of the form YYYY-MM-DD");
        }
    }
    let (start, end) = (text("start_time").unwrap_or("09:00"), text("end_time").unwrap_or("18:00"));
    if !is_time(start) {
        problem("start_time".into(), "must be a time of the form HH:MM, from 00:00 to 23:59");
    }
    if !is_time(end) && end != "24:00" {
        problem("end_time".into(), "must be a time of the form HH:MM, from 00:00 to 24:00");
    } else if is_time(start) && end == start {
        problem("end_time".into(), "must not be the same as start_time; 00:00 to 24:00 is the whole day");
    }
}

fn is_time(text: &str) -> bool {
    let bytes = text.as_bytes();
    let pair = |at: usize| bytes[at..at + 2].iter().all(u8::is_ascii_digit);
    bytes.len() == 5 && bytes[2] == b':' && pair(0) && pair(3) && text < "24:00" && &text[3..] < "60"
}

fn is_date(text: &str) -> bool {
    text.len() == 10 && text.parse::<jiff::civil::Date>().is_ok_and(|date| date.year() > 0)
}

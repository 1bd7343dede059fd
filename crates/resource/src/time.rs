//! Times: stored as milliseconds, shown as RFC 3339 in UTC with milliseconds.

use jiff::SignedDuration;
use jiff::civil::DateTime;
use jiff::fmt::temporal::Pieces;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Time(pub i64);

/// Years 0001 to 9999, the range of RFC 3339.
const FIRST: i64 = -62_135_596_800_000;
const LAST: i64 = 253_402_300_799_999;
const EPOCH: DateTime = DateTime::constant(1970, 1, 1, 0, 0, 0, 0);

impl Time {
    /// Any RFC 3339 offset; a bare date is midnight UTC.
    pub fn parse(text: &str) -> Option<Time> {
        Time::parse_strict(text).or_else(|| {
            let date: jiff::civil::Date = (text.len() == 10).then(|| text.parse().ok())??;
            Time::of(date.to_datetime(jiff::civil::Time::midnight()), 0)
        })
    }

    /// RFC 3339 with its offset, as synchronization bounds must be.
    pub fn parse_strict(text: &str) -> Option<Time> {
        let shape = text.len() >= 20 && text.is_ascii() && matches!(text.as_bytes()[10], b'T' | b't' | b' ');
        let zone =
            text.ends_with(['Z', 'z']) || matches!(text.as_bytes().get(text.len().wrapping_sub(6)), Some(b'+' | b'-'));
        if !shape || !zone {
            return None;
        }
        let pieces = Pieces::parse(text).ok()?;
        let offset = pieces.to_numeric_offset()?;
        Time::of(pieces.date().to_datetime(pieces.time()?), offset.seconds())
    }

    /// Computed from the calendar date, because the library's timestamps end a day before the year 9999 does.
    fn of(local: DateTime, offset_seconds: i32) -> Option<Time> {
        let since = local.duration_since(EPOCH) - SignedDuration::from_secs(offset_seconds.into());
        let ms = since.as_secs() * 1000 + i64::from(since.subsec_nanos()).div_euclid(1_000_000);
        (FIRST..=LAST).contains(&ms).then_some(Time(ms))
    }

    /// A stored time. One outside of the range of RFC 3339 is damaged, because it can't be shown.
    pub(crate) fn stored(ms: i64) -> Result<Time, store::Error> {
        if (FIRST..=LAST).contains(&ms) { Ok(Time(ms)) } else { Err(store::Error::unreadable("is not a time")) }
    }

    pub fn write(self, out: &mut Vec<u8>) {
        // Days to civil date by the era method; formatting a `Timestamp` takes five times as long.
        let (days, ms) = (self.0.div_euclid(86_400_000), self.0.rem_euclid(86_400_000));
        let z = days + 719_468;
        let era = z.div_euclid(146_097);
        let doe = z.rem_euclid(146_097);
        let yoe = (doe - doe / 1460 + doe / 36_524 - doe / 146_096) / 365;
        let doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
        let mp = (5 * doy + 2) / 153;
        let day = doy - (153 * mp + 2) / 5 + 1;
        let month = if mp < 10 { mp + 3 } else { mp - 9 };
        let year = yoe + era * 400 + i64::from(month <= 2);
        let digits = |out: &mut Vec<u8>, n: i64, width: u32| {
            for place in (0..width).rev() {
                out.push(b'0' + (n / 10_i64.pow(place) % 10) as u8);
            }
        };
        digits(out, year, 4);
        out.push(b'-');
        digits(out, month, 2);
        out.push(b'-');
        digits(out, day, 2);
        out.push(b'T');
        digits(out, ms / 3_600_000, 2);
        out.push(b':');
        digits(out, ms / 60_000 % 60, 2);
        out.push(b':');
        digits(out, ms / 1000 % 60, 2);
        out.push(b'.');
        digits(out, ms % 1000, 3);
        out.push(b'Z');
    }
}

impl std::fmt::Display for Time {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut out = Vec::with_capacity(24);
        self.write(&mut out);
        f.write_str(&String::from_utf8_lossy(&out))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_like_the_library() {
        for ms in [0, 1, -1, 951_782_400_000, 1_709_164_800_000, 1_768_473_000_000, FIRST, LAST, -2_203_891_200_001] {
            let civil = EPOCH + SignedDuration::from_millis(ms);
            let expected = format!("{civil:.3}Z");
            assert_eq!(Time(ms).to_string(), expected);
            assert_eq!(Time::parse(&expected), Some(Time(ms)));
        }
        assert_eq!(Time::parse("9999-12-31").map(|time| time.to_string()).as_deref(), Some("9999-12-31T00:00:00.000Z"));
        assert_eq!(Time::parse("9999-12-31T23:59:59-01:00"), None);
        assert_eq!(Time::parse("0001-01-01T00:00:00+01:00"), None);
        assert_eq!(Time::parse("1969-12-31T23:59:59.9995Z"), Some(Time(-1)));
    }

    #[test]
    fn parses_offsets_and_dates_only() {
        assert_eq!(Time::parse("2026-01-15T12:30:00+02:00"), Time::parse("2026-01-15T10:30:00Z"));
        assert_eq!(Time::parse("2026-01-15"), Time::parse("2026-01-15T00:00:00.000Z"));
        for text in
            ["", "yesterday", "2026-13-01", "2026-01-15T10:30:00", "2026-01-15T10:30", "1768473000", "2026-02-30"]
        {
            assert_eq!(Time::parse(text), None, "{text}");
        }
        assert_eq!(Time::parse_strict("2026-01-15"), None);
    }
}

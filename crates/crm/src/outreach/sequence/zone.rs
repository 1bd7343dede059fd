//! The time zone of a contact, from the location or a phone number. A country with several zones has none.

use jiff::tz::TimeZone;
use resource::{digits, fold};
use std::collections::HashMap;
use std::sync::LazyLock;

/// Cities and regions that no zone is named after, and countries with one zone.
const PLACES: &[(&str, &str)] = &[
    ("abu dhabi", "Asia/Dubai"),
    ("argentina", "America/Argentina/Buenos_Aires"),
    ("atlanta", "America/New_York"),
    ("austin", "America/Chicago"),
    ("austria", "Europe/Vienna"),
    ("bangalore", "Asia/Kolkata"),
    ("barcelona", "Europe/Madrid"),
    ("bavaria", "Europe/Berlin"),
    ("beijing", "Asia/Shanghai"),
    ("belgium", "Europe/Brussels"),
    ("bengaluru", "Asia/Kolkata"),
    ("boston", "America/New_York"),
    ("bulgaria", "Europe/Sofia"),
    ("california", "America/Los_Angeles"),
    ("china", "Asia/Shanghai"),
    ("cologne", "Europe/Berlin"),
    ("colombia", "America/Bogota"),
    ("croatia", "Europe/Zagreb"),
    ("czech republic", "Europe/Prague"),
    ("czechia", "Europe/Prague"),
    ("dallas", "America/Chicago"),
    ("delhi", "Asia/Kolkata"),
    ("denmark", "Europe/Copenhagen"),
    ("deutschland", "Europe/Berlin"),
    ("edinburgh", "Europe/London"),
    ("egypt", "Africa/Cairo"),
    ("england", "Europe/London"),
    ("estonia", "Europe/Tallinn"),
    ("finland", "Europe/Helsinki"),
    ("florence", "Europe/Rome"),
    ("france", "Europe/Paris"),
    ("frankfurt", "Europe/Berlin"),
    ("geneva", "Europe/Zurich"),
    ("georgia, us", "America/New_York"),
    ("germany", "Europe/Berlin"),
    ("greece", "Europe/Athens"),
    ("hamburg", "Europe/Berlin"),
    ("houston", "America/Chicago"),
    ("hungary", "Europe/Budapest"),
    ("hyderabad", "Asia/Kolkata"),
    ("iceland", "Atlantic/Reykjavik"),
    ("illinois", "America/Chicago"),
    ("india", "Asia/Kolkata"),
    ("ireland", "Europe/Dublin"),
    ("israel", "Asia/Jerusalem"),
    ("italy", "Europe/Rome"),
    ("japan", "Asia/Tokyo"),
    ("kenya", "Africa/Nairobi"),
    ("latvia", "Europe/Riga"),
    ("lithuania", "Europe/Vilnius"),
    ("lyon", "Europe/Paris"),
    ("manchester", "Europe/London"),
    ("marseille", "Europe/Paris"),
    ("massachusetts", "America/New_York"),
    ("miami", "America/New_York"),
    ("milan", "Europe/Rome"),
    ("montreal", "America/Toronto"),
    ("morocco", "Africa/Casablanca"),
    ("mumbai", "Asia/Kolkata"),
    ("munich", "Europe/Berlin"),
    ("münchen", "Europe/Berlin"),
    ("netherlands", "Europe/Amsterdam"),
    ("new delhi", "Asia/Kolkata"),
    ("new york city", "America/New_York"),
    ("nigeria", "Africa/Lagos"),
    ("norway", "Europe/Oslo"),
    ("osaka", "Asia/Tokyo"),
    ("ottawa", "America/Toronto"),
    ("pakistan", "Asia/Karachi"),
    ("peru", "America/Lima"),
    ("philadelphia", "America/New_York"),
    ("philippines", "Asia/Manila"),
    ("poland", "Europe/Warsaw"),
    ("porto", "Europe/Lisbon"),
    ("rio de janeiro", "America/Sao_Paulo"),
    ("romania", "Europe/Bucharest"),
    ("rotterdam", "Europe/Amsterdam"),
    ("san diego", "America/Los_Angeles"),
    ("san francisco", "America/Los_Angeles"),
    ("san jose", "America/Los_Angeles"),
    ("saudi arabia", "Asia/Riyadh"),
    ("scotland", "Europe/London"),
    ("seattle", "America/Los_Angeles"),
    ("serbia", "Europe/Belgrade"),
    ("slovakia", "Europe/Bratislava"),
    ("slovenia", "Europe/Ljubljana"),
    ("south africa", "Africa/Johannesburg"),
    ("south korea", "Asia/Seoul"),
    ("stuttgart", "Europe/Berlin"),
    ("sweden", "Europe/Stockholm"),
    ("switzerland", "Europe/Zurich"),
    ("taiwan", "Asia/Taipei"),
    ("texas", "America/Chicago"),
    ("thailand", "Asia/Bangkok"),
    ("toulouse", "Europe/Paris"),
    ("tunisia", "Africa/Tunis"),
    ("turin", "Europe/Rome"),
    ("turkey", "Europe/Istanbul"),
    ("türkiye", "Europe/Istanbul"),
    ("uk", "Europe/London"),
    ("ukraine", "Europe/Kyiv"),
    ("united arab emirates", "Asia/Dubai"),
    ("united kingdom", "Europe/London"),
    ("uruguay", "America/Montevideo"),
    ("valencia", "Europe/Madrid"),
    ("vietnam", "Asia/Ho_Chi_Minh"),
    ("wales", "Europe/London"),
    ("washington", "America/New_York"),
];

/// Calling codes of countries with one zone.
const CODES: &[(&str, &str)] = &[
    ("20", "Africa/Cairo"),
    ("27", "Africa/Johannesburg"),
    ("30", "Europe/Athens"),
    ("31", "Europe/Amsterdam"),
    ("32", "Europe/Brussels"),
    ("33", "Europe/Paris"),
    ("353", "Europe/Dublin"),
    ("358", "Europe/Helsinki"),
    ("36", "Europe/Budapest"),
    ("370", "Europe/Vilnius"),
    ("371", "Europe/Riga"),
    ("372", "Europe/Tallinn"),
    ("380", "Europe/Kyiv"),
    ("381", "Europe/Belgrade"),
    ("385", "Europe/Zagreb"),
    ("386", "Europe/Ljubljana"),
    ("39", "Europe/Rome"),
    ("40", "Europe/Bucharest"),
    ("41", "Europe/Zurich"),
    ("420", "Europe/Prague"),
    ("421", "Europe/Bratislava"),
    ("43", "Europe/Vienna"),
    ("44", "Europe/London"),
    ("45", "Europe/Copenhagen"),
    ("46", "Europe/Stockholm"),
    ("47", "Europe/Oslo"),
    ("48", "Europe/Warsaw"),
    ("49", "Europe/Berlin"),
    ("51", "America/Lima"),
    ("57", "America/Bogota"),
    ("63", "Asia/Manila"),
    ("65", "Asia/Singapore"),
    ("66", "Asia/Bangkok"),
    ("81", "Asia/Tokyo"),
    ("82", "Asia/Seoul"),
    ("84", "Asia/Ho_Chi_Minh"),
    ("852", "Asia/Hong_Kong"),
    ("86", "Asia/Shanghai"),
    ("886", "Asia/Taipei"),
    ("90", "Europe/Istanbul"),
    ("91", "Asia/Kolkata"),
    ("92", "Asia/Karachi"),
    ("966", "Asia/Riyadh"),
    ("971", "Asia/Dubai"),
    ("972", "Asia/Jerusalem"),
];

/// Zones by the names of their cities, and by the places above.
static BY_PLACE: LazyLock<HashMap<String, String>> = LazyLock::new(|| {
    let zones: Vec<String> = jiff::tz::db().available().map(|name| name.to_string()).collect();
    let cities = zones.iter().filter_map(|zone| {
        let (area, city) = zone.rsplit_once('/')?;
        let real = ["Africa", "America", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific"];
        real.contains(&area.split('/').next()?).then(|| (city.replace('_', " ").to_lowercase(), zone.clone()))
    });
    cities.chain(PLACES.iter().map(|(place, zone)| ((*place).to_owned(), (*zone).to_owned()))).collect()
});

/// The time zone of a contact, from the location or the country codes of the phone numbers.
pub fn of(location: Option<&str>, phones: &[String]) -> Option<TimeZone> {
    let place = || {
        // The first part is the narrowest: "Lyon, France".
        location?.split([',', '/', '|', ';']).find_map(|part| BY_PLACE.get(&fold(part.trim())))
    };
    let code = || {
        let international = phones.iter().filter(|phone| phone.trim_start().starts_with('+'));
        let numbers: Vec<String> = international.map(|phone| digits(phone)).collect();
        let of = |number: &String| {
            let known = CODES.iter().filter(|(code, _)| number.starts_with(code));
            known.max_by_key(|(code, _)| code.len()).map(|(_, zone)| (*zone).to_owned())
        };
        numbers.iter().find_map(of)
    };
    let name = place().cloned().or_else(code)?;
    jiff::tz::db().get(&name).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_phones_tell_zones_where_they_tell_one() {
        let zone = |location: Option<&str>, phone: &str| {
            of(location, &[phone.to_owned()]).and_then(|zone| zone.iana_name().map(str::to_owned))
        };
        for (place, expected) in PLACES {
            assert!(jiff::tz::db().get(expected).is_ok(), "{place}: {expected}");
        }
        for (code, expected) in CODES {
            assert!(jiff::tz::db().get(expected).is_ok(), "{code}: {expected}");
        }
        assert_eq!(zone(Some("Paris, France"), "").as_deref(), Some("Europe/Paris"));
        assert_eq!(zone(Some("New York"), "").as_deref(), Some("America/New_York"));
        assert_eq!(zone(Some("Little Village, Germany"), "").as_deref(), Some("Europe/Berlin"));
        assert_eq!(zone(Some("San Francisco, United States"), "+33 1 23").as_deref(), Some("America/Los_Angeles"));
        assert_eq!(zone(Some("United States"), "+33 1 23").as_deref(), Some("Europe/Paris"));
        assert_eq!(zone(Some("United States"), "+1 555"), None, "several zones");
        assert_eq!(zone(None, "033123"), None, "it has no country code");
    }
}

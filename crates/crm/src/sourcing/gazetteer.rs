//! A gazetteer: countries, their states, and cities of 15,000 people or more, from GeoNames (see NOTICE). It gives
//! place names ids, so that "Munich", "München" and "Bavaria, Deutschland" match.

use crate::sourcing::tokens::words;
use std::collections::HashMap;
use std::sync::LazyLock;

const CITIES: &str = include_str!("../../data/cities.tsv");
const STATES: &str = include_str!("../../data/states.tsv");
const COUNTRIES: &str = include_str!("../../data/countries.tsv");
/// If a city is among the largest, its name means the city rather than a state of the same name.
const LARGE: usize = 1000;

/// A place in a list of suggestions.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    pub id: String,
    pub title: String,
}

/// The kind of place that a name may mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    Country,
    State,
    City,
}

/// Places whose names begin with `q`, then those with a word that does: countries, states and cities, the largest
/// first.
pub fn find(q: &str, limit: usize) -> Vec<Place> {
    let asked = words(q).join(" ");
    if asked.is_empty() {
        return Vec::new();
    }
    let begins = |entry: &Entry| entry.names.iter().any(|name| name.starts_with(&asked));
    let inside = format!(" {asked}");
    let holds = |entry: &Entry| entry.names.iter().any(|name| name.contains(&inside));
    let all = &GAZETTEER.entries;
    let first = all.iter().filter(|entry| entry.names.contains(&asked));
    let next = all.iter().filter(|entry| !entry.names.contains(&asked) && begins(entry));
    let last = all.iter().filter(|entry| !begins(entry) && holds(entry));
    first.chain(next).chain(last).take(limit).map(|entry| GAZETTEER.shown(entry)).collect()
}

/// The ids of the place that a location means, and of the places that contain it: `Munich, Germany` gives the city, its
/// state and its country. Empty if the place is unknown.
pub fn located(location: &str) -> Vec<&'static str> {
    let parts = parts(location);
    let Some(entry) = GAZETTEER.meant(&parts) else { return Vec::new() };
    let state = GAZETTEER.by_id.get(entry.state.as_str()).map(|at| GAZETTEER.entries[*at].id.as_str());
    let country = GAZETTEER.by_id.get(entry.country).map(|at| GAZETTEER.entries[*at].id.as_str());
    let mut ids: Vec<&str> = [Some(entry.id.as_str()), state, country].into_iter().flatten().collect();
    ids.dedup();
    ids
}

/// The ids that a name in a search may mean; several if places of several kinds have the name.
pub fn asked(name: &str, sorts: &[Sort]) -> Vec<&'static str> {
    let parts = parts(name);
    if parts.len() > 1 {
        return GAZETTEER
            .meant(&parts)
            .filter(|entry| sorts.contains(&entry.sort))
            .map(|entry| entry.id.as_str())
            .into_iter()
            .collect();
    }
    let Some(part) = parts.first() else { return Vec::new() };
    let named = |sort: &Sort| GAZETTEER.named(part).find(|entry| entry.sort == *sort);
    sorts.iter().filter_map(named).map(|entry| entry.id.as_str()).collect()
}

/// The largest cities, written as in a profile.
pub fn largest(most: usize) -> Vec<String> {
    let cities = GAZETTEER.entries[GAZETTEER.cities..].iter().take(most);
    let country = |entry: &Entry| GAZETTEER.by_id.get(entry.country).map_or("", |at| GAZETTEER.entries[*at].title);
    cities.map(|entry| format!("{}, {}", entry.title, country(entry))).collect()
}

struct Entry {
    sort: Sort,
    id: String,
    country: &'static str,
    /// The id of its state; a state has its own id.
    state: String,
    title: &'static str,
    /// Folded, with single spaces.
    names: Vec<String>,
}

struct Gazetteer {
    /// Countries, states, then cities, the largest first.
    entries: Vec<Entry>,
    by_name: HashMap<String, Vec<usize>>,
    by_id: HashMap<String, usize>,
    cities: usize,
}

static GAZETTEER: LazyLock<Gazetteer> = LazyLock::new(|| {
    let mut entries = Vec::new();
    let columns = |line: &'static str| -> [&'static str; 4] {
        let mut columns = line.split('\t');
        std::array::from_fn(|_| columns.next().unwrap_or_default())
    };
    let folded = |names: &str| -> Vec<String> {
        let mut folded: Vec<String> = names.split('|').map(|name| words(name).join(" ")).collect();
        folded.dedup();
        folded
    };
    let first = |names: &'static str| names.split('|').next().unwrap_or_default();
    for [code, names, ..] in COUNTRIES.lines().map(columns) {
        let mut all = folded(names);
        all.push(code.to_ascii_lowercase());
        let title = first(names);
        entries.push(Entry {
            sort: Sort::Country,
            id: code.into(),
            country: code,
            state: String::new(),
            title,
            names: all,
        });
    }
    for [id, name, ..] in STATES.lines().map(columns) {
        let (country, code) = id.split_once('.').unwrap_or((id, ""));
        let mut all = folded(name);
        // Common abbreviations: `CA` is California.
        if code.len() == 2 && code.bytes().all(|byte| byte.is_ascii_uppercase()) {
            all.push(code.to_ascii_lowercase());
        }
        entries.push(Entry { sort: Sort::State, id: id.into(), country, state: id.into(), title: name, names: all });
    }
    let cities = entries.len();
    for [id, country, state, names] in CITIES.lines().map(columns) {
        let state = format!("{country}.{state}");
        let (title, names) = (first(names), folded(names));
        entries.push(Entry { sort: Sort::City, id: id.into(), country, state, title, names });
    }
    let mut by_name: HashMap<String, Vec<usize>> = HashMap::new();
    for (at, entry) in entries.iter().enumerate() {
        for name in &entry.names {
            by_name.entry(name.clone()).or_default().push(at);
        }
    }
    let by_id = entries.iter().enumerate().map(|(at, entry)| (entry.id.clone(), at)).collect();
    Gazetteer { entries, by_name, by_id, cities }
});

impl Gazetteer {
    fn named<'a>(&'a self, part: &str) -> impl Iterator<Item = &'a Entry> {
        self.by_name.get(part).into_iter().flatten().map(|at| &self.entries[*at])
    }

    /// The innermost place that the parts describe together, read from the last part to the first.
    fn meant(&self, parts: &[String]) -> Option<&Entry> {
        let (last, inner) = parts.split_last()?;
        if inner.is_empty() {
            let large = |entry: &&Entry| self.is_large(entry);
            return self
                .named(last)
                .find(|entry| entry.sort == Sort::Country)
                .or_else(|| self.named(last).find(large))
                .or_else(|| self.named(last).next());
        }
        // `Paris, TX`, `Berlin, Germany`: the outer part decides which of the inner places is meant.
        for outer in self.named(last) {
            for part in inner {
                let within = |entry: &&Entry| match outer.sort {
                    Sort::Country => entry.country == outer.country && entry.sort != Sort::Country,
                    Sort::State => entry.state == outer.id && entry.sort == Sort::City,
                    Sort::City => false,
                };
                let city = self.named(part).filter(within).find(|entry| entry.sort == Sort::City);
                if let Some(found) = city.or_else(|| self.named(part).find(within)) {
                    return Some(found);
                }
            }
        }
        // If the outer part contains none of the inner ones, only the outer one is certain, if it is known.
        self.named(last).find(|entry| entry.sort != Sort::City).or_else(|| self.meant(inner))
    }

    fn is_large(&self, entry: &Entry) -> bool {
        entry.sort == Sort::City && self.by_id.get(&entry.id).is_some_and(|at| *at < self.cities + LARGE)
    }

    fn shown(&self, entry: &Entry) -> Place {
        let of = |id: &str| self.by_id.get(id).map(|at| self.entries[*at].title);
        let mut titles = vec![entry.title];
        if entry.sort == Sort::City {
            titles.extend(of(&entry.state).filter(|state| *state != entry.title));
        }
        if entry.sort != Sort::Country {
            titles.extend(of(entry.country));
        }
        Place { id: entry.id.clone(), title: titles.join(", ") }
    }
}

/// The parts between commas, folded, without words that only describe the kind of place.
fn parts(location: &str) -> Vec<String> {
    const AROUND: &[&str] =
        &["greater", "metropolitan", "metro", "area", "region", "and", "surroundings", "surrounding"];
    let part = |text: &str| {
        let all = words(text);
        let kept: Vec<&str> = all.iter().map(String::as_str).filter(|word| !AROUND.contains(word)).collect();
        if kept.is_empty() { all.join(" ") } else { kept.join(" ") }
    };
    location.split([',', ';', '/', '(', ')', '·', '|']).map(part).filter(|part| !part.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_found_by_common_names() {
        let munich = ["2867714", "DE.02", "DE"];
        for location in [
            "Munich",
            "münchen",
            "Munich, Germany",
            "München, Deutschland",
            "Greater Munich Area",
            "Munich, Bavaria, Germany",
        ] {
            assert_eq!(located(location), munich, "{location}");
        }
        assert_eq!(located("Germany"), ["DE"]);
        assert_eq!(located("San Francisco Bay Area"), ["5391959", "US.CA", "US"]);
        assert_eq!(located("Austin, TX"), ["4671654", "US.TX", "US"]);
        assert_eq!(located("California"), ["US.CA", "US"]);
        assert_eq!(located("Paris, TX")[1..], ["US.TX", "US"]);
        assert_eq!(located("Paris")[1..], ["FR.11", "FR"]);
        assert_eq!(located("Nowhere at all, Germany"), ["DE"]);
        assert!(located("the moon").is_empty() && located("").is_empty());
    }

    #[test]
    fn a_name_may_mean_several_places() {
        let all = [Sort::Country, Sort::State, Sort::City];
        assert_eq!(asked("Georgia", &all)[..2], ["GE", "US.GA"]);
        assert_eq!(asked("Deutschland", &[Sort::Country]), ["DE"]);
        assert_eq!(asked("Paris, France", &all).len(), 1);
        assert!(asked("Germany", &[Sort::City]).is_empty());
    }

    #[test]
    fn the_likeliest_places_come_first() {
        let titles = |q: &str| find(q, 3).into_iter().map(|place| place.title).collect::<Vec<_>>();
        assert_eq!(titles("berlin")[0], "Berlin, State of Berlin, Germany");
        assert_eq!(titles("germ")[0], "Germany");
        assert_eq!(titles("san fra")[0], "San Francisco, California, United States of America");
        assert!(titles("!").is_empty());
        assert_eq!(find("a", 7).len(), 7);
    }
}

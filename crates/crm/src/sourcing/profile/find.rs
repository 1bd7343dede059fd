//! Finds profiles: a query consists of clauses that must all match, and each combines the sets of its terms. So the
//! cost of a total depends on the size of these sets, not on the number of matches. Profiles with more of the requested
//! values as a whole come first, then the more complete ones.

use super::segment;
use super::words::{FULLEST, holding, of, whole};
use crate::sourcing::filters::Filters;
use crate::sourcing::found::{COUNTED, Found, Profile};
use crate::sourcing::gazetteer::{self, Sort};
use crate::sourcing::tokens::words;
use resource::{Ctx, Error, Problem, StoredRow};
use roaring::RoaringBitmap;
use serde_json::Value as Json;
use std::collections::HashMap;
use store::{Tx, Value};

/// The highest number of years of experience.
const YEARS: i64 = 80;
/// Most words of one value.
const WORDS: usize = 16;
/// The longest country code.
const CODE: usize = 3;
/// Terms or numbers per statement.
const SOME: usize = 32;

/// One condition, with the name of its filter.
pub struct Clause {
    filter: &'static str,
    /// Whether one value must match, each, or none.
    needs: Needs,
    values: Vec<Asked>,
    /// Terms that raise the rank of a profile.
    rather: Vec<Vec<String>>,
}

/// The name of the filter in responses, and the member of the body with its values.
type Named = (&'static str, &'static str);

#[derive(Clone, Copy, PartialEq)]
pub enum Needs {
    One,
    Each,
    None,
}

/// A value as alternative lists of terms, and the terms that match it as a whole.
struct Asked {
    ways: Vec<Vec<String>>,
    whole: Vec<String>,
}

impl Clause {
    /// Values whose words occur together in one of these fields.
    pub fn of(named: Named, needs: Needs, fields: &[char], values: &[String]) -> Result<Option<Clause>, Error> {
        Clause::new(named, needs, values, |words, _| Asked {
            ways: fields.iter().map(|field| holding(*field, words)).collect(),
            whole: fields.iter().map(|field| whole(*field, words)).collect(),
        })
    }

    /// Places, by the words of the location and by the ids of the gazetteer.
    pub fn places(named: Named, sorts: &[Sort], values: &[String]) -> Result<Option<Clause>, Error> {
        Clause::new(named, Needs::One, values, |words, value| {
            let place = |id: &str| format!("{} {id}", of::PLACE);
            let places: Vec<String> = gazetteer::asked(value, sorts).into_iter().map(place).collect();
            let mut ways: Vec<Vec<String>> = places.iter().map(|place| vec![place.clone()]).collect();
            // A country code is also a word of other languages.
            let code = matches!(words, [word] if word.len() <= CODE) && !places.is_empty();
            if !code {
                ways.push(holding(of::LOCATION, words));
            }
            Asked { ways, whole: places.into_iter().chain([whole(of::LOCATION, words)]).collect() }
        })
    }

    /// Values whose words occur anywhere in a profile.
    fn keywords(named: Named, needs: Needs, values: &[String]) -> Result<Option<Clause>, Error> {
        Clause::new(named, needs, values, |words, _| Asked {
            ways: vec![words.iter().map(|word| format!("{} {word}", of::KEYWORD)).collect()],
            whole: Vec::new(),
        })
    }

    /// Matches one of these terms.
    pub fn terms(filter: &'static str, terms: Vec<String>) -> Clause {
        let asked = Asked { ways: terms.into_iter().map(|term| vec![term]).collect(), whole: Vec::new() };
        Clause { filter, needs: Needs::One, values: vec![asked], rather: Vec::new() }
    }

    /// Ranks profiles with these values in this field before others.
    pub fn rather(mut self, field: char, values: &[String]) -> Clause {
        self.rather = values.iter().map(|value| holding(field, &words(value))).collect();
        self
    }

    fn new(
        (filter, member): Named,
        needs: Needs,
        values: &[String],
        asked: impl Fn(&[String], &str) -> Asked,
    ) -> Result<Option<Clause>, Error> {
        let mut problems = Vec::new();
        let mut all = Vec::new();
        for (at, value) in values.iter().enumerate() {
            let words = words(value);
            let reason = match words.len() {
                0 => "has no letter and no digit".to_owned(),
                1..=WORDS => {
                    all.push(asked(&words, value));
                    continue;
                }
                many => format!("has {many} words; at most {WORDS} are taken"),
            };
            problems.push(Problem { field: format!("{member}.{at}"), reason });
        }
        if !problems.is_empty() {
            return Err(Error::Invalid(problems));
        }
        Ok((!all.is_empty()).then_some(Clause { filter, needs, values: all, rather: Vec::new() }))
    }

    fn each_term(&self) -> impl Iterator<Item = &String> {
        let values = self.values.iter().flat_map(|asked| asked.ways.iter().flatten().chain(&asked.whole));
        values.chain(self.rather.iter().flatten())
    }
}

/// Searches the database for `/sourcing/search`: a page, from 1, without data that costs credits.
pub fn search(_: &Ctx, tx: &mut dyn Tx, filters: &Filters, page: i64, page_size: i64) -> Result<Found, Error> {
    let clauses = clauses(filters).map_err(|error| error.within("filters"))?;
    let mut found = find(tx, &clauses, page, page_size)?;
    found.profiles.iter_mut().for_each(|profile| hide(profile, &[]));
    Ok(found)
}

fn clauses(filters: &Filters) -> Result<Vec<Clause>, Error> {
    use Needs::{Each, None as Nothing, One};
    let titles: &[char] = &[if filters.job_titles.include_current_only { of::CURRENT_TITLE } else { of::ANY_TITLE }];
    let companies = &[of::CURRENT_COMPANY, of::PAST_COMPANY];
    let skills = if filters.skills.require_all { Each } else { One };
    let (wanted, at, places) = (&filters.job_titles.include, &filters.companies.include, &filters.locations);
    let mut clauses: Vec<Clause> = [
        Clause::of(("job_titles", "job_titles.include"), One, titles, wanted)?
            .map(|clause| clause.rather(of::CURRENT_TITLE, wanted)),
        Clause::of(("job_titles", "job_titles.exclude"), Nothing, titles, &filters.job_titles.exclude)?,
        Clause::of(("companies", "companies.include"), One, companies, at)?
            .map(|clause| clause.rather(of::CURRENT_COMPANY, at)),
        Clause::of(("companies", "companies.exclude"), Nothing, companies, &filters.companies.exclude)?,
        Clause::of(("skills", "skills.include"), skills, &[of::SKILL], &filters.skills.include)?,
        Clause::keywords(("keywords", "keywords.include"), Each, &filters.keywords.include)?,
        Clause::keywords(("keywords", "keywords.exclude"), Nothing, &filters.keywords.exclude)?,
    ]
    .into_iter()
    .flatten()
    .collect();
    // One of all places, regardless of their kind.
    let places = [
        Clause::places(("locations", "locations.cities"), &[Sort::City], &places.cities)?,
        Clause::places(("locations", "locations.states"), &[Sort::State], &places.states)?,
        Clause::places(("locations", "locations.countries"), &[Sort::Country], &places.countries)?,
    ];
    clauses.extend(places.into_iter().flatten().reduce(|mut one, other| {
        one.values.extend(other.values);
        one
    }));
    let years = &filters.years_experience;
    if years.min.is_some() || years.max.is_some() {
        let years = years.min.unwrap_or(0).max(0)..=years.max.unwrap_or(YEARS).min(YEARS);
        let terms = years.map(|years| format!("{} {years}", of::YEARS)).collect();
        clauses.push(Clause::terms("years_experience", terms));
    }
    Ok(clauses)
}

/// Removes addresses except for those of these types: `personal_email`, `work_email`, `phone`.
pub fn hide(profile: &mut Profile, shown: &[&str]) {
    let emails = |word: &str| shown.contains(&word);
    let email = |item: &Json| emails(if item["type"] == "personal" { "personal_email" } else { "work_email" });
    let reveal_emails = emails("personal_email") || emails("work_email");
    for (member, revealed) in [("emails", reveal_emails), ("phones", emails("phone"))] {
        let Some(list) = profile.get_mut(member) else { continue };
        match (list.as_array_mut(), revealed) {
            (Some(items), true) if member == "emails" => items.retain(email),
            (Some(_), true) => {}
            (None, true) => *list = Json::Array(Vec::new()),
            (_, false) => *list = Json::Null,
        }
    }
}

/// The profiles that match all clauses, the best first.
pub fn find(tx: &mut dyn Tx, clauses: &[Clause], page: i64, page_size: i64) -> Result<Found, Error> {
    let live = live(tx)?;
    let sets = Sets::read(tx, clauses)?;
    let mut all = live.clone();
    for clause in clauses {
        sets.hold(clause, &mut all);
    }
    let total = all.len().min(COUNTED as u64) as i64;
    if all.is_empty() {
        let strict = clauses.iter().find(|strict| {
            let mut rest = live.clone();
            let others = clauses.iter().filter(|clause| clause.filter != strict.filter);
            others.for_each(|clause| sets.hold(clause, &mut rest));
            !rest.is_empty()
        });
        let too_strict = strict.map(|clause| clause.filter.to_owned());
        return Ok(Found { page, too_strict, ..Found::default() });
    }
    let skip = (page - 1).max(0).saturating_mul(page_size);
    let most = page_size.min(COUNTED.saturating_sub(skip)).max(0);
    let numbers = sets.best(clauses, all, skip.unsigned_abs(), most as usize);
    let profiles = fetch(tx, &numbers)?;
    let has_more = skip.saturating_add(page_size) < total;
    Ok(Found { profiles, total_count: total, filtered_count: total, page, has_more, too_strict: None })
}

/// The numbers of all profiles that can be found.
fn live(tx: &mut dyn Tx) -> Result<RoaringBitmap, Error> {
    const LIVE: &str = "SELECT segment, alive, dead FROM profile_segments WHERE state = 'live'";
    let rows = tx.rows(LIVE, &[], |row| Ok((row.int(0)?, row.int(1)?, segment::set(row.get(2)?.bytes()?)?)))?;
    let mut all = RoaringBitmap::new();
    for (segment, alive, dead) in rows {
        let first = (segment as u32) << 16;
        // Places in a segment are assigned in order, so its size is the number of living and dead profiles.
        let size = alive as u32 + dead.len() as u32;
        all.insert_range(first..=first + size.saturating_sub(1));
        all -= dead;
    }
    Ok(all)
}

struct Sets(HashMap<String, RoaringBitmap>);

impl Sets {
    /// The sets of all terms of the clauses, over the live segments.
    fn read(tx: &mut dyn Tx, clauses: &[Clause]) -> Result<Sets, Error> {
        let fullness = (0..=FULLEST).map(|level| format!("{} {level}", of::FULLNESS));
        let mut terms: Vec<String> = clauses.iter().flat_map(Clause::each_term).cloned().chain(fullness).collect();
        terms.sort_unstable();
        terms.dedup();
        let mut sets: HashMap<String, RoaringBitmap> = HashMap::with_capacity(terms.len());
        for some in terms.chunks(SOME) {
            let sql = format!(
                "SELECT t.term, t.docs FROM profile_segments s CROSS JOIN profile_terms t \
                 WHERE s.state = 'live' AND t.segment = s.segment AND t.term IN ({})",
                params(some.len())
            );
            let values: Vec<Value> = padded(some).map(|term| term.as_str().into()).collect();
            tx.each(&sql, &values, &mut |row| {
                let (term, docs) = (row.get(0)?.text()?, segment::set(row.get(1)?.bytes()?)?);
                match sets.get_mut(term) {
                    Some(set) => *set |= docs,
                    None => drop(sets.insert(term.to_owned(), docs)),
                }
                Ok(())
            })?;
        }
        Ok(Sets(sets))
    }

    /// The profiles with all of these terms.
    fn every(&self, terms: &[String]) -> RoaringBitmap {
        let mut sets: Vec<&RoaringBitmap> = Vec::with_capacity(terms.len());
        for term in terms {
            let Some(set) = self.0.get(term) else { return RoaringBitmap::new() };
            sets.push(set);
        }
        sets.sort_unstable_by_key(|set| set.len());
        let Some((first, others)) = sets.split_first() else { return RoaringBitmap::new() };
        others.iter().fold((*first).clone(), |all, set| all & *set)
    }

    fn any(&self, ways: &[Vec<String>]) -> RoaringBitmap {
        ways.iter().fold(RoaringBitmap::new(), |all, way| all | self.every(way))
    }

    fn hold(&self, clause: &Clause, all: &mut RoaringBitmap) {
        let values = clause.values.iter().map(|asked| self.any(&asked.ways));
        match clause.needs {
            Needs::Each => values.for_each(|value| *all &= value),
            Needs::One => *all &= values.fold(RoaringBitmap::new(), |one, value| one | value),
            Needs::None => values.for_each(|value| *all -= value),
        }
    }

    /// The numbers of the best matches: by the number of values that match as a whole or in a preferred field, then by
    /// completeness, then in the order of import.
    fn best(&self, clauses: &[Clause], all: RoaringBitmap, skip: u64, most: usize) -> Vec<u32> {
        // The n-th layer contains the profiles that satisfy at least n of these criteria.
        let mut layers = vec![all];
        for clause in clauses.iter().filter(|clause| clause.needs != Needs::None) {
            let whole = clause.values.iter().map(|asked| {
                let terms = asked.whole.iter().filter_map(|term| self.0.get(term));
                terms.fold(RoaringBitmap::new(), |any, set| any | set)
            });
            let whole = match clause.needs {
                Needs::Each => whole.reduce(|all, one| all & one),
                _ => whole.reduce(|any, one| any | one),
            };
            let rather = (!clause.rather.is_empty()).then(|| self.any(&clause.rather));
            for speaks in [whole, rather].into_iter().flatten().filter(|set| !set.is_empty()) {
                let above: Vec<RoaringBitmap> = layers.iter().map(|layer| layer & &speaks).collect();
                layers.push(RoaringBitmap::new());
                for (at, more) in above.into_iter().enumerate() {
                    layers[at + 1] |= more;
                }
                while layers.last().is_some_and(RoaringBitmap::is_empty) {
                    layers.pop();
                }
            }
        }
        let (mut numbers, mut skip) = (Vec::with_capacity(most), skip);
        for at in (0..layers.len()).rev() {
            let here = match layers.get(at + 1) {
                Some(above) => &layers[at] - above,
                None => layers[at].clone(),
            };
            for level in (0..=FULLEST).rev() {
                if numbers.len() == most {
                    return numbers;
                }
                let Some(full) = self.0.get(&format!("{} {level}", of::FULLNESS)) else { continue };
                let some = &here & full;
                if some.len() <= skip {
                    skip -= some.len();
                    continue;
                }
                let rest = most - numbers.len();
                numbers.extend(some.iter().skip(skip as usize).take(rest));
                skip = 0;
            }
        }
        numbers
    }
}

/// The profiles with these numbers, in their order.
fn fetch(tx: &mut dyn Tx, numbers: &[u32]) -> Result<Vec<Profile>, Error> {
    let mut by_number: HashMap<i64, Profile> = HashMap::with_capacity(numbers.len());
    for some in numbers.chunks(SOME) {
        let sql = format!("SELECT number, profile FROM profiles WHERE number IN ({})", params(some.len()));
        let values: Vec<Value> = padded(some).map(|number| i64::from(*number).into()).collect();
        by_number.extend(tx.rows(&sql, &values, |row| {
            let number = row.int(0)?;
            Ok((number, row.json(1).map_err(|error| error.in_row("profiles", number))?))
        })?);
    }
    Ok(numbers.iter().filter_map(|number| by_number.remove(&i64::from(*number))).collect())
}

/// The number of parameters is rounded up to a power of two, so that there are few different statements.
fn params(length: usize) -> String {
    (1..=length.next_power_of_two()).map(|at| format!("${at}")).collect::<Vec<_>>().join(", ")
}

fn padded<T>(some: &[T]) -> impl Iterator<Item = &T> {
    let most = some.len().next_power_of_two();
    some.iter().chain(some.last().into_iter().cycle().take(most - some.len()))
}

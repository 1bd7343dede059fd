//! The filters of `/sourcing/search`, shared by all sources.

use super::found::{problem, reject_if_any};
use resource::{Error, Field, Part, Problem, Resource};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

/// Titles: one of `include`, none of `exclude`.
#[derive(Resource)]
pub struct TitleFilter {
    #[field(max = 50, item_max = 200)]
    pub include: Option<Vec<String>>,
    #[field(max = 50, item_max = 200)]
    pub exclude: Option<Vec<String>>,
    /// Only current titles count.
    pub include_current_only: Option<bool>,
}

/// One of `include`, none of `exclude`.
#[derive(Resource)]
pub struct ListFilter {
    #[field(max = 50, item_max = 200)]
    pub include: Option<Vec<String>>,
    #[field(max = 50, item_max = 200)]
    pub exclude: Option<Vec<String>>,
}

/// All of `include`, none of `exclude`.
#[derive(Resource)]
pub struct KeywordFilter {
    #[field(max = 20, item_max = 200)]
    pub include: Option<Vec<String>>,
    #[field(max = 20, item_max = 200)]
    pub exclude: Option<Vec<String>>,
}

/// One of all these places. Not for the network, which identifies places by ids.
#[derive(Resource)]
pub struct PlaceFilter {
    #[field(max = 50, item_max = 200)]
    pub cities: Option<Vec<String>>,
    #[field(max = 50, item_max = 200)]
    pub states: Option<Vec<String>>,
    #[field(max = 50, item_max = 200)]
    pub countries: Option<Vec<String>>,
}

/// Only for the network.
#[derive(Resource)]
pub struct NetworkFilter {
    /// Geo ids, each with its name, as `GET /sourcing/network/locations` returns them.
    pub location_ids: Option<Map<String, Json>>,
}

/// One of `include`, or all of them.
#[derive(Resource)]
pub struct SkillFilter {
    #[field(max = 50, item_max = 100)]
    pub include: Option<Vec<String>>,
    pub require_all: Option<bool>,
}

/// From `min` to `max`, both included.
#[derive(Resource)]
pub struct YearFilter {
    #[field(least = 0, most = 80)]
    pub min: Option<i64>,
    #[field(least = 0, most = 80)]
    pub max: Option<i64>,
}

/// Only for contacts.
#[derive(Resource)]
pub struct ContactFilter {
    #[field(max = 10, item_max = 20)]
    pub contact_types: Option<Vec<String>>,
}

/// All given filters must match.
#[derive(Resource)]
pub struct FilterInput {
    pub job_titles: Option<Part<TitleFilter>>,
    pub companies: Option<Part<ListFilter>>,
    pub locations: Option<Part<PlaceFilter>>,
    pub network_filters: Option<Part<NetworkFilter>>,
    pub skills: Option<Part<SkillFilter>>,
    pub keywords: Option<Part<KeywordFilter>>,
    pub years_experience: Option<Part<YearFilter>>,
    pub contacts_filters: Option<Part<ContactFilter>>,
}

pub const FILTERS: &[Field] = FilterInput::FIELDS;

/// The parsed filters; absent ones are empty.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(default)]
pub struct Filters {
    pub job_titles: Titles,
    pub companies: Lists,
    pub locations: Places,
    pub network_filters: Network,
    pub skills: Skills,
    pub keywords: Lists,
    pub years_experience: Years,
    pub contacts_filters: Contacts,
}

/// One of `include`, none of `exclude`.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(default)]
pub struct Titles {
    pub include: Vec<String>,
    pub exclude: Vec<String>,
    pub include_current_only: bool,
}

/// Companies: one of `include`, none of `exclude`. Keywords: all of `include`, none of `exclude`.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(default)]
pub struct Lists {
    pub include: Vec<String>,
    pub exclude: Vec<String>,
}

/// One of all these places.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(default)]
pub struct Places {
    pub cities: Vec<String>,
    pub states: Vec<String>,
    pub countries: Vec<String>,
}

impl Places {
    pub fn all(&self) -> impl Iterator<Item = &String> {
        self.cities.iter().chain(&self.states).chain(&self.countries)
    }
}

#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(default)]
pub struct Network {
    pub location_ids: Map<String, Json>,
}

#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(default)]
pub struct Skills {
    pub include: Vec<String>,
    pub require_all: bool,
}

#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, PartialEq)]
#[serde(default)]
pub struct Years {
    pub min: Option<i64>,
    pub max: Option<i64>,
}

#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(default)]
pub struct Contacts {
    pub contact_types: Vec<String>,
}

impl Filters {
    /// Parses the member of a checked body.
    pub fn of(checked: Option<&str>) -> Result<Filters, Error> {
        let Some(checked) = checked else { return Ok(Filters::default()) };
        let whole = serde_json::from_str::<Json>(checked);
        let filters = whole.and_then(|whole| serde_json::from_value::<Filters>(given(whole)));
        let unfit = |error| store::Error::Internal(format!("filters are checked and yet: {error}"));
        let filters = filters.map_err(unfit)?;
        reject_if_any(filters.years_experience.problems("filters.years_experience"))?;
        Ok(filters)
    }
}

impl Years {
    /// The problems of this range, with the name of the member.
    pub fn problems(&self, name: &str) -> Vec<Problem> {
        match (self.min, self.max) {
            (Some(min), Some(max)) if min > max => vec![problem(format!("{name}.min"), "must not be above max")],
            _ => Vec::new(),
        }
    }
}

/// Removes members that are null, because they count as absent.
fn given(json: Json) -> Json {
    match json {
        Json::Object(members) => members
            .into_iter()
            .filter(|(_, value)| !value.is_null())
            .map(|(name, value)| (name, given(value)))
            .collect(),
        other => other,
    }
}

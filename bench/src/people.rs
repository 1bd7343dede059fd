//! Invented people: bodies of contacts with a realistic distribution.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde_json::{Value as Json, json};

const FIRST: &[&str] = &[
    "Ann", "Ben", "Chloé", "David", "Elena", "Farid", "Grace", "Hugo", "Ines", "Jonas", "Kenji", "Lucía", "Marek",
    "Nadia", "Olga", "Pablo", "Quentin", "Rosa", "Sven", "Tara", "Umar", "Vera", "Wei", "Ximena", "Yann", "Zoë",
];
const LAST: &[&str] = &[
    "Andersson",
    "Baker",
    "Costa",
    "Dubois",
    "Evans",
    "Fischer",
    "García",
    "Haddad",
    "Ivanova",
    "Jansen",
    "Kowalski",
    "Lefèvre",
    "Müller",
    "Nakamura",
    "Okafor",
    "Petrov",
    "Quinn",
    "Rossi",
    "Schmidt",
    "Tanaka",
    "Usman",
    "Varga",
    "Walsh",
    "Xu",
    "Yilmaz",
    "Zhang",
];
const LEVEL: &[&str] = &["Junior", "Senior", "Lead", "Principal", "Staff", "Head of"];
const WORK: &[&str] =
    &["Engineer", "Designer", "Product Manager", "Data Scientist", "Recruiter", "Account Executive", "Architect"];
const FIELD: &[&str] = &["Labs", "Systems", "Partners", "Works", "Group", "Studio", "Analytics", "Health"];
const CITY: &[&str] = &[
    "Paris, France",
    "Berlin, Germany",
    "Lisbon, Portugal",
    "Madrid, Spain",
    "Warsaw, Poland",
    "Oslo, Norway",
    "Dublin, Ireland",
    "Vienna, Austria",
    "Toronto, Canada",
    "Austin, United States",
];
const LANGUAGE: &[&str] = &["English", "French", "German", "Spanish", "Polish"];
const STATUS: &[(&str, u32)] = &[("new", 50), ("contacted", 75), ("replied", 88), ("qualified", 95), ("archived", 100)];
pub(crate) const SKILLS: usize = 30;
pub(crate) const TAGS: usize = 200;

/// The same people in every run.
pub(crate) struct People(StdRng);

impl People {
    pub(crate) fn new(seed: u64) -> People {
        People(StdRng::seed_from_u64(seed))
    }

    fn one(&mut self, words: &[&'static str]) -> &'static str {
        words[self.0.random_range(0..words.len())]
    }

    fn some(&mut self, count: usize, of: usize, name: &str) -> Vec<String> {
        let first = self.0.random_range(0..of);
        (0..count).map(|n| format!("{name} {}", (first + n * 7) % of)).collect()
    }

    /// A contact of the seeded tables: about 780 bytes as JSON.
    pub(crate) fn seeded(&mut self, number: usize) -> Json {
        let mut person = self.full(number);
        let dice = self.0.random_range(0..100);
        let status = STATUS.iter().find(|(_, below)| dice < *below).map_or("new", |(status, _)| status);
        person["global_status"] = status.into();
        person["contact_type"] = self.one(&["candidate", "candidate", "client", "prospect"]).into();
        person["languages"] = json!([self.one(LANGUAGE)]);
        person["years_experience"] = self.0.random_range(0..40).into();
        person["location"] = self.one(CITY).into();
        person["network_profile"] = format!("https://network.example/in/person-{number}").into();
        person["custom_data"] = json!({ "score": number, "level": self.one(&["junior", "senior", "lead"]) });
        person["summary"] = "Has led small teams and shipped what they built.".into();
        person
    }

    /// One email, one phone, two tags, three skills.
    pub(crate) fn full(&mut self, number: usize) -> Json {
        let mut person = self.bare(number);
        person["title"] = format!("{} {}", self.one(LEVEL), self.one(WORK)).into();
        person["current_company"] = format!("{} {} {}", self.one(LAST), self.one(FIELD), number % 211).into();
        person["email"] = format!("person.{number}@mail.example").into();
        person["phone"] = format!("+1 555 {number:07}").into();
        person["tags"] = self.some(2, TAGS, "tag").into();
        person["skills"] = self.some(3, SKILLS, "skill").into();
        person
    }

    /// Only a name.
    pub(crate) fn bare(&mut self, number: usize) -> Json {
        json!({ "first_name": self.one(FIRST), "last_name": format!("{}-{}", self.one(LAST), number % 977) })
    }
}

//! Profiles of people who do not exist, for tests, benchmarks and demos: the same for the same seed.

use super::words::{COMPANY_FIRST, COMPANY_SECOND, CULTURES, INDUSTRIES, ROLES};
use super::{Dice, Plan};
use crate::sourcing::gazetteer;
use serde_json::{Value as Json, json};

/// The number of cities that people live in.
const CITIES: usize = 400;
const LEVELS: &[&str] = &["", "", "", "Junior ", "Senior ", "Senior ", "Lead ", "Principal ", "Staff ", "Head of "];
const FIELDS: &[&str] = &[
    "Payments",
    "Search",
    "Logistics",
    "Security",
    "Identity",
    "Billing",
    "Growth",
    "Platform",
    "Mobile",
    "Embedded",
    "Cloud",
    "Research",
    "Infrastructure",
    "Quality",
    "Support",
    "Compliance",
];
const KINDS: &[&str] = &["GmbH", "Ltd", "Inc", "SAS", "AG", "Group", "International", "& Sons"];
const SCHOOLS: &[&str] =
    &["University of", "Technical University of", "School of Economics", "Institute of Technology"];
const DIPLOMAS: &[&str] =
    &["Bachelor of Science", "Master of Science", "Diploma", "Doctorate", "Master of Business Administration"];
/// Current jobs started before this year.
const THIS_YEAR: i64 = 2026;

pub struct Generator {
    plan: Plan,
    cities: Vec<String>,
}

impl Generator {
    pub fn new(seed: u64) -> Generator {
        Generator { plan: Plan { contacts: 0, seed }, cities: gazetteer::largest(CITIES) }
    }

    /// The n-th profile.
    pub fn profile(&self, n: u64) -> Json {
        let mut dice = Dice::of(&self.plan, "profiles", n as usize);
        let culture = dice.pick(CULTURES);
        let ((first, first_mail), (last, last_mail)) = (dice.pick(culture.given), dice.pick(culture.family));
        let id = format!("p{}-{n}", self.plan.seed);
        // Prefer large cities.
        let city = dice.below(CITIES).min(dice.below(CITIES));
        let location = self.cities.get(city).map_or("", String::as_str);
        let role = dice.pick(ROLES);
        let years = 1 + dice.below(30) as i64;
        let title = titled(&mut dice, role.title);
        let (mut experiences, mut end) = (Vec::new(), THIS_YEAR);
        for place in 0..=dice.below(4) {
            let start = end - 1 - dice.below(5) as i64;
            let (company, domain) = company(&mut dice);
            experiences.push(json!({
                "title": if place == 0 { title.clone() } else { titled(&mut dice, role.title) },
                "company_name": company,
                "company_domain": domain,
                "start_date": format!("{start}-0{}", 1 + dice.below(9)),
                "end_date": if place == 0 { Json::Null } else { format!("{end}-0{}", 1 + dice.below(9)).into() },
                "description": format!("{} in {}.", role.title, dice.pick(INDUSTRIES).to_lowercase()),
                "is_current": place == 0,
            }));
            end = start;
        }
        let mut skills = dice.some(role.skills, role.skills.len());
        let other = dice.pick(ROLES);
        skills.extend(dice.some(other.skills, 3));
        let mail = format!("{first_mail}.{last_mail}.{n}");
        let mut profile = json!({
            "profile_id": id,
            "first_name": first,
            "last_name": last,
            "headline": format!("{title} at {}", experiences[0]["company_name"].as_str().unwrap_or_default()),
            "location": location,
            "network_url": format!("https://network.example.com/in/{id}"),
            "current_job": { "title": title, "company_name": experiences[0]["company_name"] },
            "experiences": experiences,
            "skills": skills,
            "total_years_experience": years,
            "open_to_work": dice.often(20),
        });
        if dice.often(60) {
            let school = format!("{} {}", dice.pick(SCHOOLS), location.split(',').next().unwrap_or_default());
            let begun = THIS_YEAR - years - 4;
            profile["educations"] = json!([{
                "educational_establishment": school, "diploma": dice.pick(DIPLOMAS), "specialization": dice.pick(FIELDS),
                "start_date": begun.to_string(), "end_date": (begun + 4).to_string(),
            }]);
        }
        if dice.often(50) {
            profile["summary"] = format!(
                "{years} years in {}, lately {}.",
                dice.pick(INDUSTRIES).to_lowercase(),
                dice.pick(FIELDS).to_lowercase()
            )
            .into();
        }
        if dice.often(70) {
            let mut emails = vec![json!({ "email": format!("{mail}@example.com"), "type": "work" })];
            if dice.often(40) {
                emails.push(json!({ "email": format!("{mail}@mail.example.com"), "type": "personal" }));
            }
            profile["emails"] = emails.into();
        }
        if dice.often(40) {
            profile["phones"] =
                json!([{ "phone": format!("{} {:04}", culture.phone, dice.below(10_000)), "type": "mobile" }]);
        }
        profile
    }
}

fn titled(dice: &mut Dice, role: &str) -> String {
    let level = dice.pick(LEVELS);
    let field = if dice.often(30) { format!(", {}", dice.pick(FIELDS)) } else { String::new() };
    format!("{level}{role}{field}")
}

fn company(dice: &mut Dice) -> (String, String) {
    let (first, second, kind) = (dice.pick(COMPANY_FIRST), dice.pick(COMPANY_SECOND), dice.pick(KINDS));
    let middle = if dice.often(60) { format!("{} ", dice.pick(FIELDS)) } else { String::new() };
    let domain = format!("{}-{}.example.com", first.to_lowercase(), second.to_lowercase());
    (format!("{first} {middle}{second} {kind}"), domain)
}

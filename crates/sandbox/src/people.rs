//! The people, places and jobs of the sandbox's network: made up, and always the same for the same seed.

use connect::provider::{CurrentJob, Education, Employer, Experience, Job, JobSearch, Location, PeopleSearch, Profile};

pub(crate) struct World {
    people: Vec<Member>,
    jobs: Vec<Job>,
}

struct Member {
    profile: Profile,
    place: usize,
    /// The searched text, in lower case.
    text: String,
}

/// Pseudo-random numbers (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut value = self.0;
        value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        value ^ (value >> 31)
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit.max(1)
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize]
    }
}

const FIRST: &[&str] = &[
    "Ada", "Amir", "Anna", "Ben", "Carla", "Chen", "Clara", "Daniel", "Elif", "Emma", "Fatima", "Felix", "Grace",
    "Hugo", "Ines", "Ivan", "Jana", "Jonas", "Karim", "Keiko", "Lara", "Leo", "Lucia", "Marco", "Maya", "Mia", "Nadia",
    "Noah", "Olga", "Omar", "Paula", "Pierre", "Priya", "Rafael", "Rosa", "Samuel", "Sofia", "Tariq", "Tom", "Vera",
    "Yara", "Zoé",
];
const LAST: &[&str] = &[
    "Almeida", "Bauer", "Bernard", "Brown", "Costa", "Demir", "Dubois", "Evans", "Fischer", "Garcia", "Haddad",
    "Hansen", "Ito", "Jensen", "Kaya", "Keller", "Kim", "Kowalski", "Larsen", "Lopez", "Martin", "Meyer", "Moreau",
    "Müller", "Nakamura", "Novak", "Okafor", "Patel", "Petrov", "Rossi", "Sato", "Schmidt", "Silva", "Singh", "Smith",
    "Tanaka", "Turner", "Weber", "Wilson", "Zhang",
];
const ROLES: &[(&str, &[&str])] = &[
    ("Software Engineer", &["Rust", "Go", "Python", "PostgreSQL", "Kubernetes", "Distributed Systems"]),
    ("Backend Engineer", &["Java", "Rust", "SQL", "Kafka", "AWS"]),
    ("Frontend Engineer", &["TypeScript", "React", "CSS", "Accessibility"]),
    ("Data Scientist", &["Python", "Machine Learning", "Statistics", "SQL"]),
    ("Product Manager", &["Roadmapping", "User Research", "Analytics", "Agile"]),
    ("Sales Manager", &["Negotiation", "B2B", "CRM", "Forecasting"]),
    ("Account Executive", &["Prospecting", "SaaS", "Negotiation"]),
    ("Recruiter", &["Sourcing", "Interviewing", "Employer Branding"]),
    ("Financial Analyst", &["Excel", "Valuation", "Accounting"]),
    ("Designer", &["Figma", "Prototyping", "Typography"]),
    ("DevOps Engineer", &["Terraform", "Linux", "Kubernetes", "Monitoring"]),
    ("Marketing Manager", &["SEO", "Content", "Brand", "Analytics"]),
];
const COMPANIES: &[&str] = &[
    "Aster Labs",
    "Bluewater Foods",
    "Cobalt Systems",
    "Delta Freight",
    "Evergreen Energy",
    "Fjord Analytics",
    "Granite Bank",
    "Harbor Health",
    "Ironwood Tools",
    "Juniper Media",
    "Kestrel Air",
    "Lumen Works",
    "Meridian Retail",
    "Northwind Rail",
    "Orchard Insurance",
    "Pinecone Games",
    "Quarry Stone",
    "Riverbend Pharma",
    "Summit Robotics",
    "Tidal Power",
];
const PLACES: &[&str] = &[
    "Amsterdam, Netherlands",
    "Athens, Greece",
    "Barcelona, Spain",
    "Berlin, Germany",
    "Boston, United States",
    "Brussels, Belgium",
    "Budapest, Hungary",
    "Chicago, United States",
    "Copenhagen, Denmark",
    "Dublin, Ireland",
    "Hamburg, Germany",
    "Helsinki, Finland",
    "Istanbul, Türkiye",
    "Lagos, Nigeria",
    "Lisbon, Portugal",
    "London, United Kingdom",
    "Lyon, France",
    "Madrid, Spain",
    "Milan, Italy",
    "Montréal, Canada",
    "Mumbai, India",
    "Munich, Germany",
    "New York, United States",
    "Oslo, Norway",
    "Paris, France",
    "Prague, Czechia",
    "Rome, Italy",
    "San Francisco, United States",
    "São Paulo, Brazil",
    "Singapore",
    "Stockholm, Sweden",
    "Sydney, Australia",
    "Tokyo, Japan",
    "Toronto, Canada",
    "Vienna, Austria",
    "Warsaw, Poland",
    "Zürich, Switzerland",
];
const SCHOOLS: &[&str] = &[
    "Northern University",
    "Lakeside Institute of Technology",
    "City College",
    "Old Town University",
    "Harbor Business School",
];
const SUBJECTS: &[&str] =
    &["Computer Science", "Economics", "Mathematics", "Psychology", "Design", "Business Administration"];
const JOBS: usize = 600;
/// The current year of all careers. It is fixed, so that a seed gives the same people next year.
const NOW: u64 = 2026;

impl World {
    pub(crate) fn new(seed: u64, people: u32) -> World {
        let people = (0..people).map(|number| member(seed, number)).collect();
        World { people, jobs: (0..JOBS).map(|number| job(seed, number)).collect() }
    }

    pub(crate) fn person(&self, id: &str) -> Option<&Profile> {
        let number: usize = id.strip_prefix('p')?.parse().ok()?;
        self.people.get(number.checked_sub(1)?).map(|member| &member.profile)
    }

    pub(crate) fn by(&self, what: impl Fn(&Profile) -> bool) -> Option<&Profile> {
        self.people.iter().map(|member| &member.profile).find(|profile| what(profile))
    }

    pub(crate) fn search(&self, search: &PeopleSearch) -> Vec<&Profile> {
        let folded = |words: &[String]| words.iter().map(|word| word.to_lowercase()).collect::<Vec<_>>();
        let (titles, companies) = (folded(&search.job_titles), folded(&search.companies));
        let keywords = search.keywords.as_deref().unwrap_or_default().to_lowercase();
        let query = search.boolean_query.as_deref().map(tokens);
        let places: Vec<usize> =
            search.location_ids.iter().filter_map(|id| id.strip_prefix("loc-")?.parse().ok()).collect();
        let any =
            |wanted: &[String], text: &str| wanted.is_empty() || wanted.iter().any(|one| text.contains(one.as_str()));
        let found = self.people.iter().filter(|member| {
            let job = member.profile.current_job.as_ref();
            let years = member.profile.total_years_experience.unwrap_or(0);
            any(&titles, &job.map_or(String::new(), |job| job.title.to_lowercase()))
                && any(&companies, &job.map_or(String::new(), |job| job.company_name.to_lowercase()))
                && (search.location_ids.is_empty() || places.contains(&member.place))
                && search.years_experience.min.is_none_or(|min| years >= min)
                && search.years_experience.max.is_none_or(|max| years <= max)
                && keywords.split_whitespace().all(|word| member.text.contains(word))
                && query.as_ref().is_none_or(|query| either(query, &mut 0, &member.text))
        });
        found.map(|member| &member.profile).collect()
    }

    pub(crate) fn locations(&self, q: &str) -> Vec<Location> {
        let q = q.to_lowercase();
        let found = PLACES.iter().enumerate().filter(|(_, title)| title.to_lowercase().contains(&q));
        found.map(|(at, title)| Location { id: format!("loc-{at}"), title: (*title).to_owned() }).collect()
    }

    /// Jobs by words and places. For the URL of a search, the words are its parameter `keywords`.
    pub(crate) fn jobs(&self, search: &JobSearch) -> Vec<&Job> {
        let of_url = search.url.as_deref().and_then(|url| url::Url::parse(url).ok()).and_then(|url| {
            url.query_pairs().find(|(name, _)| name == "keywords").map(|(_, value)| value.into_owned())
        });
        let words = search.keywords.clone().or(of_url).unwrap_or_default().to_lowercase();
        let places: Vec<&str> = search
            .location_ids
            .iter()
            .filter_map(|id| PLACES.get(id.strip_prefix("loc-")?.parse::<usize>().ok()?).copied())
            .collect();
        let found = self.jobs.iter().filter(|job| {
            let text = format!("{} {}", job.title, job.company.name).to_lowercase();
            words.split_whitespace().all(|word| text.contains(word))
                && (search.location_ids.is_empty()
                    || job.location.as_deref().is_some_and(|place| places.contains(&place)))
        });
        found.collect()
    }
}

fn member(seed: u64, number: u32) -> Member {
    let mut random = Random(seed.wrapping_mul(1_000_003) ^ (u64::from(number) << 20));
    let (first, last, (role, skills)) = (random.one(FIRST), random.one(LAST), random.one(ROLES));
    let place = random.below(PLACES.len() as u64) as usize;
    let years = random.below(25) as u32;
    let level = match years {
        0..=2 => "Junior ",
        3..=7 => "",
        8..=14 => "Senior ",
        _ => "Lead ",
    };
    let title = format!("{level}{role}");
    let mut experiences = Vec::new();
    let (mut end, mut left) = (NOW, u64::from(years) + 1);
    while left > 0 && experiences.len() < 4 {
        let spent = (random.below(5) + 1).min(left);
        let company = random.one(COMPANIES);
        let current = experiences.is_empty();
        experiences.push(Experience {
            title: if current { title.clone() } else { role.to_owned() },
            company_name: company.to_owned(),
            company_domain: Some(format!("{}.example.com", company.to_lowercase().replace(' ', "-"))),
            start_date: Some(format!("{}-{:02}", end - spent, random.below(12) + 1)),
            end_date: (!current).then(|| format!("{end}-{:02}", random.below(12) + 1)),
            description: None,
            is_current: current,
        });
        (end, left) = (end - spent, left - spent);
    }
    let skills: Vec<String> = skills.iter().filter(|_| random.below(4) > 0).map(|skill| (*skill).to_owned()).collect();
    let id = number + 1;
    let slug = format!("{first}-{last}").to_lowercase().replace('é', "e").replace('ü', "u");
    let company = experiences[0].company_name.clone();
    let profile = Profile {
        profile_id: format!("p{id}"),
        first_name: first.to_owned(),
        last_name: last.to_owned(),
        headline: Some(format!("{title} at {company}")),
        location: Some(PLACES[place].to_owned()),
        network_url: Some(format!("https://network.example.com/in/{slug}-{id}")),
        summary: Some(format!("{title} with {years} years of experience in {}.", skills.join(", "))),
        current_job: Some(CurrentJob { title, company_name: company }),
        experiences,
        educations: vec![Education {
            educational_establishment: random.one(SCHOOLS).to_owned(),
            diploma: Some(random.one(&["Bachelor", "Master", "Diploma"]).to_owned()),
            specialization: Some(random.one(SUBJECTS).to_owned()),
            start_date: Some((NOW - u64::from(years) - 5).to_string()),
            end_date: Some((NOW - u64::from(years) - 1).to_string()),
        }],
        skills,
        total_years_experience: Some(years),
        open_to_work: Some(random.below(5) == 0),
        emails: (random.below(3) == 0).then(|| vec![format!("{slug}.{id}@example.com").replace('-', ".")]),
        phones: (random.below(4) == 0).then(|| vec![format!("+1555{:07}", 1_000_000 + id)]),
        ..Profile::default()
    };
    let text = format!(
        "{first} {last} {} {} {} {} {}",
        profile.headline.as_deref().unwrap_or_default(),
        PLACES[place],
        profile.skills.join(" "),
        profile
            .experiences
            .iter()
            .map(|job| format!("{} {}", job.title, job.company_name))
            .collect::<Vec<_>>()
            .join(" "),
        profile.summary.as_deref().unwrap_or_default(),
    );
    Member { profile, place, text: text.to_lowercase() }
}

fn job(seed: u64, number: usize) -> Job {
    let mut random = Random(seed.wrapping_mul(7_000_003) ^ ((number as u64) << 24));
    let ((role, _), company) = (random.one(ROLES), random.below(COMPANIES.len() as u64) as usize);
    let day = random.below(180);
    let posted = jiff::civil::date(NOW as i16, 1, 1).at(9, 0, 0, 0).to_zoned(jiff::tz::TimeZone::UTC);
    let posted = posted
        .ok()
        .and_then(|start| start.timestamp().checked_add(jiff::SignedDuration::from_hours(24 * day as i64)).ok());
    Job {
        id: format!("job-{number}"),
        title: format!("{}{role}", random.one(&["", "", "Senior ", "Junior ", "Lead "])),
        company: Employer {
            id: format!("company-{company}"),
            name: COMPANIES[company].to_owned(),
            profile_url: Some(format!("https://network.example.com/company/{company}")),
        },
        location: Some(random.one(PLACES).to_owned()),
        url: format!("https://network.example.com/jobs/{number}"),
        posted_at: posted,
        reposted: random.below(6) == 0,
        workplace_type: Some(random.one(&["on_site", "hybrid", "remote"]).to_owned()),
        easy_apply: random.below(2) == 0,
    }
}

/// The tokens of a query with AND, OR, NOT, quotes and parentheses.
fn tokens(query: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut letters = query.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '(' | ')' => tokens.push(letter.to_string()),
            '"' => {
                let quoted: String = letters.by_ref().take_while(|letter| *letter != '"').collect();
                tokens.push(format!("\"{}", quoted.to_lowercase()));
            }
            letter if letter.is_whitespace() => {}
            letter => {
                let mut word = letter.to_string();
                while let Some(next) = letters.next_if(|next| !next.is_whitespace() && !"()\"".contains(*next)) {
                    word.push(next);
                }
                tokens.push(if ["AND", "OR", "NOT"].contains(&word.as_str()) {
                    word
                } else {
                    format!("\"{}", word.to_lowercase())
                });
            }
        }
    }
    tokens
}

fn either(tokens: &[String], at: &mut usize, text: &str) -> bool {
    let mut holds = all(tokens, at, text);
    while tokens.get(*at).is_some_and(|token| token == "OR") {
        *at += 1;
        holds |= all(tokens, at, text);
    }
    holds
}

fn all(tokens: &[String], at: &mut usize, text: &str) -> bool {
    let mut holds = true;
    while let Some(token) = tokens.get(*at) {
        match token.as_str() {
            "OR" | ")" => break,
            "AND" => *at += 1,
            "NOT" => {
                *at += 1;
                holds &= !single(tokens, at, text);
            }
            _ => holds &= single(tokens, at, text),
        }
    }
    holds
}

fn single(tokens: &[String], at: &mut usize, text: &str) -> bool {
    let Some(token) = tokens.get(*at) else { return true };
    *at += 1;
    if token == "(" {
        let holds = either(tokens, at, text);
        *at += 1;
        return holds;
    }
    text.contains(token.trim_start_matches('"'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_world_is_the_same_for_the_same_seed_and_can_be_searched() {
        let world = World::new(1, 500);
        assert_eq!(world.person("p7"), World::new(1, 500).person("p7"));
        assert_ne!(world.person("p7"), World::new(2, 500).person("p7"));
        let engineers = PeopleSearch { job_titles: vec!["engineer".to_owned()], ..PeopleSearch::default() };
        assert!(!world.search(&engineers).is_empty() && world.search(&engineers).len() < 500);
        let query = |text: &str| {
            world.search(&PeopleSearch { boolean_query: Some(text.to_owned()), ..PeopleSearch::default() }).len()
        };
        let (rust, not) = (query("rust"), query("NOT rust"));
        assert_eq!(rust + not, 500);
        assert_eq!(query("(rust OR NOT rust) AND \"software engineer\""), query("\"Software Engineer\""));
        assert_eq!(query("rust NOT rust"), 0);
        assert_eq!(query(")((\"AND"), query(")((\"AND"), "a malformed query does not panic");
        assert_eq!(world.locations("berlin").len(), 1);
        assert!(!world.jobs(&JobSearch { keywords: Some("recruiter".to_owned()), ..JobSearch::default() }).is_empty());
    }
}

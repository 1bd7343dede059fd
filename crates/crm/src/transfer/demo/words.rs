//! The vocabulary of the demo data.

/// People of one script: given and family names with their form in addresses, cities, the prefix of phone numbers,
/// languages.
pub(super) struct Culture {
    pub given: &'static [(&'static str, &'static str)],
    pub family: &'static [(&'static str, &'static str)],
    pub cities: &'static [&'static str],
    pub phone: &'static str,
    pub languages: &'static [&'static str],
}

pub(super) const CULTURES: &[Culture] = &[
    Culture {
        given: &[
            ("Olivia", "olivia"),
            ("Noah", "noah"),
            ("Amelia", "amelia"),
            ("Ethan", "ethan"),
            ("Grace", "grace"),
            ("Liam", "liam"),
            ("Hannah", "hannah"),
            ("Samuel", "samuel"),
            ("Chloe", "chloe"),
            ("Isaac", "isaac"),
            ("Maya", "maya"),
            ("Owen", "owen"),
        ],
        family: &[
            ("Bennett", "bennett"),
            ("Carter", "carter"),
            ("O'Brien", "obrien"),
            ("Hughes", "hughes"),
            ("Walsh", "walsh"),
            ("Foster", "foster"),
            ("Morgan", "morgan"),
            ("Reid", "reid"),
            ("Sullivan", "sullivan"),
            ("Palmer", "palmer"),
            ("Okafor", "okafor"),
            ("Shah", "shah"),
        ],
        cities: &["London", "Dublin", "Boston", "Toronto", "Melbourne"],
        phone: "+44 20 7946",
        languages: &["English"],
    },
    Culture {
        given: &[
            ("Émile", "emile"),
            ("Chloé", "chloe"),
            ("Jérôme", "jerome"),
            ("Anaïs", "anais"),
            ("Lucie", "lucie"),
            ("Théo", "theo"),
            ("Zoé", "zoe"),
            ("Maël", "mael"),
            ("Inès", "ines"),
            ("Rémi", "remi"),
        ],
        family: &[
            ("Lefèvre", "lefevre"),
            ("Béranger", "beranger"),
            ("Dubois", "dubois"),
            ("Garçon", "garcon"),
            ("Moreau", "moreau"),
            ("Noël", "noel"),
            ("Rousseau", "rousseau"),
            ("Besançon", "besancon"),
            ("Petit", "petit"),
            ("D'Alembert", "dalembert"),
        ],
        cities: &["Paris", "Lyon", "Nîmes", "Genève", "Montréal"],
        phone: "+33 1 99 00",
        languages: &["French", "English"],
    },
    Culture {
        given: &[
            ("Jürgen", "juergen"),
            ("Käthe", "kaethe"),
            ("Søren", "soren"),
            ("Åsa", "asa"),
            ("Łukasz", "lukasz"),
            ("Zofia", "zofia"),
            ("Jiří", "jiri"),
            ("Björk", "bjork"),
            ("Müge", "muege"),
            ("Ștefan", "stefan"),
        ],
        family: &[
            ("Müller", "mueller"),
            ("Weiß", "weiss"),
            ("Jørgensen", "jorgensen"),
            ("Ångström", "angstrom"),
            ("Wiśniewski", "wisniewski"),
            ("Dvořák", "dvorak"),
            ("Großmann", "grossmann"),
            ("Çelik", "celik"),
            ("Ionescu", "ionescu"),
            ("Szabó", "szabo"),
        ],
        cities: &["Berlin", "Zürich", "København", "Łódź", "Göteborg"],
        phone: "+49 30 23125",
        languages: &["German", "English"],
    },
    Culture {
        given: &[
            ("Фёдор", "fedor"),
            ("Анна", "anna"),
            ("Дмитро", "dmytro"),
            ("Оксана", "oksana"),
            ("Иван", "ivan"),
            ("Ольга", "olga"),
            ("Сергій", "serhii"),
            ("Мария", "maria"),
        ],
        family: &[
            ("Иванов", "ivanov"),
            ("Шевченко", "shevchenko"),
            ("Петрова", "petrova"),
            ("Коваль", "koval"),
            ("Соколов", "sokolov"),
            ("Лысенко", "lysenko"),
            ("Морозова", "morozova"),
            ("Бондар", "bondar"),
        ],
        cities: &["Київ", "Львів", "София", "Алматы"],
        phone: "+380 44 000",
        languages: &["Ukrainian", "English"],
    },
    Culture {
        given: &[
            ("Γιώργος", "giorgos"),
            ("Ελένη", "eleni"),
            ("Νίκος", "nikos"),
            ("Μαρία", "maria"),
            ("Δημήτρης", "dimitris"),
            ("Σοφία", "sofia"),
        ],
        family: &[
            ("Παπαδόπουλος", "papadopoulos"),
            ("Νικολάου", "nikolaou"),
            ("Γεωργίου", "georgiou"),
            ("Ιωάννου", "ioannou"),
            ("Βασιλείου", "vasileiou"),
        ],
        cities: &["Αθήνα", "Θεσσαλονίκη", "Πάτρα"],
        phone: "+30 21 0000",
        languages: &["Greek", "English"],
    },
    Culture {
        given: &[
            ("محمد", "mohamed"),
            ("ليلى", "layla"),
            ("يوسف", "yousef"),
            ("فاطمة", "fatima"),
            ("عمر", "omar"),
            ("نور", "nour"),
        ],
        family: &[
            ("الحسن", "alhassan"),
            ("منصور", "mansour"),
            ("الخطيب", "alkhatib"),
            ("حداد", "haddad"),
            ("سالم", "salem"),
        ],
        cities: &["القاهرة", "دبي", "عمّان"],
        phone: "+971 4 000",
        languages: &["Arabic", "English"],
    },
    Culture {
        given: &[
            ("太郎", "taro"),
            ("さくら", "sakura"),
            ("健", "ken"),
            ("陽菜", "hina"),
            ("蓮", "ren"),
            ("ユイ", "yui"),
        ],
        family: &[("山田", "yamada"), ("田中", "tanaka"), ("佐藤", "sato"), ("鈴木", "suzuki"), ("高橋", "takahashi")],
        cities: &["東京", "大阪", "福岡"],
        phone: "+81 3 0000",
        languages: &["Japanese", "English"],
    },
    Culture {
        given: &[("伟", "wei"), ("芳", "fang"), ("娜", "na"), ("志明", "zhiming"), ("丽", "li"), ("强", "qiang")],
        family: &[("王", "wang"), ("李", "li"), ("张", "zhang"), ("刘", "liu"), ("陈", "chen")],
        cities: &["上海", "深圳", "北京"],
        phone: "+86 21 0000",
        languages: &["Chinese", "English"],
    },
    Culture {
        given: &[("강민", "kangmin"), ("서연", "seoyeon"), ("지훈", "jihoon"), ("하은", "haeun"), ("민수", "minsu")],
        family: &[("김", "kim"), ("박", "park"), ("이", "lee"), ("최", "choi")],
        cities: &["서울", "부산"],
        phone: "+82 2 0000",
        languages: &["Korean", "English"],
    },
    Culture {
        given: &[("नेहा", "neha"), ("अर्जुन", "arjun"), ("प्रिया", "priya"), ("विक्रम", "vikram"), ("रोहन", "rohan")],
        family: &[("शर्मा", "sharma"), ("पटेल", "patel"), ("सिंह", "singh"), ("गुप्ता", "gupta")],
        cities: &["मुंबई", "बेंगलुरु", "दिल्ली"],
        phone: "+91 22 0000",
        languages: &["Hindi", "English"],
    },
    Culture {
        given: &[("דוד", "david"), ("נועה", "noa"), ("איתן", "eitan"), ("תמר", "tamar")],
        family: &[("כהן", "cohen"), ("לוי", "levi"), ("מזרחי", "mizrahi")],
        cities: &["תל אביב", "חיפה"],
        phone: "+972 3 000",
        languages: &["Hebrew", "English"],
    },
];

pub(super) struct Role {
    pub title: &'static str,
    pub skills: &'static [&'static str],
}

pub(super) const ROLES: &[Role] = &[
    Role { title: "Backend Engineer", skills: &["Rust", "Go", "PostgreSQL", "Kafka", "Linux", "gRPC"] },
    Role { title: "Frontend Engineer", skills: &["TypeScript", "React", "CSS", "Accessibility", "Testing"] },
    Role { title: "Data Engineer", skills: &["Python", "SQL", "Airflow", "Spark", "dbt"] },
    Role { title: "Machine Learning Engineer", skills: &["Python", "PyTorch", "Statistics", "C++", "CUDA"] },
    Role { title: "Site Reliability Engineer", skills: &["Kubernetes", "Terraform", "Linux", "Go", "Observability"] },
    Role { title: "Product Manager", skills: &["Roadmaps", "Discovery", "SQL", "Pricing", "Interviews"] },
    Role { title: "Product Designer", skills: &["Prototyping", "Research", "Typography", "Design systems"] },
    Role { title: "Account Executive", skills: &["Negotiation", "Forecasting", "Enterprise sales", "Demos"] },
    Role { title: "Recruiter", skills: &["Sourcing", "Interviewing", "Employer branding", "Onboarding"] },
    Role { title: "Finance Manager", skills: &["Controlling", "IFRS", "Budgeting", "Audit"] },
    Role { title: "Nurse Manager", skills: &["Intensive care", "Rostering", "Triage", "Training"] },
    Role { title: "Mechanical Engineer", skills: &["CAD", "Thermodynamics", "Manufacturing", "FEM"] },
];

pub(super) const SENIORITIES: &[&str] = &["junior", "mid", "senior", "lead", "principal"];
pub(super) const STATUSES: &[&str] = &["new", "new", "new", "contacted", "contacted", "replied", "qualified"];
pub(super) const TYPES: &[&str] = &["candidate", "candidate", "candidate", "candidate", "client", "prospect", "other"];
pub(super) const TIERS: &[&str] = &["gold", "silver", "bronze"];
pub(super) const AREAS: &[&str] = &["engineering", "product", "sales", "operations", "finance"];
pub(super) const CONTACT_TAGS: &[&str] =
    &["VIP", "Referral", "Passive", "Conference 2026", "Remote only", "Alumni", "Fast mover"];
pub(super) const COMPANY_TAGS: &[&str] = &["Key account", "Partner", "Hiring", "Renewal", "Newsletter"];
pub(super) const INDUSTRIES: &[&str] = &[
    "Software",
    "Logistics",
    "Healthcare",
    "Energy",
    "Finance",
    "Retail",
    "Education",
    "Manufacturing",
    "Media",
    "Agriculture",
];
pub(super) const SIZES: &[(&str, usize)] = &[
    ("1-10", 6),
    ("11-50", 24),
    ("51-200", 90),
    ("201-500", 260),
    ("501-1000", 640),
    ("1001-5000", 2400),
    ("5001-10000", 6000),
];
pub(super) const COMPANY_FIRST: &[&str] = &[
    "Northwind",
    "Harbour",
    "Cobalt",
    "Juniper",
    "Meridian",
    "Lantern",
    "Aurora",
    "Granite",
    "Willow",
    "Vertex",
    "Saffron",
    "Orchard",
    "Beacon",
    "Tundra",
    "Pelican",
    "Summit",
    "Ember",
    "Lattice",
    "Quartz",
    "Mosaic",
];
pub(super) const COMPANY_SECOND: &[&str] = &[
    "Systems",
    "Labs",
    "Partners",
    "Logistics",
    "Health",
    "Energy",
    "Works",
    "Analytics",
    "Foods",
    "Robotics",
    "Studio",
    "Capital",
];
pub(super) const NOTES: &[&str] = &[
    "Spoke on the phone for half an hour.",
    "Met at the conference.",
    "Came by recommendation of a colleague.",
    "Answered within a day and asked good questions.",
    "Happy where they are, but open to hear more.",
    "Has a second offer; decides soon.",
    "Prefers email over calls.",
];
pub(super) const NEXT_STEPS: &[&str] = &[
    "Call again next month.",
    "Send the role description.",
    "Introduce to the hiring manager.",
    "Nothing to do for the moment.",
    "Agree on a date for the interview.",
    "Ask for references.",
];

/// Tasks by type.
pub(super) const TASKS: &[(&str, &str)] = &[
    ("call", "Call about the next step"),
    ("call", "Ask for references"),
    ("email", "Send the job description"),
    ("email", "Follow up on the offer"),
    ("network_connect", "Connect on the network"),
    ("network_message", "Answer the message on the network"),
    ("chat", "Agree on a time"),
    ("todo", "Complete the profile"),
    ("todo", "Check the salary expectation"),
    ("reminder", "Ask again next quarter"),
    ("meeting", "Prepare the meeting"),
    ("interview", "Hold the first interview"),
];

/// Sequences that can be started once there are accounts to send from.
pub(super) const SEQUENCES: &[&str] = &[
    r#"{"name": "Candidates: first contact", "steps": [
        {"type": "email", "name": "Hello", "subject": "A question, {{ first_name }}",
         "body": "Hi {{ first_name }},\n\nyour work at {{ current_company | default(\"your company\") }} caught my eye. Would you be open to a short call?\n\n{{ sender.name }}"},
        {"type": "email", "name": "Reminder", "delay_days": 3,
         "body": "Hi {{ first_name }},\n\ndid my message reach you?\n\n{{ sender.name }}"},
        {"type": "call", "name": "Call", "delay_days": 4, "execution_mode": "manual", "entry_conditions": {"phone": "is.not_null"}}]}"#,
    r#"{"name": "Clients: new market", "mode": "advanced", "priority": "high",
        "schedule_config": {"days": ["tue", "wed", "thu"], "daily_limit": 40, "skip_dates": ["2026-12-24", "2026-12-25"]},
        "steps": [
        {"client_key": "visit", "type": "network_visit", "name": "Look at the profile"},
        {"client_key": "connect", "type": "network_connect", "name": "Connect", "delay_days": 1, "parent_step_id": "visit",
         "branch_condition": {"type": "has_network_profile"}},
        {"type": "network_message", "name": "Thank you", "body": "Thank you for connecting, {{ first_name }}.", "parent_step_id": "connect",
         "branch_condition": {"type": "invite_accepted", "after_days": 7}},
        {"type": "email", "name": "By email instead", "subject": "{{ company.name | default(\"Your company\") }} and us",
         "body": "Hi {{ first_name }},\n\nwho of you looks after hiring?", "parent_step_id": "visit", "branch_condition": {"type": "otherwise"}}]}"#,
];

pub(super) const OFFERS: &[&str] = &[
    "Annual licences",
    "Search mandate",
    "Onboarding project",
    "Support contract",
    "Team training",
    "Pilot",
    "Renewal",
    "Interim placement",
    "Salary benchmark",
    "Employer branding",
];
pub(super) const CURRENCIES: &[&str] = &["EUR", "EUR", "EUR", "USD", "GBP", "CHF"];

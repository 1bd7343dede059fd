//! Random templates, valid and broken: none panics, none exceeds a limit, and no value is larger than its estimated size.

use super::engine::FUEL;
use super::fill::each_emitted;
use super::*;
use rustix::time::{ClockId, clock_gettime};
use serde_json::{Map, json};
use std::time::Duration;

/// A generator of numbers that gives the same ones for the same seed.
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most
    }
    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }
}

const ATOMS: &[&str] = &[
    "first_name",
    "last_name",
    "summary",
    "tags",
    "emails",
    "emails[0].email",
    "emails[9].email",
    "company.name",
    "custom_data.level",
    "custom_data",
    "custom_variable_1",
    "nobody",
    "\"a\\nb\"",
    "\"\"",
    "'ß'",
    "1",
    "0",
    "-1",
    "2.5",
    "1e300",
    "60000000000",
    "18446744073709551615",
    "340282366920938463463374607431768211455",
    "true",
    "none",
    "[1, 'a']",
    "{'a': 'b'}",
    "()",
    "(1, 2)",
];
const OPERATORS: &[&str] = &[
    "+", "-", "/", "//", "%", "~", "==", "!=", "<", "<=", ">", ">=", "and", "or", "in", "not in", "*", "**", "is", "if",
];
const OTHER_FILTERS: &[&str] = &["indent", "format", "batch", "slice", "replace", "shout", "sum", "map"];
const MUTATIONS: &[&str] = &[
    "{{",
    "}}",
    "{%",
    "%}",
    "{#",
    "#}",
    "\"",
    "'",
    "(",
    ")",
    "[",
    "]",
    "|",
    ".",
    "{% raw %}",
    "\0",
    "ü",
    "{% if",
    "elif",
    "{% endif %}",
    "{% for x in y %}",
    "-",
    ",",
    ":",
    "=",
    "`",
    "\\",
    "_",
];

fn expression(random: &mut Random, depth: usize) -> String {
    let inner = |random: &mut Random| expression(random, depth - 1);
    if depth == 0 {
        return random.one(ATOMS).to_owned();
    }
    match random.below(12) {
        0..=2 => random.one(ATOMS).to_owned(),
        3..=5 => {
            let filter = if random.below(10) == 0 { random.one(OTHER_FILTERS) } else { random.one(FILTERS) };
            let value = inner(random);
            match random.below(3) {
                0 => format!("{value}|{filter}"),
                1 => format!("({value})|{filter}({})", inner(random)),
                _ => format!("({value})|{filter}({}, {})", inner(random), inner(random)),
            }
        }
        6 | 7 => format!("({}) {} ({})", inner(random), random.one(OPERATORS), inner(random)),
        8 => format!(
            "({})[{}:{}]",
            inner(random),
            inner(random),
            random.one(&[
                "",
                "1",
                "-1",
                "99999999999",
                "2:3",
                "::0",
                ":-9223372036854775808",
                "9:0-9223372036854775807-1",
                "9:custom_data.least",
            ])
        ),
        9 => format!("({})[{}]", inner(random), inner(random)),
        10 => format!("({}) is {}", inner(random), random.one(TESTS)),
        _ => format!("{} if {} else {}", inner(random), inner(random), inner(random)),
    }
}

fn template(random: &mut Random) -> String {
    let mut text = String::new();
    for _ in 0..=random.below(4) {
        let depth = random.below(5);
        match random.below(3) {
            0 => text.push_str("Hello <b>&amp;</b> "),
            1 => text.push_str(&format!("{{{{ {} }}}}", expression(random, depth))),
            _ => {
                let (condition, then) = (expression(random, depth), expression(random, 1));
                text.push_str(&format!("{{% if {condition} %}}{{{{ {then} }}}}{{% else %}}x{{% endif %}}"));
            }
        }
    }
    for _ in 0..random.below(3) {
        let at = text.floor_char_boundary(random.below(text.len() + 1));
        match random.below(3) {
            0 => text.insert_str(at, random.one(MUTATIONS)),
            1 => text.truncate(at),
            _ => text = format!("{}{}", &text[..at], text.repeat(1 + random.below(3))),
        }
    }
    text
}

/// The time that this thread has spent on a processor, which other processes do not affect.
fn spent() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec as u32)
}

/// Many times what a template takes, and far less than one without limits would.
const LONGEST_TIME: Duration = Duration::from_millis(500);

#[test]
fn no_template_costs_more_than_it_may() {
    let seeds = if std::env::var_os("RELATA_LONG").is_some() { 100_000 } else { 5_000 };
    let names = json!({"first_name": "Ann", "summary": "x".repeat(60_000), "tags": vec!["tag"; 2_000], "company": {"name": "Looms"},
        "emails": [{"email": "ann@example.com"}], "custom_data": {"level": 3, "least": i64::MIN}, "custom_variable_1": "ßŉ".repeat(500)});
    let names = names.as_object().expect("an object");
    let (filling, known, mut filled) = (Filling::of(names), Names::with(vec!["level".into()]), 0);
    let (mut before, mut longest) = (spent(), Duration::ZERO);
    for seed in 0..seeds {
        let took = spent() - before;
        assert!(took < LONGEST_TIME, "seed {}: {took:?} of the processor", seed - 1);
        (before, longest) = (spent(), longest.max(took));
        let mut random = Random(seed);
        let text = template(&mut random);
        known.check(&text);
        for html in [false, true] {
            if let Ok(made) = filling.fill(&text, html) {
                filled += 1;
                assert!(made.len() <= LONGEST_OUTPUT, "seed {seed}: {} bytes of {text}", made.len());
            }
        }
        // One expression alone is no larger than was thought.
        let depth = random.below(5);
        let alone = format!("{{{{ {} }}}}", expression(&mut random, depth));
        let Ok(tree) = parsed(&alone) else { continue };
        let (mut thought, mut total) = (None, 0);
        each_emitted(&tree, &mut |expression| thought = filling.size(expression, &mut total).ok());
        if let Ok(made) = filling.fill(&alone, false) {
            assert!(Some(made.len()) <= thought, "seed {seed}: {} bytes, thought {thought:?}: {alone}", made.len());
        }
    }
    println!("the longest of {seeds} templates took {longest:?}");
    assert!(filled > seeds / 10, "only {filled} of {seeds} templates could be filled in");
}

#[test]
fn a_slice_that_the_engine_panics_on_is_refused() {
    let names = json!({"summary": "abc", "custom_data": {"level": 3, "least": i64::MIN}});
    let (filling, known) = (Filling::of(names.as_object().expect("an object")), Names::with(vec!["least".into()]));
    for text in [
        "{{ summary[0:9:-9223372036854775808] }}",
        "{{ summary[0:9:0-9223372036854775807-1] }}",
        "{{ 'abc'[::-9223372036854775808] }}",
        "{% if summary[-9223372036854775808:] %}x{% endif %}",
        "{{ summary[:9:'a'] }}",
    ] {
        let failed = filling.fill(text, false);
        assert!(failed.as_ref().is_err_and(|fault| fault.is_refused), "{text}: {failed:?}");
        assert!(refusal(text).is_some_and(|reason| reason.contains("slice")), "{text}");
        assert!(known.check(text).iter().any(|reason| reason.contains("slice")), "{text}: {:?}", known.check(text));
    }
    // Legal when it is saved; it fails for the contact whose value it is.
    let computed = "{{ summary[0:9:custom_data.least] }}";
    assert_eq!(known.check(computed), Vec::<String>::new());
    assert!(filling.fill(computed, false).is_ok_and(|text| text == "a") || filling.fill(computed, false).is_err());
    assert_eq!(filling.fill("{{ summary[0:2] }}{{ summary[::-1] }}{{ summary[-2:] }}", false), Ok("abcbabc".into()));
}

#[test]
fn what_made_much_of_little_is_refused() {
    let names = json!({"first_name": "Ann", "summary": "x".repeat(60_000), "tags": vec!["t"; 2_000]});
    let filling = Filling::of(names.as_object().expect("an object"));
    for text in [
        "{{ \"a\\nb\"|indent(60000000000) }}",
        "{{ \"a\\nb\"|indent(18446744073709551615) }}",
        "{{ \"abc\"|slice(30000000) }}",
        "{{ \"abc\"|batch(30000000, 'x') }}",
        "{{ \"%1000000000d\"|format(1) }}",
        "{{ \"a\"*100000000 }}",
        "{{ first_name * 100000000 }}",
        "{{ 9**99999999 }}",
        "{{ 'a'|replace('', 'b') }}",
        "{{ summary ~ summary ~ summary ~ summary }}",
        "{{ summary }}{{ summary }}{{ summary }}{{ summary }}",
        "{{ summary | join(summary) }}",
        "{{ tags | join('0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789') }}",
        "{{ range(1000000000) }}",
        "{% for x in tags %}{% endfor %}",
    ] {
        let failed = filling.fill(text, false);
        assert!(failed.as_ref().is_err_and(|fault| fault.is_refused), "{text}: {failed:?}");
    }
}

/// The checks of templates admit none that needs so much; the fuel is for what they overlook.
#[test]
fn the_engine_stops_when_its_fuel_is_spent() {
    let rounds = |count: u64| {
        let values = minijinja::Value::from_iter(0..count);
        let names = minijinja::Value::from_pairs([("values", values)]);
        JINJA.render_str("{% for value in values %}{% endfor %}", names)
    };
    assert!(rounds(FUEL / 100).is_ok());
    let stopped = rounds(FUEL).map_err(|error| error.kind());
    assert_eq!(stopped, Err(minijinja::ErrorKind::OutOfFuel));
    // Templates as long as the checks admit.
    let names = json!({"first_name": "A", "tags": ["t"]});
    let filling = Filling::of(names.as_object().expect("an object"));
    for piece in ["{{first_name}}", "{%if tags%}{%endif%}"] {
        let filled = filling.fill(&piece.repeat(20_000 / piece.len()), false);
        assert!(filled.is_ok(), "{piece}: {filled:?}");
    }
}

/// On the stack of a thread of the server.
#[test]
fn no_template_is_too_deep_to_be_compiled() {
    let checked = || {
        for (start, piece, end) in [
            ("{{ ", "(", ""),
            ("{{ a", "~a", " }}"),
            ("{{ a", ".a", " }}"),
            ("{{ a", "|upper", " }}"),
            ("{{ ", "not ", "a }}"),
            ("{{ ", "-", "1 }}"),
            ("{{ 1", "+1", " }}"),
            ("{{ ", "[", ""),
            ("{{ ", "{1:", ""),
            ("{{ a", "[0]", " }}"),
            ("{{ a", " if a else a", " }}"),
            ("", "{% if a %}", ""),
            ("{% if a %}", "{% elif a %}", "{% endif %}"),
            ("{{ a", " is defined", " }}"),
            ("{{ a", "(", " }}"),
            ("{{ a", "<a", " }}"),
            ("", "{{ a }}", ""),
            ("", "{{", ""),
            ("", "{#", ""),
            ("{{ '", "\\u", ""),
        ] {
            let text = format!("{start}{}{end}", piece.repeat(20_000 / piece.len()));
            Names::with(Vec::new()).check(&text);
            drop(Filling::of(&Map::new()).fill(&text, true));
        }
    };
    let thread = std::thread::Builder::new().stack_size(1024 * 1024).spawn(checked).expect("a thread");
    thread.join().expect("no panic");
}

//! Templates in subjects and bodies: a subset of Jinja with names, filters and conditions.
//!
//! Templates are untrusted. The syntax tree is checked before the template is compiled, since the compiler computes
//! constants: only listed filters and operators are allowed, and no value may become larger than a message.

mod braces;
mod engine;
mod fill;
mod tree;
mod values;

pub use braces::half_written;
pub use engine::{FILTERS, TESTS};
pub use fill::{Drafted, Filling};

use crate::records::contact::Contact;
use engine::JINJA;
use lru::LruCache;
use minijinja::machinery::ast::Stmt;
use minijinja::machinery::{Token, parse, tokenize};
use resource::{Ctx, Error, Field, Kind, Resource, custom, nearest};
use sha2::{Digest, Sha256};
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, LazyLock, Mutex};
use store::Tx;
use tree::{all_faults, incomputable};

/// Most bytes of a rendered template, and of each value in it.
pub const LONGEST_OUTPUT: usize = 200_000;
/// Most bytes of all values together.
const LONGEST_TOTAL: usize = 20 * LONGEST_OUTPUT;
/// Most bytes of a template: a body of 20,000 characters.
pub const LONGEST_SOURCE: usize = 80_000;
/// Most names, operators and brackets between `{{` and `}}`.
const MOST_TOKENS: usize = 300;
/// Most nested conditions; an `elif` is nested in the condition before it.
const MOST_CONDITIONS: usize = 50;
/// The largest bound of a slice such as `[0:9]`, in both directions. No value has more characters.
const LARGEST_BOUND: i128 = 1_000_000;

/// Besides the contact's members, `custom_data.<key>` and `custom_variable_1` … `custom_variable_10`.
const OTHERS: &[&str] =
    &["company.name", "sender.name", "sender.first_name", "sender.email", SIGNATURE, "project.name", UNSUBSCRIBE_URL];
/// The signature of the account that sends, in the format of the body.
pub const SIGNATURE: &str = "sender.signature";
/// The link by which the contact unsubscribes.
pub const UNSUBSCRIBE_URL: &str = "unsubscribe_url";
const STATEMENTS: &[&str] = &["if", "elif", "else", "endif"];
const VARIABLES: u32 = 10;

/// Whether templates can use this field of a contact.
pub fn is_variable(field: &Field) -> bool {
    !field.hidden && field.kind != Kind::Object
}

/// The names that templates can use besides the fields of a contact and custom fields.
pub fn other_variables() -> Vec<String> {
    let numbered = (1..=VARIABLES).map(|n| format!("custom_variable_{n}"));
    OTHERS.iter().map(|name| (*name).to_owned()).chain(numbered).collect()
}

/// The names that templates can use.
pub struct Names {
    custom: Vec<String>,
}

impl Names {
    pub fn of(ctx: &Ctx, tx: &mut dyn Tx) -> Result<Names, Error> {
        let custom = custom::definitions(ctx, tx, Contact::ABOUT.one)?;
        Ok(Names::with(custom.into_iter().map(|field| field.key).collect()))
    }

    fn with(custom: Vec<String>) -> Names {
        Names { custom }
    }

    /// Why a text can't be a template.
    pub fn check(&self, text: &str) -> Vec<String> {
        let examined = examine(text);
        let unknown = examined.names.iter().filter(|name| !self.has(name));
        let mut reasons = examined.reasons.clone();
        reasons.extend(unknown.enumerate().map(|(at, name)| {
            // Finding the nearest name takes long, and so many unknown names are no typing errors.
            let meant = if at < 5 { self.meant(name) } else { String::new() };
            format!("there is no {name} to fill in{meant}")
        }));
        reasons
    }

    /// The name that was probably meant.
    fn meant(&self, name: &str) -> String {
        let members = Contact::FIELDS.iter().filter(|field| is_variable(field)).map(|field| field.name.to_owned());
        let custom = self.custom.iter().map(|key| format!("custom_data.{key}"));
        let known: Vec<String> = members.chain(custom).chain(other_variables()).collect();
        did_you_mean(name, &known.iter().map(String::as_str).collect::<Vec<_>>())
    }

    fn has(&self, name: &str) -> bool {
        let root = name.split('.').next().unwrap_or(name);
        let member = Contact::FIELDS.iter().find(|field| field.name == root && !field.hidden);
        let variable = || name.strip_prefix("custom_variable_").and_then(|n| n.parse::<u32>().ok());
        match (name.strip_prefix("custom_data."), member.map(|field| field.kind)) {
            (Some(key), _) => self.custom.iter().any(|known| known == key),
            (None, Some(Kind::Object)) => false,
            // Members of list items are not checked.
            (None, Some(Kind::Items(_) | Kind::Texts | Kind::Labels)) => true,
            (None, Some(_)) => root == name,
            (None, None) => {
                let numbered =
                    variable().is_some_and(|n| (1..=VARIABLES).contains(&n) && name == format!("custom_variable_{n}"));
                numbered || OTHERS.contains(&name)
            }
        }
    }
}

fn did_you_mean(name: &str, known: &[&str]) -> String {
    nearest(name, known).map_or(String::new(), |near| format!(" (did you mean {near}?)"))
}

/// What is known of a template without its workspace.
#[derive(Default)]
struct Examined {
    /// Why it can't be a template.
    reasons: Vec<String>,
    /// The names that it uses, sorted.
    names: Vec<String>,
}

/// Most names in a template. A workspace has fewer.
const MOST_NAMES: usize = 300;
/// Most characters of a name, with its parents.
const LONGEST_NAME: usize = 100;
/// How many examined templates are cached: those of five of the largest sequences.
const REMEMBERED: NonZeroUsize = NonZeroUsize::new(1000).unwrap();

/// Examined templates by the hash of their text.
static EXAMINED: LazyLock<Mutex<LruCache<[u8; 32], Arc<Examined>>>> =
    LazyLock::new(|| Mutex::new(LruCache::new(REMEMBERED)));

/// Examines a template. The result is cached, since parsing takes long: it happens before a write begins, and the write then
/// uses the cached result.
fn examine(text: &str) -> Arc<Examined> {
    let hash: [u8; 32] = Sha256::digest(text).into();
    let remembered = || EXAMINED.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if let Some(examined) = remembered().get(&hash) {
        return examined.clone();
    }
    let examined = Arc::new(
        guarded(|| examined(text))
            .unwrap_or_else(|| Examined { reasons: vec![incomputable_fault().reason], names: Vec::new() }),
    );
    remembered().put(hash, examined.clone());
    examined
}

/// Examines templates, so that `Names::check` is fast afterwards.
pub fn examine_all<'a>(texts: impl Iterator<Item = &'a str>) {
    texts.for_each(|text| drop(examine(text)));
}

/// The names that a template uses, sorted.
pub fn variables(text: &str) -> Vec<String> {
    examine(text).names.clone()
}

/// Whether a template uses this name.
pub fn names(text: &str, name: &str) -> bool {
    examine(text).names.iter().any(|used| used == name)
}

/// The keys of the custom fields that a template names.
pub fn custom_fields(text: &str) -> Vec<String> {
    examine(text).names.iter().filter_map(|name| name.strip_prefix("custom_data.").map(str::to_owned)).collect()
}

/// Runs the template engine; `None` if it panics, which it does for some numbers.
fn guarded<T>(work: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(work)).ok()
}

fn incomputable_fault() -> Fault {
    Fault::of("can't be computed: it holds a value that the template engine fails on, such as a very large number")
}

fn examined(text: &str) -> Examined {
    let refused = |reason: String| Examined { reasons: vec![reason], names: Vec::new() };
    let tree = match parsed(text) {
        Ok(tree) => tree,
        Err(fault) => return refused(fault.reason),
    };
    let faults = all_faults(&tree);
    let mut reasons: Vec<String> = faults.iter().map(|fault| fault.reason.clone()).collect();
    // Constants are computed by the compiler.
    if faults.iter().any(|fault| fault.is_refused) {
        return Examined { reasons, names: Vec::new() };
    }
    reasons.extend(incomputable(&tree));
    let template = match JINJA.template_from_str(text) {
        Ok(template) => template,
        Err(error) => return refused(syntax(&error).reason),
    };
    let mut names: Vec<String> = template.undeclared_variables(true).into_iter().collect();
    if names.len() > MOST_NAMES {
        return refused(format!("fills in {} different names; there may be {MOST_NAMES}", names.len()));
    }
    if let Some(long) = names.iter().find(|name| name.chars().count() > LONGEST_NAME) {
        let start: String = long.chars().take(40).collect();
        return refused(format!("there is no {start}… to fill in: names have at most {LONGEST_NAME} characters"));
    }
    names.sort();
    Examined { reasons, names }
}

/// Why a template can't be used.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    pub reason: String,
    /// The template is at fault, for every contact: it holds what is not allowed, or exceeds a limit.
    pub is_refused: bool,
    /// Names without a value and a fallback.
    pub missing: Vec<String>,
}

impl Fault {
    fn refused(reason: impl Into<String>) -> Fault {
        Fault { is_refused: true, ..Fault::of(reason) }
    }
    fn of(reason: impl Into<String>) -> Fault {
        Fault { reason: reason.into(), is_refused: false, missing: Vec::new() }
    }
}

/// Why a template is refused for every contact.
pub fn refusal(text: &str) -> Option<String> {
    let faults = guarded(|| match parsed(text) {
        Ok(tree) => all_faults(&tree),
        Err(fault) => vec![fault],
    });
    faults
        .unwrap_or_else(|| vec![incomputable_fault()])
        .into_iter()
        .find(|fault| fault.is_refused)
        .map(|fault| fault.reason)
}

/// The syntax tree of a text. Its depth is limited before it is built, since trees are built, compiled and dropped
/// recursively.
fn parsed(text: &str) -> Result<Stmt<'_>, Fault> {
    if text.len() > LONGEST_SOURCE {
        return Err(Fault::refused(format!("has more than {LONGEST_SOURCE} bytes")));
    }
    let (mut tokens, mut open, mut begins) = (0, Vec::new(), false);
    for token in tokenize(text, false, Default::default()) {
        let (token, _) = token.map_err(|error| syntax(&error))?;
        tokens += 1;
        match token {
            Token::VariableStart | Token::BlockStart | Token::TemplateData(_) => tokens = 0,
            Token::Ident(word) if begins && !STATEMENTS.contains(&word) => {
                let reason = format!("does not take {{% {word} %}}: templates hold names, filters and {{% if %}}");
                return Err(Fault::refused(reason));
            }
            Token::Ident("if") if begins => open.push(1),
            Token::Ident("elif") if begins => open.iter_mut().next_back().into_iter().for_each(|depth| *depth += 1),
            Token::Ident("endif") if begins => drop(open.pop()),
            _ => {}
        }
        if tokens > MOST_TOKENS {
            let reason = format!("has more than {MOST_TOKENS} names and operators in one expression; split it");
            return Err(Fault::refused(reason));
        }
        if open.iter().sum::<usize>() > MOST_CONDITIONS {
            return Err(Fault::refused(format!("has more than {MOST_CONDITIONS} conditions in each other")));
        }
        begins = matches!(token, Token::BlockStart);
    }
    parse(text, "template", Default::default()).map_err(|error| syntax(&error))
}

fn syntax(error: &minijinja::Error) -> Fault {
    let line = error.line().map_or(String::new(), |line| format!(" in line {line}"));
    let detail = match error.detail().unwrap_or("it is not a Jinja template") {
        detail if detail.ends_with("expected end of variable block") => "`}}` is missing after `{{`",
        "unexpected end of input, expected end of block" => "`%}` or `{% endif %}` is missing",
        "unexpected end of input, expected keyword" => "`%}` is missing after `{%`",
        detail => detail,
    };
    Fault::of(format!("has a syntax error{line}: {detail}"))
}

#[cfg(test)]
mod fuzz;

#[cfg(test)]
mod tests;

//! Templates in subjects and bodies, as Jinja writes them: names, filters and conditions. They hold no other code.
//!
//! A template may come from anybody who may write a sequence. Its syntax tree is checked before it is compiled, since
//! constants are computed then: what is not on a list is refused, and so is whatever could make a value that is larger
//! than a message may be.

mod engine;

use crate::contact::Contact;
use engine::JINJA;
pub use engine::{FILTERS, TESTS};
use lru::LruCache;
use minijinja::machinery::ast::{BinOpKind, CallArg, Expr, Stmt};
use minijinja::machinery::{Token, parse, tokenize};
use minijinja::value::{Enumerator, Object, ObjectRepr};
use minijinja::{ErrorKind, Value};
use resource::{Ctx, Error, Kind, Resource, custom, nearest};
use serde_json::{Map, Value as Json};
use sha2::{Digest, Sha256};
use std::fmt::{self, Write};
use std::io;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, LazyLock, Mutex};
use store::Tx;

/// Bytes that a template makes, and of each value on the way.
pub const LONGEST_OUTPUT: usize = 200_000;
/// Bytes of all values on the way.
const LONGEST_TOTAL: usize = 20 * LONGEST_OUTPUT;
/// Bytes of a template: a body of 20,000 characters.
pub const LONGEST_SOURCE: usize = 80_000;
/// Names, operators and brackets between `{{` and `}}`.
const MOST_TOKENS: usize = 300;
/// Conditions in conditions; an `elif` stands in the one before it.
const MOST_CONDITIONS: usize = 50;
/// The largest number in a slice such as `[0:9]`, either way: a value has fewer characters.
const LARGEST_BOUND: i128 = 1_000_000;

/// Besides the contact's members, `custom_data.<key>` and `custom_variable_1` … `custom_variable_10`.
const OTHERS: &[&str] = &["company.name", "sender.name", "project.name"];
const STATEMENTS: &[&str] = &["if", "elif", "else", "endif"];
const VARIABLES: u32 = 10;
/// What templates may name.
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
            // To find the nearest takes long; whoever sends many has not mistyped them.
            let meant = if at < 5 { self.meant(name) } else { String::new() };
            format!("there is no {name} to fill in{meant}")
        }));
        reasons
    }

    /// The name that was probably meant.
    fn meant(&self, name: &str) -> String {
        let members = Contact::FIELDS.iter().filter(|field| !field.hidden).map(|field| field.name.to_owned());
        let custom = self.custom.iter().map(|key| format!("custom_data.{key}"));
        let numbered = (1..=VARIABLES).map(|n| format!("custom_variable_{n}"));
        let others = OTHERS.iter().map(|name| (*name).to_owned());
        let known: Vec<String> =
            members.chain(custom).chain(numbered).chain(others).filter(|it| self.has(it)).collect();
        did_you_mean(name, &known.iter().map(String::as_str).collect::<Vec<_>>())
    }

    fn has(&self, name: &str) -> bool {
        let root = name.split('.').next().unwrap_or(name);
        let member = Contact::FIELDS.iter().find(|field| field.name == root && !field.hidden);
        let variable = || name.strip_prefix("custom_variable_").and_then(|n| n.parse::<u32>().ok());
        match (name.strip_prefix("custom_data."), member.map(|field| field.kind)) {
            (Some(key), _) => self.custom.iter().any(|known| known == key),
            (None, Some(Kind::Object)) => false,
            // What lists hold has names of its own.
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

/// What a template says by itself, in whatever workspace.
#[derive(Default)]
struct Examined {
    /// Why it can't be a template.
    reasons: Vec<String>,
    /// What it fills in, sorted.
    names: Vec<String>,
}

/// Names that a template may fill in. A workspace has fewer of them.
const MOST_NAMES: usize = 300;
/// Characters of such a name, with what it is a member of.
const LONGEST_NAME: usize = 100;
/// Templates that are remembered: those of ten of the largest sequences.
const REMEMBERED: NonZeroUsize = NonZeroUsize::new(1000).unwrap();

/// By the hash of its text.
static EXAMINED: LazyLock<Mutex<LruCache<[u8; 32], Arc<Examined>>>> =
    LazyLock::new(|| Mutex::new(LruCache::new(REMEMBERED)));

/// Examines a template. The result is remembered, because parsing takes long: it is done before a write begins, and the
/// write then finds it here.
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

/// Examines the templates of some steps, so that `Names::check` is brief afterwards.
pub fn examine_steps<'a>(steps: impl Iterator<Item = &'a Json>) {
    for text in steps.flat_map(|step| [step.get("subject"), step.get("body")]).flatten().filter_map(Json::as_str) {
        examine(text);
    }
}

/// Runs the template engine. `None` if it panics, which it does for some numbers: that is the template's fault.
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
}

impl Fault {
    fn refused(reason: impl Into<String>) -> Fault {
        Fault { reason: reason.into(), is_refused: true }
    }
    fn of(reason: impl Into<String>) -> Fault {
        Fault { reason: reason.into(), is_refused: false }
    }
}

/// Why a text is refused whoever it is filled in for.
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

/// The syntax tree of a text. Its depth is bounded before it is built: a tree is built, compiled and dropped by recursion.
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
    Fault::of(format!("has a syntax error{line}: {}", error.detail().unwrap_or("it is not a Jinja template")))
}

/// All that a template holds and may not.
fn faults(tree: &Stmt) -> Vec<Fault> {
    let mut found: Vec<Fault> = Vec::new();
    each_expression(tree, &mut |expression| {
        let fault = match expression {
            Expr::Filter(filter) if !FILTERS.contains(&filter.name) => {
                let meant = did_you_mean(filter.name, FILTERS);
                let reason = format!("there is no filter {}{meant}; there are {}", filter.name, FILTERS.join(", "));
                Fault { reason, is_refused: engine::REFUSED.contains(&filter.name) }
            }
            Expr::Test(test) if !TESTS.contains(&test.name) => {
                Fault::of(format!("there is no test {}; there are {}", test.name, TESTS.join(", ")))
            }
            Expr::BinOp(operator) if matches!(operator.op, BinOpKind::Mul | BinOpKind::Pow) => {
                Fault::refused("does not take * and **: nothing is repeated or multiplied")
            }
            // Names of Jinja's own, which no value is ever given to.
            Expr::Var(name) if ["self", "loop", "super"].contains(&name.id) => {
                Fault::of(format!("there is no {} to fill in", name.id))
            }
            Expr::Call(_) => Fault::of("does not take calls such as name(): there are no functions"),
            _ => return,
        };
        if !found.contains(&fault) {
            found.push(fault);
        }
    });
    found
}

/// All that a template holds and may not, with the bounds of its slices.
fn all_faults(tree: &Stmt) -> Vec<Fault> {
    let mut found = faults(tree);
    // Constants are computed to be compared.
    if !found.iter().any(|fault| fault.is_refused) {
        found.extend(slice_fault(tree));
    }
    found
}

/// A slice with a constant bound that no value needs. The template engine negates and adds bounds without a check. Bounds
/// that are filled in are computed under `guarded`.
fn slice_fault(tree: &Stmt) -> Option<Fault> {
    let mut fault = None;
    each_expression(tree, &mut |expression| {
        let Expr::Slice(slice) = expression else { return };
        let bounds = [&slice.start, &slice.stop, &slice.step].into_iter().flatten().filter_map(Expr::as_const);
        for bound in bounds.filter(|bound| !bound.is_none()) {
            let number = i128::try_from(bound).ok();
            if number.is_none_or(|number| !(-LARGEST_BOUND..=LARGEST_BOUND).contains(&number)) {
                let most = LARGEST_BOUND;
                let reason = format!("has a slice whose bounds are not whole numbers from -{most} to {most}");
                fault = Some(Fault::refused(reason));
            }
        }
    });
    fault
}

/// Operations that fail whatever they are filled with. Only for a tree in which nothing is refused: constants are computed.
fn incomputable(tree: &Stmt) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    each_expression(tree, &mut |expression| {
        let reason = match expression {
            Expr::BinOp(operator)
                if matches!(operator.op, BinOpKind::Div | BinOpKind::FloorDiv | BinOpKind::Rem)
                    && operator.right.as_const() == Some(Value::from(0)) =>
            {
                "divides by zero"
            }
            Expr::BinOp(_) | Expr::UnaryOp(_)
                if parts(expression).iter().all(|part| part.as_const().is_some())
                    && expression.as_const().is_none() =>
            {
                "computes with values that do not fit together, such as 'a' - 1"
            }
            _ => return,
        };
        if !found.iter().any(|known| known == reason) {
            found.push(reason.to_owned());
        }
    });
    found
}

/// Visits every expression, parents first.
fn each_expression<'a, 'b>(statement: &'a Stmt<'b>, visit: &mut dyn FnMut(&'a Expr<'b>)) {
    match statement {
        Stmt::Template(template) => template.children.iter().for_each(|child| each_expression(child, visit)),
        Stmt::EmitExpr(emit) => each_below(&emit.expr, visit),
        Stmt::IfCond(condition) => {
            each_below(&condition.expr, visit);
            condition.true_body.iter().chain(&condition.false_body).for_each(|child| each_expression(child, visit));
        }
        // No other statement is parsed.
        _ => {}
    }
}

fn each_below<'a, 'b>(expression: &'a Expr<'b>, visit: &mut dyn FnMut(&'a Expr<'b>)) {
    visit(expression);
    parts(expression).into_iter().for_each(|part| each_below(part, visit));
}

/// The expressions that one is made of.
fn parts<'a, 'b>(expression: &'a Expr<'b>) -> Vec<&'a Expr<'b>> {
    let args = |args: &'a [CallArg<'b>]| {
        args.iter().map(|arg| match arg {
            CallArg::Pos(part) | CallArg::Kwarg(_, part) | CallArg::PosSplat(part) | CallArg::KwargSplat(part) => part,
        })
    };
    match expression {
        Expr::Var(_) | Expr::Const(_) => Vec::new(),
        Expr::Slice(slice) => {
            [&slice.start, &slice.stop, &slice.step].into_iter().flatten().chain([&slice.expr]).collect()
        }
        Expr::UnaryOp(operator) => vec![&operator.expr],
        Expr::BinOp(operator) => vec![&operator.left, &operator.right],
        Expr::Compare(compare) => std::iter::once(&compare.expr).chain(compare.ops.iter().map(|op| &op.expr)).collect(),
        Expr::IfExpr(choice) => [&choice.test_expr, &choice.true_expr].into_iter().chain(&choice.false_expr).collect(),
        Expr::Filter(filter) => filter.expr.iter().chain(args(&filter.args)).collect(),
        Expr::Test(test) => std::iter::once(&test.expr).chain(args(&test.args)).collect(),
        Expr::GetAttr(member) => vec![&member.expr],
        Expr::GetItem(item) => vec![&item.expr, &item.subscript_expr],
        Expr::Call(call) => std::iter::once(&call.expr).chain(args(&call.args)).collect(),
        Expr::List(list) => list.items.iter().collect(),
        Expr::Tuple(tuple) => tuple.items.iter().collect(),
        Expr::Map(map) => map.keys.iter().chain(&map.values).collect(),
    }
}

/// What templates are filled with: one contact, and what goes with it.
pub struct Filling<'a> {
    names: &'a Map<String, Json>,
}

impl Filling<'_> {
    /// What has no value must not be among the names.
    pub fn of(names: &Map<String, Json>) -> Filling<'_> {
        Filling { names }
    }

    /// The text with its values, or why it can't be: a value is missing that has no fallback, or it is refused.
    pub fn fill(&self, text: &str, html: bool) -> Result<String, Fault> {
        guarded(|| self.filled(text, html)).unwrap_or_else(|| Err(incomputable_fault()))
    }

    fn filled(&self, text: &str, html: bool) -> Result<String, Fault> {
        let tree = parsed(text)?;
        if let Some(fault) = all_faults(&tree).into_iter().next() {
            // Stored by a version that allowed it.
            return Err(Fault::refused(fault.reason));
        }
        self.sizes(&tree)?;
        let template = JINJA.template_from_named_str(if html { HTML } else { "text" }, text);
        let template = template.map_err(|error| syntax(&error))?;
        let lists = Contact::FIELDS.iter().filter(|field| matches!(field.kind, Kind::Items(_)));
        let lists: Vec<&str> = lists.map(|field| field.name).collect();
        let listed = lists.iter().map(|name| {
            let items = self.names.get(*name).and_then(Json::as_array).into_iter().flatten();
            (*name, Value::from_object(Listed(items.map(value).collect())))
        });
        let others = self.names.iter().filter(|(name, _)| !lists.contains(&name.as_str()));
        let names = Value::from_pairs(others.map(|(name, json)| (name.as_str(), value(json))).chain(listed));
        let lacking = || {
            let mut missing: Vec<String> = template.undeclared_variables(true).into_iter().collect();
            missing.retain(|name| !self.has(name));
            missing.sort();
            let what = if missing.is_empty() { "an item of a list".to_owned() } else { missing.join(", ") };
            Fault::of(format!("no value for {what}, and no fallback such as {{{{ name | default(\"there\") }}}}"))
        };
        let mut output = Output { text: Vec::new(), is_full: false };
        let rendered = template.render_captured_to(names, &mut output).map(drop);
        let text = String::from_utf8_lossy(&output.text);
        match rendered {
            _ if output.is_full => Err(too_long()),
            Ok(()) if text.contains(NOTHING) => Err(lacking()),
            Ok(()) => Ok(text.into_owned()),
            Err(error) if error.kind() == ErrorKind::UndefinedError => Err(lacking()),
            Err(error) => {
                let line = error.line().map_or(String::new(), |line| format!(" in line {line}"));
                let what = error.detail().map_or_else(|| error.kind().to_string(), str::to_owned);
                let reason = format!("can't be filled in{line}: {what}");
                Err(Fault { reason, is_refused: error.kind() == ErrorKind::OutOfFuel })
            }
        }
    }

    fn has(&self, name: &str) -> bool {
        let mut parts = name.split('.');
        let first = parts.next().and_then(|root| self.names.get(root));
        parts.fold(first, |value, part| value.and_then(|value| value.get(part))).is_some()
    }

    /// Refuses a template of which some value could be too large, before any is made.
    fn sizes(&self, tree: &Stmt) -> Result<(), Fault> {
        let (mut total, mut result) = (0, Ok(()));
        each_emitted(tree, &mut |expression| {
            if result.is_ok() {
                result = self.size(expression, &mut total).map(drop);
            }
        });
        result
    }

    /// The most bytes that a value may have, given the values that go into it.
    fn size(&self, expression: &Expr, total: &mut usize) -> Result<usize, Fault> {
        let known = self.known(expression).map(length);
        let inside = match known {
            Some(_) => Vec::new(),
            None => parts(expression).into_iter().map(|part| self.size(part, total)).collect::<Result<Vec<_>, _>>()?,
        };
        let (sum, largest) = (inside.iter().sum::<usize>(), inside.iter().copied().max().unwrap_or(0));
        let size = match expression {
            _ if known.is_some() => known.unwrap_or(0),
            Expr::Var(_) => 0,
            Expr::Const(constant) => constant.value.as_str().map_or(NUMBER, str::len),
            Expr::BinOp(operator) => match operator.op {
                BinOpKind::Add | BinOpKind::Concat => sum,
                BinOpKind::ScAnd | BinOpKind::ScOr => largest,
                _ => NUMBER,
            },
            Expr::List(_) | Expr::Tuple(_) | Expr::Map(_) => sum + 8 * inside.len(),
            Expr::Compare(_) | Expr::Test(_) | Expr::Call(_) => NUMBER,
            Expr::UnaryOp(_) | Expr::IfExpr(_) | Expr::Slice(_) | Expr::GetAttr(_) | Expr::GetItem(_) => largest,
            Expr::Filter(filter) => {
                let input = inside.first().copied().unwrap_or(0);
                match filter.name {
                    "upper" | "lower" | "title" | "capitalize" => 3 * input,
                    "join" => {
                        let items = filter.expr.as_ref().and_then(|list| self.known(list)).and_then(Json::as_array);
                        let between = items.map_or(input, Vec::len);
                        input.saturating_add(between.saturating_mul(sum - input))
                    }
                    "length" | "count" | "round" | "abs" => NUMBER,
                    // Those that take a fallback.
                    _ => largest.max(NUMBER),
                }
            }
        };
        // Some have brackets around them.
        let size = size + 8;
        *total += size;
        if size > LONGEST_OUTPUT || *total > LONGEST_TOTAL {
            return Err(too_long());
        }
        Ok(size)
    }

    /// The value that a path of names leads to.
    fn known(&self, expression: &Expr) -> Option<&Json> {
        match expression {
            Expr::Var(name) => self.names.get(name.id),
            Expr::GetAttr(member) => self.known(&member.expr)?.get(member.name),
            _ => None,
        }
    }
}

/// Visits every expression that is computed for itself.
fn each_emitted<'a, 'b>(statement: &'a Stmt<'b>, visit: &mut dyn FnMut(&'a Expr<'b>)) {
    match statement {
        Stmt::Template(template) => template.children.iter().for_each(|child| each_emitted(child, visit)),
        Stmt::EmitExpr(emit) => visit(&emit.expr),
        Stmt::IfCond(condition) => {
            visit(&condition.expr);
            condition.true_body.iter().chain(&condition.false_body).for_each(|child| each_emitted(child, visit));
        }
        _ => {}
    }
}

fn too_long() -> Fault {
    Fault::refused(format!("makes more than {LONGEST_OUTPUT} bytes"))
}

/// Bytes of a number, or of true and false.
const NUMBER: usize = 400;

/// Bytes of a value when it is shown.
fn length(json: &Json) -> usize {
    match json {
        Json::Null | Json::Bool(_) => 5,
        Json::Number(number) => {
            let digits = number.to_string();
            if digits.contains(['e', 'E']) { NUMBER } else { digits.len() + 2 }
        }
        Json::String(text) => text.len() + 2,
        Json::Array(items) => items.iter().map(|item| length(item) + 2).sum(),
        Json::Object(members) => members.iter().map(|(name, value)| name.len() + length(value) + 6).sum(),
    }
}

/// Takes what a template makes, up to the limit.
struct Output {
    text: Vec<u8>,
    is_full: bool,
}

impl io::Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.text.len() + bytes.len() > LONGEST_OUTPUT {
            self.is_full = true;
            return Err(io::Error::other("the output is too long"));
        }
        self.text.extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

const HTML: &str = "html";

/// Stands in what is made of a value that is not there. No text of ours holds it.
const NOTHING: char = '\0';

/// A list of objects, such as emails. What it lacks may be asked for like what it has, and have a fallback.
#[derive(Debug)]
struct Listed(Vec<Value>);

/// Something that is not there, and of which nothing is.
#[derive(Debug)]
struct Missing;

impl Object for Listed {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Seq
    }
    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        let item = key.as_usize().and_then(|at| self.0.get(at)).cloned();
        Some(item.unwrap_or_else(|| Value::from_object(Missing)))
    }
    fn enumerate(self: &Arc<Self>) -> Enumerator {
        Enumerator::Seq(self.0.len())
    }
    fn render(self: &Arc<Self>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() { f.write_char(NOTHING) } else { f.debug_list().entries(&self.0).finish() }
    }
}

impl Object for Missing {
    fn get_value(self: &Arc<Self>, _: &Value) -> Option<Value> {
        Some(Value::from_object(Missing))
    }
    fn is_true(self: &Arc<Self>) -> bool {
        false
    }
    fn render(self: &Arc<Self>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char(NOTHING)
    }
}

fn is_missing(value: &Value) -> bool {
    let empty = value.downcast_object_ref::<Listed>().is_some_and(|list| list.0.is_empty());
    value.is_undefined() || empty || value.downcast_object_ref::<Missing>().is_some()
}

/// JSON as templates see it. Numbers are shown by their digits.
fn value(json: &Json) -> Value {
    match json {
        Json::Null => Value::UNDEFINED,
        Json::Bool(is) => (*is).into(),
        Json::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(whole), _) => whole.into(),
            (None, Some(float)) => float.into(),
            (None, None) => number.to_string().into(),
        },
        Json::String(text) => text.as_str().into(),
        Json::Array(items) => items.iter().map(value).collect(),
        Json::Object(members) => Value::from_pairs(members.iter().map(|(name, json)| (name.as_str(), value(json)))),
    }
}

#[cfg(test)]
mod fuzz;

#[cfg(test)]
mod tests;

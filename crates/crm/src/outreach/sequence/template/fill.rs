//! Renders templates within limits.

use super::engine::JINJA;
use super::tree::{all_faults, parts};
use super::values::{HTML, Listed, NOTHING, sender, value};
use super::{Fault, LONGEST_OUTPUT, LONGEST_TOTAL, guarded, incomputable_fault, parsed, syntax, variables};
use crate::outreach::markup;
use crate::outreach::signature::Signature;
use crate::records::contact::Contact;
use minijinja::machinery::ast::{BinOpKind, Expr, Stmt};
use minijinja::machinery::{Token, tokenize};
use minijinja::{ErrorKind, Value};
use resource::{Kind, Resource};
use serde_json::{Map, Value as Json};
use std::borrow::Cow;
use std::fmt::Write as _;
use std::io;
use std::ops::Range;

/// The values that a template is rendered with, for one contact.
pub struct Filling<'a> {
    names: Cow<'a, Map<String, Json>>,
    signature: Option<&'a Signature>,
}

impl<'a> Filling<'a> {
    /// Names without a value must be left out.
    pub fn of(names: &'a Map<String, Json>) -> Filling<'a> {
        Filling { names: Cow::Borrowed(names), signature: None }
    }

    /// With the signature of the sender.
    pub fn signed(self, signature: Option<&'a Signature>) -> Filling<'a> {
        Filling { signature, ..self }
    }

    /// With the signature as a value, in the format of the template.
    fn in_format(&self, html: bool) -> Filling<'_> {
        let mut names = Cow::Borrowed(&*self.names);
        if let Some(signature) = self.signature
            && let Some(Json::Object(sender)) = names.to_mut().get_mut("sender")
        {
            let signature = if html { &signature.html } else { &signature.text };
            sender.insert("signature".into(), signature.as_str().into());
        }
        Filling { names, signature: None }
    }

    /// The rendered text, or why it can't be rendered: a value without a fallback is missing, or the template is refused.
    pub fn fill(&self, text: &str, html: bool) -> Result<String, Fault> {
        markup::assert_no_transaction();
        guarded(|| self.in_format(html).filled(text, html)).unwrap_or_else(|| Err(incomputable_fault()))
    }

    /// Renders a text that somebody will read and change before it is sent: placeholders without a value stay as written.
    pub fn draft(&self, text: &str, html: bool) -> Result<Drafted, Fault> {
        let whole = self.fill(text, html);
        match &whole {
            Err(fault) if !fault.missing.is_empty() => {}
            _ => return whole.map(|text| Drafted { text, missing: Vec::new() }),
        }
        let text = &text.replace(MARK, "");
        let places = placeholders(text)?;
        if places.len() > MOST_PLACEHOLDERS {
            return whole.map(|text| Drafted { text, missing: Vec::new() });
        }
        let mut marked = String::with_capacity(text.len());
        let (mut kept, mut at) = (Vec::new(), 0);
        for place in places {
            let source = &text[place.clone()];
            if let Some(fault) = self.fill(source, html).err().filter(|fault| !fault.missing.is_empty()) {
                marked.push_str(&text[at..place.start]);
                write!(marked, "{MARK}{}{MARK}", kept.len()).map_err(|error| Fault::of(error.to_string()))?;
                kept.push((source, fault.missing));
                at = place.end;
            }
        }
        marked.push_str(&text[at..]);
        let filled = self.fill(&marked, html)?;
        let (mut drafted, mut missing) = (String::with_capacity(filled.len()), Vec::new());
        for (at, part) in filled.split(MARK).enumerate() {
            match part.parse::<usize>().ok().and_then(|number| kept.get(number)).filter(|_| at % 2 == 1) {
                Some((source, names)) => {
                    drafted.push_str(source);
                    missing.extend(names.iter().cloned());
                }
                None => drafted.push_str(part),
            }
        }
        missing.sort();
        missing.dedup();
        Ok(Drafted { text: drafted, missing })
    }

    /// The names without a value that a template needs. Templates that name only values that are there are not rendered.
    pub fn missing(&self, text: &str) -> Vec<String> {
        match variables(text).iter().all(|name| self.has(name)) {
            true => Vec::new(),
            false => self.fill(text, false).err().map(|fault| fault.missing).unwrap_or_default(),
        }
    }

    fn filled(&self, text: &str, html: bool) -> Result<String, Fault> {
        let tree = parsed(text)?;
        if let Some(fault) = all_faults(&tree).into_iter().next() {
            // An earlier version stored it.
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
        let others = others.map(|(name, json)| match name.as_str() {
            // The signature is HTML already.
            "sender" if html => ("sender", sender(json)),
            name => (name, value(json)),
        });
        let names = Value::from_pairs(others.chain(listed));
        let lacking = || {
            let mut missing: Vec<String> = template.undeclared_variables(true).into_iter().collect();
            missing.retain(|name| !self.has(name));
            missing.sort();
            let what = if missing.is_empty() { "an item of a list".to_owned() } else { missing.join(", ") };
            let example = missing.first().map_or("name", String::as_str);
            let reason =
                format!("no value for {what}, and no fallback such as {{{{ {example} | default(\"there\") }}}}");
            Fault { missing: if missing.is_empty() { vec![what] } else { missing }, ..Fault::of(reason) }
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
                Err(Fault { is_refused: error.kind() == ErrorKind::OutOfFuel, ..Fault::of(reason) })
            }
        }
    }

    fn has(&self, name: &str) -> bool {
        let mut parts = name.split('.');
        let first = parts.next().and_then(|root| self.names.get(root));
        parts.fold(first, |value, part| value.and_then(|value| value.get(part))).is_some()
    }

    /// Refuses a template with a value that could become too large, before any value is computed.
    fn sizes(&self, tree: &Stmt) -> Result<(), Fault> {
        let (mut total, mut result) = (0, Ok(()));
        each_emitted(tree, &mut |expression| {
            if result.is_ok() {
                result = self.size(expression, &mut total).map(drop);
            }
        });
        result
    }

    /// The most bytes that an expression can have, given its values.
    pub(super) fn size(&self, expression: &Expr, total: &mut usize) -> Result<usize, Fault> {
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
                    // Filters with a fallback.
                    _ => largest.max(NUMBER),
                }
            }
        };
        // Brackets or quotes around it.
        let size = size + 8;
        *total += size;
        if size > LONGEST_OUTPUT || *total > LONGEST_TOTAL {
            return Err(too_long());
        }
        Ok(size)
    }

    /// The value of a path of names.
    fn known(&self, expression: &Expr) -> Option<&Json> {
        match expression {
            Expr::Var(name) => self.names.get(name.id),
            Expr::GetAttr(member) => self.known(&member.expr)?.get(member.name),
            _ => None,
        }
    }
}

/// A text with the values that there are.
#[derive(Debug)]
pub struct Drafted {
    pub text: String,
    /// The names without a value and a fallback.
    pub missing: Vec<String>,
}

/// Most expressions of a text in which some stay as written, since each is rendered on its own.
pub(super) const MOST_PLACEHOLDERS: usize = 500;

/// Around the number of a placeholder that stays as written.
const MARK: char = '\u{1}';

/// Where the expressions of a template stand, each from `{{` to `}}`.
fn placeholders(text: &str) -> Result<Vec<Range<usize>>, Fault> {
    let (mut found, mut start) = (Vec::new(), 0);
    for token in tokenize(text, false, Default::default()) {
        match token.map_err(|error| syntax(&error))? {
            (Token::VariableStart, span) => start = span.start_offset as usize,
            (Token::VariableEnd, span) => found.push(start..span.end_offset as usize),
            _ => {}
        }
    }
    Ok(found)
}

/// Visits every expression that is computed, but not its parts.
pub(super) fn each_emitted<'a, 'b>(statement: &'a Stmt<'b>, visit: &mut dyn FnMut(&'a Expr<'b>)) {
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
    Fault::refused(format!("could have more than {LONGEST_OUTPUT} bytes when filled in"))
}

/// Most bytes of a number or a boolean.
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

/// Collects the rendered text, up to the limit.
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

//! The cost of parsing some HTML: the same parser builds its tree without contents, and stops at a limit.

use html5ever::driver::{ParseOpts, Parser};
use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{Attribute, ExpandedName, QualName, local_name, ns, parse_document, parse_fragment};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// The use of the HTML: `ammonia` parses it as the content of a `<div>`, `html2text` as a document.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Purpose {
    Sanitise,
    Convert,
}

/// How deep elements may be nested.
const DEEPEST: usize = 400;
/// Units of work of some nanoseconds each.
const WORK_PER_BYTE: u64 = 64;
const LEAST_WORK: u64 = 1_000_000;
/// The limits are checked after each chunk of this many bytes.
const CHUNK: usize = 1024;

pub(crate) fn is_within_limits(html: &str, purpose: Purpose) -> bool {
    let limit = html.len() as u64 * WORK_PER_BYTE + LEAST_WORK;
    let sink =
        Counter { tree: RefCell::default(), work: Cell::new(0), limit, is_written: purpose == Purpose::Sanitise };
    sink.tree.borrow_mut().push(Entry::default());
    let parser = match purpose {
        Purpose::Sanitise => {
            let context = QualName::new(None, ns!(html), local_name!("div"));
            parse_fragment(sink, ParseOpts::default(), context, Vec::new(), false)
        }
        Purpose::Convert => {
            let tree_builder = TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() };
            parse_document(sink, ParseOpts { tree_builder, ..ParseOpts::default() })
        }
    };
    let Some(counter) = parsed(parser, html) else { return false };
    let (depth, cost) = counter.cost(purpose);
    depth <= DEEPEST && cost <= limit
}

/// How many characters of a text the sanitiser may write as references. For each of them it searches the rest of the text
/// for `<`, `>` and quotes, so a long text with many of them takes time in the square of its length.
fn escapes(text: &str) -> u64 {
    // No-break spaces, and what else begins with the same byte.
    text.bytes().filter(|byte| matches!(byte, b'&' | 0xC2)).count() as u64
}

/// The bytes that the sanitiser searches in some nanoseconds.
const SEARCHED_AT_ONCE: u64 = 64;

/// Whether HTML could exceed the limit of work if all of it were one text.
pub(crate) fn may_be_slow_to_escape(html: &str) -> bool {
    // A character that is given by a reference counts too: the reference begins with `&`.
    escapes(html) * html.len() as u64 / SEARCHED_AT_ONCE > LEAST_WORK
}

fn parsed(mut parser: Parser<Counter>, html: &str) -> Option<Counter> {
    let mut rest = html;
    while !rest.is_empty() {
        let (chunk, after) = rest.split_at(rest.ceil_char_boundary(CHUNK.min(rest.len())));
        parser.process(StrTendril::from_slice(chunk));
        if parser.tokenizer.sink.sink.is_exceeded() {
            return None;
        }
        rest = after;
    }
    let counter = parser.finish();
    (!counter.is_exceeded()).then_some(counter)
}

struct Counter {
    tree: RefCell<Vec<Entry>>,
    work: Cell<u64>,
    limit: u64,
    /// Whether the tree is written as HTML again.
    is_written: bool,
}

/// An element as the parser knows it.
struct Element {
    at: usize,
    name: QualName,
    is_integration_point: bool,
    /// The contents of a template.
    contents: Option<Handle>,
}
type Handle = Rc<Element>;

#[derive(Default)]
struct Entry {
    parent: Option<usize>,
    /// Its index among the children of its parent.
    slot: usize,
    children: Vec<usize>,
    texts: usize,
    text_bytes: usize,
    /// How many characters of the text behind the last child may be written as references.
    last_escapes: u64,
    kind: Kind,
    column_span: usize,
    row_span: usize,
}

#[derive(Clone, Copy, Default, PartialEq)]
enum Kind {
    #[default]
    Other,
    Table,
    Row,
    Cell,
}

impl Counter {
    fn spend(&self, units: u64) {
        self.work.set(self.work.get().saturating_add(units));
    }

    /// Searches so many bytes for each of some escaped characters.
    fn search(&self, escapes: u64, bytes: usize) {
        if self.is_written {
            self.spend(escapes * bytes as u64 / SEARCHED_AT_ONCE);
        }
    }

    fn is_exceeded(&self) -> bool {
        self.work.get() > self.limit
    }

    fn make(&self, name: QualName, is_integration_point: bool, contents: Option<Handle>, entry: Entry) -> Handle {
        let mut tree = self.tree.borrow_mut();
        tree.push(entry);
        Rc::new(Element { at: tree.len() - 1, name, is_integration_point, contents })
    }

    fn detach(&self, at: usize) {
        let mut tree = self.tree.borrow_mut();
        let Some(parent) = tree[at].parent.take() else { return };
        let slot = tree[at].slot;
        // The real tree searches for the child among its siblings.
        self.spend((tree[parent].children.len() + tree[parent].texts) as u64);
        tree[parent].children.swap_remove(slot);
        if let Some(moved) = tree[parent].children.get(slot).copied() {
            tree[moved].slot = slot;
        }
    }

    fn attach(&self, parent: usize, child: NodeOrText<Handle>) {
        match child {
            NodeOrText::AppendText(text) => {
                let entry = &mut self.tree.borrow_mut()[parent];
                entry.texts += 1;
                entry.text_bytes += text.len();
                entry.last_escapes += escapes(&text);
                self.spend(1);
                self.search(entry.last_escapes, text.len());
            }
            NodeOrText::AppendNode(node) => {
                self.detach(node.at);
                let mut tree = self.tree.borrow_mut();
                tree[node.at].parent = Some(parent);
                tree[node.at].slot = tree[parent].children.len();
                tree[parent].children.push(node.at);
                tree[parent].last_escapes = 0;
                let depth = std::iter::successors(Some(parent), |at| tree[*at].parent).take(DEEPEST + 1).count();
                self.spend(if depth > DEEPEST { u64::MAX } else { 1 + depth as u64 / 8 });
            }
        }
    }

    /// The depth of the tree, and the cost of converting it.
    fn cost(&self, purpose: Purpose) -> (usize, u64) {
        let tree = self.tree.borrow();
        let columns = columns(&tree);
        let (mut deepest, mut cost) = (0, 0_u64);
        // Each root with its descendants; `around` is the number of columns of all enclosing tables.
        let roots = tree.iter().enumerate().filter(|(_, entry)| entry.parent.is_none());
        let mut open: Vec<(usize, usize, u64)> = roots.map(|(at, _)| (at, 0, 0)).collect();
        while let Some((at, depth, around)) = open.pop() {
            let entry = &tree[at];
            deepest = deepest.max(depth);
            if depth > DEEPEST {
                break;
            }
            let around = around + columns[at];
            // Every block copies its lines to the enclosing block.
            cost += (depth as u64 + around) * (4 + entry.text_bytes as u64 / 4);
            open.extend(entry.children.iter().map(|child| (*child, depth + 1, around)));
        }
        (deepest, if purpose == Purpose::Convert { cost + rows(&tree, &columns) } else { 0 })
    }
}

/// The maximum number of columns of the table at each index.
fn columns(tree: &[Entry]) -> Vec<u64> {
    let mut columns = vec![0; tree.len()];
    for (at, entry) in tree.iter().enumerate().filter(|(_, entry)| entry.kind == Kind::Row) {
        let cells = entry.children.iter().map(|cell| &tree[*cell]);
        let wide = cells.map(|cell| cell.column_span.max(1) as u64 * cell.row_span.max(1) as u64).sum::<u64>();
        if let Some(table) = table_of(tree, at) {
            columns[table] = wide.max(columns[table]);
        }
    }
    columns
}

/// The converter keeps the widths of all columns for every row.
fn rows(tree: &[Entry], columns: &[u64]) -> u64 {
    let rows = tree.iter().enumerate().filter(|(_, entry)| entry.kind == Kind::Row);
    rows.filter_map(|(at, _)| table_of(tree, at)).map(|table| columns[table]).fold(0, u64::saturating_add)
}

fn table_of(tree: &[Entry], row: usize) -> Option<usize> {
    std::iter::successors(tree[row].parent, |at| tree[*at].parent).take(4).find(|at| tree[*at].kind == Kind::Table)
}

impl TreeSink for Counter {
    type Handle = Handle;
    type Output = Counter;
    type ElemName<'a> = ExpandedName<'a>;

    fn finish(self) -> Counter {
        self
    }
    fn parse_error(&self, _: Cow<'static, str>) {}
    fn get_document(&self) -> Handle {
        Rc::new(Element {
            at: 0,
            name: QualName::new(None, ns!(), local_name!("")),
            is_integration_point: false,
            contents: None,
        })
    }
    fn elem_name<'a>(&'a self, target: &'a Handle) -> ExpandedName<'a> {
        self.spend(1);
        target.name.expanded()
    }
    fn create_element(&self, name: QualName, attributes: Vec<Attribute>, flags: ElementFlags) -> Handle {
        self.spend(32);
        for Attribute { value, .. } in &attributes {
            self.spend(16 + value.len() as u64);
            self.search(escapes(value), value.len());
        }
        let number = |wanted: &str| {
            let attribute = attributes.iter().find(|attribute| &*attribute.name.local == wanted);
            attribute.and_then(|attribute| attribute.value.parse().ok()).unwrap_or(1)
        };
        let kind = match &*name.local {
            "table" => Kind::Table,
            "tr" => Kind::Row,
            "td" | "th" => Kind::Cell,
            _ => Kind::Other,
        };
        let entry = match kind {
            Kind::Cell => {
                Entry { kind, column_span: number("colspan"), row_span: number("rowspan"), ..Entry::default() }
            }
            _ => Entry { kind, ..Entry::default() },
        };
        let nameless = || QualName::new(None, ns!(), local_name!(""));
        let contents = flags.template.then(|| self.make(nameless(), false, None, Entry::default()));
        self.make(name, flags.mathml_annotation_xml_integration_point, contents, entry)
    }
    fn create_comment(&self, _: StrTendril) -> Handle {
        self.make(QualName::new(None, ns!(), local_name!("")), false, None, Entry::default())
    }
    fn create_pi(&self, _: StrTendril, _: StrTendril) -> Handle {
        self.create_comment(StrTendril::new())
    }
    fn append(&self, parent: &Handle, child: NodeOrText<Handle>) {
        self.attach(parent.at, child);
    }
    fn append_based_on_parent_node(&self, element: &Handle, previous: &Handle, child: NodeOrText<Handle>) {
        let has_parent = self.tree.borrow()[element.at].parent.is_some();
        if has_parent { self.append_before_sibling(element, child) } else { self.append(previous, child) }
    }
    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}
    fn get_template_contents(&self, target: &Handle) -> Handle {
        target.contents.clone().unwrap_or_else(|| self.get_document())
    }
    fn same_node(&self, one: &Handle, other: &Handle) -> bool {
        self.spend(1);
        one.at == other.at
    }
    fn set_quirks_mode(&self, _: QuirksMode) {}
    fn append_before_sibling(&self, sibling: &Handle, child: NodeOrText<Handle>) {
        let parent = self.tree.borrow()[sibling.at].parent;
        let Some(parent) = parent else { return };
        let siblings = {
            let tree = self.tree.borrow();
            tree[parent].children.len() + tree[parent].texts
        };
        self.spend(siblings as u64);
        self.attach(parent, child);
    }
    fn add_attrs_if_missing(&self, _: &Handle, attributes: Vec<Attribute>) {
        self.spend(attributes.len() as u64 * 32);
    }
    fn remove_from_parent(&self, target: &Handle) {
        self.detach(target.at);
    }
    fn reparent_children(&self, node: &Handle, new_parent: &Handle) {
        let mut tree = self.tree.borrow_mut();
        let moved = std::mem::take(&mut tree[node.at].children);
        let (texts, bytes) = (std::mem::take(&mut tree[node.at].texts), std::mem::take(&mut tree[node.at].text_bytes));
        self.spend((moved.len() + texts) as u64 * 4);
        for child in moved {
            tree[child].parent = Some(new_parent.at);
            tree[child].slot = tree[new_parent.at].children.len();
            tree[new_parent.at].children.push(child);
        }
        tree[new_parent.at].texts += texts;
        tree[new_parent.at].text_bytes += bytes;
        tree[new_parent.at].last_escapes += std::mem::take(&mut tree[node.at].last_escapes);
    }
    fn is_mathml_annotation_xml_integration_point(&self, target: &Handle) -> bool {
        target.is_integration_point
    }
}

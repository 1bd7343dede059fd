//! The server's OpenAPI document, and the comparison of answers with it.

use std::collections::HashMap;
use std::fmt::Display;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use jsonschema::{Draft, Validator};
use serde_json::{Value, json};

use super::client::PREFIX;

/// Every server of a run is the same binary, so the document is fetched once.
pub(crate) fn of(origin: &str) -> &'static Document {
    static DOCUMENT: OnceLock<Document> = OnceLock::new();
    DOCUMENT.get_or_init(|| {
        let url = format!("{origin}{PREFIX}/openapi.json");
        let text = ureq::get(&url)
            .call()
            .and_then(|mut answer| answer.body_mut().read_to_string())
            .unwrap_or_else(|error| panic!("cannot get the document at {url}: {error}"));
        Document::read(&text)
    })
}

/// The committed document of the dashboard's operations, which is not served.
pub(crate) fn of_dashboard() -> &'static Document {
    static DOCUMENT: OnceLock<Document> = OnceLock::new();
    DOCUMENT.get_or_init(|| Document::read(include_str!("../../openapi-dashboard.json")))
}

pub(crate) struct Document {
    pub root: Value,
    /// Collected once, because every answer is looked up among them.
    operations: Vec<Operation>,
    /// Compiled once a run, by the schema's text: most errors have the same.
    validators: Mutex<HashMap<String, Arc<Validator>>>,
}

/// An operation as the document describes it.
#[derive(Clone)]
pub(crate) struct Operation {
    pub method: String,
    /// The path template, relative to the interface's prefix.
    pub path: String,
    pub description: Value,
}

impl Operation {
    /// The scope that it requires; `None` if any key will do.
    #[track_caller]
    pub(crate) fn scope(&self) -> Option<String> {
        match self.description["x-required-scope"].as_str() {
            Some("any") => None,
            Some(scope) => Some(scope.to_owned()),
            None => panic!("{self} has no x-required-scope"),
        }
    }

    /// Another scope that is sufficient.
    pub(crate) fn or(&self) -> Option<&str> {
        self.description["x-or-scope"].as_str()
    }

    /// A second scope that is also required.
    pub(crate) fn also(&self) -> Option<&str> {
        self.description["x-also-required-scope"].as_str()
    }

    /// The path with this value for every parameter.
    pub(crate) fn path_with(&self, id: &str) -> String {
        let segments: Vec<&str> =
            self.path.split('/').map(|segment| if segment.starts_with('{') { id } else { segment }).collect();
        segments.join("/")
    }

    /// Whether its body can only be a form with a file.
    pub(crate) fn takes_only_a_form(&self) -> bool {
        let content = &self.description["requestBody"]["content"];
        content.get("multipart/form-data").is_some() && content.get("application/json").is_none()
    }

    pub(crate) fn has_path_parameter(&self) -> bool {
        self.path.contains('{')
    }
}

impl Display for Operation {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{} {}", self.method, self.path)
    }
}

impl Document {
    fn read(text: &str) -> Document {
        let root = serde_json::from_str(text).unwrap_or_else(|error| panic!("the document is not JSON: {error}"));
        Document { operations: operations(&root), root, validators: Mutex::default() }
    }

    /// Every operation of the API that requires a key, in the document's order.
    pub(crate) fn operations(&self) -> Vec<Operation> {
        self.operations.clone()
    }

    #[track_caller]
    pub(crate) fn operation(&self, method: &str, path: &str) -> Operation {
        let mut operations = self.operations().into_iter();
        operations
            .find(|operation| operation.method == method && operation.path == path)
            .unwrap_or_else(|| panic!("{method} {path} is not in the document"))
    }

    /// Compares an answer with the documentation of its operation. An undocumented route is not checked here; another
    /// test checks that all routes are documented.
    #[track_caller]
    pub(crate) fn check(&self, method: &str, path: &str, status: u16, body: &Value, answer: &dyn Display) {
        let Some(operation) = self.matching(method, path) else {
            return;
        };
        let selects = path.split('?').nth(1).is_some_and(|query| query.split('&').any(|it| it.starts_with("fields=")));
        let Some(validator) = self.validator(operation, status, selects && status < 300) else {
            panic!("{operation} is not described as answering {status}: {answer}");
        };
        let problems: Vec<String> =
            validator.iter_errors(body).map(|problem| format!("  {}: {problem}", problem.instance_path())).collect();
        assert!(problems.is_empty(), "not as the document describes it:\n{}\n{answer}", problems.join("\n"));
    }

    /// Whether an operation is documented with this status.
    pub(crate) fn describes(&self, method: &str, path: &str, status: u16) -> bool {
        let operation = self.matching(method, path);
        operation.is_some_and(|it| it.description["responses"].get(status.to_string()).is_some())
    }

    /// Whether an operation is documented to return a file of this type.
    pub(crate) fn is_file(&self, method: &str, path: &str, content_type: &str) -> bool {
        let operation = self.matching(method, path);
        let essence = content_type.split(';').next().unwrap_or_default();
        operation.is_some_and(|it| {
            let content = &it.description["responses"]["200"]["content"];
            content.get("*/*").is_some() || essence != "application/json" && content.get(essence).is_some()
        })
    }

    /// Whether an operation is documented to return an event stream.
    pub(crate) fn is_stream(&self, method: &str, path: &str) -> bool {
        let operation = self.matching(method, path);
        operation.is_some_and(|it| it.description["responses"]["200"]["content"].get("text/event-stream").is_some())
    }

    /// The operation of a request: of several matching templates, the one with the fewest parameters.
    fn matching(&self, method: &str, path: &str) -> Option<&Operation> {
        let path = path.split('?').next().unwrap_or(path);
        let path = path.strip_prefix(PREFIX).unwrap_or(path);
        let fitting = self.operations.iter().filter(|it| it.method == method && fits(&it.path, path));
        fitting.min_by_key(|operation| operation.path.matches('{').count())
    }

    /// With `selects`, the records may lack members: the request chose some by `fields`.
    fn validator(&self, operation: &Operation, status: u16, selects: bool) -> Option<Arc<Validator>> {
        let responses = &operation.description["responses"];
        let response = responses.get(status.to_string()).or_else(|| responses.get("default"))?;
        let response = self.resolved(response);
        let mut schema = response["content"]["application/json"]["schema"].clone();
        assert!(schema.is_object(), "{operation} has no schema for its {status}");
        if selects {
            self.relax(&mut schema);
        }
        let key = schema.to_string();
        // A test that panics while it holds the lock does not damage the cache.
        let mut validators = self.validators.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(validator) = validators.get(&key) {
            return Some(validator.clone());
        }
        // The schema together with the components that it refers to.
        let schema = json!({"allOf": [schema], "components": self.root["components"]});
        let validator = jsonschema::options()
            .with_draft(Draft::Draft202012)
            .should_validate_formats(true)
            .build(&schema)
            .unwrap_or_else(|error| panic!("the schema of {operation} {status} is wrong: {error}"));
        let validator = Arc::new(validator);
        validators.insert(key, validator.clone());
        Some(validator)
    }

    /// Lets the records of an answer lack members.
    fn relax(&self, schema: &mut Value) {
        let data = &mut schema["properties"]["data"];
        let record = if data["type"] == "array" { &mut data["items"] } else { data };
        let mut whole = self.resolved(record).clone();
        whole.as_object_mut().map(|members| members.remove("required"));
        *record = whole;
    }

    /// The target of a reference in the document.
    pub(crate) fn resolved<'a>(&'a self, value: &'a Value) -> &'a Value {
        match value["$ref"].as_str().and_then(|reference| reference.strip_prefix('#')) {
            Some(pointer) => {
                let target = self.root.pointer(pointer);
                self.resolved(target.unwrap_or_else(|| panic!("#{pointer} is not in the document")))
            }
            None => value,
        }
    }
}

fn operations(root: &Value) -> Vec<Operation> {
    const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];
    let paths = root["paths"].as_object().unwrap_or_else(|| panic!("the document has no paths"));
    let mut operations = Vec::new();
    for (path, item) in paths {
        let path = path.strip_prefix(PREFIX).unwrap_or(path);
        for method in METHODS {
            if let Some(description) = item.get(method).filter(|operation| !is_open(operation)) {
                let method = method.to_uppercase();
                operations.push(Operation { method, path: path.to_owned(), description: description.clone() });
            }
        }
    }
    operations
}

/// Whether an operation is documented to need no key.
fn is_open(operation: &Value) -> bool {
    operation["security"].as_array().is_some_and(|needed| needed.is_empty())
}

fn fits(template: &str, path: &str) -> bool {
    let (template, path) = (template.split('/'), path.split('/'));
    template.clone().count() == path.clone().count()
        && template.zip(path).all(|(wanted, given)| wanted.starts_with('{') || wanted == given)
}

//! Rules for every operation, tested from the server's OpenAPI document: a new endpoint is tested without another line
//! here.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::lists;
use crate::support::document::{Document, Operation};
use crate::support::*;

stories![
    the_document_is_sound,
    every_name_in_the_document_is_unique,
    every_operation_is_described_completely,
    every_operation_needs_a_key,
    every_operation_names_the_scope_it_needs,
    every_operation_on_another_workspaces_record_finds_nothing,
    every_operation_answers_404_for_a_malformed_id,
    every_path_refuses_the_methods_it_does_not_describe,
    every_list_documents_its_parameters,
    all_expected_operations_exist,
];

fn described(world: &World) -> &'static Document {
    document::of(&world.origin())
}

/// A valid body for an operation, so that only the record is missing; `None` if it has no body.
fn fitting_body(operation: &Operation) -> Option<Value> {
    let name = format!("Name {}", nobody());
    let body = match (operation.method.as_str(), operation.path.as_str()) {
        ("POST", "/contacts") => json!({"first_name": "Ada"}),
        ("POST", "/tasks") => json!({"title": "Call"}),
        ("PUT" | "PATCH", path) if path.ends_with("/sequences") => json!({"sequence_id": nobody()}),
        ("POST", path) if path.ends_with("/notes") => json!({"content": "Called."}),
        ("POST", "/conversations/{id}/messages") => json!({"content": "Called."}),
        ("PUT", "/conversations/{id}") => json!({"status": "archived"}),
        ("POST", path) if path.ends_with("/entries") => json!({"contact_id": nobody()}),
        ("POST", path) if path.ends_with("enroll") => json!({"contact_ids": [nobody()]}),
        ("POST", path) if path.ends_with("/resume") || path.ends_with("/enrich") => json!({}),
        ("POST", path) if path.ends_with("/retry") || path.ends_with("/upgrade") => json!({}),
        ("POST", "/deals") => json!({"title": "Licences"}),
        ("PUT" | "PATCH", path) if path.ends_with("/stage") => json!({"stage_id": nobody()}),
        ("POST", path) if path.ends_with("/close") => json!({"status": "won"}),
        ("POST", "/deals/{id}/contacts") => json!({"contact_id": nobody()}),
        ("POST", "/message-drafts" | "/messages/preview") => json!({"contact_id": nobody()}),
        ("POST", "/message-templates") => json!({"name": name, "content": "Hello"}),
        ("POST", path) if path.ends_with("/cancel") => json!({}),
        ("POST", path) if path.ends_with("/test") => json!({"contact_id": nobody()}),
        ("POST", path) if path.ends_with("/files") => json!({"filename": "a.txt", "file_base64": "QWRh"}),
        ("POST", _) => json!({"name": name}),
        _ => json!({}),
    };
    let takes_one = operation.description.get("requestBody").is_some() && operation.method != "DELETE";
    takes_one.then_some(body)
}

/// Sends a valid request for the operation.
#[track_caller]
fn try_out(client: &Client, operation: &Operation, id: &str) -> Answer {
    let mut path = operation.path_with(id);
    if operation.method == "DELETE" && path.ends_with("/tags") {
        path.push_str("?name=VIP");
    }
    let request = client.request(&operation.method, &path);
    if operation.takes_only_a_form() {
        return request.form(&[Part::file("a.txt", b"Ada")]).send();
    }
    match fitting_body(operation) {
        Some(body) => request.json(&body).send(),
        None => request.send(),
    }
}

fn the_document_is_sound(world: &World) {
    let document = described(world);
    assert!(text(&document.root["openapi"]).starts_with("3.1."), "{}", document.root["openapi"]);
    assert_eq!(document.root["info"]["version"], "1.0.0");
    let mut references = Vec::new();
    collect_references(&document.root, &mut references);
    assert!(!references.is_empty(), "a document without references");
    for reference in references {
        let pointer = reference.strip_prefix('#').unwrap_or_else(|| panic!("{reference} leads out of the document"));
        assert!(document.root.pointer(pointer).is_some(), "{reference} leads nowhere");
    }
    let components = &document.root["components"];
    for (name, schema) in components["schemas"].as_object().into_iter().flatten() {
        let whole = json!({"allOf": [schema], "components": components});
        if let Err(error) = jsonschema::validator_for(&whole) {
            panic!("the schema {name} is wrong: {error}");
        }
    }
}

fn collect_references(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            found.extend(members.get("$ref").and_then(Value::as_str).map(str::to_owned));
            members.values().for_each(|member| collect_references(member, found));
        }
        Value::Array(items) => items.iter().for_each(|item| collect_references(item, found)),
        _ => {}
    }
}

/// JSON whose objects have no duplicate members: a schema that silently replaces another of its name would be one.
struct Unique;

impl<'de> serde::de::DeserializeSeed<'de> for Unique {
    type Value = ();

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> serde::de::Visitor<'de> for Unique {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str("JSON")
    }

    fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut names = BTreeSet::new();
        while let Some(name) = map.next_key::<String>()? {
            map.next_value_seed(Unique)?;
            if names.contains(&name) {
                return Err(serde::de::Error::custom(format!("{name} is there twice")));
            }
            names.insert(name);
        }
        Ok(())
    }

    fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        while items.next_element_seed(Unique)?.is_some() {}
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }
}

fn every_name_in_the_document_is_unique(world: &World) {
    let served = world.stranger().visit("/api/v1/openapi.json").send();
    let mut deserializer = serde_json::Deserializer::from_slice(&served.body);
    if let Err(twice) = serde::de::DeserializeSeed::deserialize(Unique, &mut deserializer) {
        panic!("{twice}");
    }
    let mut ids = BTreeSet::new();
    for operation in described(world).operations() {
        let id = text(&operation.description["operationId"]);
        assert!(ids.insert(id.clone()), "the operationId {id} is there twice");
    }
}

fn every_operation_is_described_completely(world: &World) {
    for operation in described(world).operations() {
        let words = operation.description["summary"].as_str().unwrap_or_default();
        assert!(!words.is_empty(), "{operation} has no summary");
        let responses = operation.description["responses"].as_object();
        let responses: Vec<&String> = responses.into_iter().flatten().map(|(status, _)| status).collect();
        assert!(responses.iter().any(|status| status.starts_with('2')), "{operation} never succeeds");
        for status in ["401", "403", "429"] {
            if status == "429" && operation.path.ends_with(UNCOUNTED) {
                assert!(!responses.iter().any(|it| *it == status), "{operation} is outside the limit");
                continue;
            }
            assert!(responses.iter().any(|it| *it == status || *it == "default"), "{operation} has no {status}");
        }
        let parameters = operation.description["parameters"].as_array().cloned().unwrap_or_default();
        let named = |name: &str| parameters.iter().any(|it| described(world).resolved(it)["name"] == name);
        for segment in operation.path.split('/').filter_map(|segment| segment.strip_prefix('{')) {
            let name = segment.trim_end_matches('}');
            let item = &described(world).root["paths"];
            let of_path = item.as_object().into_iter().flatten().any(|(path, item)| {
                path.ends_with(&operation.path)
                    && item["parameters"]
                        .as_array()
                        .is_some_and(|all| all.iter().any(|it| described(world).resolved(it)["name"] == name))
            });
            assert!(named(name) || of_path, "{operation} does not describe {name}");
        }
    }
}

fn every_operation_needs_a_key(world: &World) {
    let stranger = world.stranger();
    for operation in described(world).operations() {
        try_out(&stranger, &operation, &nobody()).error(401, "invalid_api_key");
    }
}

fn every_operation_names_the_scope_it_needs(world: &World) {
    let every = strings(&world.key("full_access").get("/me").ok()["key"]["scopes"]);
    let mut by_scope: BTreeMap<Option<String>, Vec<Operation>> = BTreeMap::new();
    for operation in described(world).operations() {
        by_scope.entry(operation.scope()).or_default().push(operation);
    }
    let nobody = nobody();
    for (scope, operations) in by_scope {
        let Some(scope) = scope else {
            // Any key will do, even one for unrelated operations.
            let key = world.key("sourcing:write");
            operations.iter().for_each(|operation| assert_ne!(try_out(&key, operation, &nobody).status, 403));
            continue;
        };
        if scope == "any:read" {
            let (reading, writing): (Vec<&str>, Vec<&str>) =
                every.iter().map(String::as_str).partition(|scope| scope.ends_with(":read"));
            let none = world.key(&writing.join(","));
            for operation in operations {
                try_out(&none, &operation, &nobody).error(403, "insufficient_scope").says(":read");
                for one in &reading {
                    try_out(&world.key(one), &operation, &nobody).is(200);
                }
            }
            continue;
        }
        let others: Vec<&str> = every.iter().map(String::as_str).filter(|other| *other != scope).collect();
        let (all_but_it, it_alone) = (world.key(&others.join(",")), world.key(&scope));
        for operation in operations {
            if let Some(or) = operation.or() {
                let neither: Vec<&str> = others.iter().copied().filter(|other| *other != or).collect();
                let answer = try_out(&world.key(&neither.join(",")), &operation, &nobody);
                answer.error(403, "insufficient_scope").says(&scope);
            } else {
                try_out(&all_but_it, &operation, &nobody).error(403, "insufficient_scope").says(&scope);
            }
            let answer = match operation.also() {
                None => try_out(&it_alone, &operation, &nobody),
                Some(also) => {
                    try_out(&it_alone, &operation, &nobody).error(403, "insufficient_scope").says(also);
                    try_out(&world.key(&format!("{scope},{also}")), &operation, &nobody)
                }
            };
            assert_ne!(answer.status, 403, "{scope} does not open {answer}");
        }
    }
}

fn every_operation_on_another_workspaces_record_finds_nothing(world: &World) {
    let (ours, theirs) = (world.key("full_access"), world.workspace("theirs").key("full_access"));
    let contact = theirs.post("/contacts", json!({"first_name": "Ada", "tags": ["VIP"]})).created();
    let tag = theirs.get("/tags").page().rows.remove(0);
    let addressed: Vec<Operation> =
        described(world).operations().into_iter().filter(Operation::has_path_parameter).collect();
    assert!(!addressed.is_empty(), "the document addresses no record");
    for operation in addressed {
        for record in [&contact, &tag] {
            try_out(&ours, &operation, &text(&record["id"])).not_found();
        }
    }
    assert_eq!(theirs.get("/contacts").page().rows, [contact]);
    assert_eq!(theirs.get("/tags").page().rows, [tag]);
}

fn every_operation_answers_404_for_a_malformed_id(world: &World) {
    let key = world.key("full_access");
    for operation in described(world).operations().into_iter().filter(Operation::has_path_parameter) {
        for id in ["1", "not-an-id", "00000000-0000-0000-0000-00000000000g", "%20", "null"] {
            try_out(&key, &operation, id).not_found();
        }
    }
}

fn every_path_refuses_the_methods_it_does_not_describe(world: &World) {
    let key = world.key("full_access");
    let mut methods: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let id = nobody();
    for operation in described(world).operations() {
        methods.entry(operation.path_with(&id)).or_default().insert(operation.method);
    }
    for (path, described) in methods {
        for method in ["GET", "POST", "PUT", "PATCH", "DELETE"].iter().filter(|it| !described.contains(**it)) {
            let answer = key.request(method, &path).send();
            answer.error(405, "method_not_allowed");
            let mut allowed: BTreeSet<String> =
                answer.header("Allow").split(',').map(|word| word.trim().to_owned()).collect();
            allowed.remove("HEAD");
            allowed.remove("OPTIONS");
            assert_eq!(allowed, described, "{answer}");
        }
    }
}

/// The names of an operation's documented query parameters, sorted.
fn parameters(document: &Document, path: &str) -> BTreeSet<String> {
    let operation = document.operation("GET", path);
    let parameters = operation.description["parameters"].as_array().cloned().unwrap_or_default();
    let parameters = parameters.iter().map(|parameter| document.resolved(parameter).clone());
    parameters.filter(|it| it["in"] == "query").map(|it| text(&it["name"])).collect()
}

fn every_list_documents_its_parameters(world: &World) {
    let document = described(world);
    let of_every_list = ["limit", "offset", "cursor", "count", "sort", "fields", "or", "and"];
    let of_contacts = ["created_after", "created_before", "updated_after", "search"];
    let fields = lists::FILTERS.map(|(field, ..)| field);
    let expected: BTreeSet<String> =
        of_every_list.iter().chain(&of_contacts).chain(&fields).map(|name| (*name).to_owned()).collect();
    let mut given = parameters(document, "/contacts");
    // The negated forms may be documented separately.
    given.retain(|name| !name.starts_with("not."));
    assert_eq!(given, expected);

    let of_tags = ["name", "color", "scope", "created_at"];
    let expected: BTreeSet<String> = of_every_list.iter().chain(&of_tags).map(|name| (*name).to_owned()).collect();
    let mut given = parameters(document, "/tags");
    given.retain(|name| !name.starts_with("not."));
    assert_eq!(given, expected);

    // The description of `sort` lists exactly the sortable fields.
    for (path, sorts) in [("/contacts", &lists::SORTS[..]), ("/tags", &["name", "created_at"])] {
        let operation = document.operation("GET", path);
        let all = operation.description["parameters"].as_array().cloned().unwrap_or_default();
        let sort = all.iter().map(|it| document.resolved(it)).find(|it| it["name"] == "sort").map(Value::to_string);
        let sort = sort.unwrap_or_default();
        for name in sorts {
            assert!(sort.contains(name), "{path} does not say that it sorts by {name}: {sort}");
        }
    }
}

fn all_expected_operations_exist(world: &World) {
    for (method, path, scope) in [
        ("GET", "/contacts", Some("contacts:read")),
        ("POST", "/contacts", Some("contacts:write")),
        ("POST", "/contacts/search", Some("contacts:read")),
        ("GET", "/contacts/{id}", Some("contacts:read")),
        ("GET", "/contacts/{id}/timeline", Some("contacts:read")),
        ("PUT", "/contacts/{id}", Some("contacts:write")),
        ("PATCH", "/contacts/{id}", Some("contacts:write")),
        ("DELETE", "/contacts/{id}", Some("contacts:delete")),
        ("POST", "/contacts/{id}/tags", Some("contacts:write")),
        ("POST", "/contacts/{id}/cv", Some("contacts:write")),
        ("GET", "/contacts/{id}/cv", Some("contacts:read")),
        ("GET", "/contacts/{id}/cv/file", Some("contacts:read")),
        ("DELETE", "/contacts/{id}/cv", Some("contacts:write")),
        ("GET", "/contacts/{id}/files", Some("contacts:read")),
        ("POST", "/contacts/{id}/files", Some("contacts:write")),
        ("GET", "/contacts/{id}/files/{file_id}", Some("contacts:read")),
        ("GET", "/contacts/{id}/files/{file_id}/content", Some("contacts:read")),
        ("DELETE", "/contacts/{id}/files/{file_id}", Some("contacts:write")),
        ("DELETE", "/contacts/{id}/tags", Some("contacts:write")),
        ("GET", "/contacts/custom-fields", Some("contacts:read")),
        ("GET", "/contacts/{id}/notes", Some("notes:read")),
        ("POST", "/contacts/{id}/notes", Some("notes:write")),
        ("GET", "/companies", Some("companies:read")),
        ("POST", "/companies", Some("companies:write")),
        ("GET", "/companies/custom-fields", Some("companies:read")),
        ("POST", "/companies/search", Some("companies:read")),
        ("GET", "/companies/{id}", Some("companies:read")),
        ("GET", "/companies/{id}/timeline", Some("companies:read")),
        ("PUT", "/companies/{id}", Some("companies:write")),
        ("PATCH", "/companies/{id}", Some("companies:write")),
        ("DELETE", "/companies/{id}", Some("companies:delete")),
        ("POST", "/companies/{id}/tags", Some("companies:write")),
        ("DELETE", "/companies/{id}/tags", Some("companies:write")),
        ("GET", "/companies/{id}/contacts", Some("contacts:read")),
        ("GET", "/companies/{id}/notes", Some("notes:read")),
        ("POST", "/companies/{id}/notes", Some("notes:write")),
        ("GET", "/notes", Some("notes:read")),
        ("GET", "/notes/{id}", Some("notes:read")),
        ("PUT", "/notes/{id}", Some("notes:write")),
        ("PATCH", "/notes/{id}", Some("notes:write")),
        ("DELETE", "/notes/{id}", Some("notes:write")),
        ("GET", "/contacts/{id}/deals", Some("deals:read")),
        ("GET", "/companies/{id}/deals", Some("deals:read")),
        ("GET", "/deals", Some("deals:read")),
        ("POST", "/deals", Some("deals:write")),
        ("GET", "/deals/{id}", Some("deals:read")),
        ("PUT", "/deals/{id}", Some("deals:write")),
        ("PATCH", "/deals/{id}", Some("deals:write")),
        ("DELETE", "/deals/{id}", Some("deals:delete")),
        ("PUT", "/deals/{id}/stage", Some("deals:write")),
        ("POST", "/deals/{id}/close", Some("deals:write")),
        ("POST", "/deals/{id}/reopen", Some("deals:write")),
        ("GET", "/deals/{id}/contacts", Some("contacts:read")),
        ("POST", "/deals/{id}/contacts", Some("deals:write")),
        ("DELETE", "/deals/{id}/contacts/{contact_id}", Some("deals:write")),
        ("GET", "/deals/{id}/notes", Some("notes:read")),
        ("POST", "/deals/{id}/notes", Some("notes:write")),
        ("GET", "/deals/{id}/timeline", Some("deals:read")),
        ("POST", "/deals/bulk", Some("deals:write")),
        ("GET", "/deal-pipelines", Some("deals:read")),
        ("GET", "/deal-pipelines/{id}", Some("deals:read")),
        ("GET", "/imports", Some("contacts:read")),
        ("POST", "/imports", Some("contacts:write")),
        ("POST", "/imports/preview", Some("contacts:write")),
        ("GET", "/imports/{id}", Some("contacts:read")),
        ("GET", "/imports/{id}/errors", Some("contacts:read")),
        ("POST", "/imports/{id}/undo", Some("contacts:write")),
        ("GET", "/exports/contacts", Some("contacts:read")),
        ("GET", "/exports/companies", Some("companies:read")),
        ("GET", "/projects", Some("projects:read")),
        ("POST", "/projects", Some("projects:write")),
        ("GET", "/projects/{id}", Some("projects:read")),
        ("PUT", "/projects/{id}", Some("projects:write")),
        ("PATCH", "/projects/{id}", Some("projects:write")),
        ("GET", "/projects/{id}/timeline", Some("projects:read")),
        ("GET", "/projects/{id}/notes", Some("notes:read")),
        ("POST", "/projects/{id}/notes", Some("notes:write")),
        ("GET", "/projects/{id}/files", Some("projects:read")),
        ("POST", "/projects/{id}/files", Some("projects:write")),
        ("GET", "/projects/{id}/files/{file_id}", Some("projects:read")),
        ("GET", "/projects/{id}/files/{file_id}/content", Some("projects:read")),
        ("DELETE", "/projects/{id}/files/{file_id}", Some("projects:write")),
        ("GET", "/companies/{id}/projects", Some("projects:read")),
        ("GET", "/projects/{id}/entries", Some("pipeline:read")),
        ("POST", "/projects/{id}/entries", Some("pipeline:write")),
        ("GET", "/projects/{id}/entries/{entry_id}", Some("pipeline:read")),
        ("PUT", "/projects/{id}/entries/{entry_id}", Some("pipeline:write")),
        ("DELETE", "/projects/{id}/entries/{entry_id}", Some("pipeline:write")),
        ("GET", "/pipeline-entries", Some("pipeline:read")),
        ("POST", "/pipeline-entries/bulk", Some("pipeline:write")),
        ("GET", "/pipeline-entries/{id}", Some("pipeline:read")),
        ("PUT", "/pipeline-entries/{id}", Some("pipeline:write")),
        ("PATCH", "/pipeline-entries/{id}", Some("pipeline:write")),
        ("DELETE", "/pipeline-entries/{id}", Some("pipeline:write")),
        ("GET", "/contacts/{id}/entries", Some("pipeline:read")),
        ("GET", "/project-templates", None),
        ("GET", "/tags", Some("tags:read")),
        ("POST", "/tags", Some("tags:write")),
        ("POST", "/tags/merge", Some("tags:write")),
        ("GET", "/tags/{id}", Some("tags:read")),
        ("PUT", "/tags/{id}", Some("tags:write")),
        ("PATCH", "/tags/{id}", Some("tags:write")),
        ("DELETE", "/tags/{id}", Some("tags:write")),
        ("GET", "/tasks", Some("tasks:read")),
        ("POST", "/tasks", Some("tasks:write")),
        ("GET", "/tasks/{id}", Some("tasks:read")),
        ("PUT", "/tasks/{id}", Some("tasks:write")),
        ("DELETE", "/tasks/{id}", Some("tasks:write")),
        ("GET", "/contacts/{id}/tasks", Some("tasks:read")),
        ("GET", "/sequences", Some("sequences:read")),
        ("POST", "/sequences", Some("sequences:write")),
        ("GET", "/sequences/{id}", Some("sequences:read")),
        ("PUT", "/sequences/{id}", Some("sequences:write")),
        ("DELETE", "/sequences/{id}", Some("sequences:write")),
        ("POST", "/sequences/{id}/start", Some("sequences:write")),
        ("POST", "/sequences/{id}/pause", Some("sequences:write")),
        ("POST", "/sequences/{id}/enroll", Some("sequences:write")),
        ("POST", "/sequences/{id}/unenroll", Some("sequences:write")),
        ("POST", "/sequences/{id}/retry", Some("sequences:write")),
        ("POST", "/sequences/{id}/enrollments/upgrade", Some("sequences:write")),
        ("GET", "/sequences/{id}/enrollments", Some("sequences:read")),
        ("GET", "/sequences/{id}/stats", Some("sequences:read")),
        ("GET", "/enrollments/{id}", Some("sequences:read")),
        ("POST", "/enrollments/{id}/pause", Some("sequences:write")),
        ("POST", "/enrollments/{id}/resume", Some("sequences:write")),
        ("POST", "/enrollments/{id}/retry", Some("sequences:write")),
        ("GET", "/enrollments/{id}/explain", Some("sequences:read")),
        ("POST", "/messages/resolve", Some("messages:write")),
        ("GET", "/messages", Some("messages:read")),
        ("PUT", "/messages/{id}", Some("messages:write")),
        ("POST", "/messages/{id}/cancel", Some("messages:write")),
        ("POST", "/sequences/{id}/steps/{step_id}/test", Some("sequences:write")),
        ("POST", "/messages/preview", Some("messages:read")),
        ("GET", "/message-drafts", Some("messages:read")),
        ("POST", "/message-drafts", Some("messages:write")),
        ("GET", "/message-drafts/{id}", Some("messages:read")),
        ("DELETE", "/message-drafts/{id}", Some("messages:write")),
        ("GET", "/message-templates", Some("messages:read")),
        ("POST", "/message-templates", Some("messages:write")),
        ("GET", "/message-templates/{id}", Some("messages:read")),
        ("PUT", "/message-templates/{id}", Some("messages:write")),
        ("DELETE", "/message-templates/{id}", Some("messages:write")),
        ("GET", "/contacts/{id}/enrollments", Some("sequences:read")),
        ("POST", "/contacts/{id}/enrich", Some("enrichment:write")),
        ("GET", "/enrichment", Some("enrichment:read")),
        ("POST", "/enrichment", Some("enrichment:write")),
        ("GET", "/enrichment/{id}", Some("enrichment:read")),
        ("GET", "/projects/{id}/sequences", Some("sequences:read")),
        ("PUT", "/projects/{id}/sequences", Some("projects:write")),
        ("DELETE", "/projects/{id}/sequences", Some("projects:write")),
        ("GET", "/sourcing/network/locations", Some("sourcing:read")),
        ("POST", "/sourcing/network/search", Some("sourcing:read")),
        ("POST", "/sourcing/network/jobs", Some("sourcing:read")),
        ("POST", "/sourcing/contacts/search", Some("sourcing:read")),
        ("POST", "/sourcing/search", Some("sourcing:read")),
        ("POST", "/sourcing/add-to-project", Some("sourcing:write")),
        ("GET", "/me", None),
        ("GET", "/workspace/members", None),
    ] {
        let operation = described(world).operation(method, path);
        assert_eq!(operation.scope().as_deref(), scope, "{operation}");
    }
}

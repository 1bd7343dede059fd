//! Every operation on one page, as Markdown: `docs/operations.md`.

use crm::api::operation::Operation;
use crm::{dashboard, operations};
use std::fmt::Write;

const HEAD: &str = "# Operations

Every operation, as `relata operations` prints it; a test keeps this page up to date. The API document
([openapi.json](../openapi.json)) describes parameters, bodies and answers, [docs/api](api/README.md) what holds for all of them.

- **Scope:** what the key needs. A session of the dashboard has all scopes.
- **Plan:** the smallest plan that includes the operation.
- A `PUT` may also be sent as `PATCH`: both change only the members that are sent.
";

/// The page as it is committed.
pub fn operation_list() -> String {
    let mut page = HEAD.to_owned();
    table(&mut page, "/api/v1", "Scope", operations::all(), scope);
    table(&mut page, "/dashboard", "Role", dashboard::all(), role);
    page
}

fn table(
    page: &mut String,
    root: &str,
    permission: &str,
    all: impl Iterator<Item = &'static Operation>,
    permitted: fn(&Operation) -> String,
) {
    // Writing to a string can't fail.
    let _ = write!(page, "\n## `{root}`\n\n| Method | Path | {permission} | Plan | Summary |\n|---|---|---|---|---|\n");
    for operation in all {
        let Operation { method, path, summary, feature, .. } = operation;
        let _ = writeln!(page, "| {method} | `{path}` | {} | {} | {summary} |", permitted(operation), feature.plan());
    }
}

fn scope(operation: &Operation) -> String {
    let Some(scope) = operation.scope else {
        return if operation.any_read { "any `…:read`" } else { "any key" }.to_owned();
    };
    let mut text = format!("`{}`", scope.name());
    if let Some(or) = operation.or {
        let _ = write!(text, " or `{}`", or.name());
    }
    if let Some(also) = operation.also {
        let _ = write!(text, " and `{}`", also.name());
    }
    text
}

fn role(operation: &Operation) -> String {
    let role = operation.role.map_or("any", |role| role.word());
    if operation.reauthenticates { format!("{role}, password again") } else { role.to_owned() }
}

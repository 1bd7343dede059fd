//! Tasks: what a member has to do, the due date, and the related records. `todo ⇄ done`, `todo ⇄ skipped`, any to any.

use crate::api::call::{Call, Reply, list_under, make, show};
use crate::api::operation::{Operation, delete, get, post, put};
use crate::api::reaction::Reacts;
use crate::api::scope::{TASKS_READ, TASKS_WRITE};
use crate::pipelines::deal::Deal;
use crate::pipelines::project::Project;
use crate::records::company::Company;
use crate::records::contact::Contact;
use crate::records::references;
use resource::{Changes, Control, Ctx, Day, Error, Index, Resource, Saved, Sync, Time, find, update};
use store::{Tx, Uuid};

resource::choices! {
    TaskType {
        Call = "call", Email = "email", NetworkConnect = "network_connect", NetworkMessage = "network_message",
        Chat = "chat", Todo = "todo", Reminder = "reminder", Meeting = "meeting", Interview = "interview",
    }
}
resource::choices! {
    TaskStatus { Todo = "todo", Done = "done", Skipped = "skipped" }
}
resource::choices! {
    TaskPriority { Low = "low", Medium = "medium", High = "high" }
}

/// Something that a member has to do.
#[derive(Resource)]
#[resource(table = "tasks", one = "task", texts, sync = Sync::Window, indexes = INDEXES)]
pub struct Task {
    #[field(read_only)]
    pub id: Uuid,
    #[field(required, max = 255, filter)]
    pub title: String,
    #[field(max = 10_000)]
    pub description: Option<String>,
    #[field(default = "\"todo\"", filter, counted)]
    pub r#type: TaskType,
    #[field(default = "\"todo\"", filter, sort, counted)]
    pub status: TaskStatus,
    #[field(default = "\"medium\"", filter, sort, counted)]
    pub priority: TaskPriority,
    #[field(filter, sort)]
    pub due_date: Option<Day>,
    /// The responsible member; defaults to the key's owner.
    #[field(filter, term = "task.assigned_to", control = Control::Member)]
    pub assigned_to: Option<Uuid>,
    #[field(filter, subject)]
    pub contact_id: Option<Uuid>,
    #[field(filter, subject, control = Control::Company)]
    pub company_id: Option<Uuid>,
    #[field(filter, subject, term = "task.deal")]
    pub deal_id: Option<Uuid>,
    #[field(filter, subject, term = "task.project")]
    pub project_id: Option<Uuid>,
    /// When it was done or skipped.
    #[field(read_only, filter)]
    pub completed_at: Option<Time>,
    #[field(read_only, filter, sort, label = "Added")]
    pub created_at: Time,
    #[field(read_only, filter, sort, label = "Changed")]
    pub updated_at: Time,
}

const INDEXES: &[Index] = &[
    Index { name: "tasks_updated_at", fields: &["updated_at"] },
    Index { name: "tasks_due_date", fields: &["due_date"] },
    Index { name: "tasks_priority", fields: &["priority"] },
    Index { name: "tasks_status", fields: &["status"] },
    Index { name: "tasks_status_due_date", fields: &["status", "due_date"] },
    Index { name: "tasks_contact_id", fields: &["contact_id"] },
    Index { name: "tasks_company_id", fields: &["company_id"] },
];

pub const OPERATIONS: &[Operation] = &[
    get("/tasks", "list_tasks", "List tasks").scope(TASKS_READ).list::<Task>(),
    post("/tasks", "create_task", "Create a task")
        .scope(TASKS_WRITE)
        .body::<Task>("TaskInput", &[], true)
        .write(create)
        .gives::<Task>(&[201]),
    get("/tasks/{id}", "get_task", "Get a task").scope(TASKS_READ).record::<Task>(),
    put("/tasks/{id}", "update_task", "Update a task")
        .scope(TASKS_WRITE)
        .body::<Task>("TaskUpdate", &[], false)
        .write(change)
        .gives::<Task>(&[200]),
    delete("/tasks/{id}", "delete_task", "Delete a task").scope(TASKS_WRITE).write(remove),
    get("/contacts/{id}/tasks", "list_contact_tasks", "List a contact's tasks")
        .scope(TASKS_READ)
        .list::<Task>()
        .read(list_under::<Contact, Task>),
];

pub fn create(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let mut changes = call.changes::<Task>(&[], true)?;
    normalize(&call.ctx, tx, &mut changes, None)?;
    let (id, reply) = make::<Task>(&call.ctx, tx, &changes)?;
    Ok(reply.created(format!("/tasks/{id}")))
}

pub fn change(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let mut changes = call.changes::<Task>(&[], false)?;
    let task = find::<Task>(&call.ctx, tx, call.id(0, "task")?)?;
    normalize(&call.ctx, tx, &mut changes, Some(&task))?;
    update(&call.ctx, tx, &task, &changes)?;
    Task::changed(&call.ctx, tx, &task, &changes)?;
    show::<Task>(&call.ctx, tx, task.id)
}

fn remove(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let task = find::<Task>(&call.ctx, tx, call.id(0, "task")?)?;
    resource::delete(&call.ctx, tx, &task)?;
    Task::deleted(&call.ctx, tx, task.id)?;
    Ok(Reply::deleted())
}

/// Validates the references in a body, and sets the default assignee and the time of completion.
pub fn normalize(ctx: &Ctx, tx: &mut dyn Tx, changes: &mut Changes, saved: Option<&Saved<Task>>) -> Result<(), Error> {
    let mut problems = Vec::new();
    if saved.is_none() && changes.get(Task::ASSIGNED_TO).is_none() {
        changes.set(Task::ASSIGNED_TO, ctx.actor.user);
    }
    problems.extend(references::member(ctx, tx, changes, Task::ASSIGNED_TO)?);
    problems.extend(references::record::<Contact, _>(ctx, tx, changes, Task::CONTACT_ID)?);
    problems.extend(references::record::<Company, _>(ctx, tx, changes, Task::COMPANY_ID)?);
    problems.extend(references::record::<Deal, _>(ctx, tx, changes, Task::DEAL_ID)?);
    problems.extend(references::record::<Project, _>(ctx, tx, changes, Task::PROJECT_ID)?);
    if !problems.is_empty() {
        return Err(Error::Invalid(problems));
    }
    let status = changes.text(Task::STATUS).and_then(TaskStatus::from_word).unwrap_or(TaskStatus::Todo);
    let before = saved.and_then(|saved| saved.record.completed_at);
    if changes.get(Task::STATUS).is_some() {
        let completed = if status == TaskStatus::Todo { None } else { before.or(Some(Time(tx.stamp()))) };
        changes.set(Task::COMPLETED_AT, completed);
    }
    Ok(())
}

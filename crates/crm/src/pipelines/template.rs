//! Project templates: the stages of new projects. Admins manage them; the API reads them; one of them is the default. A
//! project gets its own copy of the stages when it is created.

use crate::api::call::{Call, Reply};
use crate::api::operation::{Operation, get};
use resource::{
    Changes, Column, Ctx, Error, FieldType, Fits, Format, Input, Items, Place, Resource, Saved, Shape, Time, decoded,
    find, fold, insert, invalid, not_found, place, update,
};
use serde_json::{Map, Value as Json, json};
use store::{Tx, Uuid};

resource::choices! {
    /// The meaning of a stage, independent of its name.
    Category {
        Sourced = "sourced", Contacted = "contacted", Replied = "replied", Interview = "interview", Offer = "offer",
        Hired = "hired", Rejected = "rejected", Other = "other",
    }
}

impl Category {
    fn color(self) -> &'static str {
        match self {
            Category::Sourced => "#6b7280",
            Category::Contacted => "#3b82f6",
            Category::Replied => "#8b5cf6",
            Category::Interview => "#f59e0b",
            Category::Offer => "#14b8a6",
            Category::Hired => "#22c55e",
            Category::Rejected => "#ef4444",
            Category::Other => "#9ca3af",
        }
    }
}

/// A stage of projects that are created from the template.
#[derive(Resource)]
pub struct TemplateStage {
    #[field(read_only)]
    pub id: Uuid,
    #[field(required, max = 100)]
    pub name: String,
    #[field(read_only)]
    pub position: i64,
    #[field(read_only)]
    pub system_category: Category,
    #[field(format = Format::Color)]
    pub color: String,
}

/// The stages of new projects.
#[derive(Resource)]
#[resource(table = "project_templates", one = "project_template")]
pub struct ProjectTemplate {
    #[field(read_only)]
    pub id: Uuid,
    #[field(required, max = 100)]
    pub name: String,
    /// Used for projects that are created without a template.
    pub is_default: bool,
    /// In the order of `position`.
    pub stages: Items<TemplateStage>,
    #[field(hidden)]
    pub created_at: Time,
}

pub const OPERATIONS: &[Operation] =
    &[get("/project-templates", "list_project_templates", "List the templates of projects")
        .read(all)
        .whole_list::<ProjectTemplate>()];

const MOST: usize = 100;
const MOST_STAGES: usize = 50;

fn all(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    Ok(Reply::whole(list(&call.ctx, tx)?.iter().map(shown).collect()))
}

pub fn shown(template: &ProjectTemplate) -> Json {
    json!({
        "id": template.id, "name": template.name, "is_default": template.is_default, "stages": template.stages.0,
    })
}

/// The default one first, then the oldest.
pub fn list(ctx: &Ctx, tx: &mut dyn Tx) -> Result<Vec<ProjectTemplate>, Error> {
    const LIST: &str = "SELECT id, name, is_default, stages, created_at FROM project_templates WHERE workspace_id = $1 \
         ORDER BY is_default DESC, id";
    tx.rows(LIST, &[ctx.workspace.into()], |row| Ok(decoded::<ProjectTemplate>(row)))?.into_iter().collect()
}

/// The template with this id, or the default one; `None` if there is no such template.
pub fn chosen(ctx: &Ctx, tx: &mut dyn Tx, id: Option<Uuid>) -> Result<Option<ProjectTemplate>, Error> {
    let wanted = |template: &ProjectTemplate| id.map_or(template.is_default, |id| template.id == id);
    Ok(list(ctx, tx)?.into_iter().find(wanted))
}

/// A stage as an admin defines it.
#[derive(Clone, Debug)]
pub struct Given {
    pub name: String,
    pub category: Category,
    pub color: Option<String>,
}

impl Given {
    /// `Interview` or `Interview:interview`.
    pub fn parse(text: &str) -> Result<Given, Error> {
        let (name, category) = match text.rsplit_once(':') {
            Some((name, word)) => (name, category(word)?),
            None => (text, Category::from_word(&fold(text.trim())).unwrap_or(Category::Other)),
        };
        Ok(Given { name: name.to_owned(), category, color: None })
    }
}

pub fn category(word: &str) -> Result<Category, Error> {
    let unknown = || invalid("category", format!("{word} is not one of {}", Category::WORDS.join(", ")));
    Category::from_word(word).ok_or_else(unknown)
}

/// The template of a new workspace.
pub fn first(ctx: &Ctx, tx: &mut dyn Tx) -> Result<(), Error> {
    // All except `other`, which is the last one.
    let stages: Vec<Given> =
        Category::WORDS[..7].iter().map(|word| Given::parse(&titled(word))).collect::<Result<_, _>>()?;
    create(ctx, tx, "Recruiting", &stages).map(drop)
}

fn titled(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// Creates a template; without stages it copies those of the default one.
pub fn create(ctx: &Ctx, tx: &mut dyn Tx, name: &str, stages: &[Given]) -> Result<Uuid, Error> {
    let known = list(ctx, tx)?;
    if known.len() >= MOST {
        return Err(invalid("name", format!("a workspace has at most {MOST} templates; delete one first")));
    }
    let mut changes = checked(name, true)?;
    check_name(&known, &changes, None)?;
    // Checked first, because the stages are compared with each other.
    if stages.len() > MOST_STAGES {
        return Err(wrong_number());
    }
    let mut made = Vec::new();
    if stages.is_empty() {
        for mut stage in chosen(ctx, tx, None)?.map(|template| template.stages.0).unwrap_or_default() {
            stage.insert("id".into(), tx.id().to_string().into());
            made.push(stage);
        }
    }
    for (at, given) in stages.iter().enumerate() {
        let stage = stage(tx, given, &made).map_err(|error| error.within(&format!("stages.{at}")))?;
        made.push(stage);
    }
    changes.set(ProjectTemplate::IS_DEFAULT, known.is_empty());
    changes.set(ProjectTemplate::STAGES, numbered(made)?);
    insert::<ProjectTemplate>(ctx, tx, &changes)
}

pub fn rename(ctx: &Ctx, tx: &mut dyn Tx, template: &str, name: &str) -> Result<(), Error> {
    let saved = called(ctx, tx, template)?;
    let changes = checked(name, false)?;
    check_name(&list(ctx, tx)?, &changes, Some(saved.id))?;
    update(ctx, tx, &saved, &changes).map(drop)
}

/// Makes it the default template.
pub fn make_default(ctx: &Ctx, tx: &mut dyn Tx, template: &str) -> Result<(), Error> {
    let new = called(ctx, tx, template)?;
    if let Some(old) = chosen(ctx, tx, None)?.filter(|old| old.id != new.id) {
        let old = find::<ProjectTemplate>(ctx, tx, old.id)?;
        set(ctx, tx, &old, ProjectTemplate::IS_DEFAULT, false)?;
    }
    set(ctx, tx, &new, ProjectTemplate::IS_DEFAULT, true)
}

/// Projects that were created from it do not change.
pub fn remove(ctx: &Ctx, tx: &mut dyn Tx, template: &str) -> Result<(), Error> {
    let saved = called(ctx, tx, template)?;
    if saved.record.is_default {
        return Err(invalid("template", "is the default one; make another the default first"));
    }
    resource::delete(ctx, tx, &saved)
}

/// Adds a stage at a position, or at the end.
pub fn add_stage(ctx: &Ctx, tx: &mut dyn Tx, template: &str, given: &Given, at: Option<usize>) -> Result<(), Error> {
    change_stages(ctx, tx, template, |tx, stages, _| {
        let new = stage(tx, given, stages).map_err(|error| error.within("stage"))?;
        stages.insert(at.unwrap_or(stages.len()).min(stages.len()), new);
        Ok(())
    })
}

/// Changes the name, category or colour of a stage.
pub fn change_stage(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    template: &str,
    named: &str,
    (name, category, color): (Option<&str>, Option<Category>, Option<Option<&str>>),
) -> Result<(), Error> {
    change_stages(ctx, tx, template, |tx, stages, stored| {
        let at = position(stages, named)?;
        let old = stages.remove(at);
        let id: Uuid = stored.member(&old, "id")?;
        let given = Given {
            name: name.map_or_else(|| stored.member(&old, "name"), |name| Ok(name.to_owned()))?,
            category: match category {
                Some(category) => category,
                None => stored.word(stored.member(&old, "system_category")?, Category::from_word)?,
            },
            color: color.map_or_else(|| stored.member(&old, "color"), |color| Ok(color.map(str::to_owned)))?,
        };
        let mut new = stage(tx, &given, stages).map_err(|error| error.within("stage"))?;
        new.insert("id".into(), id.to_string().into());
        stages.insert(at, new);
        Ok(())
    })
}

/// Moves a stage to another position, from 0.
pub fn move_stage(ctx: &Ctx, tx: &mut dyn Tx, template: &str, named: &str, to: usize) -> Result<(), Error> {
    change_stages(ctx, tx, template, |_, stages, _| {
        let moved = stages.remove(position(stages, named)?);
        stages.insert(to.min(stages.len()), moved);
        Ok(())
    })
}

pub fn remove_stage(ctx: &Ctx, tx: &mut dyn Tx, template: &str, named: &str) -> Result<(), Error> {
    change_stages(ctx, tx, template, |_, stages, _| {
        stages.remove(position(stages, named)?);
        Ok(())
    })
}

/// Finds a template by its id, or by its name, ignoring case.
fn called(ctx: &Ctx, tx: &mut dyn Tx, template: &str) -> Result<Saved<ProjectTemplate>, Error> {
    let wanted =
        |known: &ProjectTemplate| known.id.to_string() == template || fold(&known.name) == fold(template.trim());
    let found = list(ctx, tx)?.into_iter().find(wanted);
    let found = found.ok_or_else(|| not_found(format!("a template {template}")))?;
    find::<ProjectTemplate>(ctx, tx, found.id)
}

fn checked(name: &str, creating: bool) -> Result<Changes, Error> {
    let body = Map::from_iter([("name".to_owned(), Json::from(name))]);
    Changes::check(&Shape { record: ProjectTemplate::FIELDS, extra: &[] }, &Input(&body), creating)
}

fn check_name(known: &[ProjectTemplate], changes: &Changes, own: Option<Uuid>) -> Result<(), Error> {
    let name = changes.text(ProjectTemplate::NAME).unwrap_or_default();
    match known.iter().find(|other| Some(other.id) != own && fold(&other.name) == fold(name)) {
        Some(other) => Err(invalid("name", format!("there is a template {} already", other.name))),
        None => Ok(()),
    }
}

fn set<T: FieldType>(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    saved: &Saved<ProjectTemplate>,
    column: Column<T>,
    value: impl Fits<T>,
) -> Result<(), Error> {
    let mut changes = Changes::default();
    changes.set(column, value);
    update(ctx, tx, saved, &changes).map(drop)
}

type Stages = Vec<Map<String, Json>>;

fn change_stages(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    template: &str,
    change: impl FnOnce(&mut dyn Tx, &mut Stages, &Place) -> Result<(), Error>,
) -> Result<(), Error> {
    let saved = called(ctx, tx, template)?;
    let mut stages = saved.record.stages.0.clone();
    change(tx, &mut stages, &place(ProjectTemplate::ABOUT.table, "stages", &saved.id))?;
    set(ctx, tx, &saved, ProjectTemplate::STAGES, numbered(stages)?)
}

fn position(stages: &Stages, named: &str) -> Result<usize, Error> {
    let is = |stage: &Map<String, Json>| {
        stage["id"] == named || stage["name"].as_str().is_some_and(|name| fold(name) == fold(named.trim()))
    };
    stages.iter().position(is).ok_or_else(|| not_found(format!("a stage {named} of the template")))
}

/// Creates a stage with a name that none of the others has.
fn stage(tx: &mut dyn Tx, given: &Given, others: &Stages) -> Result<Map<String, Json>, Error> {
    let color = given.color.clone().unwrap_or_else(|| given.category.color().to_owned());
    let body = Map::from_iter([("name".to_owned(), given.name.as_str().into()), ("color".to_owned(), color.into())]);
    let shape = Shape { record: TemplateStage::FIELDS, extra: &[] };
    let checked = Changes::check(&shape, &Input(&body), true)?;
    let (name, color) =
        (checked.text(TemplateStage::NAME).unwrap_or_default(), checked.text(TemplateStage::COLOR).unwrap_or_default());
    if others.iter().any(|other| other["name"].as_str().is_some_and(|other| fold(other) == fold(name))) {
        return Err(invalid("name", format!("there is a stage {name} already")));
    }
    let stage = json!({
        "id": tx.id(), "name": name, "position": 0, "system_category": given.category.word(), "color": color,
    });
    Ok(stage.as_object().cloned().unwrap_or_default())
}

fn wrong_number() -> Error {
    invalid("stages", format!("a template has from 1 to {MOST_STAGES} stages"))
}

fn numbered(mut stages: Stages) -> Result<Json, Error> {
    if stages.is_empty() || stages.len() > MOST_STAGES {
        return Err(wrong_number());
    }
    stages.iter_mut().enumerate().for_each(|(at, stage)| stage["position"] = at.into());
    Ok(Json::from(stages))
}

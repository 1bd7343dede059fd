//! Project templates: what gives a new project its stages. The operator manages them, keys read them; one of them is the
//! default. A project's stages are its own from the moment it is made.

use crate::operation::{Call, Operation, Reply, get};
use resource::{
    Changes, Ctx, Error, Format, Input, Items, Resource, Saved, Shape, Time, find, fold, insert, invalid, not_found,
    update,
};
use serde_json::{Map, Value as Json, json};
use store::{Tx, Uuid, Value};

resource::choices! {
    /// What a stage means, whatever it is called.
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

/// A stage that projects made from the template have.
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

/// What gives a new project its stages.
#[derive(Resource)]
#[resource(table = "project_templates", one = "project_template")]
pub struct ProjectTemplate {
    #[field(read_only)]
    pub id: Uuid,
    #[field(required, max = 100)]
    pub name: String,
    /// The one that a project is made from if it names none.
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
    tx.rows(LIST, &[ctx.workspace.into()], |row| Ok(ProjectTemplate::decode(row)))?.into_iter().collect()
}

/// The template that a project names, or the default one; `None` if there is no such.
pub fn chosen(ctx: &Ctx, tx: &mut dyn Tx, id: Option<Uuid>) -> Result<Option<ProjectTemplate>, Error> {
    let wanted = |template: &ProjectTemplate| id.map_or(template.is_default, |id| template.id == id);
    Ok(list(ctx, tx)?.into_iter().find(wanted))
}

/// A stage as an operator describes it.
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

/// What every workspace starts with.
pub fn first(ctx: &Ctx, tx: &mut dyn Tx) -> Result<(), Error> {
    // All but the last, which is what fits none of them.
    let stages: Vec<Given> =
        Category::WORDS[..7].iter().map(|word| Given::parse(&titled(word))).collect::<Result<_, _>>()?;
    create(ctx, tx, "Recruiting", &stages).map(drop)
}

fn titled(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// A new template; without stages of its own it has those of the default one.
pub fn create(ctx: &Ctx, tx: &mut dyn Tx, name: &str, stages: &[Given]) -> Result<Uuid, Error> {
    let known = list(ctx, tx)?;
    if known.len() >= MOST {
        return Err(invalid("name", format!("a workspace has at most {MOST} templates; delete one first")));
    }
    let mut changes = checked(name, true)?;
    check_name(&known, &changes, None)?;
    // Counted first: each is compared with those before it.
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
    for given in stages {
        let stage = stage(tx, given, &made)?;
        made.push(stage);
    }
    changes.set(ProjectTemplate::FIELDS, "is_default", known.is_empty());
    changes.set(ProjectTemplate::FIELDS, "stages", numbered(made)?);
    insert::<ProjectTemplate>(ctx, tx, &changes)
}

pub fn rename(ctx: &Ctx, tx: &mut dyn Tx, template: &str, name: &str) -> Result<(), Error> {
    let saved = called(ctx, tx, template)?;
    let changes = checked(name, false)?;
    check_name(&list(ctx, tx)?, &changes, Some(saved.id))?;
    update(ctx, tx, &saved, &changes).map(drop)
}

/// Makes it the one that a project is made from if it names none.
pub fn make_default(ctx: &Ctx, tx: &mut dyn Tx, template: &str) -> Result<(), Error> {
    let new = called(ctx, tx, template)?;
    if let Some(old) = chosen(ctx, tx, None)?.filter(|old| old.id != new.id) {
        let old = find::<ProjectTemplate>(ctx, tx, old.id)?;
        set(ctx, tx, &old, "is_default", false)?;
    }
    set(ctx, tx, &new, "is_default", true)
}

/// Projects that were made from it stay as they are.
pub fn remove(ctx: &Ctx, tx: &mut dyn Tx, template: &str) -> Result<(), Error> {
    let saved = called(ctx, tx, template)?;
    if saved.record.is_default {
        return Err(invalid("template", "is the default one; make another the default first"));
    }
    resource::delete(ctx, tx, &saved)
}

/// Adds a stage at a position, or at the end.
pub fn add_stage(ctx: &Ctx, tx: &mut dyn Tx, template: &str, given: &Given, at: Option<usize>) -> Result<(), Error> {
    change_stages(ctx, tx, template, |tx, stages| {
        let new = stage(tx, given, stages)?;
        stages.insert(at.unwrap_or(stages.len()).min(stages.len()), new);
        Ok(())
    })
}

/// Gives a stage another name, category or colour.
pub fn change_stage(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    template: &str,
    named: &str,
    (name, category, color): (Option<&str>, Option<Category>, Option<Option<&str>>),
) -> Result<(), Error> {
    change_stages(ctx, tx, template, |tx, stages| {
        let at = place(stages, named)?;
        let mut old = stages.remove(at);
        let text = |member: &str| old[member].as_str().unwrap_or_default().to_owned();
        let given = Given {
            name: name.map_or_else(|| text("name"), str::to_owned),
            category: category.or_else(|| Category::from_word(&text("system_category"))).unwrap_or(Category::Other),
            color: color.map_or_else(|| Some(text("color")), |color| color.map(str::to_owned)),
        };
        let mut new = stage(tx, &given, stages)?;
        new.insert("id".into(), old.remove("id").unwrap_or_default());
        stages.insert(at, new);
        Ok(())
    })
}

/// Puts a stage at another position, from 0.
pub fn move_stage(ctx: &Ctx, tx: &mut dyn Tx, template: &str, named: &str, to: usize) -> Result<(), Error> {
    change_stages(ctx, tx, template, |_, stages| {
        let moved = stages.remove(place(stages, named)?);
        stages.insert(to.min(stages.len()), moved);
        Ok(())
    })
}

pub fn remove_stage(ctx: &Ctx, tx: &mut dyn Tx, template: &str, named: &str) -> Result<(), Error> {
    change_stages(ctx, tx, template, |_, stages| {
        stages.remove(place(stages, named)?);
        Ok(())
    })
}

/// By its id or its name, case folded.
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
    let name = changes.text("name").unwrap_or_default();
    match known.iter().find(|other| Some(other.id) != own && fold(&other.name) == fold(name)) {
        Some(other) => Err(invalid("name", format!("there is a template {} already", other.name))),
        None => Ok(()),
    }
}

fn set(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    saved: &Saved<ProjectTemplate>,
    name: &str,
    value: impl Into<Value>,
) -> Result<(), Error> {
    let mut changes = Changes::default();
    changes.set(ProjectTemplate::FIELDS, name, value);
    update(ctx, tx, saved, &changes).map(drop)
}

type Stages = Vec<Map<String, Json>>;

fn change_stages(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    template: &str,
    change: impl FnOnce(&mut dyn Tx, &mut Stages) -> Result<(), Error>,
) -> Result<(), Error> {
    let saved = called(ctx, tx, template)?;
    let mut stages = saved.record.stages.0.clone();
    change(tx, &mut stages)?;
    set(ctx, tx, &saved, "stages", numbered(stages)?)
}

fn place(stages: &Stages, named: &str) -> Result<usize, Error> {
    let is = |stage: &Map<String, Json>| {
        stage["id"] == named || stage["name"].as_str().is_some_and(|name| fold(name) == fold(named.trim()))
    };
    stages.iter().position(is).ok_or_else(|| not_found(format!("a stage {named} of the template")))
}

/// A stage that can stand beside these.
fn stage(tx: &mut dyn Tx, given: &Given, others: &Stages) -> Result<Map<String, Json>, Error> {
    let color = given.color.clone().unwrap_or_else(|| given.category.color().to_owned());
    let body = Map::from_iter([("name".to_owned(), given.name.as_str().into()), ("color".to_owned(), color.into())]);
    let shape = Shape { record: TemplateStage::FIELDS, extra: &[] };
    let checked = Changes::check(&shape, &Input(&body), true).map_err(|error| error.within("stage"))?;
    let (name, color) = (checked.text("name").unwrap_or_default(), checked.text("color").unwrap_or_default());
    if others.iter().any(|other| other["name"].as_str().is_some_and(|other| fold(other) == fold(name))) {
        return Err(invalid("stage", format!("there is a stage {name} already")));
    }
    let stage = json!({
        "id": tx.id(), "name": name, "position": 0, "system_category": given.category.word(), "color": color,
    });
    Ok(stage.as_object().cloned().unwrap_or_default())
}

fn wrong_number() -> Error {
    invalid("stages", format!("a template has from 1 to {MOST_STAGES} stages"))
}

fn numbered(mut stages: Stages) -> Result<String, Error> {
    if stages.is_empty() || stages.len() > MOST_STAGES {
        return Err(wrong_number());
    }
    stages.iter_mut().enumerate().for_each(|(at, stage)| stage["position"] = at.into());
    Ok(Json::from(stages).to_string())
}

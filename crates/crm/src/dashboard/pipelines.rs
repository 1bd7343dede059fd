//! Settings > Data model: deal pipelines and the templates of projects, with their stages.

use super::fields::whole;
use crate::api::call::{Call, Reply};
use crate::api::operation::{Operation, delete, post, put};
use crate::api::queue;
use crate::api::scope::Role;
use crate::pipelines::deal::stage_removal;
use crate::pipelines::pipeline::{self, DealPipeline, DealStage, stage};
use crate::pipelines::template::{self, Category, ProjectTemplate, TemplateStage};
use resource::{Changes, Error, Field, Items, Resource, find, invalid, not_found};
use serde_json::{Map, Value as Json};
use store::{Tx, Uuid, Value};

/// The highest position that a client can send; positions beyond the end mean the end.
const LAST: i64 = 100;

/// A stage of a new pipeline.
#[derive(Resource)]
pub struct NewStage {
    #[field(required, as_in = DealStage::FIELDS)]
    pub name: String,
    #[field(as_in = DealStage::FIELDS)]
    pub probability: Option<i64>,
    #[field(as_in = DealStage::FIELDS)]
    pub color: Option<String>,
    #[field(least = 0, most = LAST)]
    pub position: Option<i64>,
}

#[derive(Resource)]
pub struct StageChange {
    #[field(as_in = DealStage::FIELDS)]
    pub name: Option<String>,
    #[field(as_in = DealStage::FIELDS)]
    pub probability: Option<i64>,
    #[field(as_in = DealStage::FIELDS)]
    pub color: Option<String>,
    #[field(least = 0, most = LAST)]
    pub position: Option<i64>,
}

#[derive(Resource)]
pub struct NewPipeline {
    #[field(required, as_in = DealPipeline::FIELDS)]
    pub name: String,
    /// The four default stages if absent.
    pub stages: Option<Items<NewStage>>,
}

#[derive(Resource)]
pub struct PipelineChange {
    #[field(as_in = DealPipeline::FIELDS)]
    pub name: Option<String>,
    #[field(least = 0, most = LAST)]
    pub position: Option<i64>,
    /// True makes it the default pipeline.
    pub is_default: Option<bool>,
}

/// The destination of the deals.
#[derive(Resource)]
pub struct MoveQuery {
    pub move_to: Option<Uuid>,
}

/// A stage of a template.
#[derive(Resource)]
pub struct NewTemplateStage {
    #[field(required, as_in = TemplateStage::FIELDS)]
    pub name: String,
    pub system_category: Option<Category>,
    #[field(as_in = TemplateStage::FIELDS)]
    pub color: Option<String>,
    #[field(least = 0, most = LAST)]
    pub position: Option<i64>,
}

#[derive(Resource)]
pub struct TemplateStageChange {
    #[field(as_in = TemplateStage::FIELDS)]
    pub name: Option<String>,
    pub system_category: Option<Category>,
    #[field(as_in = TemplateStage::FIELDS)]
    pub color: Option<String>,
    #[field(least = 0, most = LAST)]
    pub position: Option<i64>,
}

#[derive(Resource)]
pub struct NewTemplate {
    #[field(required, as_in = ProjectTemplate::FIELDS)]
    pub name: String,
    /// The stages of the default template if absent.
    pub stages: Option<Items<NewTemplateStage>>,
}

#[derive(Resource)]
pub struct TemplateChange {
    #[field(as_in = ProjectTemplate::FIELDS)]
    pub name: Option<String>,
    /// True makes it the default template.
    pub is_default: Option<bool>,
}

const NEW_STAGE: &[Field] = NewStage::FIELDS;
const STAGE_CHANGE: &[Field] = StageChange::FIELDS;
const NEW_PIPELINE: &[Field] = NewPipeline::FIELDS;
const PIPELINE_CHANGE: &[Field] = PipelineChange::FIELDS;
const MOVE: &[Field] = MoveQuery::FIELDS;
const NEW_TEMPLATE: &[Field] = NewTemplate::FIELDS;
const TEMPLATE_CHANGE: &[Field] = TemplateChange::FIELDS;
const NEW_TEMPLATE_STAGE: &[Field] = NewTemplateStage::FIELDS;
const TEMPLATE_STAGE_CHANGE: &[Field] = TemplateStageChange::FIELDS;

pub const OPERATIONS: &[Operation] = &[
    post("/deal-pipelines", "dashboard_new_pipeline", "Add a deal pipeline")
        .gives_object_as(&[201], "DealPipeline", pipeline::schema)
        .role(Role::Admin)
        .members("NewPipeline", NEW_PIPELINE)
        .write(make),
    put("/deal-pipelines/{id}", "dashboard_change_pipeline", "Rename or move a pipeline, or make it the default")
        .gives_object("DealPipeline", pipeline::schema)
        .role(Role::Admin)
        .members("PipelineChange", PIPELINE_CHANGE)
        .write(change),
    delete("/deal-pipelines/{id}", "dashboard_remove_pipeline", "Remove a pipeline; its deals go to another")
        .role(Role::Admin)
        .query(MOVE)
        .write(remove),
    post("/deal-pipelines/{id}/stages", "dashboard_new_stage", "Add a stage")
        .gives_object_as(&[201], "DealPipeline", pipeline::schema)
        .role(Role::Admin)
        .members("NewStage", NEW_STAGE)
        .write(make_stage),
    put("/deal-stages/{id}", "dashboard_change_stage", "Change or move a stage")
        .gives_object("DealPipeline", pipeline::schema)
        .role(Role::Admin)
        .members("StageChange", STAGE_CHANGE)
        .write(change_stage),
    delete("/deal-stages/{id}", "dashboard_remove_stage", "Remove a stage; its deals go to another")
        .role(Role::Admin)
        .query(MOVE)
        .write(remove_stage),
    post("/project-templates", "dashboard_new_template", "Add a template")
        .gives::<ProjectTemplate>(&[201])
        .role(Role::Admin)
        .members("NewTemplate", NEW_TEMPLATE)
        .write(make_template),
    put("/project-templates/{id}", "dashboard_change_template", "Rename a template, or make it the default")
        .gives::<ProjectTemplate>(&[200])
        .role(Role::Admin)
        .members("TemplateChange", TEMPLATE_CHANGE)
        .write(change_template),
    delete("/project-templates/{id}", "dashboard_remove_template", "Remove a template")
        .role(Role::Admin)
        .write(remove_template),
    post("/project-templates/{id}/stages", "dashboard_new_template_stage", "Add a stage to a template")
        .gives::<ProjectTemplate>(&[201])
        .role(Role::Admin)
        .members("NewTemplateStage", NEW_TEMPLATE_STAGE)
        .write(make_template_stage),
    put("/template-stages/{id}", "dashboard_change_template_stage", "Change or move a template's stage")
        .gives::<ProjectTemplate>(&[200])
        .role(Role::Admin)
        .members("TemplateStageChange", TEMPLATE_STAGE_CHANGE)
        .write(change_template_stage),
    delete("/template-stages/{id}", "dashboard_remove_template_stage", "Remove a template's stage")
        .role(Role::Admin)
        .write(remove_template_stage),
];

fn items(given: &Changes) -> Result<Vec<Map<String, Json>>, Error> {
    given.named_json("stages")
}

fn place(given: &Changes) -> Option<usize> {
    whole(given, "position").map(|position| position.unsigned_abs() as usize)
}

fn is_true(given: &Changes, name: &str) -> Result<bool, Error> {
    match given.named(name) {
        Some(Value::Bool(false)) => Err(invalid(name, "make another one the default instead")),
        Some(Value::Bool(true)) => Ok(true),
        _ => Ok(false),
    }
}

// ---- deal pipelines ----

fn make(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let given = call.members(NEW_PIPELINE)?;
    let stages = items(&given)?;
    let text = |stage: &Map<String, Json>, name: &str| stage.get(name).and_then(Json::as_str).map(str::to_owned);
    let given_stage = |stage: &Map<String, Json>| {
        let name = text(stage, "name").unwrap_or_default();
        let probability = stage.get("probability").and_then(Json::as_i64);
        stage::Given { color: text(stage, "color"), ..stage::Given::new(&name, probability) }
    };
    let stages: Vec<stage::Given> = stages.iter().map(given_stage).collect();
    let id = pipeline::create(&call.ctx, tx, given.named_text("name").unwrap_or_default(), &stages)?;
    Ok(Reply { status: 201, ..pipeline::shown(&call.ctx, tx, id)? })
}

fn pipeline_in_path(call: &Call, tx: &mut dyn Tx) -> Result<Uuid, Error> {
    Ok(find::<DealPipeline>(&call.ctx, tx, call.id(0, "deal_pipeline")?)?.id)
}

fn change(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let (given, id) = (call.members(PIPELINE_CHANGE)?, pipeline_in_path(call, tx)?);
    let which = id.to_string();
    if let Some(name) = given.named_text("name") {
        pipeline::rename(&call.ctx, tx, Some(&which), name)?;
    }
    if let Some(position) = place(&given) {
        pipeline::shift(&call.ctx, tx, Some(&which), position)?;
    }
    if is_true(&given, "is_default")? {
        pipeline::make_default(&call.ctx, tx, &which)?;
    }
    pipeline::shown(&call.ctx, tx, id)
}

fn move_to(call: &Call) -> Result<Option<String>, Error> {
    let asked = call.asked(MOVE)?;
    Ok(if let Some(Value::Id(id)) = asked.named("move_to") { Some(id.to_string()) } else { None })
}

/// Renames `to`, as the commands call it, to the parameter of the API.
fn renamed(error: Error) -> Error {
    let Error::Invalid(mut problems) = error else { return error };
    problems.iter_mut().filter(|problem| problem.field == "to").for_each(|problem| problem.field = "move_to".into());
    Error::Invalid(problems)
}

/// Moves the first deals at once; a job moves the rest.
fn clear(call: &Call, tx: &mut dyn Tx, plan: &str) -> Result<Reply, Error> {
    if stage_removal::clear(&call.ctx, tx, plan, queue::CHUNK)? {
        queue::enqueue(&call.ctx, tx, stage::CLEAR, plan)?;
    }
    Ok(Reply::deleted())
}

fn remove(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let (to, id) = (move_to(call)?, pipeline_in_path(call, tx)?);
    let plan = stage::remove_pipeline(&call.ctx, tx, &id.to_string(), to.as_deref()).map_err(renamed)?;
    clear(call, tx, &plan)
}

fn given_stage(given: &Changes) -> stage::Given {
    stage::Given {
        name: given.named_text("name").map(str::to_owned),
        probability: whole(given, "probability"),
        color: given.named_text("color").map(str::to_owned),
        position: place(given),
        cleared: ["probability", "color"].into_iter().filter(|member| is_cleared(given, member)).collect(),
    }
}

fn is_cleared(given: &Changes, member: &str) -> bool {
    given.named(member) == Some(&Value::Null)
}

fn make_stage(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let (given, id) = (call.members(NEW_STAGE)?, pipeline_in_path(call, tx)?);
    stage::create(&call.ctx, tx, Some(&id.to_string()), &given_stage(&given))?;
    Ok(Reply { status: 201, ..pipeline::shown(&call.ctx, tx, id)? })
}

/// The stage in the path, and its pipeline.
fn stage_in_path(call: &Call, tx: &mut dyn Tx) -> Result<(String, Uuid), Error> {
    let stage = find::<DealStage>(&call.ctx, tx, call.id(0, "deal_stage")?)?;
    Ok((stage.id.to_string(), stage.record.pipeline_id))
}

fn change_stage(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let (given, (stage, pipeline)) = (call.members(STAGE_CHANGE)?, stage_in_path(call, tx)?);
    stage::change(&call.ctx, tx, Some(&pipeline.to_string()), &stage, &given_stage(&given))?;
    pipeline::shown(&call.ctx, tx, pipeline)
}

fn remove_stage(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let (to, (stage, pipeline)) = (move_to(call)?, stage_in_path(call, tx)?);
    let plan = stage::remove(&call.ctx, tx, Some(&pipeline.to_string()), &stage, to.as_deref()).map_err(renamed)?;
    clear(call, tx, &plan)
}

// ---- templates of projects ----

fn show_template(call: &Call, tx: &mut dyn Tx, id: Uuid) -> Result<Reply, Error> {
    Ok(Reply::json(&template::shown(&find::<ProjectTemplate>(&call.ctx, tx, id)?.record)))
}

fn make_template(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let given = call.members(NEW_TEMPLATE)?;
    let text = |stage: &Map<String, Json>, name: &str| stage.get(name).and_then(Json::as_str).map(str::to_owned);
    let stages: Vec<template::Given> = items(&given)?
        .iter()
        .map(|stage| template::Given {
            name: text(stage, "name").unwrap_or_default(),
            category: text(stage, "system_category")
                .and_then(|word| Category::from_word(&word))
                .unwrap_or(Category::Other),
            color: text(stage, "color"),
        })
        .collect();
    let id = template::create(&call.ctx, tx, given.named_text("name").unwrap_or_default(), &stages)?;
    Ok(Reply { status: 201, ..show_template(call, tx, id)? })
}

fn template_in_path(call: &Call, tx: &mut dyn Tx) -> Result<Uuid, Error> {
    Ok(find::<ProjectTemplate>(&call.ctx, tx, call.id(0, "project_template")?)?.id)
}

fn change_template(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let (given, id) = (call.members(TEMPLATE_CHANGE)?, template_in_path(call, tx)?);
    if let Some(name) = given.named_text("name") {
        template::rename(&call.ctx, tx, &id.to_string(), name)?;
    }
    if is_true(&given, "is_default")? {
        template::make_default(&call.ctx, tx, &id.to_string())?;
    }
    show_template(call, tx, id)
}

fn remove_template(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let id = template_in_path(call, tx)?;
    template::remove(&call.ctx, tx, &id.to_string())?;
    Ok(Reply::deleted())
}

fn category(given: &Changes) -> Option<Category> {
    given.named_text("system_category").and_then(Category::from_word)
}

fn make_template_stage(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let (given, id) = (call.members(NEW_TEMPLATE_STAGE)?, template_in_path(call, tx)?);
    let stage = template::Given {
        name: given.named_text("name").unwrap_or_default().to_owned(),
        category: category(&given).unwrap_or(Category::Other),
        color: given.named_text("color").map(str::to_owned),
    };
    template::add_stage(&call.ctx, tx, &id.to_string(), &stage, place(&given))?;
    Ok(Reply { status: 201, ..show_template(call, tx, id)? })
}

/// The template with the stage in the path.
fn template_of_stage(call: &Call, tx: &mut dyn Tx) -> Result<(Uuid, String), Error> {
    let stage = call.id(0, "template_stage")?.to_string();
    let all = template::list(&call.ctx, tx)?;
    let found = all.iter().find(|template| template.stages.0.iter().any(|known| known["id"] == stage.as_str()));
    Ok((found.ok_or_else(|| not_found("template_stage"))?.id, stage))
}

fn change_template_stage(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let (given, (id, stage)) = (call.members(TEMPLATE_STAGE_CHANGE)?, template_of_stage(call, tx)?);
    // Without a colour of its own, a stage has that of its category.
    let color = if is_cleared(&given, "color") { Some(None) } else { given.named_text("color").map(Some) };
    let change = (given.named_text("name"), category(&given), color);
    template::change_stage(&call.ctx, tx, &id.to_string(), &stage, change)?;
    if let Some(position) = place(&given) {
        template::move_stage(&call.ctx, tx, &id.to_string(), &stage, position)?;
    }
    show_template(call, tx, id)
}

fn remove_template_stage(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let (id, stage) = template_of_stage(call, tx)?;
    template::remove_stage(&call.ctx, tx, &id.to_string(), &stage)?;
    Ok(Reply::deleted())
}

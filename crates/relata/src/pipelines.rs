//! `relata pipelines`: deal pipelines. This process leases and runs the jobs that move deals; if it dies, the server
//! continues them.

use crate::commands::{line, read, write};
use crate::config::Config;
use crate::open::{self, Installation};
use crate::progress::Progress;
use crate::{Exit, cli};
use crm::api::queue;
use crm::jobs;
use crm::pipelines::pipeline::{self, stage};
use crm::pipelines::sums;
use resource::{Ctx, Error, invalid};
use store::Tx;

pub(crate) fn run(config: &Config, slug: Option<&str>, command: cli::Pipelines) -> Result<(), Exit> {
    let installation = open::as_is(config)?;
    match command {
        cli::Pipelines::List => list(&installation, slug)?,
        cli::Pipelines::Create { name, stages } => {
            let named = |stage: &String| named(stage).map(|(name, probability)| stage::Given::new(&name, probability));
            let stages = stages.iter().map(named).collect::<Result<Vec<_>, Error>>()?;
            println!("{}", write(&installation, slug, move |ctx, tx| pipeline::create(ctx, tx, &name, &stages))?);
        }
        cli::Pipelines::Rename { pipeline, name } => {
            write(&installation, slug, move |ctx, tx| pipeline::rename(ctx, tx, pipeline.as_deref(), &name))?;
        }
        cli::Pipelines::Move { pipeline, position } => {
            write(&installation, slug, move |ctx, tx| pipeline::shift(ctx, tx, pipeline.as_deref(), position))?;
        }
        cli::Pipelines::Default { pipeline } => {
            write(&installation, slug, move |ctx, tx| pipeline::make_default(ctx, tx, &pipeline))?;
        }
        cli::Pipelines::Delete { pipeline, to } => {
            clear(&installation, slug, move |ctx, tx| stage::remove_pipeline(ctx, tx, &pipeline, to.as_deref()))?;
        }
        cli::Pipelines::Stage(command) => on_stage(&installation, slug, command)?,
    }
    installation.store.close();
    Ok(())
}

fn on_stage(installation: &Installation, slug: Option<&str>, command: cli::Stage) -> Result<(), Exit> {
    match command {
        cli::Stage::Add { pipeline, name, probability, color, position } => {
            let given = stage::Given { name: Some(name), probability, color, position, ..stage::Given::default() };
            println!(
                "{}",
                write(installation, slug, move |ctx, tx| stage::create(ctx, tx, pipeline.as_deref(), &given))?
            );
            Ok(())
        }
        cli::Stage::Update { which, name, probability, color } => {
            change(installation, slug, which, stage::Given { name, probability, color, ..stage::Given::default() })
        }
        cli::Stage::Move { which, position } => {
            change(installation, slug, which, stage::Given { position: Some(position), ..stage::Given::default() })
        }
        cli::Stage::Merge { which, into } => remove(installation, slug, which, Some(into)),
        cli::Stage::Delete { which, to } => remove(installation, slug, which, to),
    }
}

fn list(installation: &Installation, slug: Option<&str>) -> Result<(), Exit> {
    let (pipelines, sums) = read(installation, slug, |ctx, tx| Ok((pipeline::list(ctx, tx)?, sums::sums(ctx, tx)?)))?;
    for pipeline in pipelines {
        for stage in pipeline.stages {
            let deals: i64 = sums.iter().filter(|sum| sum.stage == stage.id).map(|sum| sum.deals).sum();
            line(&[
                &pipeline.record.name,
                if pipeline.record.is_default { "default" } else { "" },
                &pipeline.record.id.to_string(),
                &stage.position.to_string(),
                &stage.name,
                &stage.probability.map_or(String::new(), |percent| percent.to_string()),
                stage.color.as_deref().unwrap_or_default(),
                &deals.to_string(),
                &stage.id.to_string(),
            ]);
        }
    }
    Ok(())
}

/// `NAME` or `NAME:PROBABILITY`.
fn named(text: &str) -> Result<(String, Option<i64>), Error> {
    match text.rsplit_once(':') {
        None => Ok((text.to_owned(), None)),
        Some((name, percent)) => match percent.trim().parse() {
            Ok(percent) => Ok((name.to_owned(), Some(percent))),
            Err(_) => Err(invalid("stages", format!("{percent} in {text} is not a whole number of percent"))),
        },
    }
}

fn change(
    installation: &Installation,
    slug: Option<&str>,
    which: cli::WhichStage,
    given: stage::Given,
) -> Result<(), Exit> {
    let cli::WhichStage { pipeline, stage } = which;
    write(installation, slug, move |ctx, tx| stage::change(ctx, tx, pipeline.as_deref(), &stage, &given))
}

fn remove(
    installation: &Installation,
    slug: Option<&str>,
    which: cli::WhichStage,
    to: Option<String>,
) -> Result<(), Exit> {
    let cli::WhichStage { pipeline, stage } = which;
    clear(installation, slug, move |ctx, tx| stage::remove(ctx, tx, pipeline.as_deref(), &stage, to.as_deref()))
}

/// Runs the job that `plan` describes, step by step.
fn clear(
    installation: &Installation,
    slug: Option<&str>,
    mut plan: impl FnMut(&Ctx, &mut dyn Tx) -> Result<String, Error> + Send + 'static,
) -> Result<(), Exit> {
    let job = write(installation, slug, move |ctx, tx| {
        let plan = plan(ctx, tx)?;
        queue::hold(ctx, tx, stage::CLEAR, &plan)
    })?;
    let (mut progress, mut steps) = (Progress::of("moving deals"), 0);
    loop {
        let this = job.clone();
        if !write(installation, slug, move |ctx, tx| jobs::complete(ctx, tx, &this, None))? {
            return Ok(());
        }
        steps += 1;
        progress.at(steps, None, &(steps * queue::CHUNK.unsigned_abs()).to_string());
    }
}

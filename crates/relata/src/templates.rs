//! `relata templates`: the stages of new projects.

use crate::commands::{line, read, write};
use crate::config::Config;
use crate::{Exit, cli, open};
use crm::pipelines::template::{self, Given, category};

pub(crate) fn run(config: &Config, slug: Option<&str>, command: cli::Templates) -> Result<(), Exit> {
    let installation = open::as_is(config)?;
    match command {
        cli::Templates::List => {
            for known in read(&installation, slug, template::list)? {
                let stage = |stage: &serde_json::Map<String, serde_json::Value>| {
                    let text = |member: &str| stage[member].as_str().unwrap_or_default().to_owned();
                    format!("{}:{}", text("name"), text("system_category"))
                };
                let stages: Vec<String> = known.stages.0.iter().map(stage).collect();
                let default = if known.is_default { "default" } else { "-" };
                line(&[&known.id.to_string(), &known.name, default, &stages.join(",")]);
            }
        }
        cli::Templates::Create { name, stages } => {
            let stages: Vec<Given> = stages.iter().map(|text| Given::parse(text)).collect::<Result<_, _>>()?;
            let made = write(&installation, slug, move |ctx, tx| template::create(ctx, tx, &name, &stages))?;
            println!("{made}");
        }
        cli::Templates::Rename { which, name } => {
            write(&installation, slug, move |ctx, tx| template::rename(ctx, tx, &which.template, &name))?;
        }
        cli::Templates::Default { which } => {
            write(&installation, slug, move |ctx, tx| template::make_default(ctx, tx, &which.template))?;
        }
        cli::Templates::Delete { which } => {
            write(&installation, slug, move |ctx, tx| template::remove(ctx, tx, &which.template))?;
        }
        cli::Templates::AddStage { which, name, category: word, color, position } => {
            let given = Given { name, category: category(&word)?, color };
            write(&installation, slug, move |ctx, tx| template::add_stage(ctx, tx, &which.template, &given, position))?;
        }
        cli::Templates::ChangeStage { which, stage, name, category: word, color } => {
            let word = word.as_deref().map(category).transpose()?;
            write(&installation, slug, move |ctx, tx| {
                let given = (name.as_deref(), word, color.as_deref().map(Some));
                template::change_stage(ctx, tx, &which.template, &stage, given)
            })?;
        }
        cli::Templates::MoveStage { which, stage, position } => {
            write(&installation, slug, move |ctx, tx| {
                template::move_stage(ctx, tx, &which.template, &stage, position)
            })?;
        }
        cli::Templates::RemoveStage { which, stage } => {
            write(&installation, slug, move |ctx, tx| template::remove_stage(ctx, tx, &which.template, &stage))?;
        }
    }
    installation.store.close();
    Ok(())
}

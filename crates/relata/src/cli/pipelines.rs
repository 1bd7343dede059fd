//! The commands of pipelines: project templates, deal pipelines, and their stages.

use clap::{Args, Subcommand};

/// The template that a command works on.
#[derive(Args)]
pub(crate) struct WhichTemplate {
    /// Its name or its id
    #[arg(long, value_name = "NAME")]
    pub template: String,
}

#[derive(Subcommand)]
pub(crate) enum Templates {
    /// List templates: id, name, default or -, stages as Name:category
    List,
    /// Create a template and print its id
    Create {
        /// The displayed name
        #[arg(long)]
        name: String,
        /// Name:category, comma-separated, in order [default: the stages of the default template]
        #[arg(long, value_delimiter = ',', value_name = "LIST")]
        stages: Vec<String>,
    },
    /// Rename a template
    Rename {
        #[command(flatten)]
        which: WhichTemplate,
        /// The new name
        #[arg(long)]
        name: String,
    },
    /// Make it the default template of new projects
    Default {
        #[command(flatten)]
        which: WhichTemplate,
    },
    /// Delete a template; projects that were created from it do not change
    Delete {
        #[command(flatten)]
        which: WhichTemplate,
    },
    /// Add a stage to a template
    AddStage {
        #[command(flatten)]
        which: WhichTemplate,
        /// The stage's name
        #[arg(long)]
        name: String,
        /// sourced, contacted, replied, interview, offer, hired, rejected or other
        #[arg(long, default_value = "other")]
        category: String,
        /// #RRGGBB [default: the category's]
        #[arg(long)]
        color: Option<String>,
        /// From 0 [default: at the end]
        #[arg(long, value_name = "N")]
        position: Option<usize>,
    },
    /// Change the name, category or colour of a stage
    ChangeStage {
        #[command(flatten)]
        which: WhichTemplate,
        /// Its name or its id
        #[arg(long, value_name = "NAME")]
        stage: String,
        /// The new name
        #[arg(long)]
        name: Option<String>,
        /// sourced, contacted, replied, interview, offer, hired, rejected or other
        #[arg(long)]
        category: Option<String>,
        /// #RRGGBB
        #[arg(long)]
        color: Option<String>,
    },
    /// Move a stage to another position
    MoveStage {
        #[command(flatten)]
        which: WhichTemplate,
        /// Its name or its id
        #[arg(long, value_name = "NAME")]
        stage: String,
        /// From 0
        #[arg(long, value_name = "N")]
        position: usize,
    },
    /// Remove a stage from a template
    RemoveStage {
        #[command(flatten)]
        which: WhichTemplate,
        /// Its name or its id
        #[arg(long, value_name = "NAME")]
        stage: String,
    },
}

#[derive(Subcommand)]
pub(crate) enum Pipelines {
    /// List stages: pipeline, default, its id, position, stage, probability, color, open deals, stage's id
    List,
    /// Create a pipeline and print its id
    Create {
        /// The displayed name
        #[arg(long)]
        name: String,
        /// NAME or NAME:PROBABILITY, comma-separated, in order [default:
        /// Lead:10,Qualified:25,Proposal:50,Negotiation:75]
        #[arg(long, value_delimiter = ',', value_name = "LIST")]
        stages: Vec<String>,
    },
    /// Rename a pipeline
    Rename {
        /// Its name or id [default: the default one]
        #[arg(long)]
        pipeline: Option<String>,
        /// The new name
        #[arg(long)]
        name: String,
    },
    /// Change the position of a pipeline; the default one is always listed first
    Move {
        /// Its name or id [default: the default one]
        #[arg(long)]
        pipeline: Option<String>,
        /// From 0
        #[arg(long, value_name = "N")]
        position: usize,
    },
    /// Make a pipeline the default of new deals
    Default {
        /// Its name or id
        #[arg(long)]
        pipeline: String,
    },
    /// Delete a pipeline; its deals move to the stage of the same name in another one, else to the first stage
    Delete {
        /// Its name or id
        #[arg(long)]
        pipeline: String,
        /// The pipeline that its deals move to: name or id
        #[arg(long, value_name = "PIPELINE")]
        to: Option<String>,
    },
    /// The stages of a pipeline
    #[command(subcommand)]
    Stage(Stage),
}

#[derive(Args)]
pub(crate) struct WhichStage {
    /// Name or id [default: the default one]
    #[arg(long)]
    pub pipeline: Option<String>,
    /// Name or id
    #[arg(long)]
    pub stage: String,
}

#[derive(Subcommand)]
pub(crate) enum Stage {
    /// Create a stage and print its id
    Add {
        /// Name or id [default: the default one]
        #[arg(long)]
        pipeline: Option<String>,
        /// The stage's name
        #[arg(long)]
        name: String,
        /// Probability of new deals in it, in percent
        #[arg(long, value_name = "PERCENT")]
        probability: Option<i64>,
        /// #RRGGBB
        #[arg(long)]
        color: Option<String>,
        /// Its position, from 0 [default: the last]
        #[arg(long, value_name = "N")]
        position: Option<usize>,
    },
    /// Change a stage; existing deals keep their probability
    #[command(visible_alias = "rename")]
    Update {
        #[command(flatten)]
        which: WhichStage,
        /// The new name
        #[arg(long)]
        name: Option<String>,
        /// Probability of new deals in it, in percent
        #[arg(long, value_name = "PERCENT")]
        probability: Option<i64>,
        /// #RRGGBB
        #[arg(long)]
        color: Option<String>,
    },
    /// Change the position of a stage
    Move {
        #[command(flatten)]
        which: WhichStage,
        /// From 0
        #[arg(long, value_name = "N")]
        position: usize,
    },
    /// Move all deals of a stage into another and delete it
    Merge {
        #[command(flatten)]
        which: WhichStage,
        /// The stage that stays: name or id
        #[arg(long, value_name = "STAGE")]
        into: String,
    },
    /// Delete a stage; if it contains deals, name a stage that they move to
    Delete {
        #[command(flatten)]
        which: WhichStage,
        /// Name or id
        #[arg(long, value_name = "STAGE")]
        to: Option<String>,
    },
}

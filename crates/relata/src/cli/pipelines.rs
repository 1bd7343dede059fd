//! The commands of pipelines: templates of projects, pipelines of deals, and their stages.

use clap::{Args, Subcommand};

/// Which template a command means.
#[derive(Args)]
pub struct WhichTemplate {
    /// Its name or its id
    #[arg(long, value_name = "NAME")]
    pub template: String,
}

#[derive(Subcommand)]
pub enum Templates {
    /// A line each: id, name, default or -, stages as Name:category
    List,
    /// Make a template and print its id
    Create {
        /// What people read
        #[arg(long)]
        name: String,
        /// Name:category, comma-separated, in their order [default: those of the default template]
        #[arg(long, value_delimiter = ',', value_name = "LIST")]
        stages: Vec<String>,
    },
    /// Give a template another name
    Rename {
        #[command(flatten)]
        which: WhichTemplate,
        /// The new name
        #[arg(long)]
        name: String,
    },
    /// Make it the one that a project has if it names none
    Default {
        #[command(flatten)]
        which: WhichTemplate,
    },
    /// Remove a template; projects that were made from it stay as they are
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
    /// Give a stage another name, category or colour
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
    /// Put a stage at another position
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
    /// Take a stage out of a template
    RemoveStage {
        #[command(flatten)]
        which: WhichTemplate,
        /// Its name or its id
        #[arg(long, value_name = "NAME")]
        stage: String,
    },
}

#[derive(Subcommand)]
pub enum Pipelines {
    /// A line for each stage: pipeline, default, its id, position, stage, probability, color, open deals, stage's id
    List,
    /// Make a pipeline and print its id
    Create {
        /// What people read
        #[arg(long)]
        name: String,
        /// In their order: NAME or NAME:PROBABILITY, comma-separated [default: Lead:10,Qualified:25,Proposal:50,Negotiation:75]
        #[arg(long, value_delimiter = ',', value_name = "LIST")]
        stages: Vec<String>,
    },
    /// Give a pipeline another name
    Rename {
        /// Its name or id [default: the default one]
        #[arg(long)]
        pipeline: Option<String>,
        /// The new name
        #[arg(long)]
        name: String,
    },
    /// Put a pipeline elsewhere in the order; the default one is always listed first
    Move {
        /// Its name or id [default: the default one]
        #[arg(long)]
        pipeline: Option<String>,
        /// From 0
        #[arg(long, value_name = "N")]
        position: usize,
    },
    /// Make a pipeline the one of deals that name none
    Default {
        /// Its name or id
        #[arg(long)]
        pipeline: String,
    },
    /// Delete a pipeline; its deals go to another, where they stand in the stage of the same name, else in the first
    Delete {
        /// Its name or id
        #[arg(long)]
        pipeline: String,
        /// The pipeline that takes its deals: name or id
        #[arg(long, value_name = "PIPELINE")]
        to: Option<String>,
    },
    /// The stages of a pipeline
    #[command(subcommand)]
    Stage(Stage),
}

#[derive(Args)]
pub struct WhichStage {
    /// Name or id [default: the default one]
    #[arg(long)]
    pub pipeline: Option<String>,
    /// Name or id
    #[arg(long)]
    pub stage: String,
}

#[derive(Subcommand)]
pub enum Stage {
    /// Make a stage and print its id
    Add {
        /// Name or id [default: the default one]
        #[arg(long)]
        pipeline: Option<String>,
        /// The stage's name
        #[arg(long)]
        name: String,
        /// Of new deals in it, in percent
        #[arg(long, value_name = "PERCENT")]
        probability: Option<i64>,
        /// #RRGGBB
        #[arg(long)]
        color: Option<String>,
        /// Its place, from 0 [default: the last]
        #[arg(long, value_name = "N")]
        position: Option<usize>,
    },
    /// Each the new value; deals keep the probability that they have
    #[command(visible_alias = "rename")]
    Update {
        #[command(flatten)]
        which: WhichStage,
        /// The new name
        #[arg(long)]
        name: Option<String>,
        /// Of new deals in it, in percent
        #[arg(long, value_name = "PERCENT")]
        probability: Option<i64>,
        /// #RRGGBB
        #[arg(long)]
        color: Option<String>,
    },
    /// Put a stage elsewhere in the order
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
    /// Delete a stage; one in which deals stand needs another that takes them
    Delete {
        #[command(flatten)]
        which: WhichStage,
        /// Name or id
        #[arg(long, value_name = "STAGE")]
        to: Option<String>,
    },
}

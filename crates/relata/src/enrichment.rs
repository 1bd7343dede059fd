//! `relata enrichment`: the providers of contacts' addresses.

use crate::commands::{line, read, write};
use crate::config::Config;
use crate::open::{self, Installation};
use crate::runtime::block_on_drivers;
use crate::{Exit, cli};
use connect::finder::{Asker, Candidate, KINDS, Miss, Person, Setup};
use crm::sourcing::enrichment::provider::{self, New};
use resource::invalid;
use store::Uuid;

pub(crate) fn run(config: &Config, slug: Option<&str>, command: cli::Enrichment) -> Result<(), Exit> {
    let installation = open::as_is(config)?;
    match command {
        cli::Enrichment::Add(new) => println!("{}", add(&installation, slug, new)?),
        cli::Enrichment::List => {
            for provider in read(&installation, slug, provider::list)? {
                let finds: Vec<&str> = provider.finds.iter().map(|one| one.word()).collect();
                line(&[
                    &provider.id.to_string(),
                    &provider.position.to_string(),
                    &provider.kind,
                    &provider.name,
                    &finds.join(","),
                    &provider.host,
                    &provider.hands.to_string(),
                    &provider.seconds.to_string(),
                    provider.trouble.as_deref().unwrap_or("-"),
                ]);
            }
        }
        cli::Enrichment::Test(asked) => test(&installation, slug, asked)?,
        cli::Enrichment::Remove { name } => {
            write(&installation, slug, move |ctx, tx| provider::remove(ctx, tx, &name))?
        }
    }
    installation.store.close();
    Ok(())
}

pub(crate) fn add(installation: &Installation, slug: Option<&str>, new: cli::AddProvider) -> Result<Uuid, Exit> {
    let names: Vec<&str> = KINDS.iter().map(|(name, _)| *name).collect();
    let known = KINDS.iter().find(|(name, _)| *name == new.kind);
    let (name, kind) = known.ok_or_else(|| invalid("--kind", format!("must be one of {}", names.join(", "))))?;
    let url = new.url.or_else(|| kind.usual_url().map(str::to_owned));
    let url = url.ok_or_else(|| invalid("--url", "is required: where the provider is asked"))?;
    let header = |text: &String| {
        let pair = text.split_once(':').map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned()));
        pair.ok_or_else(|| invalid("--header", "must look like 'Name: value'"))
    };
    let setup = Setup {
        kind: *kind,
        url: url.trim().to_owned(),
        method: new.method.map(|method| method.to_uppercase()),
        body: new.body,
        headers: new.headers.iter().map(header).collect::<Result<_, _>>()?,
        email_path: new.email_path,
        phone_path: new.phone_path,
        confidence_path: new.confidence_path,
        verified_path: new.verified_path,
        name_path: new.name_path,
        seconds: new.seconds,
    };
    let finds = server::finds(&setup).map_err(|wrong| invalid(format!("--{}", wrong.member), wrong.reason))?;
    let new = New {
        name: new.name,
        kind: name,
        position: new.position,
        finds,
        host: setup.host(),
        hands: new.hands,
        seconds: i64::try_from(new.seconds).unwrap_or(i64::MAX),
        setup: serde_json::to_string(&setup).map_err(Exit::failed)?,
    };
    let secret = installation.secret.clone();
    write(installation, slug, move |ctx, tx| provider::add(ctx, tx, &secret, &new))
}

/// Adds a provider of the sandbox, or replaces the one with this name.
pub(crate) fn renew(
    installation: &Installation,
    slug: Option<&str>,
    kind: &str,
    name: &str,
    url: &str,
    key: String,
) -> Result<Uuid, Exit> {
    let called = name.to_owned();
    let known = read(installation, slug, move |ctx, tx| {
        let all = provider::list(ctx, tx)?;
        Ok(all.into_iter().any(|provider| provider.name == called))
    })?;
    if known {
        let called = name.to_owned();
        write(installation, slug, move |ctx, tx| provider::remove(ctx, tx, &called))?;
    }
    let path = |path: &str| (kind == "json").then(|| path.to_owned());
    let new = cli::AddProvider {
        name: name.to_owned(),
        kind: kind.to_owned(),
        url: Some(url.to_owned()),
        headers: vec![key],
        method: None,
        body: None,
        email_path: path("emails.*.address"),
        phone_path: path("phones"),
        confidence_path: path("emails.*.score"),
        verified_path: path("emails.*.status"),
        name_path: path("name"),
        position: None,
        seconds: 20,
        hands: 4,
    };
    add(installation, slug, new)
}

fn test(installation: &Installation, slug: Option<&str>, asked: cli::TestProvider) -> Result<(), Exit> {
    let (secret, name) = (installation.secret.clone(), asked.name);
    let setup = read(installation, slug, move |ctx, tx| {
        let provider = provider::called(ctx, tx, &name)?;
        provider::setup(ctx, tx, &secret, provider.id)
    })?;
    let setup: Setup = serde_json::from_str(&setup.unwrap_or_default()).map_err(Exit::failed)?;
    let person = Person {
        first_name: Some(asked.first_name),
        last_name: Some(asked.last_name),
        company: asked.company,
        domain: asked.domain,
        network_profile: asked.network_profile,
        title: asked.title,
        location: asked.location,
        email: asked.email,
    };
    let key = Uuid::new_v4().to_string();
    let asker = Asker::new().map_err(Exit::failed)?;
    let asking = async { asker.ask(&setup, &person, &key).await.map_err(|miss| Exit::failed(why(miss))) };
    let answer = block_on_drivers(asking)?;
    if let Some(name) = &answer.name {
        line(&["name", name]);
    }
    let print = |one: &str, candidate: &Candidate| {
        let verified = if candidate.verified { "verified" } else { "unverified" };
        let confidence = candidate.confidence.map_or("-".to_owned(), |percent| percent.to_string());
        line(&[one, &candidate.value, verified, &confidence]);
    };
    answer.emails.iter().for_each(|email| print("email", email));
    answer.phones.iter().for_each(|phone| print("phone", phone));
    if answer.emails.is_empty() && answer.phones.is_empty() {
        println!("nothing");
    }
    Ok(())
}

fn why(miss: Miss) -> String {
    match miss {
        Miss::Lacks(text) => format!("it was not asked: {}", text.replace("the contact", "the person")),
        Miss::Throttled { text, .. } | Miss::Broken { text, .. } | Miss::Lost(text) | Miss::Refused(text) => text,
    }
}

//! `relata accounts`, `relata sequences` and `relata suppressions`.

use crate::commands::{line, listed, operator, read, write};
use crate::config::Config;
use crate::open::{self, Installation};
use crate::runtime::{block_on, block_on_drivers};
use crate::{Exit, cli, oauth};
use crm::api::effects::{ByOperator, Grant, Reach, Trouble};
use crm::api::{meta, seal};
use crm::outreach::account::{self, Channel, ConnectedAccount};
use crm::outreach::sequence::start;
use crm::outreach::suppression::{self, Suppression, SuppressionReason};
use crm::sourcing::enrichment::provider;
use crm::tenant::workspace;
use resource::{Error, Problem, find};
use serde_json::{Map, Value as Json};
use server::sending_domain::NameServers;
use server::{Access, Guard};
use store::{Lane, Uuid};

pub(crate) fn run(config: &Config, slug: Option<&str>, command: cli::Accounts) -> Result<(), Exit> {
    let installation = open::as_is(config)?;
    match command {
        cli::Accounts::Add(add) => println!("{}", connect(&installation, slug, add)?),
        cli::Accounts::Set(set) => change(&installation, slug, set)?,
        cli::Accounts::List => {
            let accounts = read(&installation, slug, |ctx, tx| {
                let ids = account::list(ctx, tx)?;
                let one = |id| Ok((find::<ConnectedAccount>(ctx, tx, id)?, account::status_detail(ctx, tx, id)?));
                ids.into_iter().map(one).collect::<Result<Vec<_>, resource::Error>>()
            })?;
            for (saved, detail) in accounts {
                let account = saved.record;
                let behind =
                    account.behind_since.map(|at| format!("behind: {} mails wait since {at}", account.mails_waiting));
                line(&[
                    &account.id.to_string(),
                    account.provider.word(),
                    &account.name,
                    account.address.as_deref().unwrap_or("-"),
                    account.status.word(),
                    &account.last_sync_at.map_or("never".to_owned(), |at| at.to_string()),
                    &account.mails_in_folder.to_string(),
                    &account.mails_stored.to_string(),
                    &account.mails_unstored.to_string(),
                    detail.as_deref().or(account.status_reason.as_deref()).or(behind.as_deref()).unwrap_or("-"),
                ]);
            }
        }
        cli::Accounts::Test { id } => {
            let id = listed(&id, "accounts")?;
            let reach = reach(&installation, slug, id)?;
            let access = oauth::access(&installation, slug, server_guard(&installation)?, id)?;
            let trouble = test(&access, &reach).err();
            let noted = trouble.clone();
            write(&installation, slug, move |ctx, tx| account::note_health(ctx, tx, id, noted.as_ref()))?;
            match trouble {
                Some(trouble) => return Err(Exit::failed(trouble.words())),
                None => println!("ok"),
            }
        }
        cli::Accounts::CheckDomain { id, selector, dns_server } => {
            let id = listed(&id, "accounts")?;
            let servers = NameServers::new(config.dns_servers(dns_server.as_deref())?);
            check_domain(config, &installation, slug, id, selector.as_deref(), &servers)?;
        }
        cli::Accounts::Remove { id } => {
            let id = listed(&id, "accounts")?;
            write(&installation, slug, move |ctx, tx| account::remove(ctx, tx, id))?;
        }
        cli::Accounts::RotateSecrets => {
            block_on(installation.store.bookkeep(|tx| seal::rotate(tx).map(drop)))?;
            let mut sealed = 0;
            for workspace in block_on(installation.store.read(Lane::Slow, workspace::list))? {
                let (secret, id) = (installation.secret.clone(), workspace.id);
                sealed += block_on(installation.store.write(id, move |tx| {
                    let ctx = operator(id);
                    let accounts = account::reseal(&ctx, tx, &secret)? + account::reseal_grants(&ctx, tx, &secret)?;
                    Ok::<_, resource::Error>(accounts + provider::reseal(&ctx, tx, &secret)?)
                }))?;
            }
            let secret = installation.secret.clone();
            sealed += block_on(installation.store.bookkeep(move |tx| crm::outreach::oauth::reseal(tx, &secret)))?;
            println!("{sealed}");
        }
    }
    installation.store.close();
    Ok(())
}

fn check_domain(
    config: &Config,
    installation: &Installation,
    slug: Option<&str>,
    id: Uuid,
    selector: Option<&str>,
    servers: &NameServers,
) -> Result<(), Exit> {
    let smtp = reach(installation, slug, id)?.smtp;
    let address = read(installation, slug, move |ctx, tx| Ok(find::<ConnectedAccount>(ctx, tx, id)?.record.address))?;
    let Some((_, domain)) = address.as_deref().and_then(|address| address.rsplit_once('@')) else {
        return Err(Exit::wrong("the account is not an email account: only mail has a sending domain"));
    };
    let mut points = block_on_drivers(async { Ok(servers.check(domain, selector, smtp.as_deref()).await?) })?;
    let server = block_on(installation.store.read(Lane::Slow, |tx| meta::get(tx, meta::PUBLIC_URL)))?;
    points.push(account::domain::unsubscribe(&config.link(None, server.as_deref())?));
    for point in points {
        let record = point.record.map_or("-".to_owned(), |(name, kind, value)| format!("{name} {kind} \"{value}\""));
        line(&[point.check, point.verdict, &point.reason, &record]);
    }
    Ok(())
}

/// Connects an account, or replaces the one with this name.
pub(crate) fn reconnect(installation: &Installation, slug: Option<&str>, add: cli::AddAccount) -> Result<Uuid, Exit> {
    let name = add.name.clone();
    let known = read(installation, slug, move |ctx, tx| {
        for id in account::list(ctx, tx)? {
            if find::<ConnectedAccount>(ctx, tx, id)?.record.name == name {
                return Ok(Some(id));
            }
        }
        Ok(None)
    })?;
    let Some(id) = known else { return connect(installation, slug, add) };
    let cli::AddAccount { reach, limits, no_test, .. } = add;
    change(installation, slug, cli::SetAccount { id: id.to_string(), name: None, reach, limits, no_test })?;
    Ok(id)
}

fn connect(installation: &Installation, slug: Option<&str>, add: cli::AddAccount) -> Result<Uuid, Exit> {
    let mut members = limits(&add.limits);
    members.insert("provider".into(), add.provider.clone().into());
    members.insert("name".into(), add.name.into());
    members.extend(add.address.map(|address| ("address".to_owned(), Json::from(address))));
    members.extend(add.license_type.map(|license| ("license_type".to_owned(), Json::from(license))));
    let grant = oauth::grant(&add.reach.oauth)?;
    let reach = given(Reach::default(), add.reach);
    let mut problems = account::problems(account::check_new(&members))?;
    if let Some(provider) = Channel::from_word(&add.provider) {
        problems.extend(options(account::check_reach(provider == Channel::Email, &reach)));
    }
    problems.extend(malformed(&reach));
    problems.extend(without_tokens(&reach, grant.is_some()));
    refuse(problems)?;
    let (mut grant, mut lifetime) = (grant, 0);
    if !add.no_test {
        let access = tested_access(Guard::operator(), &mut grant, &mut lifetime)?;
        test(&access, &reach)
            .map_err(|why| Exit::failed(format!("{}; nothing was added (--no-test adds it anyway)", why.words())))?;
    }
    let (secret, owner) = (installation.secret.clone(), add.owner);
    write(installation, slug, move |ctx, tx| {
        let id = account::add(ctx, tx, &secret, &members, owner.as_deref(), &reach)?;
        if let Some(grant) = &grant {
            account::put_grant(ctx, tx, &secret, id, grant, lifetime)?;
        }
        Ok(id)
    })
}

/// Access with the tokens of the command line, if there are any. They are renewed, and a rotated one replaces the old.
fn tested_access(guard: Guard, grant: &mut Option<Grant>, lifetime: &mut i64) -> Result<Access, Exit> {
    let Some(given) = grant else { return Ok(guard.into()) };
    let (renewed, life) = oauth::renewed(given)?;
    (*given, *lifetime) = (renewed, life);
    Ok(server::oauth::with_token(guard, given.access_token.clone().unwrap_or_default()))
}

/// An address for OAuth in an account without tokens.
fn without_tokens(reach: &Reach, has_tokens: bool) -> Option<Problem> {
    let part = server::needs_tokens(reach).filter(|_| !has_tokens)?;
    let reason = "auth=xoauth2 without a password needs --oauth-token-url, --oauth-client-id, --oauth-client-secret and --oauth-refresh-token";
    Some(Problem { field: format!("--{part}"), reason: reason.into() })
}

fn change(installation: &Installation, slug: Option<&str>, set: cli::SetAccount) -> Result<(), Exit> {
    let id = listed(&set.id, "accounts")?;
    let mut members = limits(&set.limits);
    members.extend(set.name.map(|name| ("name".to_owned(), Json::from(name))));
    let (before, token_given) = (reach(installation, slug, id)?, set.reach.token.is_some());
    let grant = oauth::grant(&set.reach.oauth)?;
    let reach = given(before.clone(), set.reach);
    let mut problems = account::problems(account::check_change(&members))?;
    problems.extend(options(account::check_move(&before, &reach, token_given)));
    problems.extend(malformed(&reach));
    let has_tokens = grant.is_some() || oauth::has_tokens(installation, slug, id)?;
    problems.extend(without_tokens(&reach, has_tokens));
    refuse(problems)?;
    let (mut grant, mut lifetime) = (grant, 0);
    if !set.no_test {
        let access = match &grant {
            Some(_) => tested_access(server_guard(installation)?, &mut grant, &mut lifetime)?,
            None => oauth::access(installation, slug, server_guard(installation)?, id)?,
        };
        test(&access, &reach).map_err(|why| {
            Exit::failed(format!("{}; nothing was changed (--no-test changes it anyway)", why.words()))
        })?;
    }
    let (secret, tested) = (installation.secret.clone(), !set.no_test);
    write(installation, slug, move |ctx, tx| {
        account::set(ctx, tx, &secret, id, &members, &reach)?;
        if let Some(grant) = &grant {
            account::put_grant(ctx, tx, &secret, id, grant, lifetime)?;
        }
        if tested { account::note_health(ctx, tx, id, None) } else { Ok(()) }
    })
}

fn limits(limits: &cli::LimitArgs) -> Map<String, Json> {
    let all = [
        ("daily_limit", limits.daily_limit),
        ("min_gap_minutes", limits.min_gap_minutes),
        ("ramp_up", limits.ramp_up),
        ("search_limit", limits.search_limit),
    ];
    let all = all.into_iter().filter_map(|(name, value)| value.map(|value| (name.to_owned(), value.into())));
    let texts =
        [("file_sent", &limits.file_sent), ("visibility", &limits.visibility), ("signature", &limits.signature)];
    let texts = texts.into_iter().filter_map(|(name, text)| Some((name.to_owned(), Json::from(text.as_deref()?))));
    all.chain(texts).collect()
}

/// Addresses on the command line are the operator's, so the guard does not restrict them.
fn given(reach: Reach, args: cli::ReachArgs) -> Reach {
    let by_operator = ByOperator {
        smtp: args.smtp.is_some() || reach.by_operator.smtp,
        imap: args.imap.is_some() || reach.by_operator.imap,
        url: args.url.is_some() || reach.by_operator.url,
    };
    Reach {
        smtp: args.smtp.or(reach.smtp),
        imap: args.imap.or(reach.imap),
        url: args.url.or(reach.url),
        token: args.token.or(reach.token),
        webhook: reach.webhook,
        by_operator,
    }
}

fn reach(installation: &Installation, slug: Option<&str>, id: Uuid) -> Result<Reach, Exit> {
    let secret = installation.secret.clone();
    let reach = read(installation, slug, move |ctx, tx| account::reach(ctx, tx, &secret, id))?;
    reach.ok_or_else(|| Exit::wrong("no account has this id; `relata accounts list` shows them"))
}

/// Errors in addresses that show without connecting.
fn malformed(reach: &Reach) -> Vec<Problem> {
    let wrong = server::account_form(&Guard::operator().into(), reach).into_iter();
    options(wrong.map(|(part, why)| Problem { field: part.into(), reason: why.words().into() }).collect())
}

/// Problems by command-line option instead of by member. A password is part of its server's address.
fn options(problems: Vec<Problem>) -> Vec<Problem> {
    let option = |field: &str| format!("--{}", field.trim_end_matches(".password"));
    problems.into_iter().map(|problem| Problem { field: option(&problem.field), ..problem }).collect()
}

fn refuse(problems: Vec<Problem>) -> Result<(), Exit> {
    if problems.is_empty() { Ok(()) } else { Err(Error::Invalid(problems).into()) }
}

/// The guard of the server that started last: an account that it refuses does not work, even if this command can
/// connect.
fn server_guard(installation: &Installation) -> Result<Guard, Exit> {
    let hosts = block_on(installation.store.read(Lane::Slow, |tx| meta::get(tx, meta::PRIVATE_HOSTS)))?;
    hosts.unwrap_or_default().parse().map_err(|why| Exit::failed(format!("allow_private_hosts: {why}")))
}

fn test(access: &Access, reach: &Reach) -> Result<(), Trouble> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|e| e.to_string())?;
    let wrong = runtime.block_on(server::check_account(access, reach));
    Trouble::of_parts(&wrong).map_or(Ok(()), Err)
}

pub(crate) fn sequences(config: &Config, slug: Option<&str>, command: cli::Sequences) -> Result<(), Exit> {
    let installation = open::as_is(config)?;
    let shown = match command {
        cli::Sequences::List => read(&installation, slug, start::all)?,
        cli::Sequences::Pause { id } => {
            let id = id.map(|id| listed(&id, "sequences")).transpose()?;
            write(&installation, slug, move |ctx, tx| start::hold(ctx, tx, id, None))?
        }
    };
    for sequence in shown {
        let (id, record) = (sequence.id.to_string(), &sequence.record);
        let active = record.enrollments.0.get("active").and_then(Json::as_i64).unwrap_or(0);
        line(&[&id, &record.name, record.status.word(), &active.to_string()]);
    }
    installation.store.close();
    Ok(())
}

pub(crate) fn suppressions(config: &Config, slug: Option<&str>, command: cli::Suppressions) -> Result<(), Exit> {
    let installation = open::as_is(config)?;
    match command {
        cli::Suppressions::Add(cli::Suppressed { what }) => {
            let member = if what.contains('@') { "address" } else { "domain" };
            let members = Map::from_iter([(member.to_owned(), Json::from(what))]);
            write(&installation, slug, move |ctx, tx| {
                suppression::add(ctx, tx, &members, SuppressionReason::Manual).map(drop)
            })?;
        }
        cli::Suppressions::List => {
            let all = read(&installation, slug, suppression::all)?;
            for Suppression { address, domain, reason, created_at, .. } in all {
                let what = address.or(domain).unwrap_or_default();
                line(&[&what, reason.word(), &created_at.to_string()]);
            }
        }
        cli::Suppressions::Remove(cli::Suppressed { what }) => {
            write(&installation, slug, move |ctx, tx| match what.contains('@') {
                true => suppression::lift(ctx, tx, Some(&what), None),
                false => suppression::lift(ctx, tx, None, Some(&what)),
            })?;
        }
    }
    installation.store.close();
    Ok(())
}

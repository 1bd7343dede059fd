//! Settings: flags override the environment, which overrides the file.

use crate::cli::{Global, OauthSettings, Serve};
use crate::{Exit, origins};
use connect::files::{Bucket, Files};
use serde::Deserialize;
use server::{Guard, Network, Origins};
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    listen: Option<String>,
    data: Option<PathBuf>,
    database_url: Option<String>,
    secret_file: Option<PathBuf>,
    public_url: Option<String>,
    #[serde(default)]
    cors_origins: Vec<String>,
    #[serde(default)]
    trusted_proxies: Vec<String>,
    feed_days: Option<u32>,
    send_seconds: Option<u32>,
    search_seconds: Option<u32>,
    workspace_storage: Option<String>,
    #[serde(default)]
    allow_private_hosts: Vec<String>,
    metrics_token_file: Option<PathBuf>,
    metrics_token: Option<String>,
    files: Option<String>,
    s3_endpoint: Option<String>,
    s3_region: Option<String>,
    s3_access_key: Option<String>,
    s3_secret_key: Option<String>,
    #[serde(default)]
    dns_servers: Vec<String>,
    #[serde(default)]
    oauth: BTreeMap<String, OauthSettings>,
}

pub(crate) struct Config {
    pub data: PathBuf,
    pub database_url: Option<String>,
    secret_file: Option<PathBuf>,
    pub files: Place,
    file: File,
}

/// Where files are stored.
pub(crate) enum Place {
    Folder(PathBuf),
    Bucket(Bucket),
}

pub(crate) struct Serving {
    pub config: Config,
    pub listen: SocketAddr,
    pub public_url: Option<String>,
    pub cors: Origins,
    pub trusted_proxies: Vec<Network>,
    pub feed_kept: Duration,
    pub runner: bool,
    pub send_time: Duration,
    pub search_time: Duration,
    /// In bytes, for workspaces without a limit of their own.
    pub workspace_storage: Option<i64>,
    pub guard: Guard,
    /// The text that `guard` was parsed from.
    pub private_hosts: String,
    pub metrics_token: Option<String>,
    pub dns_servers: Vec<SocketAddr>,
    pub oauth: Vec<crm::outreach::oauth::NewProvider>,
}

impl Config {
    pub(crate) fn read(global: &Global) -> Result<Config, Exit> {
        let mut file = match &global.config {
            Some(path) => read(path)?,
            None if Path::new("relata.toml").exists() => read(Path::new("relata.toml"))?,
            None => File::default(),
        };
        let database_url = global.database_url.clone().or(file.database_url.take()).filter(|url| !url.is_empty());
        if let Some(url) = &database_url
            && !url.starts_with("postgres://")
            && !url.starts_with("postgresql://")
        {
            return Err(Exit::wrong(
                "the database URL must begin with postgres://; leave it out for the embedded database",
            ));
        }
        let data = global.data.clone().or(file.data.take()).unwrap_or_else(|| "relata-data".into());
        let files = files(global, &mut file, &data)?;
        Ok(Config {
            data,
            files,
            database_url,
            secret_file: global.secret_file.clone().or(file.secret_file.take()),
            file,
        })
    }

    pub(crate) fn serving(mut self, serve: &Serve) -> Result<Serving, Exit> {
        let listen = serve.listen.clone().or(self.file.listen.take()).unwrap_or_else(|| "127.0.0.1:8080".into());
        let address =
            listen.parse().map_err(|_| Exit::wrong(format!("--listen (RELATA_LISTEN, listen): {listen} is not an IP address with a port, such as 127.0.0.1:8080 or [::]:8080")))?;
        let proxies = listed(serve.trusted_proxies.as_deref(), &mut self.file.trusted_proxies);
        let trusted_proxies =
            proxies.iter().map(|text| text.parse()).collect::<Result<_, String>>().map_err(|why| {
                Exit::wrong(format!("--trusted-proxies (RELATA_TRUSTED_PROXIES, trusted_proxies): {why}"))
            })?;
        let public_url = serve.public_url.clone().or(self.file.public_url.take());
        let public_url = public_url.map(|url| origins::public(&url)).transpose()?;
        let cors = origins::allowed(&listed(serve.cors_origins.as_deref(), &mut self.file.cors_origins))?;
        let days = serve.feed_days.or(self.file.feed_days.take()).unwrap_or(90);
        if !(1..=36_500).contains(&days) {
            return Err(Exit::wrong("feed_days must be 1 to 36500"));
        }
        let feed_kept = Duration::from_secs(u64::from(days) * 24 * 60 * 60);
        let seconds = serve.send_seconds.or(self.file.send_seconds.take()).unwrap_or(120);
        if !(1..=600).contains(&seconds) {
            return Err(Exit::wrong("send_seconds must be 1 to 600"));
        }
        let send_time = Duration::from_secs(u64::from(seconds));
        let seconds = serve.search_seconds.or(self.file.search_seconds.take()).unwrap_or(20);
        if !(1..=30).contains(&seconds) {
            return Err(Exit::wrong("search_seconds must be 1 to 30"));
        }
        let search_time = Duration::from_secs(u64::from(seconds));
        let storage = serve.workspace_storage.clone().or(self.file.workspace_storage.take());
        let unfit = || Exit::wrong(format!("workspace_storage must be {}, or unlimited", crm::tenant::storage::SIZES));
        let workspace_storage = storage.map(|text| crm::tenant::storage::parse(&text).ok_or_else(unfit)).transpose()?;
        let runner = !serve.no_runner;
        let hosts = serve.allow_private_hosts.clone();
        let hosts = hosts.unwrap_or_else(|| std::mem::take(&mut self.file.allow_private_hosts).join(","));
        let guard = hosts.parse().map_err(|why| Exit::wrong(format!("allow_private_hosts: {why}")))?;
        let metrics_token = metrics_token(serve, &mut self.file)?;
        let dns_servers = self.dns_servers(serve.dns_server.as_deref())?;
        let oauth = std::mem::take(&mut self.file.oauth).into_iter();
        let oauth = oauth
            .map(|(name, settings)| crate::oauth_provider::provider(&name, &settings))
            .collect::<Result<_, _>>()?;
        Ok(Serving {
            config: self,
            listen: address,
            public_url,
            cors,
            trusted_proxies,
            feed_kept,
            runner,
            send_time,
            search_time,
            workspace_storage,
            guard,
            private_hosts: hosts,
            metrics_token,
            dns_servers,
            oauth,
        })
    }

    /// The name servers for checks of sending domains: addresses with commas between them, and ports if they are not 53.
    pub(crate) fn dns_servers(&self, given: Option<&str>) -> Result<Vec<SocketAddr>, Exit> {
        let given = given.map_or_else(|| self.file.dns_servers.join(","), str::to_owned);
        let parse = |text: &str| {
            let address = text.parse().ok().or_else(|| text.parse().ok().map(|ip| SocketAddr::new(ip, 53)));
            let wrong = || {
                Exit::wrong(format!(
                    "--dns-server (RELATA_DNS_SERVER, dns_servers): {text} is not an IP address, with or without a port"
                ))
            };
            address.ok_or_else(wrong)
        };
        given.split(',').map(str::trim).filter(|text| !text.is_empty()).map(parse).collect()
    }

    /// The base of links that a command prints: the public URL of the settings, or else that of the server that started
    /// last.
    pub(crate) fn link(&self, public_url: Option<&str>, last_server: Option<&str>) -> Result<String, Exit> {
        if let Some(url) = public_url.or(self.file.public_url.as_deref()) {
            return origins::public(url);
        }
        let listen = std::env::var("RELATA_LISTEN").ok().or(self.file.listen.clone());
        let here = format!("http://{}", listen.as_deref().unwrap_or("127.0.0.1:8080"));
        Ok(last_server.unwrap_or(&here).trim_end_matches('/').to_owned())
    }

    pub(crate) fn place(&self) -> store::Place {
        match &self.database_url {
            Some(url) => store::Place::Postgres(url.clone()),
            None => store::Place::Sqlite(self.database_file()),
        }
    }

    pub(crate) fn storage(&self) -> Result<Files, Exit> {
        match &self.files {
            Place::Folder(folder) => Ok(Files::folder(folder.clone())),
            Place::Bucket(bucket) => Files::bucket(bucket).map_err(Exit::wrong),
        }
    }

    pub(crate) fn database_file(&self) -> PathBuf {
        self.data.join("relata.db")
    }

    pub(crate) fn secret_path(&self) -> PathBuf {
        self.secret_file.clone().unwrap_or_else(|| self.data.join("secret"))
    }
}

/// The items of a list that is given with commas between them, or else those of the file.
fn listed(given: Option<&str>, file: &mut Vec<String>) -> Vec<String> {
    match given {
        Some(list) => list.split(',').map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned).collect(),
        None => std::mem::take(file),
    }
}

/// The token comes from a file, the environment or the settings file, never from the command line, which other users
/// can see.
fn metrics_token(serve: &Serve, file: &mut File) -> Result<Option<String>, Exit> {
    let named = serve.metrics_token_file.clone();
    let given = std::env::var("RELATA_METRICS_TOKEN").ok().filter(|token| !token.is_empty());
    let path = named.or_else(|| file.metrics_token_file.take().filter(|_| given.is_none()));
    let token = match path {
        Some(path) => {
            let unread = |error| Exit::wrong(format!("the metrics token {} can't be read: {error}", path.display()));
            Some(std::fs::read_to_string(&path).map_err(unread)?.trim().to_owned())
        }
        None => given.or(file.metrics_token.take()),
    };
    match token {
        Some(token) if token.len() < 16 || !token.bytes().all(|byte| byte.is_ascii_graphic()) => Err(Exit::wrong(
            "the metrics token must have at least 16 characters, all of them letters, digits or signs of ASCII",
        )),
        token => Ok(token),
    }
}

fn files(global: &Global, file: &mut File, data: &Path) -> Result<Place, Exit> {
    let place = global.files.clone().or(file.files.take()).filter(|place| !place.is_empty());
    let Some(place) = place else { return Ok(Place::Folder(data.join("files"))) };
    let Some(address) = place.strip_prefix("s3://") else {
        if place.contains("://") {
            return Err(Exit::wrong(format!("{place} is neither a folder nor s3://BUCKET/PREFIX")));
        }
        return Ok(Place::Folder(place.into()));
    };
    let (name, prefix) = address.split_once('/').unwrap_or((address, ""));
    if name.is_empty() {
        return Err(Exit::wrong("--files names no bucket: s3://BUCKET/PREFIX"));
    }
    // Secrets come from the environment or the settings file, never from the command line, which other users can see.
    let secret = |name: &str, kept: Option<String>| std::env::var(name).ok().filter(|text| !text.is_empty()).or(kept);
    Ok(Place::Bucket(Bucket {
        name: name.to_owned(),
        prefix: prefix.trim_matches('/').to_owned(),
        endpoint: global.s3_endpoint.clone().or(file.s3_endpoint.take()),
        region: global.s3_region.clone().or(file.s3_region.take()),
        access_key: secret("RELATA_S3_ACCESS_KEY", file.s3_access_key.take()),
        secret_key: secret("RELATA_S3_SECRET_KEY", file.s3_secret_key.take()),
    }))
}

fn read(path: &Path) -> Result<File, Exit> {
    let text =
        std::fs::read_to_string(path).map_err(|e| Exit::wrong(format!("{} can't be read: {e}", path.display())))?;
    toml::from_str(&text).map_err(|e| Exit::wrong(format!("{}: {e}", path.display())))
}

//! The settings of an OAuth client, from the command line or from the settings file.

use crate::Exit;
use crate::cli::OauthSettings;
use connect::oauth::{Issuer, PRESETS, Provider, preset};
use crm::outreach::oauth::NewProvider;
use resource::invalid;

/// The provider with these settings; a known one needs only the client's id and secret.
pub(crate) fn provider(name: &str, settings: &OauthSettings) -> Result<NewProvider, Exit> {
    let plain = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
    if name.is_empty() || name.len() > 50 || !name.chars().all(plain) {
        return Err(invalid("--name", "must be 1 to 50 lower-case letters, digits and hyphens").into());
    }
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || ".-".contains(letter);
    if settings
        .tenant
        .as_deref()
        .is_some_and(|tenant| name != "microsoft" || tenant.is_empty() || !tenant.chars().all(is_name))
    {
        return Err(invalid("--tenant", "is for microsoft alone, the id or the domain of an organisation").into());
    }
    let required = |option: &str, value: &Option<String>| {
        let missing = format!("is required for a provider that is none of {}", PRESETS.join(", "));
        value.clone().ok_or_else(|| Exit::from(invalid(option, missing)))
    };
    let usual = preset(name, settings.tenant.as_deref());
    let mut provider = match usual {
        Some(provider) => provider,
        None => Provider {
            issuer: Issuer {
                token_url: required("--token-url", &settings.token_url)?,
                client_id: String::new(),
                client_secret: None,
            },
            authorization_url: required("--authorization-url", &settings.authorization_url)?,
            userinfo_url: None,
            scopes: Vec::new(),
            parameters: Vec::new(),
            smtp: required("--smtp", &settings.smtp)?,
            imap: None,
        },
    };
    let set = |place: &mut String, value: &Option<String>| {
        if let Some(value) = value {
            value.trim().clone_into(place);
        }
    };
    set(&mut provider.issuer.token_url, &settings.token_url);
    set(&mut provider.authorization_url, &settings.authorization_url);
    set(&mut provider.smtp, &settings.smtp);
    provider.imap = settings.imap.clone().or(provider.imap);
    provider.userinfo_url = settings.userinfo_url.clone().or(provider.userinfo_url);
    if let Some(scopes) = &settings.scopes {
        provider.scopes = scopes.split_whitespace().map(str::to_owned).collect();
    }
    provider.issuer.client_id = settings.client_id.trim().to_owned();
    provider.issuer.client_secret = settings.client_secret.clone().filter(|secret| !secret.is_empty());
    provider.check().map_err(|(member, wrong)| {
        let option = format!("--{}", member.replace('_', "-"));
        Exit::from(invalid(format!("{name}: {option}"), wrong.reason))
    })?;
    let title = match (settings.title.as_deref(), name) {
        (Some(title), _) => title,
        (None, "google") => "Google",
        (None, "microsoft") => "Microsoft",
        (None, name) => name,
    };
    let says_address = provider.userinfo_url.is_some() || provider.scopes.iter().any(|scope| scope == "openid");
    let setup = serde_json::to_string(&provider).map_err(Exit::failed)?;
    Ok(NewProvider { name: name.to_owned(), title: title.to_owned(), says_address, setup })
}

//! Origins in the settings: scheme, host and port of the server itself, and of the pages that may call its API.

use crate::Exit;
use server::Origins;
use url::{Host, Url};

/// The public URL as the base of links. A path is refused because the dashboard loads its files from the root of the
/// host.
pub(crate) fn public(text: &str) -> Result<String, Exit> {
    origin(text, "a path, below which the dashboard does not work").map_err(|why| {
        Exit::wrong(format!(
            "--public-url (RELATA_PUBLIC_URL, public_url): {why}; it must be http:// or https://, a host and, if needed, \
             a port, such as https://crm.example.com"
        ))
    })
}

/// The origins whose pages may call the API.
pub(crate) fn allowed(given: &[String]) -> Result<Origins, Exit> {
    let wrong = |why: &str| {
        Exit::wrong(format!(
            "--cors-origins (RELATA_CORS_ORIGINS, cors_origins): {why}; list whole origins with commas between them, such \
             as https://app.example.com,http://localhost:3000, or give * alone for every page"
        ))
    };
    match given {
        [] => return Ok(Origins::None),
        [one] if one == "*" => return Ok(Origins::Any),
        _ => {}
    }
    let mut origins = Vec::new();
    for text in given {
        if text == "*" {
            return Err(wrong("* allows every page, so no other origin can stand beside it"));
        }
        if text.contains('*') {
            return Err(wrong(&format!("{text} has a wildcard; each origin is compared as a whole")));
        }
        if text == "null" {
            return Err(wrong("null is the origin of files and sandboxed frames of any author"));
        }
        let origin = origin(text, "a path; an origin ends with its host or port").map_err(|why| {
            // A user and a password before an @ may be real.
            let named = why.contains(text) || text.contains('@');
            wrong(&if named { why } else { format!("{text} {why}") })
        })?;
        if !origins.contains(&origin) {
            origins.push(origin);
        }
    }
    Ok(Origins::These(origins))
}

/// Scheme, host and port as browsers write them, or why the text is not that. `path` says what is wrong with a path.
fn origin(text: &str, path: &str) -> Result<String, String> {
    let wrong = |why: &str| Err(why.to_owned());
    let rest = text
        .split_once("://")
        .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https"));
    let Some((_, rest)) = rest else { return wrong("does not begin with http:// or https://") };
    if rest.is_empty() || rest.starts_with(['/', '\\', '?', '#', ':']) {
        return wrong("names no host");
    }
    if text.contains(|letter: char| letter.is_whitespace() || letter.is_control()) {
        return wrong("holds a space or a control character");
    }
    // The error does not repeat the user and the password: they may be real.
    if rest.split(['/', '\\', '?', '#']).next().is_some_and(|authority| authority.contains('@')) {
        return wrong("holds a user or a password");
    }
    let url = Url::parse(text).map_err(|error| format!("{text} is not a URL ({error})"))?;
    match url.host() {
        Some(Host::Domain(name)) if name.split('.').all(str::is_empty) => return wrong("names no host"),
        None => return wrong("names no host"),
        Some(_) => {}
    }
    let part = match () {
        () if url.query().is_some() => "a query (?)",
        () if url.fragment().is_some() => "a fragment (#)",
        () if rest.trim_end_matches('/').contains(['/', '\\']) => path,
        () if url.port() == Some(0) => return wrong("port 0 is none"),
        () => return Ok(url.origin().ascii_serialization()),
    };
    Err(format!("{text} has {part}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(list: &str) -> Result<Origins, String> {
        let given: Vec<String> = list.split(',').filter(|text| !text.is_empty()).map(str::to_owned).collect();
        allowed(&given).map_err(|exit| exit.message)
    }

    #[test]
    fn origins_are_written_as_browsers_send_them() {
        let these = |all: &[&str]| Ok(Origins::These(all.iter().map(|one| (*one).to_owned()).collect()));
        assert_eq!(read(""), Ok(Origins::None));
        assert_eq!(read("*"), Ok(Origins::Any));
        assert_eq!(
            read("HTTPS://App.Example.com:443/,http://localhost:3000,http://LOCALHOST:3000,http://[::1]:80"),
            these(&["https://app.example.com", "http://localhost:3000", "http://[::1]"])
        );
        assert_eq!(read("https://bücher.example"), these(&["https://xn--bcher-kva.example"]));
    }

    #[test]
    fn what_is_no_origin_is_refused() {
        for (list, why) in [
            ("https://*.example.com", "wildcard"),
            ("*,https://app.example.com", "beside it"),
            ("null", "sandboxed"),
            ("app.example.com", "app.example.com does not begin with http"),
            ("https://app.example.com/login", "has a path; an origin ends"),
            ("https://u:secret@app.example.com", "a user or a password"),
            ("chrome-extension://abc", "does not begin with http"),
        ] {
            let refused = read(list).expect_err(list);
            assert!(refused.contains(why) && refused.contains("--cors-origins"), "{refused}");
            assert!(!refused.contains("secret"), "{refused}");
        }
    }
}

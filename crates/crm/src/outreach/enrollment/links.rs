//! Links in mails: to unsubscribe and, if the sequence tracks them, to notice that a mail was opened or a link clicked. Each
//! is signed with the server's secret, so that nobody can forge one.

use super::contact_events;
use super::record::{decide_again, end, save};
use super::state::Cause;
use super::step_runs::{self, mark};
use super::{Enrollment, EnrollmentStatus, Run};
use crate::api::meta::Secret;
use crate::outreach::signature::as_html;
use crate::outreach::suppression::{self, SuppressionReason};
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD as BASE64;
use resource::{Changes, Ctx, Error, find};
use serde_json::{Map, json};
use std::sync::Arc;
use store::{Tx, Uuid};

/// Makes and reads links.
#[derive(Clone)]
pub struct Links {
    pub public_url: Arc<str>,
    pub secret: Secret,
}

/// What a link is for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Purpose {
    Unsubscribe,
    Opened,
    Clicked,
}

impl Purpose {
    /// Its segment in the path.
    pub const fn word(self) -> &'static str {
        match self {
            Purpose::Unsubscribe => "unsubscribe",
            Purpose::Opened => "opened",
            Purpose::Clicked => "clicked",
        }
    }
}

const SIGNATURE: usize = 16;

/// What a mail's sequence tracks.
#[derive(Clone, Debug, PartialEq)]
pub struct Tracking {
    pub workspace: Uuid,
    pub run: Run,
    pub opens: bool,
    pub clicks: bool,
}

impl Links {
    /// The link for one-click unsubscription (RFC 8058).
    pub fn unsubscribe(&self, workspace: Uuid, run: &Run) -> String {
        self.link(Purpose::Unsubscribe, workspace, run, "")
    }

    fn link(&self, purpose: Purpose, workspace: Uuid, run: &Run, target: &str) -> String {
        let named = [workspace, run.enrollment_id, run.step_id].map(|id| *id.as_bytes()).concat();
        let signature = self.sign(purpose, &named, target);
        let token = BASE64.encode([&named[..], &signature[..]].concat());
        let base = self.public_url.trim_end_matches('/');
        let target = if target.is_empty() { String::new() } else { format!("?to={}", encoded(target)) };
        format!("{base}/{}/{token}{target}", purpose.word())
    }

    fn sign(&self, purpose: Purpose, named: &[u8], target: &str) -> Vec<u8> {
        let text = format!("relata link {} {} {target}", purpose.word(), BASE64.encode(named));
        self.secret.hash(&text).into_iter().take(SIGNATURE).collect()
    }

    /// The workspace and the run of a link; `None` if its signature is wrong.
    pub fn read(&self, purpose: Purpose, token: &str, target: &str) -> Option<(Uuid, Run)> {
        let bytes = BASE64.decode(token).ok().filter(|bytes| bytes.len() == 48 + SIGNATURE)?;
        let (named, signature) = bytes.split_at(48);
        // Constant time: all bytes are compared.
        let differ = self.sign(purpose, named, target).iter().zip(signature).fold(0, |differ, (a, b)| differ | (a ^ b));
        let id = |at: usize| Uuid::from_slice(&named[at..at + 16]).ok();
        let run = Run { enrollment_id: id(16)?, step_id: id(32)? };
        id(0).filter(|_| differ == 0).map(|workspace| (workspace, run))
    }

    /// The HTML of a mail with the tracking that its sequence wants. Plain text is converted to HTML.
    pub fn tracked(&self, tracking: &Tracking, html: Option<String>, text: &str) -> String {
        let Tracking { workspace, run, opens, clicks } = tracking;
        let mut html = html.unwrap_or_else(|| as_html(text));
        if *clicks {
            html = self.followed(*workspace, run, &html);
        }
        if *opens {
            let link = self.link(Purpose::Opened, *workspace, run, "");
            let pixel = format!("<img src=\"{link}\" width=\"1\" height=\"1\" alt=\"\">");
            let end = html.to_ascii_lowercase().rfind("</body>").unwrap_or(html.len());
            html.insert_str(end, &pixel);
        }
        html
    }

    /// Replaces web links by links that lead through the server.
    fn followed(&self, workspace: Uuid, run: &Run, html: &str) -> String {
        let (mut out, mut rest) = (String::with_capacity(html.len() + 256), html);
        let unsubscribe = self.unsubscribe(workspace, run);
        while let Some(at) = rest.find("href=") {
            let (before, after) = rest.split_at(at + 5);
            out.push_str(before);
            let quote = after.chars().next().filter(|c| matches!(c, '"' | '\''));
            let end = quote.and_then(|quote| after[1..].find(quote));
            let Some((quote, end)) = quote.zip(end) else {
                rest = after;
                continue;
            };
            // Values that templates fill in have escaped slashes.
            let target = after[1..=end].replace("&amp;", "&").replace("&#x2f;", "/");
            // Unsubscribing is no sign of interest.
            let web = (target.starts_with("http://") || target.starts_with("https://")) && target != unsubscribe;
            let link =
                if web { self.link(Purpose::Clicked, workspace, run, &target) } else { after[1..=end].to_owned() };
            out.push(quote);
            out.push_str(&link);
            out.push(quote);
            rest = &after[end + 2..];
        }
        out + rest
    }
}

/// A value of a query string.
fn encoded(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    text.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

/// The address that an unsubscribe link is about, and whether it is suppressed already.
pub fn address(ctx: &Ctx, tx: &mut dyn Tx, run: &Run) -> Result<Option<(String, bool)>, Error> {
    let Some(address) = step_runs::address(ctx, tx, run)? else { return Ok(None) };
    let is_suppressed = suppression::against(ctx, tx, &address)?.is_some();
    Ok(Some((address, is_suppressed)))
}

/// Suppresses the address of an unsubscribe link, and ends the contact's enrollments. A repeated click changes nothing.
pub fn unsubscribe(ctx: &Ctx, tx: &mut dyn Tx, run: &Run) -> Result<Option<String>, Error> {
    let Some(address) = step_runs::address(ctx, tx, run)? else { return Ok(None) };
    suppression::suppress(ctx, tx, &address, SuppressionReason::Unsubscribed)?;
    let enrollment = find::<Enrollment>(ctx, tx, run.enrollment_id)?;
    mark(ctx, tx, run, "unsubscribed")?;
    contact_events::unsubscribed(ctx, tx, enrollment.record.contact_id)?;
    let ended = find::<Enrollment>(ctx, tx, run.enrollment_id)?;
    if ended.record.status == EnrollmentStatus::Finished {
        end(ctx, tx, &ended, &Cause::Unsubscribed)?;
    }
    Ok(Some(address))
}

/// Notes that a mail was opened, or a link in it clicked.
pub fn seen(ctx: &Ctx, tx: &mut dyn Tx, run: &Run, purpose: Purpose, target: &str) -> Result<(), Error> {
    if !mark(ctx, tx, run, purpose.word())? {
        return Ok(());
    }
    // Clicking a link implies that the mail is open, even if images are blocked.
    if purpose == Purpose::Clicked {
        mark(ctx, tx, run, Purpose::Opened.word())?;
    }
    let saved = find::<Enrollment>(ctx, tx, run.enrollment_id)?;
    let mut details = Map::from_iter([("step_id".to_owned(), json!([null, run.step_id]))]);
    if !target.is_empty() {
        details.insert("link".into(), json!([null, target]));
    }
    let mut changes = Changes::default();
    decide_again(&mut changes, &saved, tx.stamp())?;
    save(ctx, tx, &saved, &changes, purpose.word(), &details).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_read_as_it_was_made_and_no_other() {
        let secret = Secret::parse("00112233445566778899aabbccddeeff").expect("a secret");
        let links = Links { public_url: "http://localhost:1/".into(), secret };
        let run = Run { enrollment_id: Uuid::from_u128(2), step_id: Uuid::from_u128(3) };
        let workspace = Uuid::from_u128(1);
        let link = links.link(Purpose::Clicked, workspace, &run, "https://example.com/?a=1&b=ü");
        let token = link.strip_prefix("http://localhost:1/clicked/").and_then(|rest| rest.split('?').next());
        let token = token.expect("a token");
        assert_eq!(links.read(Purpose::Clicked, token, "https://example.com/?a=1&b=ü"), Some((workspace, run)));
        assert_eq!(links.read(Purpose::Clicked, token, "https://example.org/"), None, "another target");
        assert_eq!(links.read(Purpose::Unsubscribe, token, "https://example.com/?a=1&b=ü"), None, "another purpose");
        assert_eq!(links.read(Purpose::Clicked, &token[1..], ""), None);
        assert!(link.ends_with("?to=https%3A%2F%2Fexample.com%2F%3Fa%3D1%26b%3D%C3%BC"), "{link}");
    }

    #[test]
    fn links_in_mails_lead_past_us_and_others_do_not() {
        let secret = Secret::parse("00112233445566778899aabbccddeeff").expect("a secret");
        let links = Links { public_url: "http://localhost:1".into(), secret };
        let run = Run { enrollment_id: Uuid::from_u128(2), step_id: Uuid::from_u128(3) };
        let html =
            "<a href=\"https://example.com/\">x</a> <a href='mailto:a@example.com'>y</a> <a href=\"#z\">z</a> href=";
        let out = links.followed(Uuid::nil(), &run, html);
        assert!(out.starts_with("<a href=\"http://localhost:1/clicked/"), "{out}");
        assert!(out.ends_with("\">x</a> <a href='mailto:a@example.com'>y</a> <a href=\"#z\">z</a> href="), "{out}");
        assert_eq!(
            as_html("a <b>\nsee https://example.com."),
            "<p>a &lt;b&gt;<br>\nsee <a href=\"https://example.com\">https://example.com</a>.</p>"
        );
    }
}

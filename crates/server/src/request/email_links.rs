//! Endpoints of links in mails, without a key: the unsubscribe page, the tracking pixel, and the redirect of clicked links. The
//! signature in the link is the permission.

use crate::request::envelope::{Answer, Failure, failed};
use crate::{App, lanes};
use bytes::Bytes;
use crm::outreach::enrollment::links::{self, Purpose};
use http_body_util::{Either, Full};
use hyper::header::{self, HeaderValue};
use hyper::{Method, Response, StatusCode, Uri};
use resource::{Actor, Ctx, Error};
use std::sync::Arc;

/// No scripts, no external styles, and no frames.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'";
/// A transparent image of one pixel.
const PIXEL: &[u8] = b"GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\x00\x00\x00!\xf9\x04\x01\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;";

/// `None` if the path is not one of these.
pub(super) async fn answer(app: &Arc<App>, method: &Method, uri: &Uri, request_id: &str) -> Option<Answer> {
    let (word, token) = uri.path().strip_prefix('/')?.split_once('/')?;
    let purposes = [Purpose::Unsubscribe, Purpose::Opened, Purpose::Clicked];
    let purpose = purposes.into_iter().find(|purpose| purpose.word() == word)?;
    let posts = purpose == Purpose::Unsubscribe;
    if !(method == Method::GET || method == Method::HEAD || posts && method == Method::POST) {
        let allowed = if posts { "GET, POST" } else { "GET" };
        let mut answer = failed(&Failure::new(
            405,
            "method_not_allowed",
            format!("{method} is not allowed here; it takes {allowed}"),
        ));
        answer.headers_mut().insert(header::ALLOW, HeaderValue::from_static(allowed));
        return Some(answer);
    }
    let query = uri.query().unwrap_or_default();
    let target = query.split('&').find_map(|pair| pair.strip_prefix("to=")).unwrap_or_default();
    let target = percent_encoding::percent_decode_str(target).decode_utf8_lossy().into_owned();
    let Some((workspace, run)) = app.links.read(purpose, token, &target) else {
        return Some(page(
            404,
            "This link is not valid",
            "It may have been cut off on its way. Try the one in the mail again.",
            false,
        ));
    };
    let ctx = Ctx { workspace, actor: Actor::system(purpose.word()), memory: app.memory.clone() };
    let done = match purpose {
        Purpose::Unsubscribe => unsubscribe(app, ctx, run, method).await,
        _ => seen(app, ctx, run, purpose, target, method).await,
    };
    Some(done.unwrap_or_else(|error| {
        let failure = Failure::of(&error, request_id);
        page(failure.status, "This did not work", "Please try again in a moment.", false)
    }))
}

async fn unsubscribe(
    app: &Arc<App>,
    ctx: Ctx,
    run: crm::outreach::outbox::Run,
    method: &Method,
) -> Result<Answer, Error> {
    let workspace = ctx.workspace;
    let gone = || page(404, "This link is not valid", "The message that it came in is not known here any more.", false);
    if method != Method::POST {
        // A GET changes nothing, because link scanners open every link.
        let found = lanes::read(app, workspace, move |tx| links::address(&ctx, tx, &run)).await?;
        return Ok(match found {
            Some((address, true)) => {
                page(200, "You are unsubscribed", &format!("Nothing more is sent to {address}."), false)
            }
            Some((address, false)) => page(200, "Unsubscribe", &format!("Send nothing more to {address}?"), true),
            None => gone(),
        });
    }
    let done = app.store.write(workspace, move |tx| links::unsubscribe(&ctx, tx, &run)).await?;
    app.wrote(workspace);
    Ok(match done {
        Some(address) => page(200, "You are unsubscribed", &format!("Nothing more is sent to {address}."), false),
        None => gone(),
    })
}

async fn seen(
    app: &Arc<App>,
    ctx: Ctx,
    run: crm::outreach::outbox::Run,
    purpose: Purpose,
    target: String,
    method: &Method,
) -> Result<Answer, Error> {
    let workspace = ctx.workspace;
    if method == Method::GET {
        let to = target.clone();
        let noted = app.store.write(workspace, move |tx| links::seen(&ctx, tx, &run, purpose, &to)).await;
        // The reader gets the image or the redirect even if recording fails.
        match noted {
            Ok(()) => app.wrote(workspace),
            Err(error) => {
                tracing::warn!(%error, %workspace, "failed to record that a mail was opened or clicked; the event is lost")
            }
        }
    }
    if purpose == Purpose::Opened {
        let mut answer = Response::new(Either::Left(Full::new(Bytes::from_static(PIXEL))));
        answer.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("image/gif"));
        answer.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        return Ok(answer);
    }
    let mut answer = Response::new(Either::Left(Full::new(Bytes::new())));
    *answer.status_mut() = StatusCode::FOUND;
    let Ok(target) = HeaderValue::from_str(&target) else {
        return Ok(page(404, "This link is not valid", "It leads nowhere.", false));
    };
    answer.headers_mut().insert(header::LOCATION, target);
    answer.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(answer)
}

/// A page without script. `asks` adds the unsubscribe button.
fn page(status: u16, title: &str, text: &str, asks: bool) -> Answer {
    let escape = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let button = match asks {
        true => {
            "<form method=\"post\"><button type=\"submit\" name=\"List-Unsubscribe\" value=\"One-Click\">Unsubscribe</button></form>"
        }
        false => "",
    };
    let html = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <meta name=\"robots\" content=\"noindex\"><title>{title}</title><style>body{{font:1.1rem/1.5 sans-serif;max-width:32rem;\
         margin:4rem auto;padding:0 1rem}}button{{font:inherit;padding:.5rem 1rem}}</style></head>\
         <body><h1>{title}</h1><p>{}</p>{button}</body></html>\n",
        escape(text)
    );
    let mut answer = Response::new(Either::Left(Full::new(Bytes::from(html))));
    *answer.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let headers = answer.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    answer
}

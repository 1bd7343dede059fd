//! Images of mails, loaded when a reader asks for them. The addresses are untrusted: the guard decides about each,
//! and count, sizes and time are limited.

use std::time::Duration;

use futures_util::future::BoxFuture;
use futures_util::{FutureExt, StreamExt, stream};
use reqwest::header;
use url::Url;

use crate::guard::{Guard, Protocol};
use crate::web;

/// The time limit of all images together.
const LONGEST: Duration = Duration::from_secs(10);
const AT_ONCE: usize = 6;
const LARGEST: usize = 3 * 1024 * 1024;
const LARGEST_TOGETHER: usize = 12 * 1024 * 1024;

/// A loaded image.
#[derive(Clone, Debug, PartialEq)]
pub struct Image {
    pub content_type: &'static str,
    pub content: Vec<u8>,
}

/// The addresses of the images in the HTML of a mail, and the images; `None` for each that can't be loaded. No redirect is
/// followed.
pub async fn load(guard: &Guard, html: &str) -> Vec<(String, Option<Image>)> {
    let mut images: Vec<_> = untrusted_html::image_addresses(html).into_iter().map(|address| (address, None)).collect();
    let each = images.iter().enumerate().map(|(at, (address, _))| one(guard.clone(), at, address.clone()).boxed());
    let each: Vec<BoxFuture<'static, (usize, Option<Image>)>> = each.collect();
    let mut loading = stream::iter(each).buffer_unordered(AT_ONCE);
    let mut left = LARGEST_TOGETHER;
    let all = async {
        while let Some((at, image)) = loading.next().await {
            let Some(image) = image else { continue };
            let Some(rest) = left.checked_sub(image.content.len()) else { break };
            left = rest;
            images[at].1 = Some(image);
        }
    };
    // Images that were loaded before the limit are shown.
    let _ = tokio::time::timeout(LONGEST, all).await;
    images
}

async fn one(guard: Guard, at: usize, address: String) -> (usize, Option<Image>) {
    (at, image(&guard, &address).await)
}

async fn image(guard: &Guard, address: &str) -> Option<Image> {
    let url = Url::parse(address).ok()?;
    if !matches!(url.scheme(), "http" | "https") || !url.username().is_empty() || url.password().is_some() {
        return None;
    }
    let (host, port) = (url.host_str()?, url.port_or_known_default()?);
    guard.check(Protocol::Http, host, port).ok()?;
    let client = web::guarded(LONGEST, guard, port).ok()?;
    let request = client.get(url).header(header::ACCEPT, "image/*").header(header::USER_AGENT, "Mozilla/5.0");
    let answer = request.send().await.ok()?;
    if !answer.status().is_success() {
        return None;
    }
    let content = web::body(answer, LARGEST).await.ok()?;
    let content_type = sniffed(&content)?;
    Some(Image { content_type, content })
}

/// The type of an image by its first bytes. SVG is left out, since it can contain other content.
fn sniffed(content: &[u8]) -> Option<&'static str> {
    match content {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some("image/gif"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        _ => None,
    }
}
